//! Solves a puzzle and draws it: `cargo run --example svg -- KIND BOARD > picture.svg`.

use std::error::Error;

use quadrille::{Board, Uniqueness};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let kind = args.next().unwrap_or("slitherlink".into());
    let text = args.next().unwrap_or("22\n22\n".into());
    let board = Board::read(&kind, text)?;
    let solution = match board.query().unique()? {
        Uniqueness::One(solution) => Some(solution),
        Uniqueness::Several(..) => return Err("there are several solutions".into()),
        Uniqueness::None => None,
    };
    println!("{}", board.svg(solution.as_ref()));
    Ok(())
}
