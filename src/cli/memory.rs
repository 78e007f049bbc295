//! How much memory there is: what the machine has, what its control group allows, and what the shell
//! allows (`ulimit -v`). Known on Linux, from the files of /proc and /sys; elsewhere only `--memory-limit`
//! counts.
//!
//! An allocation that fails ends a program on the spot, without a word about what it has found. So
//! we stop before. What engines allocate at the start is known and accounted for beforehand; what
//! grows later usually doubles, so half of the room that is left must stay free.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// Address space for what nobody accounts for: stacks, buffers of threads.
const SPARE: u64 = 8 << 20;

/// The address space that this process may use, and how far it may grow.
#[derive(Debug)]
pub struct Space {
    limit: u64,
    allowed: AtomicU64,
}

impl Space {
    /// The address space, if it is limited.
    pub fn new() -> Option<Space> {
        let space = Space { limit: address_space()?, allowed: AtomicU64::new(0) };
        space.reserve(0);
        Some(space)
    }

    /// Whether `more` bytes would not fit. From here on they are accounted for.
    pub fn reserve(&self, more: u64) -> bool {
        let needed = used().unwrap_or(0).saturating_add(more).saturating_add(SPARE);
        let room = self.limit.saturating_sub(needed);
        self.allowed.store(needed + room / 2, Ordering::Relaxed);
        needed > self.limit
    }

    /// Whether too much is used now.
    pub fn is_outgrown(&self) -> bool {
        used().is_some_and(|used| used > self.allowed.load(Ordering::Relaxed))
    }
}

/// Bytes that may still be taken, as far as is known.
pub fn room() -> Option<usize> {
    let used = used().unwrap_or(0);
    let space = address_space().map(|limit| limit.saturating_sub(used + SPARE));
    let machine = default_limit().map(|limit| limit.saturating_sub(used));
    let room = [space, machine].into_iter().flatten().min()?;
    Some(usize::try_from(room).unwrap_or(usize::MAX))
}

/// Bytes that the machine or its control group allow, less a little.
pub fn default_limit() -> Option<u64> {
    let all = [machine(), control_group()].into_iter().flatten().min()?;
    Some(all - all / 20)
}

/// The memory of the machine.
fn machine() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// The address space in use.
fn used() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmSize:")
}

/// The number of kB after a name.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The least limit of the control groups that this process is in (version 2).
fn control_group() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mut least = None;
    let mut folder = std::path::PathBuf::from("/sys/fs/cgroup");
    for name in group.split('/') {
        folder.push(name);
        let limit = fs::read_to_string(folder.join("memory.max"));
        let limit = limit.ok().and_then(|text| text.trim().parse::<u64>().ok());
        least = [least, limit].into_iter().flatten().min();
    }
    least
}

/// The limit of `ulimit -v`.
fn address_space() -> Option<u64> {
    soft_limit(&fs::read_to_string("/proc/self/limits").ok()?, "Max address space")
}

/// The first number after a name, unless it is `unlimited`.
fn soft_limit(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_files_of_linux() {
        let limits = "\
Limit                     Soft Limit           Hard Limit           Units
Max data size             unlimited            unlimited            bytes
Max address space         1048576              unlimited            bytes
";
        assert_eq!(soft_limit(limits, "Max address space"), Some(1 << 20));
        assert_eq!(soft_limit(limits, "Max data size"), None);
        assert_eq!(kilobytes("A: 1 kB\nMemTotal:       16 kB\n", "MemTotal:"), Some(16 << 10));
        assert_eq!(kilobytes("MemTotal: lots\n", "MemTotal:"), None);
    }

    #[test]
    fn what_is_accounted_for_may_be_used() {
        let space = Space { limit: 1 << 46, allowed: AtomicU64::new(0) };
        assert!(!space.reserve(1 << 45));
        assert!(space.reserve(1 << 46));
        if let Some(used) = used() {
            assert!(used > 1 << 20);
            assert!(!space.is_outgrown());
            space.allowed.store(1, Ordering::Relaxed);
            assert!(space.is_outgrown());
        }
    }
}
