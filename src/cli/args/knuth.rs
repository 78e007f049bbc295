//! Knuth's programs under their own names, which read their arguments themselves.

use std::ffi::OsString;

use clap::Args as ClapArgs;

pub const KNUTH: &str = "\
Arguments are a letter and a number in one word; of several with one letter \
the first counts.
  v<n>     what to tell on stderr, a sum of: 1 statistics, 2 choices, 4 their
           details, 128 profile, 256 full states, 512 lengths of lists,
           1024 warnings, and in dlx1 2048 largest degree (default 1025)
  m<n>     print solutions whose number is a multiple of n (default 0: only count them)
  s<n>     make random choices, fixed by n
  d<n>     mems between reports, 0 for none (default 10000000000)
  c<n>     show choices above level n only
  C<n>     show n levels in reports
  l<n>     show details down to n levels above the deepest so far
  t<n>     stop after n solutions
  T<n>     stop after n mems
  S<file>  write the shape of the search tree to a file

The program also answers to the names of Knuth's programs, for instance through a link.

Exit status: 0 whatever was found, 102 bad input, 255 bad usage.";

pub const KNUTH_COSTS: &str = "\
Arguments are a letter and a number in one word; of several with one letter \
the first counts.
  k<n>     find the n cheapest solutions, and show what improves on them (default 1)
  Z<abc>   each option has one primary item that begins with each of these letters
  z<n>     each option has n other primary items: with Z and z, bounds are better
  h<n>     count at most n options of an item one by one (default 10)
  v<n>     what to tell on stderr, a sum of: 1 statistics, 2 choices, 4 their
           details, 8 taxes, 16 least costs, 128 profile, 256 full states,
           512 lengths of lists, 1024 warnings (default 1041)
  m<n>, d<n>, c<n>, C<n>, l<n>, t<n>, T<n>, S<file>: as for dlx2

The program also answers to the names of Knuth's programs, for instance through a link.

Exit status: 0 whatever was found, 102 bad input, 255 bad usage.";

pub const KNUTH_PRE: &str = "\
Arguments are a letter and a number in one word; of several with one letter \
the first counts.
  v<n>     what to tell, a sum of: 1 statistics, 2 rounds, 4 what is removed and
           why, 8 the numbers of the options in the output, 512 lengths of lists,
           1024 warnings (default 1025)
  t<n>     stop before round n
  d<n>     mems between reports, 0 for none (default 10000000000)
  T<n>     stop after n mems

The program also answers to the names of Knuth's programs, for instance through a link. `reduce` \
removes more, and leaves what --loop reads.

Exit status: 0, 102 bad input, 255 bad usage.";

pub const KNUTH_ZDD: &str = "\
Arguments are a letter and a number in one word; of several with one letter \
the first counts.
  m<n>     print a ZDD of all solutions, if n is not 0 (default 0: only count
           them). `5: (~3?2:4)` is node 5, which goes to node 2 without option 3
           and to node 4 with it; 0 is no solution, 1 is one, and the last line
           leads to the root
  Z<n>     stop when the ZDD has more than n nodes
  v<n>     what to tell on stderr, a sum of: 1 statistics, 2 choices, 4 their
           details, 8 what was met before, 16 secondary items, 128 profile,
           256 full states, 512 lengths of lists, 1024 warnings (default 1025)
  s<n>, d<n>, c<n>, C<n>, l<n>, t<n>, T<n>, S<file>: as for dlx2

The program also answers to the names of Knuth's programs, for instance through a link.

Exit status: 0 whatever was found, 102 bad input, 255 bad usage.";

/// The arguments of a program of Knuth's, which it reads itself.
#[derive(Debug, ClapArgs)]
pub struct Knuth {
    /// v1, m1, t2, ...; the problem comes from standard input
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "LETTER-NUMBER")]
    pub args: Vec<OsString>,
}
