//! A constraint of your own: loops on 4 x 4 cells that have at most twelve edges.

use quadrille::constraint::{Propagator, SingleLoop, Verdict};
use quadrille::{Board, Color, ItemId, Query};

/// At most twelve items have this color. The numbers are how many got it, level by level.
struct AtMostTwelve(Option<Color>, Vec<usize>);

impl Propagator for AtMostTwelve {
    fn mark(&mut self) {
        self.1.push(0);
    }
    fn backtrack(&mut self, level: usize) {
        self.1.truncate(level + 1);
    }
    fn fixed(&mut self, _: ItemId, color: Color) -> Verdict {
        *self.1.last_mut().expect("the root stays") += usize::from(Some(color) == self.0);
        Verdict::when(self.1.iter().sum::<usize>() <= 12)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = Board::read("slitherlink", "....\n".repeat(4))?;
    let query = Query::new(board.problem()).with(SingleLoop);
    let short = query.with_propagator(|file| AtMostTwelve(file.find_color(b"1"), vec![0]));
    println!("{} loops have at most 12 edges", short.count()?);
    Ok(())
}
