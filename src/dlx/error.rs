//! What can be wrong with a `.dlx` file, in the order of Knuth's list of panics.

use std::fmt;
use std::io;

use crate::diagnostic::Diagnostic;
use crate::encoding;
use crate::problem::Refusal;

/// Why a `.dlx` file could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes could not be had.
    Io(io::Error),
    /// They are not a `.dlx` file; boxed because it is much the larger case.
    #[doc(hidden)]
    Syntax(Box<SyntaxError>),
}

/// A mistake in a `.dlx` file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What the mistake is.
    pub fault: Fault,
    /// Where it is, in words for people.
    pub diagnostic: Diagnostic,
}

/// The mistakes, one variant each. The texts are in [`Fault::what`] and [`Fault::expected`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's text is right below")]
pub enum Fault {
    NoItems,
    Utf16,
    NulByte,
    IllegalInName,
    DuplicateItem,
    SecondBar,
    BoundDigit,
    BoundTooLarge,
    BoundWithoutName,
    LowerWithoutUpper,
    UpperZero,
    LowerAboveUpper,
    SecondaryBound,
    UnknownItem,
    EmptyItemName,
    DuplicateInOption,
    ColoredPrimary,
    EmptyColor,
    IllegalColor,
    CostDigit,
    CostTooLarge,
    TooLarge,
}

impl Fault {
    /// The mistake in a few words, about the text `word`.
    pub fn what(self, word: &str) -> String {
        match self {
            Fault::NoItems => "no items".into(),
            Fault::Utf16 => encoding::UTF16.into(),
            Fault::NulByte => "NUL byte".into(),
            Fault::IllegalInName => format!("illegal character in item name `{word}`"),
            Fault::DuplicateItem => format!("duplicate item name `{word}`"),
            Fault::SecondBar => "the item-name line contains `|` twice".into(),
            Fault::BoundDigit => format!("illegal digit in bound `{word}`"),
            Fault::BoundTooLarge => format!("bound `{word}` is too large"),
            Fault::BoundWithoutName => format!("bound `{word}` without an item name"),
            Fault::LowerWithoutUpper => format!("illegal `:` in item name `{word}`"),
            Fault::UpperZero => format!("upper bound is zero in `{word}`"),
            Fault::LowerAboveUpper => format!("lower bound exceeds upper bound in `{word}`"),
            Fault::SecondaryBound => format!("illegal `|` in secondary item `{word}`"),
            Fault::UnknownItem => format!("unknown item name `{word}`"),
            Fault::EmptyItemName => "empty item name".into(),
            Fault::DuplicateInOption => format!("duplicate item name `{word}` in this option"),
            Fault::ColoredPrimary => format!("primary item `{word}` must be uncolored"),
            Fault::EmptyColor => "empty color".into(),
            Fault::IllegalColor => format!("illegal color `{word}`"),
            Fault::CostDigit => format!("illegal option cost `{word}`"),
            Fault::CostTooLarge => format!("option cost `{word}` is too large"),
            Fault::TooLarge => "the problem is too large".into(),
        }
    }

    /// What would have been right there.
    pub fn expected(self) -> &'static str {
        match self {
            Fault::NoItems => "a line of item names",
            Fault::Utf16 => encoding::BYTES,
            Fault::NulByte => "text without NUL bytes",
            Fault::IllegalInName => "a name without `:` and `|`; a blank stands before the bar",
            Fault::DuplicateItem => "a name that no other item has",
            Fault::SecondBar => "one bar, between primary and secondary items",
            Fault::BoundDigit => "a bound such as `2|A` or `1:3|A`, or a blank before the bar",
            Fault::BoundTooLarge => "a bound of at most 7 digits",
            Fault::BoundWithoutName => "an item name right after the bound",
            Fault::LowerWithoutUpper => "a name without `:`, or a bound such as `1:3|A`",
            Fault::UpperZero => "an upper bound of at least 1",
            Fault::LowerAboveUpper => "lower bound, `:`, upper bound",
            Fault::SecondaryBound => "a name without `|`; only primary items have bounds",
            Fault::UnknownItem => "a name from the item-name line",
            Fault::EmptyItemName => "an item name before the `:`",
            Fault::DuplicateInOption => "each item at most once in an option",
            Fault::ColoredPrimary => "a color only on a secondary item",
            Fault::EmptyColor => "a color right after the `:`",
            Fault::IllegalColor => "`:`, `|`, or a color without `:` and `|`",
            Fault::CostDigit => "a bar and a decimal number, such as `|7`",
            Fault::CostTooLarge => "costs that add up to less than 2^64",
            Fault::TooLarge => "fewer than 2^32 items, entries and options together",
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { line, column, what, .. } = &self.diagnostic;
        write!(f, "{line}:{column}: {what}")
    }
}

impl std::error::Error for SyntaxError {}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => error.fmt(f),
            ReadError::Syntax(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadError::Io(error) => Some(error),
            ReadError::Syntax(_) => None,
        }
    }
}

impl ReadError {
    /// Line and column of the mistake, in bytes from 1; `None` if the bytes could not be had.
    pub fn place(&self) -> Option<(u64, u64)> {
        match self {
            ReadError::Io(_) => None,
            ReadError::Syntax(error) => Some((error.diagnostic.line, error.diagnostic.column)),
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Io(error)
    }
}

impl From<Box<SyntaxError>> for ReadError {
    fn from(error: Box<SyntaxError>) -> Self {
        ReadError::Syntax(error)
    }
}

impl From<Refusal> for Fault {
    /// # Panics
    ///
    /// On [`Refusal::NoPrimary`]: a reader drops such an option.
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::DuplicateItem => Fault::DuplicateItem,
            Refusal::DuplicateInOption => Fault::DuplicateInOption,
            Refusal::ColoredPrimary => Fault::ColoredPrimary,
            Refusal::TooLarge => Fault::TooLarge,
            Refusal::CostOverflow => Fault::CostTooLarge,
            Refusal::NoPrimary => unreachable!("such an option is dropped"),
        }
    }
}

/// What is wrong with the bytes of a name, which has no blanks.
pub(super) fn name_fault(name: &[u8]) -> Option<Fault> {
    let at = memchr::memchr3(0, b'|', b':', name)?;
    Some(if name[at] == 0 { Fault::NulByte } else { Fault::IllegalInName })
}

/// What is wrong with the bytes of a color, which has no blanks.
pub(super) fn color_fault(color: &[u8]) -> Option<Fault> {
    match color {
        [] => Some(Fault::EmptyColor),
        b":" | b"|" => None,
        _ if color.contains(&0) => Some(Fault::NulByte),
        _ => memchr::memchr2(b'|', b':', color).map(|_| Fault::IllegalColor),
    }
}
