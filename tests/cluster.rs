//! The scripts for GNU parallel and Slurm, where these are installed: a search survives that they are
//! killed, and that a node fails.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

#[allow(dead_code, reason = "the other tests use the rest")]
#[path = "cli/problems.rs"]
mod problems;
#[allow(dead_code, reason = "the other tests use the rest")]
#[path = "cli/run.rs"]
mod run;

use run::{Folder, PROGRAM};

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name)
}

fn is_installed(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    found.is_ok_and(|output| output.status.success())
}

/// Waits for what a run should do within two minutes.
#[track_caller]
fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(120);
    while !done() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// How many parts are finished.
fn finished(folder: &Folder) -> usize {
    let Ok(entries) = std::fs::read_dir(folder.path("plan")) else { return 0 };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".done")).count()
}

#[test]
fn gnu_parallel_goes_on_after_it_was_killed() {
    if !is_installed("parallel") || !is_installed("setsid") {
        println!("skipped: no GNU parallel found");
        return;
    }
    let folder = Folder::new();
    folder.file("p.dlx", problems::queens(9));
    let start = || -> Child {
        // In a session of its own, so that all of it can be killed at once.
        let mut command = Command::new("setsid");
        command.arg(script("parallel")).args(["p.dlx", "12", "plan"]);
        command
            .current_dir(folder.path(""))
            .env("QUADRILLE", PROGRAM)
            .env("PARALLEL_OPTIONS", "-j2");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("setsid runs")
    };
    let mut first = start();
    wait_until("the first parts", || finished(&folder) >= 2);
    let _ = Command::new("pkill").args(["-9", "-s", &first.id().to_string()]).status();
    let _ = first.wait();
    let before = finished(&folder);
    assert!(start().wait().expect("a child ends").success());
    assert!(before >= 2 && finished(&folder) == 12);
    let expected = folder.quadrille("solve p.dlx").exits(0).stdout;
    assert_eq!(folder.text("plan/merged"), expected);
}

/// A Slurm on this machine, which ends with the test.
struct Cluster(PathBuf);

impl Cluster {
    fn control(&self, args: &[&str]) {
        let mut command = Command::new(script("slurm/local-cluster"));
        let ran = command.args(args).arg(&self.0).stdin(Stdio::null()).output();
        let ran = ran.expect("the script runs");
        assert!(ran.status.success(), "{ran:?}");
    }

    fn run(&self, command: &mut Command) -> Output {
        command.env("SLURM_CONF", self.0.join("slurm.conf")).output().expect("Slurm answers")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = Command::new(script("slurm/local-cluster")).arg("stop").arg(&self.0).status();
    }
}

#[test]
fn slurm_ends_with_the_right_count_though_a_node_fails() {
    if std::env::var_os("QUADRILLE_SLURM").is_none() {
        println!("skipped: QUADRILLE_SLURM is not set");
        return;
    }
    let programs = ["slurmctld", "slurmd", "munged", "sbatch"];
    if let Some(missing) = programs.into_iter().find(|program| !is_installed(program)) {
        println!("skipped: no {missing} found");
        return;
    }
    let folder = Folder::new();
    folder.file("p.dlx", problems::queens(11));
    let cluster = Cluster(folder.path("cluster"));
    cluster.control(&["start"]);
    let mut submit = Command::new(script("slurm/submit"));
    submit.args(["p.dlx", "32", "plan", "--count", "--engine", "links"]);
    submit.current_dir(folder.path("")).env("QUADRILLE", PROGRAM);
    let ran = cluster.run(&mut submit);
    assert!(ran.status.success(), "{ran:?}");
    wait_until("some parts", || finished(&folder) >= 4);
    cluster.control(&["kill", "one"]);
    let merged = folder.path("plan/merged");
    wait_until("the sum", || merged.exists());
    assert_eq!(folder.text("plan/merged"), "2680\n");
    assert_eq!(finished(&folder), 32);
}
