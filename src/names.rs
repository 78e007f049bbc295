//! Coordinates in item names: the convention that constraints read.
//!
//! The digits are Knuth's extended digits in base 62: `0-9`, `a-z`, `A-Z`. A name of exactly `2k`
//! digits (`k` = 1, 2, 3, 4) is a coordinate pair: the first `k` digits are the row, the last `k`
//! the column, most significant first. Parity tells the role of the pair:
//!
//! | row, column | role |
//! |---|---|
//! | even, even | vertex |
//! | one odd, one even | edge, the midpoint of two vertices |
//! | odd, odd | cell |
//!
//! So `00` and `02` are vertices, `01` is the edge between them, and `11` is the cell below that
//! edge. With `k` = 1 the names are those of Knuth's `dlx2-loop` (its change file, "Handle edge and
//! vertex names"); a larger `k` is our extension for boards beyond 30 x 30 cells.

/// The most base-62 digits that one coordinate may have.
pub const MAX_DIGITS: usize = 4;

const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A point of the doubled grid: cells, edges and vertices all have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coord {
    /// Row, counted from 0 at the top; cell row `i` is `2i + 1`.
    pub row: u32,
    /// Column, counted from 0 at the left.
    pub col: u32,
}

/// What a coordinate pair stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Both coordinates are even.
    Vertex,
    /// Exactly one coordinate is odd.
    Edge,
    /// Both coordinates are odd.
    Cell,
}

impl Role {
    /// What such a place is called, in the singular.
    pub const fn noun(self) -> &'static str {
        match self {
            Role::Vertex => "vertex",
            Role::Edge => "edge",
            Role::Cell => "cell",
        }
    }
}

impl Coord {
    /// The point in `row`, `col` of the doubled grid.
    pub const fn new(row: u32, col: u32) -> Self {
        Coord { row, col }
    }

    /// The role that the parities give to this point.
    pub const fn role(self) -> Role {
        match (self.row % 2, self.col % 2) {
            (0, 0) => Role::Vertex,
            (1, 1) => Role::Cell,
            _ => Role::Edge,
        }
    }

    /// The two vertices of an edge: left and right, or upper and lower. `None` for other roles.
    pub fn ends(self) -> Option<(Coord, Coord)> {
        let Coord { row, col } = self;
        match (row % 2, col % 2) {
            (0, 1) => Some((Coord::new(row, col - 1), Coord::new(row, col + 1))),
            (1, 0) => Some((Coord::new(row - 1, col), Coord::new(row + 1, col))),
            _ => None,
        }
    }
}

/// One extended digit, `None` where `value` is 62 or more.
pub fn digit(value: u32) -> Option<u8> {
    DIGITS.get(value as usize).copied()
}

/// The value of an extended digit, `None` for any other byte.
pub const fn digit_value(byte: u8) -> Option<u32> {
    match byte {
        b'0'..=b'9' => Some((byte - b'0') as u32),
        b'a'..=b'z' => Some((byte - b'a') as u32 + 10),
        b'A'..=b'Z' => Some((byte - b'A') as u32 + 36),
        _ => None,
    }
}

/// How many digits a coordinate has in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(u8);

impl Width {
    /// The width of `digits` digits per coordinate, `None` unless it is 1 ..= [`MAX_DIGITS`].
    pub fn new(digits: usize) -> Option<Self> {
        (1..=MAX_DIGITS).contains(&digits).then_some(Width(digits as u8))
    }

    /// The least width that holds `largest`; `None` beyond 62^4 - 1.
    pub fn holding(largest: u32) -> Option<Self> {
        (1..=MAX_DIGITS).find(|&k| u64::from(largest) < 62u64.pow(k as u32)).and_then(Width::new)
    }

    /// All widths, the least first.
    pub fn all() -> impl Iterator<Item = Width> {
        (1..=MAX_DIGITS as u8).map(Width)
    }

    /// Digits in one coordinate.
    pub fn digits(self) -> usize {
        usize::from(self.0)
    }

    /// The name of `at`. Coordinates that are too large for the width lose their upper digits, so
    /// take the width from [`Width::holding`].
    pub fn encode(self, at: Coord) -> Name {
        let k = self.digits();
        let mut name = Name { bytes: [0; 2 * MAX_DIGITS], len: 2 * self.0 };
        for (half, mut value) in [(0, at.row), (k, at.col)] {
            for place in (half..half + k).rev() {
                name.bytes[place] = DIGITS[(value % 62) as usize];
                value /= 62;
            }
        }
        name
    }

    /// The point that `name` stands for, `None` unless it is exactly two coordinates wide.
    pub fn decode(self, name: &[u8]) -> Option<Coord> {
        let k = self.digits();
        if name.len() != 2 * k {
            return None;
        }
        let number = |digits: &[u8]| {
            digits.iter().try_fold(0u32, |sum, &byte| Some(sum * 62 + digit_value(byte)?))
        };
        Some(Coord { row: number(&name[..k])?, col: number(&name[k..])? })
    }
}

/// A coordinate pair as text; at most eight bytes, kept in place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    bytes: [u8; 2 * MAX_DIGITS],
    len: u8,
}

impl std::ops::Deref for Name {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_it_encodes() {
        for width in Width::all() {
            for value in [0, 1, 9, 10, 35, 36, 61, 62, 3843, 3844, 238_327, 238_328, 14_776_335] {
                if Width::holding(value).is_some_and(|w| w.digits() <= width.digits()) {
                    let at = Coord::new(value, value / 2);
                    assert_eq!(width.decode(&width.encode(at)), Some(at));
                }
            }
        }
    }

    #[test]
    fn takes_the_least_width_that_holds_the_largest_coordinate() {
        let digits = |largest| Width::holding(largest).map(Width::digits);
        assert_eq!(
            [digits(61), digits(62), digits(3843), digits(3844)],
            [Some(1), Some(2), Some(2), Some(3)]
        );
        assert_eq!(digits(62u32.pow(4)), None);
    }

    #[test]
    fn an_edge_is_the_midpoint_of_its_ends() {
        assert_eq!(Coord::new(0, 1).ends(), Some((Coord::new(0, 0), Coord::new(0, 2))));
        assert_eq!(Coord::new(3, 4).ends(), Some((Coord::new(2, 4), Coord::new(4, 4))));
        assert_eq!(Coord::new(1, 1).ends(), None);
        assert_eq!(&*Width::new(1).unwrap().encode(Coord::new(60, 10)), b"Ya");
    }

    #[test]
    fn other_shapes_are_no_coordinates() {
        let one = Width::new(1).unwrap();
        assert_eq!(
            [one.decode(b"0"), one.decode(b"#1"), one.decode(b"001"), one.decode(b"")],
            [None; 4]
        );
    }
}
