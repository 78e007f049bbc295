//! Newtypes for the things that a problem counts: items, options and colors.
//!
//! They are indices from 0; nothing but `index` lets the number out, so that an item is never
//! taken for an option.

/// An item, numbered in the order of the item-name line: primary items first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId(u32);

/// An option, numbered from 0 among the options that have a primary item. Users see `index + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OptionId(u32);

/// A color, or [`Color::NONE`] for an item that an option uses without color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Color(u32);

impl ItemId {
    /// The item with this number.
    #[doc(hidden)]
    pub const fn new(index: u32) -> Self {
        ItemId(index)
    }

    /// Its number, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its number as it is stored in the nodes of an engine.
    #[doc(hidden)]
    pub const fn raw(self) -> u32 {
        self.0
    }
}

impl OptionId {
    /// The option with this number.
    #[doc(hidden)]
    pub const fn new(index: u32) -> Self {
        OptionId(index)
    }

    /// Its number, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Color {
    /// No color: the option uses the item alone.
    pub const NONE: Color = Color(0);

    /// The color with this number; 0 is [`Color::NONE`].
    #[doc(hidden)]
    pub const fn new(number: u32) -> Self {
        Color(number)
    }

    /// Its number; 0 for no color.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its number as it is stored in the nodes of an engine.
    #[doc(hidden)]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// Whether this is no color.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}
