//! Prints the first ten solutions of a `.dlx` file: `cargo run --example solve -- FILE.dlx`.

use std::error::Error;

use quadrille::{Problem, Query};

fn main() -> Result<(), Box<dyn Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => b"A B C | x\nA x:red\nB x:red\nB x:blue\nC\nC x:red\n".to_vec(),
    };
    let problem = Problem::parse(text)?;
    for (number, solution) in (1..).zip(Query::new(&problem).limit(10).solutions()) {
        println!("{number}:\n{}", solution?);
    }
    Ok(())
}
