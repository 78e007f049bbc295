//! The flags of constraints: one for each that is registered.

use std::sync::Arc;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches, Id};

use crate::constraint::registry::Declaration;
use crate::constraint::{Constraint, REGISTRY};

/// Constraints beyond exact cover, in the order of the registry.
#[derive(Clone, Debug, Default)]
pub struct Rules(Vec<Arc<dyn Constraint>>);

/// The group of these flags, for flags that exclude them.
pub const CONSTRAINTS: &str = "constraints";

impl Rules {
    /// The constraints.
    pub fn asked(&self) -> Vec<&dyn Constraint> {
        self.0.iter().map(|one| &**one).collect()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a constraint of this kind is among them.
    pub fn has(&self, kind: &Declaration) -> bool {
        self.0.iter().any(|one| one.declaration().flag == kind.flag)
    }
}

fn name(kind: &'static Declaration) -> &'static str {
    kind.flag.trim_start_matches('-')
}

fn arg(kind: &'static Declaration) -> Arg {
    let arg = Arg::new(name(kind)).long(name(kind)).help(kind.help).help_heading("Constraints");
    match &kind.argument {
        None => arg.action(ArgAction::SetTrue),
        Some(argument) => arg
            .value_name(argument.name)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(argument.default)
            .action(ArgAction::Append)
            .value_parser(kind.parse),
    }
}

impl Args for Rules {
    fn augment_args(command: Command) -> Command {
        let group = ArgGroup::new(CONSTRAINTS).multiple(true).args(REGISTRY.map(name));
        command.args(REGISTRY.map(arg)).group(group)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Rules::augment_args(command)
    }

    fn group_id() -> Option<Id> {
        Some(CONSTRAINTS.into())
    }
}

impl FromArgMatches for Rules {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut rules = Rules::default();
        rules.update_from_arg_matches(matches)?;
        Ok(rules)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.clear();
        for kind in REGISTRY {
            if kind.argument.is_some() {
                let values = matches.get_many::<Arc<dyn Constraint>>(name(kind));
                self.0.extend(values.into_iter().flatten().cloned());
            } else if matches.get_flag(name(kind)) {
                self.0.push((kind.parse)("").expect("a flag without argument has nothing wrong"));
            }
        }
        Ok(())
    }
}
