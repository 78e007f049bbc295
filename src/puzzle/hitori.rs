//! Hitori: blacken cells so that no number is twice white in a row or column, black cells are not
//! neighbors, and the white ones are connected.
//!
//! ```text
//! 11    █1    The only solution. The other way to part the equal numbers blackens both
//! 12    12    neighbors of the corner, which cuts the white cells.
//! ```
//!
//! The construction (TAOCP 7.2.2.1, exercise 437): cell `xy` is a primary item `#xy`, "it is
//! decided", and a secondary one `xy` with color `0` for white and `1` for black. The midpoint of
//! two neighbors is a secondary item that a black one takes, so that both cannot be black. A number
//! that occurs twice in a row or column is a secondary item of that line, which a white cell takes.
//! That white cells are connected is left to a constraint (exercise 438).

use super::clues::{Clue, Clues, Coloring, Sketch};
use super::grid::{ClueRow, Sheet, same_length};
use super::lattice::COLOR;
use super::rules::BrokenRule;
use super::{Model, Out, Kind, Report, too_large};
use crate::constraint::{Connected, Constraint};
use crate::diagnostic::Diagnostic;
use crate::names::{Coord, Role, Width, digit, digit_value};
use crate::picture::{Mark, Picture, Point};
use std::collections::HashMap;
use std::io::{self, Write as _};

/// The entry of the registry.
pub static KIND: Hitori = Hitori;

/// That white cells are connected.
static CONSTRAINTS: &[&dyn Constraint] = &[&Connected::new("0")];

/// The kind; it has no state.
#[derive(Clone, Copy, Debug)]
pub struct Hitori;

impl Kind for Hitori {
    fn name(&self) -> &'static str {
        "hitori"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["singles"]
    }

    fn rule(&self) -> &'static str {
        "blacken cells: no number twice white in a line, no black neighbors, white connected"
    }

    fn legend(&self) -> &'static str {
        "`.`, or a digit 0-9, a-z, A-Z, or numbers up to 4294967295 with blanks between them"
    }

    fn constraints(&self) -> &'static [&'static dyn Constraint] {
        CONSTRAINTS
    }

    fn header(&self) -> &'static str {
        "hitori:"
    }

    fn parse(&self, sheet: &Sheet) -> Result<Clues, Diagnostic> {
        sheet.no_variant()?;
        let blank = |row: &ClueRow| row.text.iter().any(u8::is_ascii_whitespace);
        if sheet.rows.iter().any(blank) {
            return numbers(sheet);
        }
        sheet.clues(self.legend(), |byte| match byte {
            b'.' => Some(Clue::Blank),
            _ => digit_value(byte).map(Clue::Number),
        })
    }

    fn cell(&self, clue: Clue, separated: bool, text: &mut Vec<u8>) {
        match clue {
            Clue::Number(number) => match digit(number) {
                Some(digit) if !separated => text.push(digit),
                _ => text.extend_from_slice(number.to_string().as_bytes()),
            },
            _ => text.push(b'.'),
        }
    }

    fn is_separated(&self, clues: &Clues) -> bool {
        let large = |clue: &Clue| matches!(*clue, Clue::Number(n) if digit(n).is_none());
        clues.cells.iter().any(large)
    }

    fn write(&self, clues: &Clues, _: Model, out: &mut Out) -> io::Result<Report> {
        let names = Names::new(clues).ok_or_else(too_large)?;
        self.board_comments(clues, out)?;
        names.write(out)?;
        Ok(Report::default())
    }

    fn draw(&self, clues: &Clues, sketch: Option<&Sketch>) -> Picture {
        let (rows, cols) = (clues.rows, clues.cols);
        let mut picture = Picture::new(rows, cols, format!("Hitori, {rows} x {cols} cells"));
        picture.rule_cells();
        let (mut black, mut open, mut differ) = (0u64, 0u64, 0u64);
        for (row, col, clue) in clues.iter() {
            let at = Point::new(2 * row + 1, 2 * col + 1);
            if let Clue::Number(number) = clue {
                picture.marks.push(Mark::Text(at, number.to_string()));
            }
            let Some(sketch) = sketch else { continue };
            let cell = Coord::new(at.row, at.col);
            if sketch.open.contains(&cell) {
                picture.marks.push(Mark::Shade(at));
                open += 1;
            } else if sketch.colors.is(cell, b"1") {
                picture.marks.push(Mark::Fill(at));
                black += 1;
            }
            if sketch.differ.contains(&cell) {
                picture.marks.push(Mark::Halo(at));
                differ += 1;
            }
        }
        picture.description = match (sketch.map(|sketch| sketch.excluded), differ) {
            (None, _) => "A board of numbers.".into(),
            (Some(true), _) => {
                format!("A board of numbers, {black} of them certainly black, {open} open.")
            }
            (Some(false), 0) => format!("A board of numbers, {black} of them black."),
            (Some(false), _) => {
                format!("A board of numbers, {black} of them black; {differ} differ from the other answer.")
            }
        };
        picture
    }

    fn check(&self, clues: &Clues, coloring: &Coloring) -> Result<(), BrokenRule> {
        let is_black = |row: u32, col: u32| coloring.is(Coord::new(2 * row + 1, 2 * col + 1), b"1");
        let beyond = |at: Coord| at.row > 2 * clues.rows || at.col > 2 * clues.cols;
        if coloring.iter().any(|(at, _)| at.role() == Role::Cell && beyond(at)) {
            return Err(BrokenRule::everywhere("a cell lies beyond the board"));
        }
        let (mut in_row, mut in_col) = (HashMap::new(), HashMap::new());
        for (row, col, clue) in clues.iter() {
            let at = Coord::new(2 * row + 1, 2 * col + 1);
            if !is_black(row, col) && !coloring.is(at, b"0") {
                return Err(BrokenRule::at(at, "neither white nor black"));
            }
            if is_black(row, col) {
                let left = col > 0 && is_black(row, col - 1);
                let above = row > 0 && is_black(row - 1, col);
                if left || above {
                    return Err(BrokenRule::at(at, "two black cells are neighbors"));
                }
            } else if let Clue::Number(number) = clue {
                if in_row.insert((row, number), ()).is_some() {
                    return Err(BrokenRule::at(at, "this number is twice white in its row"));
                }
                if in_col.insert((col, number), ()).is_some() {
                    return Err(BrokenRule::at(at, "this number is twice white in its column"));
                }
            }
        }
        white_is_connected(clues.rows, clues.cols, is_black)
    }
}

/// Whether a walk from the first white cell reaches all others.
fn white_is_connected(
    rows: u32,
    cols: u32,
    is_black: impl Fn(u32, u32) -> bool,
) -> Result<(), BrokenRule> {
    let index = |row: u32, col: u32| row as usize * cols as usize + col as usize;
    let mut seen = vec![false; rows as usize * cols as usize];
    let mut white =
        (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).filter(|&(r, c)| !is_black(r, c));
    let mut todo: Vec<(u32, u32)> = white.next().into_iter().collect();
    if let Some(&(row, col)) = todo.first() {
        seen[index(row, col)] = true;
    }
    while let Some((row, col)) = todo.pop() {
        let around =
            [(row.wrapping_sub(1), col), (row, col.wrapping_sub(1)), (row, col + 1), (row + 1, col)];
        for (row, col) in around {
            if row < rows && col < cols && !is_black(row, col) && !seen[index(row, col)] {
                seen[index(row, col)] = true;
                todo.push((row, col));
            }
        }
    }
    match white.find(|&(row, col)| !seen[index(row, col)]) {
        None => Ok(()),
        Some((row, col)) => {
            let at = Coord::new(2 * row + 1, 2 * col + 1);
            Err(BrokenRule::at(at, "the white cells are not connected"))
        }
    }
}

/// Reads numbers with blanks between them. A row of one number begins with a blank, since without
/// any blank it would be a row of digits.
fn numbers(sheet: &Sheet) -> Result<Clues, Diagnostic> {
    let mut cells = Vec::new();
    let mut cols = 0;
    for row in &sheet.rows {
        let before = cells.len();
        let mut excess = row.text.len();
        let mut at = 0;
        while at < row.text.len() {
            let rest = &row.text[at..];
            let length = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
            if length > 0 {
                if before > 0 && cells.len() - before == cols {
                    excess = excess.min(at);
                }
                let word = std::str::from_utf8(&rest[..length]).unwrap_or("");
                let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
                match word.parse() {
                    _ if word == "." => cells.push(Clue::Blank),
                    Ok(number) if is_number => cells.push(Clue::Number(number)),
                    _ => {
                        let shown = String::from_utf8_lossy(&rest[..length.min(40)]);
                        let what = format!("`{}` is no clue", shown.escape_debug());
                        let expected = format!("`.` or a number up to {}", u32::MAX);
                        return Err(row.complain(at, length, what).expected(expected));
                    }
                }
            }
            at += length.max(1);
        }
        let count = cells.len() - before;
        if before == 0 {
            cols = count;
        }
        same_length(row, count, cols, excess)?;
    }
    sheet.board(cols, cells)
}

/// Whether a number that is repeated in its row or column stands there for the first time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeat {
    No,
    First,
    Again,
}

/// The board, and which numbers are repeated.
struct Names<'a> {
    clues: &'a Clues,
    width: Width,
    in_row: Vec<Repeat>,
    in_col: Vec<Repeat>,
}

impl<'a> Names<'a> {
    fn new(clues: &'a Clues) -> Option<Self> {
        let largest = clues.rows.max(clues.cols).checked_mul(2)?.checked_sub(1)?;
        let width = Width::holding(largest)?;
        let (rows, cols) = (clues.rows as usize, clues.cols as usize);
        let across = (0..rows).map(|row| (row * cols..(row + 1) * cols).step_by(1));
        let down = (0..cols).map(|col| (col..rows * cols).step_by(cols));
        let (in_row, in_col) = (repeats(&clues.cells, across), repeats(&clues.cells, down));
        Some(Names { clues, width, in_row, in_col })
    }

    /// `R` or `C`, a coordinate, a point and a number; the point keeps it from being a coordinate.
    fn line_name(&self, letter: u8, coordinate: u32, number: u32, name: &mut Vec<u8>) {
        let digits = self.width.encode(Coord::new(coordinate, 0));
        name.clear();
        name.push(letter);
        name.extend_from_slice(&digits[..digits.len() / 2]);
        // Writing to a Vec cannot fail.
        let _ = write!(name, ".{number}");
    }

    fn write(&self, out: &mut Out) -> io::Result<()> {
        let mut text = Vec::new();
        for (row, col, _) in self.clues.iter() {
            self.decided(row, col, &mut text);
            out.primary(&text)?;
        }
        for (index, (row, col, clue)) in self.clues.iter().enumerate() {
            let at = Coord::new(2 * row + 1, 2 * col + 1);
            out.secondary(&self.width.encode(at))?;
            if let Clue::Number(number) = clue {
                if self.in_row[index] == Repeat::First {
                    self.line_name(b'R', at.row, number, &mut text);
                    out.secondary(&text)?;
                }
                if self.in_col[index] == Repeat::First {
                    self.line_name(b'C', at.col, number, &mut text);
                    out.secondary(&text)?;
                }
            }
            // Those to the north and west came with the cells there.
            let [_, _, east, south] = self.midpoints(at);
            for midpoint in [east, south].into_iter().flatten() {
                out.secondary(&self.width.encode(midpoint))?;
            }
        }
        out.end_items()?;
        for (index, (row, col, clue)) in self.clues.iter().enumerate() {
            let at = Coord::new(2 * row + 1, 2 * col + 1);
            self.decided(row, col, &mut text);
            out.entry(&text)?;
            if let Clue::Number(number) = clue {
                if self.in_row[index] != Repeat::No {
                    self.line_name(b'R', at.row, number, &mut text);
                    out.entry(&text)?;
                }
                if self.in_col[index] != Repeat::No {
                    self.line_name(b'C', at.col, number, &mut text);
                    out.entry(&text)?;
                }
            }
            out.colored(&self.width.encode(at), COLOR[0])?;
            out.end_option()?;
            self.decided(row, col, &mut text);
            out.entry(&text)?;
            for midpoint in self.midpoints(at).into_iter().flatten() {
                out.entry(&self.width.encode(midpoint))?;
            }
            out.colored(&self.width.encode(at), COLOR[1])?;
            out.end_option()?;
        }
        Ok(())
    }

    /// The primary item of a cell.
    fn decided(&self, row: u32, col: u32, name: &mut Vec<u8>) {
        name.clear();
        name.push(b'#');
        name.extend_from_slice(&self.width.encode(Coord::new(2 * row + 1, 2 * col + 1)));
    }

    /// The midpoints between a cell and its neighbors north, west, east, south.
    fn midpoints(&self, cell: Coord) -> [Option<Coord>; 4] {
        let Coord { row, col } = cell;
        [
            (row > 1).then(|| Coord::new(row - 1, col)),
            (col > 1).then(|| Coord::new(row, col - 1)),
            (col + 1 < 2 * self.clues.cols).then(|| Coord::new(row, col + 1)),
            (row + 1 < 2 * self.clues.rows).then(|| Coord::new(row + 1, col)),
        ]
    }
}

/// For every cell whether its number is repeated in its line, where lines are lists of indices.
fn repeats(
    cells: &[Clue],
    lines: impl Iterator<Item = impl Iterator<Item = usize> + Clone>,
) -> Vec<Repeat> {
    let mut repeats = vec![Repeat::No; cells.len()];
    let mut first: HashMap<u32, usize> = HashMap::new();
    for line in lines {
        first.clear();
        for index in line {
            let Some(&Clue::Number(number)) = cells.get(index) else { continue };
            match first.get(&number) {
                Some(&before) => {
                    repeats[before] = Repeat::First;
                    repeats[index] = Repeat::Again;
                }
                None => {
                    first.insert(number, index);
                }
            }
        }
    }
    repeats
}

#[cfg(test)]
mod tests {
    use super::super::from_comments;
    use super::super::testing::*;
    use super::*;

    // The .sol files come from an oracle that knows no exact cover, see fixtures/README.md.
    #[test]
    fn the_check_accepts_known_solutions_and_nothing_near_them() {
        for (name, board, solution) in fixtures![
            "hitori",
            ".sol",
            "sgt-singles-12x17-k-1",
            "sgt-singles-7x7-e-1",
            "sgt-singles-8x9-k-1",
        ] {
            let clues = KIND.read(board.as_bytes()).unwrap();
            let mut coloring = Coloring::new();
            for (row, line) in (0..).zip(solution.lines()) {
                for (col, byte) in (0..).zip(line.bytes()) {
                    let color = COLOR[usize::from(byte == b'#')];
                    coloring.insert(Coord::new(2 * row + 1, 2 * col + 1), color);
                }
            }
            assert_isolated(&KIND, &clues, coloring, name);
        }
    }

    #[test]
    fn covers_with_white_connected_are_what_the_check_accepts() {
        let points: Vec<Coord> =
            (0..9).map(|cell| Coord::new(cell / 3 * 2 + 1, cell % 3 * 2 + 1)).collect();
        let palette = [1, 2, 3, 77].map(Clue::Number);
        let palette = [&palette[..], &[Clue::Blank]].concat();
        let mut random = fastrand::Rng::with_seed(437);
        for _ in 0..60 {
            let clues = random_board(&mut random, 3, 3, &palette);
            let everything = sets_that(&points, |_| true);
            let set_is = |verdict: fn(Result<(), BrokenRule>) -> bool| {
                let right = everything.iter().filter(|(c, _)| verdict(KIND.check(&clues, c)));
                let mut sets: Vec<_> = right.map(|(_, set)| set.clone()).collect();
                sets.sort();
                sets
            };
            let weak = set_is(|verdict| match verdict {
                Ok(()) => true,
                Err(broken) => broken.what == "the white cells are not connected",
            });
            assert_eq!(covers(&write(&KIND, &clues, false).0), weak, "{clues:?}");
            let connected = |black: &std::collections::BTreeSet<Coord>| {
                // Spread over the white cells until nothing changes.
                let white: Vec<Coord> =
                    points.iter().copied().filter(|at| !black.contains(at)).collect();
                let mut reached = white[..white.len().min(1)].to_vec();
                for _ in 0..9 {
                    let near = |a: &Coord, b: &Coord| {
                        a.row.abs_diff(b.row) + a.col.abs_diff(b.col) == 2
                    };
                    let more = |at: &&Coord| reached.iter().any(|other| near(at, other));
                    let next: Vec<Coord> = white.iter().filter(more).copied().collect();
                    reached.extend(next);
                }
                white.iter().all(|at| reached.contains(at))
            };
            let strong = set_is(|verdict| verdict.is_ok());
            let expected: Vec<_> = weak.into_iter().filter(connected).collect();
            assert_eq!(strong, expected, "{clues:?}");
        }
    }

    // By the description of the construction: `R` and `C` only for the 1 of row 1 and of column 1.
    #[test]
    fn writes_a_small_board_as_described() {
        let (text, counts) = write(&KIND, &KIND.read(b"11\n12\n").unwrap(), false);
        let expected = "\
            | hitori:\n\
            | 11\n\
            | 12\n\
            #11 #13 #31 #33 | 11 R1.1 C1.1 12 21 13 23 31 32 33\n\
            #11 R1.1 C1.1 11:0\n\
            #11 12 21 11:1\n\
            #13 R1.1 13:0\n\
            #13 12 23 13:1\n\
            #31 C1.1 31:0\n\
            #31 21 32 31:1\n\
            #33 33:0\n\
            #33 23 32 33:1\n";
        assert_eq!(text, expected);
        assert_eq!((counts.primary, counts.options), (4, 8));
    }

    #[test]
    fn boards_come_back_from_the_comments() {
        let boards: [&[u8]; 5] = [b"1Z.\n..a\n", b"1 62\n. 13\n", b" 62\n 1\n", b" 100", b"7\n"];
        for board in boards {
            let clues = KIND.read(board).unwrap();
            assert_eq!(KIND.read(&KIND.text(&clues)), Ok(clues.clone()));
            let (text, _) = write(&KIND, &clues, false);
            let (kind, back) = from_comments(text.as_bytes()).unwrap().unwrap();
            assert_eq!((kind.name(), back), ("hitori", clues));
        }
        let clues = KIND.read(b" 100").unwrap();
        assert_eq!(clues.cells, [Clue::Number(100)]);
        assert_eq!(KIND.read(b"10 \n").unwrap().cols, 2);
    }

    #[test]
    fn says_what_is_wrong_with_numbers() {
        let complaint = |board: &[u8]| {
            let error = KIND.read(board).unwrap_err();
            format!("{}:{}: {}", error.line, error.column, error.what)
        };
        assert_eq!(complaint(b"1 2\n3 x\n"), "2:3: `x` is no clue");
        assert_eq!(complaint(b"1 +2\n"), "1:3: `+2` is no clue");
        assert_eq!(complaint(b"1 4294967296\n"), "1:3: `4294967296` is no clue");
        assert_eq!(complaint(b"1 2\n12\n"), "2:3: this row has 1 cell, the first has 2");
        assert_eq!(complaint(b"1 2\n1 2 3 4\n"), "2:5: this row has 4 cells, the first has 2");
        assert_eq!(complaint(b"12\n1-\n"), "2:2: illegal character `-`");
        let variant = "2:3: `variant: f` follows, but this puzzle has no variants";
        assert_eq!(complaint(b"12\n21\nvariant: f\n"), variant);
    }
}
