//! Knuth's programs under their own names, which read their arguments themselves.

use std::ffi::OsString;

use clap::Args as ClapArgs;

pub const KNUTH: &str = "\
An argument is a letter and a number in one word. If a letter occurs twice, the first argument counts.
  v<n>  what to print on stderr, a sum of: 1 statistics, 2 choices, 4 details of choices, 128 profile, 256 full \
states, 512 lengths of lists, 1024 warnings, and in dlx1 2048 largest degree (default 1025)
  m<n>  print solutions whose number is a multiple of n (default 0: only count them)
  s<n>  make random choices, fixed by n
  d<n>  report after every n mems; 0 is never (default 10000000000)
  c<n>  show only choices above level n
  C<n>  show n levels in reports
  l<n>  show details up to n levels above the deepest level so far
  t<n>  stop after n solutions
  T<n>  stop after n mems
  S<file>  write the shape of the search tree to a file

A link to this program with the name of one of Knuth's programs runs that program.

The exit status is 0 if the search ends, 102 if the input is wrong, and 255 if the arguments are wrong.";

pub const KNUTH_COSTS: &str = "\
An argument is a letter and a number in one word. If a letter occurs twice, the first argument counts.
  k<n>  find the n cheapest solutions, and print those that improve on them (default 1)
  Z<abc>  each option has one primary item that begins with each of these letters
  z<n>  each option has n other primary items; Z and z give better bounds
  h<n>  count at most n options of an item one by one (default 10)
  v<n>  what to print on stderr, a sum of: 1 statistics, 2 choices, 4 details of choices, 8 taxes, 16 least costs, \
128 profile, 256 full states, 512 lengths of lists, 1024 warnings (default 1041)
  m<n>, d<n>, c<n>, C<n>, l<n>, t<n>, T<n>, S<file>  as for dlx2

A link to this program with the name of one of Knuth's programs runs that program.

The exit status is 0 if the search ends, 102 if the input is wrong, and 255 if the arguments are wrong.";

pub const KNUTH_PRE: &str = "\
An argument is a letter and a number in one word. If a letter occurs twice, the first argument counts.
  v<n>  what to print, a sum of: 1 statistics, 2 rounds, 4 what is removed and why, 8 the numbers of the options in \
the output, 512 lengths of lists, 1024 warnings (default 1025)
  t<n>  stop before round n
  d<n>  report after every n mems; 0 is never (default 10000000000)
  T<n>  stop after n mems

A link to this program with the name of one of Knuth's programs runs that program. `reduce` removes more, and keeps \
what --loop reads.

The exit status is 0 if the reduction ends, 102 if the input is wrong, and 255 if the arguments are wrong.";

pub const KNUTH_ZDD: &str = "\
An argument is a letter and a number in one word. If a letter occurs twice, the first argument counts.
  m<n>  print a ZDD of all solutions, if n is not 0 (default 0: only count them). The line `5: (~3?2:4)` is node 5, \
which leads to node 2 without option 3 and to node 4 with it; 0 is no solution, 1 is one, and the last line leads to \
the root
  Z<n>  stop when the ZDD has more than n nodes
  v<n>  what to print on stderr, a sum of: 1 statistics, 2 choices, 4 details of choices, 8 subproblems that were \
met before, 16 secondary items, 128 profile, 256 full states, 512 lengths of lists, 1024 warnings (default 1025)
  s<n>, d<n>, c<n>, C<n>, l<n>, t<n>, T<n>, S<file>  as for dlx2

A link to this program with the name of one of Knuth's programs runs that program.

The exit status is 0 if the search ends, 102 if the input is wrong, and 255 if the arguments are wrong.";

/// The arguments of a program of Knuth's, which it reads itself.
#[derive(Debug, ClapArgs)]
pub struct Knuth {
    /// Arguments such as v1, m1 or t2; the problem comes from standard input
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "LETTER-NUMBER")]
    pub args: Vec<OsString>,
}
