//! Signals that ask the program to stop: Ctrl-C, and where there are such, SIGTERM and SIGHUP.
//!
//! What whoever started us chose to ignore stays ignored: `nohup` ignores SIGHUP, and a shell without
//! job control has commands in the background ignore SIGINT.

/// Calls `stop` at each signal, in a thread of its own. Without it a signal ends the run at once, so a
/// failure to set it up is no reason not to run.
#[cfg(unix)]
pub fn on_stop(stop: impl Fn() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    let mut wanted = vec![SIGHUP, SIGINT, SIGTERM];
    wanted.retain(|&signal| ignored >> (signal - 1) & 1 == 0);
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) {
        let watch = move || signals.forever().for_each(|_| stop());
        let _ = std::thread::Builder::new().spawn(watch);
    }
}

/// Ends a run that finds no memory with status 3, like one that a limit stops. The library of Rust says on stderr
/// how much was missing, and aborts. So does a panic, which is a fault of ours and keeps its status, unless it is that of
/// a new thread that finds no room for its stack.
#[cfg(unix)]
pub fn on_lack_of_memory() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use crate::cli::exit::Status;

    let aborts = Arc::new(AtomicBool::new(true));
    let _ = signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGABRT,
        Status::Incomplete as i32,
        Arc::clone(&aborts),
    );
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        let no_memory = message.is_some_and(|text| text.ends_with("(os error 12)"));
        aborts.store(no_memory, Ordering::Relaxed);
        report(panic);
    }));
}

/// Elsewhere the status is what the system makes of it.
#[cfg(not(unix))]
pub fn on_lack_of_memory() {}

/// The signals that are ignored, as bits from that of signal 1. To ask the system needs unsafe code;
/// Linux says it in a file, elsewhere we do not know.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Calls `stop` at each Ctrl-C.
#[cfg(not(unix))]
pub fn on_stop(stop: impl Fn() + Send + 'static) {
    let _ = ctrlc::set_handler(stop);
}
