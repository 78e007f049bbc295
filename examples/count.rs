//! Counts the covers of a slitherlink without clues, and those that are one loop.

use std::error::Error;

use quadrille::constraint::SingleLoop;
use quadrille::{Board, Query};

fn main() -> Result<(), Box<dyn Error>> {
    let board = Board::read("slitherlink", ".......\n".repeat(7))?;
    let problem = board.problem();
    println!("{} sets of loops", Query::new(problem).count()?);
    println!("{} loops", Query::new(problem).with(SingleLoop).count()?);
    Ok(())
}
