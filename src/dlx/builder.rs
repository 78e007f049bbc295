//! Builds a problem from names, as a file spells them, and refuses what the reader refuses.

use std::fmt;

use crate::dlx::error::{Fault, color_fault, name_fault};
use crate::dlx::is_blank;
use crate::dlx::parse::word;
use crate::ids::Color;
use crate::problem::{Bound, Problem, ProblemBuilder, Refusal};

/// The largest bound: seven digits, as in a file.
const MOST: u32 = 9_999_999;

/// Builds a [`Problem`] item by item, then option by option. Items and colors are spelled as in a file.
///
/// # Examples
///
/// ```
/// use quadrille::{Problem, Query};
///
/// let mut builder = Problem::builder();
/// builder.primary("A")?.primary("B")?.secondary("x")?;
/// builder.option(["A", "x:red"])?.option(["B", "x:red"])?.option(["B", "x:blue"])?;
/// let problem = builder.build()?;
/// assert_eq!(Query::new(&problem).count()?, 1u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Builder {
    inner: ProblemBuilder,
}

/// What a [`Builder`] refuses. Its text says what, and what would have been right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    what: String,
    expected: &'static str,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; expected {}", self.what, self.expected)
    }
}

impl std::error::Error for BuildError {}

impl BuildError {
    fn new(fault: Fault, text: &[u8]) -> Self {
        BuildError { what: fault.what(&word(text)), expected: fault.expected() }
    }

    fn refused(refusal: Refusal, text: &[u8]) -> Self {
        match refusal {
            Refusal::NoPrimary => BuildError {
                what: "the option has no primary item".into(),
                expected: "at least one, since other options cannot be in a cover",
            },
            refusal => BuildError::new(Fault::from(refusal), text),
        }
    }
}

impl Problem {
    /// A builder of a problem without items.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Builder {
    /// Adds a primary item, which each solution covers exactly once.
    ///
    /// # Errors
    ///
    /// The name is empty, taken, or contains a blank, `:`, `|` or NUL; or there is a secondary item already.
    pub fn primary(&mut self, name: impl AsRef<[u8]>) -> Result<&mut Self, BuildError> {
        self.primary_between(1, 1, name)
    }

    /// Adds a primary item that each solution covers at least `low` and at most `high` times.
    ///
    /// # Errors
    ///
    /// As [`primary`](Self::primary); or `high` is 0, less than `low`, or has more than seven digits.
    pub fn primary_between(
        &mut self,
        low: u32,
        high: u32,
        name: impl AsRef<[u8]>,
    ) -> Result<&mut Self, BuildError> {
        let name = checked(name.as_ref())?;
        if self.inner.problem().secondary() > 0 {
            return Err(BuildError {
                what: format!("primary item `{}` after a secondary one", word(name)),
                expected: "all primary items first",
            });
        }
        let fault = match (low, high) {
            (_, 0) => Some(Fault::UpperZero),
            (low, high) if low > high => Some(Fault::LowerAboveUpper),
            (_, MOST..) if high > MOST => Some(Fault::BoundTooLarge),
            _ => None,
        };
        if let Some(fault) = fault {
            let spelled = format!("{low}:{high}|{}", String::from_utf8_lossy(name));
            return Err(BuildError::new(fault, spelled.as_bytes()));
        }
        let added = self.inner.primary_item(name, Bound { low, high });
        added.map_err(|refusal| BuildError::refused(refusal, name))?;
        Ok(self)
    }

    /// Adds a secondary item, which options may share if they give it the same color.
    ///
    /// # Errors
    ///
    /// The name is empty, taken, or contains a blank, `:`, `|` or NUL.
    pub fn secondary(&mut self, name: impl AsRef<[u8]>) -> Result<&mut Self, BuildError> {
        let name = checked(name.as_ref())?;
        let added = self.inner.secondary_item(name);
        added.map_err(|refusal| BuildError::refused(refusal, name))?;
        Ok(self)
    }

    /// Adds an option of these items: `A`, or `x:red` for a secondary item with a color.
    ///
    /// # Errors
    ///
    /// An item is unknown or stands there twice, a primary one has a color, a color is empty or illegal, or there
    /// is no primary item. Then the builder is as it was.
    pub fn option<I>(&mut self, entries: I) -> Result<&mut Self, BuildError>
    where
        I: IntoIterator,
        I::Item: AsRef<[u8]>,
    {
        self.option_at_cost(0, entries)
    }

    /// Adds an option that costs so much.
    ///
    /// # Errors
    ///
    /// As [`option`](Self::option).
    pub fn option_at_cost<I>(&mut self, cost: u64, entries: I) -> Result<&mut Self, BuildError>
    where
        I: IntoIterator,
        I::Item: AsRef<[u8]>,
    {
        let added = self.add(cost, entries);
        if added.is_err() {
            self.inner.abandon_option();
        }
        added.map(|()| self)
    }

    fn add<I>(&mut self, cost: u64, entries: I) -> Result<(), BuildError>
    where
        I: IntoIterator,
        I::Item: AsRef<[u8]>,
    {
        for entry in entries {
            self.entry(entry.as_ref())?;
        }
        self.inner.cost(cost).map_err(|refusal| BuildError::refused(refusal, b""))?;
        let added = self.inner.end_option().map_err(|refusal| BuildError::refused(refusal, b""))?;
        added.map(|_| ()).ok_or_else(|| BuildError::refused(Refusal::NoPrimary, b""))
    }

    fn entry(&mut self, entry: &[u8]) -> Result<(), BuildError> {
        let (name, color) = match entry.iter().position(|&byte| byte == b':') {
            Some(colon) => (&entry[..colon], Some(&entry[colon + 1..])),
            None => (entry, None),
        };
        let fault = |fault| BuildError::new(fault, entry);
        if name.is_empty() {
            return Err(fault(Fault::EmptyItemName));
        }
        let item = self.inner.problem().find(name);
        let item = item.ok_or_else(|| BuildError::new(Fault::UnknownItem, name))?;
        let color = match color {
            None => Color::NONE,
            Some(_) if self.inner.problem().is_primary(item) => {
                return Err(BuildError::new(Fault::ColoredPrimary, name));
            }
            Some(color) => match color_fault(color) {
                Some(wrong) => return Err(fault(wrong)),
                None if color.iter().any(|&byte| is_blank(byte)) => {
                    return Err(fault(Fault::IllegalColor));
                }
                None => self.inner.color(color),
            },
        };
        self.inner.entry(item, color).map_err(|refusal| BuildError::refused(refusal, name))
    }

    /// The problem.
    ///
    /// # Errors
    ///
    /// It has no items.
    pub fn build(self) -> Result<Problem, BuildError> {
        match self.inner.problem().items() {
            0 => Err(BuildError::new(Fault::NoItems, b"")),
            _ => Ok(self.inner.finish()),
        }
    }
}

/// The name, if it is one.
fn checked(name: &[u8]) -> Result<&[u8], BuildError> {
    let fault = match name {
        [] => Some(Fault::EmptyItemName),
        name if name.iter().any(|&byte| is_blank(byte)) => Some(Fault::IllegalInName),
        name => name_fault(name),
    };
    fault.map_or(Ok(name), |fault| Err(BuildError::new(fault, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A builder with two primary items and a secondary one.
    fn builder() -> Builder {
        let mut builder = Problem::builder();
        builder.primary("A").unwrap().primary_between(0, 2, "B").unwrap().secondary("x").unwrap();
        builder
    }

    #[test]
    fn what_the_reader_refuses_is_refused() {
        let refused = |added: Result<&mut Builder, BuildError>| added.unwrap_err().to_string();
        for name in ["", "a b", "a\tb", "a:b", "a|b", "|", "a\0"] {
            assert!(Problem::builder().primary(name).is_err(), "{name:?}");
            assert!(Problem::builder().secondary(name).is_err(), "{name:?}");
        }
        assert!(refused(builder().primary("C")).contains("primary item `C` after a secondary one"));
        assert!(refused(builder().secondary("A")).contains("duplicate item name `A`"));
        for (low, high, what) in [
            (3, 1, "lower bound exceeds upper bound in `3:1|C`"),
            (0, 0, "upper bound is zero in `0:0|C`"),
            (0, 10_000_000, "bound `0:10000000|C` is too large"),
        ] {
            let mut builder = Problem::builder();
            assert!(refused(builder.primary_between(low, high, "C")).contains(what), "{what}");
        }
        for (entries, what) in [
            (&["A", "y"][..], "unknown item name `y`"),
            (&["A", "A"], "duplicate item name `A` in this option"),
            (&["A:1"], "primary item `A` must be uncolored"),
            (&["A", "x:"], "empty color"),
            (&["A", "x:1:2"], "illegal color `x:1:2`"),
            (&["A", "x:1 2"], "illegal color `x:1 2`"),
            (&["A", ":1"], "empty item name"),
            (&["x:1"], "the option has no primary item"),
            (&[], "the option has no primary item"),
        ] {
            let mut builder = builder();
            assert!(refused(builder.option(entries)).contains(what), "{what}");
            // What was refused left nothing behind.
            builder.option(["A", "x:1"]).unwrap();
            let problem = builder.build().unwrap();
            assert_eq!((problem.options(), problem.entries()), (1, 2), "{what}");
        }
        assert!(Problem::builder().build().unwrap_err().to_string().contains("no items"));
        let mut costs = builder();
        costs.option_at_cost(u64::MAX, ["A"]).unwrap();
        assert_eq!(
            costs.build().unwrap().total_cost(&[crate::ids::OptionId::new(0)]),
            u64::MAX.into()
        );
    }
}
