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
        std::thread::spawn(move || signals.forever().for_each(|_| stop()));
    }
}

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
