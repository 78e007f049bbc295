//! The command line as its users meet it: the built program is run, and its exit status, stdout and
//! stderr are compared with what `--help` and the documentation promise.
//!
//! Expected numbers come from proofs and from other programs, never from our own output: each test
//! says where its own are from.

mod acyclic;
mod batch;
mod boards;
mod bounds;
mod branch;
mod certify;
#[path = "../common/mod.rs"]
mod common;
mod compressed;
mod connected;
mod convert;
mod costs;
mod draw;
mod engines;
mod estimate;
mod facts;
mod filter;
mod inputs;
mod knuth;
mod limits;
mod long;
mod loops;
mod malformed;
mod messages;
mod mistakes;
mod outputs;
mod problems;
mod proofs;
mod reduce;
mod run;
mod saved;
mod scale;
mod sketches;
mod solve;
mod stats;
mod status;
mod tools;
#[cfg(unix)]
mod unix;
mod verify;
mod zdd;
