//! Signals that ask the program to stop: Ctrl-C, and where there are such, SIGTERM and SIGHUP. And those that ask
//! how far it is: SIGUSR1, and SIGINFO (Ctrl-T) where there is one.
//!
//! What whoever started us chose to ignore stays ignored: `nohup` ignores SIGHUP, and a shell without
//! job control has commands in the background ignore SIGINT.
//!
//! One thread waits for all of them. Until a command says what a signal means to it ([`on_stop`], [`on_ask`]),
//! one ends the run with status 3, or is answered with what the run does ([`during`]).

use std::io::Write;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use crate::cli::exit::ExitStatus;
use crate::cli::output;

type Action = Option<Box<dyn Fn() + Send>>;

/// What a command does at a signal that asks it to stop.
static ON_STOP: Mutex<Action> = Mutex::new(None);

/// What a command does when it is asked how far it is.
static ON_ASK: Mutex<Action> = Mutex::new(None);

/// What the run does, in words, if that has a name.
static WORK: Mutex<Option<&str>> = Mutex::new(None);

/// When the run began.
static START: OnceLock<Instant> = OnceLock::new();

/// From here on `stop` is called at each signal to stop.
pub fn on_stop(stop: impl Fn() + Send + 'static) {
    ON_STOP.lock().unwrap_or_else(PoisonError::into_inner).replace(Box::new(stop));
}

/// From here on `ask` is called when somebody asks how far the run is.
pub fn on_ask(ask: impl Fn() + Send + 'static) {
    ON_ASK.lock().unwrap_or_else(PoisonError::into_inner).replace(Box::new(ask));
}

/// Does what messages call `work`.
pub fn during<T>(work: &'static str, task: impl FnOnce() -> T) -> T {
    let set = |work| std::mem::replace(&mut *lock_work(), work);
    let before = set(Some(work));
    let result = task();
    set(before);
    result
}

fn lock_work() -> std::sync::MutexGuard<'static, Option<&'static str>> {
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// ` while reading`, or nothing if what the run does has no name.
pub fn work() -> String {
    lock_work().map(|work| format!(" while {work}")).unwrap_or_default()
}

/// Says what the run does, since nobody knows more.
pub fn answer() {
    let work = lock_work().unwrap_or("running");
    let seconds = START.get().map_or(0.0, |start| start.elapsed().as_secs_f64());
    say(&format!("state: {work}, after {seconds:.1} s"));
}

/// Says something in one piece. If stderr is closed there is nobody to tell.
pub fn say(text: &str) {
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// A signal to stop came.
fn stop() {
    if let Some(stop) = &*ON_STOP.lock().unwrap_or_else(PoisonError::into_inner) {
        return stop();
    }
    output::clean_up();
    say(&format!("incomplete: interrupted{}", work()));
    std::process::exit(ExitStatus::Incomplete as i32);
}

/// A signal that asks came.
#[cfg(unix)]
fn ask() {
    match &*ON_ASK.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(ask) => ask(),
        None => answer(),
    }
}

/// Waits for signals, in a thread of its own. Without it a signal ends the run at once, so a
/// failure to set it up is no reason not to run.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
    let _ = START.set(Instant::now());
    let ignored = ignored();
    let mut wanted = vec![SIGHUP, SIGINT, SIGTERM, SIGUSR1];
    #[cfg(any(
        target_os = "freebsd",
        target_os = "dragonfly",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "macos"
    ))]
    wanted.push(signal_hook::consts::SIGINFO);
    wanted.retain(|&signal| ignored >> (signal - 1) & 1 == 0);
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) {
        let watch = move || {
            signals.forever().for_each(|signal| match signal {
                SIGHUP | SIGINT | SIGTERM => stop(),
                _ => ask(),
            });
        };
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

    let aborts = Arc::new(AtomicBool::new(true));
    let _ = signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGABRT,
        ExitStatus::Incomplete as i32,
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

/// Waits for Ctrl-C.
#[cfg(not(unix))]
pub fn watch() {
    let _ = START.set(Instant::now());
    let _ = ctrlc::set_handler(stop);
}
