//! `quadrille puzzle --batch`: a board a line, a result a line.
//!
//! Threads take lines from one reader and put results into one queue; whoever finishes the oldest
//! board that is missing writes it and those that wait behind it. A thread does not read further
//! ahead than [`AHEAD`] lines beyond that board, so memory does not grow with the file.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::cli::args::{BatchFormat, Puzzle as Flags};
use crate::cli::control::Stop;
use crate::cli::exit::{Failure, Outcome, Status};
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::progress::Boards;
use crate::cli::puzzle::{Ready, ready};
use crate::cli::session::Session;
use crate::cli::{board, input};
use crate::diagnostic::Diagnostic;
use crate::import::{self, Format};
use crate::names::Role;
use crate::puzzle::Puzzle;
use crate::search::End;
use crate::search::learn::facts::{Shared, Subject};

/// How many boards beyond the oldest open one may be begun, for each thread.
const AHEAD: usize = 64;

/// Runs it.
pub fn run(flags: &Flags, file: &Path, session: &Session<'_>, messages: &Messages) -> Outcome {
    let kind = board::kind(&flags.board)?;
    let input = input::open(Some(file), "a file of boards")?;
    let threads = match flags.threads.unwrap_or(1) {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let output = Output::open(flags.drawing.output.as_deref())?;
    session.control.tick(Some(output.clone()));
    session.control.done_reading();
    session.control.look_at_clock();
    let progress = Boards::new(flags.search.progress, messages);
    if let Some(progress) = &progress {
        output.share_with(progress.bar());
    }
    let batch = Batch {
        progress: progress.as_ref(),
        flags,
        kind,
        session,
        messages,
        name: input.name.clone(),
        output: &output,
        queue: Mutex::new(Queue::default()),
        moved: Condvar::new(),
        room: AHEAD * threads,
    };
    let bytes = BufReader::new(input.bytes);
    let lines = Mutex::new(Lines { bytes, line: 0, taken: 0, failure: None });
    thread::scope(|scope| {
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, || batch.work(&lines)).is_err() {
                // The system allows no more of them.
                break;
            }
        }
        batch.work(&lines);
    });
    let written = output.finish();
    if let Some(progress) = &progress {
        progress.finish();
    }
    match written {
        Err(Failure::BrokenPipe) => return Ok(Status::Fine),
        finished => finished?,
    }
    let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = lines.failure {
        return Err(Failure::Io { name: batch.name, error });
    }
    let Tally { boards, none, unique, several, open, bad } = batch.lock().tally;
    messages.note(&format!("{boards} boards: {unique} unique, {several} several, {none} none"));
    if let Some(stop) = session.control.stopped() {
        messages.say(&format!("incomplete: {boards} boards ({})", stop.text()));
        return Ok(Status::Incomplete);
    }
    if open > 0 {
        messages
            .say(&format!("incomplete: {open} boards have open questions (node limit reached)"));
        return Ok(Status::Incomplete);
    }
    Ok(if bad > 0 { Status::Bad } else { Status::Fine })
}

/// The input.
struct Lines {
    bytes: BufReader<Box<dyn Read + Send>>,
    /// The line that was read last, from 1.
    line: u64,
    /// How many boards were handed out.
    taken: usize,
    failure: Option<std::io::Error>,
}

impl Lines {
    /// The next line that is not blank: its place among these, its number, its text.
    fn next(&mut self) -> Option<(usize, u64, Vec<u8>)> {
        loop {
            let mut text = Vec::new();
            match self.bytes.read_until(b'\n', &mut text) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    self.failure = Some(error);
                    return None;
                }
            }
            self.line += 1;
            if self.line == 1 && text.starts_with(b"\xef\xbb\xbf") {
                text.drain(..3);
            }
            let length = text.trim_ascii_end().len();
            text.truncate(length);
            if !text.is_empty() {
                self.taken += 1;
                return Some((self.taken - 1, self.line, text));
            }
        }
    }
}

/// What a line came to.
enum Result {
    /// A board and its result.
    Solved { line: u64, verdict: Verdict, open: Option<usize>, complete: bool, time: Duration },
    /// No board.
    Bad(Failure),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    None,
    Unique,
    Several,
    Incomplete,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::None => "none",
            Verdict::Unique => "unique",
            Verdict::Several => "several",
            Verdict::Incomplete => "incomplete",
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Tally {
    boards: u64,
    none: u64,
    unique: u64,
    several: u64,
    /// Boards of which not everything is known.
    open: u64,
    bad: u64,
}

/// Results that wait for an earlier one.
#[derive(Default)]
struct Queue {
    /// How many were written.
    written: usize,
    /// The next ones, where they are there.
    waiting: VecDeque<Option<Result>>,
    tally: Tally,
}

struct Batch<'a> {
    progress: Option<&'a Boards>,
    flags: &'a Flags,
    kind: &'static dyn Puzzle,
    session: &'a Session<'a>,
    messages: &'a Messages,
    name: String,
    output: &'a Output,
    queue: Mutex<Queue>,
    /// Something was written.
    moved: Condvar,
    room: usize,
}

impl Batch<'_> {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Solves one board after the other until there is none.
    fn work(&self, lines: &Mutex<Lines>) {
        while self.session.control.stopped().is_none() {
            let taken = {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                let mut queue = self.lock();
                while lines.taken >= queue.written + self.room {
                    queue = self.moved.wait(queue).unwrap_or_else(PoisonError::into_inner);
                }
                drop(queue);
                lines.next()
            };
            let Some((place, line, text)) = taken else { return };
            let result = match self.solve(line, &text) {
                Ok(result) => result,
                Err(failure) => Result::Bad(failure),
            };
            self.put(place, result);
        }
    }

    fn solve(&self, line: u64, text: &[u8]) -> std::result::Result<Result, Failure> {
        let format = self.flags.board.from;
        let is_grid = match format {
            Some(format) => format == Format::Text,
            None => import::is_grid_line(text),
        };
        let clues = if is_grid {
            let rows: Vec<u8> = text.iter().map(|&b| if b == b'/' { b'\n' } else { b }).collect();
            import::import(self.kind, &rows, Some(Format::Text))
        } else {
            import::import(self.kind, text, format)
        };
        let clues = clues.map_err(|diagnostic| Failure::Input {
            name: self.name.clone(),
            diagnostic: Box::new(placed(diagnostic, line, text, is_grid)),
        })?;
        let Ready { dlx, rules, width, .. } = ready(self.kind, &clues, self.session)?;
        let role = if rules.single_loop.is_some() { Role::Edge } else { Role::Cell };
        let (facts, time) = self.session.facts_of_many(&dlx.problem, &rules, Subject::Covers);
        let open = facts.colors.iter().filter(|&&(item, shared)| {
            let at = width.and_then(|width| width.decode(dlx.problem.name(item)));
            shared == Shared::Differs && at.is_some_and(|at| at.role() == role)
        });
        let complete = facts.end == End::Exhausted;
        let (verdict, open) = match (complete, facts.models, facts.differ) {
            (true, 0, _) => (Verdict::None, None),
            (true, _, false) => (Verdict::Unique, Some(0)),
            (_, _, true) => (Verdict::Several, Some(open.count())),
            (false, _, false) => (Verdict::Incomplete, None),
        };
        Ok(Result::Solved { line, verdict, open, complete, time })
    }

    /// Puts a result where it belongs, and writes all that nothing is missing before.
    fn put(&self, place: usize, result: Result) {
        let mut queue = self.lock();
        let index = place - queue.written;
        if queue.waiting.len() <= index {
            queue.waiting.resize_with(index + 1, || None);
        }
        queue.waiting[index] = Some(result);
        while let Some(Some(_)) = queue.waiting.front() {
            queue.written += 1;
            if let Some(progress) = self.progress {
                progress.advance();
            }
            match queue.waiting.pop_front().flatten() {
                None => {}
                Some(Result::Bad(failure)) => {
                    queue.tally.bad += 1;
                    match self.progress {
                        Some(progress) => {
                            progress.bar().suspend(|| self.messages.failure(&failure));
                        }
                        None => self.messages.failure(&failure),
                    }
                }
                Some(Result::Solved { line, verdict, open, complete, time }) => {
                    let tally = &mut queue.tally;
                    tally.boards += 1;
                    tally.open += u64::from(!complete);
                    match verdict {
                        Verdict::None => tally.none += 1,
                        Verdict::Unique => tally.unique += 1,
                        Verdict::Several => tally.several += 1,
                        Verdict::Incomplete => {}
                    }
                    let text = self.text(line, verdict, open, complete, time);
                    if self.output.push(|out| out.extend_from_slice(text.as_bytes())).is_err() {
                        self.session.control.stop(Stop::Output);
                    }
                }
            }
        }
        drop(queue);
        self.moved.notify_all();
    }

    fn text(
        &self,
        line: u64,
        verdict: Verdict,
        open: Option<usize>,
        complete: bool,
        time: Duration,
    ) -> String {
        let (word, seconds) = (verdict.word(), time.as_secs_f64());
        match self.flags.format.unwrap_or(BatchFormat::Text) {
            BatchFormat::Text => {
                // Where the search was stopped, there may be more.
                let more = if complete { "" } else { "+" };
                let open = open.map_or("-".into(), |open| format!("{open}{more}"));
                format!("{line} {word} {open} {seconds:.4}\n")
            }
            BatchFormat::Jsonl => {
                let open = open.map_or("null".into(), |open| open.to_string());
                let part = if complete { "" } else { ",\"complete\":false" };
                let time = match self.flags.search.stats {
                    Some(_) => format!(",\"seconds\":{seconds:.4}"),
                    None => String::new(),
                };
                let known = format!("\"line\":{line},\"verdict\":\"{word}\",\"open\":{open}");
                format!("{{\"v\":1,{known}{part}{time}}}\n")
            }
        }
    }
}

/// The complaint about a board, at its place in the file.
fn placed(mut diagnostic: Diagnostic, line: u64, text: &[u8], is_grid: bool) -> Diagnostic {
    if is_grid {
        let row = diagnostic.line.saturating_sub(1) as usize;
        let before = text.split(|&byte| byte == b'/').take(row).map(|row| row.len() as u64 + 1);
        diagnostic.column += before.sum::<u64>();
    }
    diagnostic.line = line;
    diagnostic
}
