//! A generator: writes the problem of the n queens as a `.dlx` file, for this program and for others.
//! `cargo run --example generator -- 8 | quadrille solve --count`

use std::error::Error;
use std::io::{self, BufWriter};

use quadrille::Problem;

fn main() -> Result<(), Box<dyn Error>> {
    let n: usize = std::env::args().nth(1).map_or(Ok(8), |text| text.parse())?;
    let mut builder = Problem::builder();
    for place in 0..n {
        builder.primary(format!("r{place}"))?.primary(format!("c{place}"))?;
    }
    for diagonal in 0..2 * n - 1 {
        builder.secondary(format!("a{diagonal}"))?.secondary(format!("b{diagonal}"))?;
    }
    for row in 0..n {
        for col in 0..n {
            let (up, down) = (row + col, row + n - 1 - col);
            let names = [('r', row), ('c', col), ('a', up), ('b', down)];
            builder.option(names.map(|(letter, number)| format!("{letter}{number}")))?;
        }
    }
    builder.build()?.write(BufWriter::new(io::stdout().lock()))?;
    Ok(())
}
