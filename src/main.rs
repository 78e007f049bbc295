//! The program: the library's command line, and the allocator that knows how much memory it uses.

use std::process::ExitCode;

use peak_alloc::PeakAlloc;
use quadrille::cli::{self, Memory};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    let memory = Memory { now: || ALLOCATOR.current_usage(), peak: || ALLOCATOR.peak_usage() };
    cli::run(std::env::args_os(), memory).into()
}
