//! `QUADRILLE_INSTRUCTIONS`: does as on a machine that has no better ones, for tests and measurements.

use crate::cli::exit::Failure;
use crate::search::bits::Instructions;

/// The variable.
pub const NAME: &str = "QUADRILLE_INSTRUCTIONS";

/// What it does.
pub const ABOUT: &str = "Is `portable`, `avx2` or `avx512`: the engine bits uses no better instructions. For tests and measurements.";

/// Does what the environment says, if it does.
pub fn restrict() -> Result<(), Failure> {
    let Some(value) = std::env::var_os(NAME).filter(|value| !value.is_empty()) else {
        return Ok(());
    };
    let most = match value.to_str() {
        Some("portable") => Instructions::Portable,
        Some("avx2") => Instructions::Avx2,
        Some("avx512") => Instructions::Avx512,
        _ => {
            let value = value.display();
            return Err(Failure::Usage(format!("{NAME} is {value}; portable, avx2 or avx512")));
        }
    };
    most.restrict();
    Ok(())
}
