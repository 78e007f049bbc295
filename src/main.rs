//! The program: the library's command line, and the allocator that knows how much memory it uses.

use std::alloc::System;
use std::process::ExitCode;

use cap::Cap;
use quadrille::cli::{self, Memory};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

fn main() -> ExitCode {
    let memory = Memory { now: || ALLOCATOR.allocated(), peak: || ALLOCATOR.max_allocated() };
    cli::run(std::env::args_os(), memory).into()
}
