//! `quadrille puzzle --batch`: a board a line, a result a line.
//!
//! Threads take lines from one reader and put results into one queue; whoever finishes the oldest
//! board that is missing writes it and those that wait behind it. A thread does not read further
//! ahead than [`AHEAD`] lines beyond that board, so memory does not grow with the file.
//!
//! The thread that everything begins with takes no boards. When a limit or a signal stops the run, searches
//! stop by themselves; but a thread that waits for its next line, or makes the problem of a large
//! board, looks at nothing. So the first thread gives the others a moment ([`GRACE`]), writes down
//! what there is, and ends the program.

mod lines;
mod rows;
mod solved;

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::cli::args::{BatchFormat, Puzzle as Flags};
use crate::cli::control::Stop;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::message::Messages;
use crate::cli::output::Output;
use crate::cli::progress::Boards;
use crate::cli::session::Session;
use crate::cli::stats::Summary;
use crate::cli::{board, input, signals};
use crate::diagnostic::{Diagnostic, Excerpt};
use crate::import::{self, Format};
use crate::puzzle::Kind;
use crate::query::Goal;
use crate::search::engine::Status;
use crate::search::learn::backbone::{Shared, Subject};
use crate::search::stats::Stats;
use crate::wording::counted;
use lines::Lines;
use rows::Rows;
use solved::{Solved, Tally, BoardVerdict};

/// How many boards beyond the oldest open one may be begun, for each thread.
const AHEAD: usize = 64;

/// How often the first thread looks whether the run is stopped.
const LOOK: Duration = Duration::from_millis(50);

/// How long threads may take to notice that it is.
const GRACE: Duration = Duration::from_millis(200);

/// Runs it.
pub fn run(flags: &Flags, file: &Path, session: &Session<'_>, messages: &Messages) -> Outcome {
    let (kind, board) = board::asked(&flags.board)?;
    if let Some(board) = board {
        let what = "with --batch there is a kind of puzzle, or nothing";
        return Err(Failure::Usage(format!("{}: {what}", board.display())));
    }
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
        left: Condvar::new(),
        room: AHEAD * threads,
    };
    let lines = Mutex::new(Lines::new(input.bytes));
    thread::scope(|scope| {
        for number in 0..threads {
            let (worker, lines) = (BoardWorker::new(&batch), &lines);
            let work = move || worker.work(lines);
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                // The system allows no more of them.
                if number == 0 {
                    BoardWorker::new(&batch).work(lines);
                }
                break;
            }
        }
        if batch.wait() {
            return;
        }
        batch.give_up();
        let status = batch.conclude().unwrap_or_else(|failure| {
            messages.failure(&failure);
            failure.status()
        });
        std::process::exit(status as i32);
    });
    batch.conclude()
}

/// What a line came to.
enum Result {
    /// A board and its result.
    Solved(Solved),
    /// No board.
    Bad(Failure),
}

/// A line that somebody took.
struct Slot {
    line: u64,
    begun: Instant,
    result: Option<Result>,
}

/// Lines from the oldest on that has no result.
#[derive(Default)]
struct Queue {
    /// How many were written before.
    written: usize,
    waiting: VecDeque<Slot>,
    /// The last line that was taken.
    line: u64,
    /// How many threads take lines.
    workers: usize,
    /// Whether what else comes is too late.
    is_over: bool,
    /// What the input ended with, if it did not just end.
    failure: Option<io::Error>,
    tally: Tally,
    rows: Rows,
}

struct Batch<'a> {
    progress: Option<&'a Boards>,
    flags: &'a Flags,
    /// The kind of all boards; else each says what it is.
    kind: Option<&'static dyn Kind>,
    session: &'a Session<'a>,
    messages: &'a Messages,
    name: String,
    output: &'a Output,
    queue: Mutex<Queue>,
    /// Something was written.
    moved: Condvar,
    /// A thread has no more to do.
    left: Condvar,
    room: usize,
}

/// A thread that solves boards, counted as long as it lives.
struct BoardWorker<'b, 'a>(&'b Batch<'a>);

impl<'b, 'a> BoardWorker<'b, 'a> {
    fn new(batch: &'b Batch<'a>) -> Self {
        batch.lock().workers += 1;
        BoardWorker(batch)
    }

    /// Solves one board after the other until there is none.
    fn work(&self, lines: &Mutex<Lines>) {
        let BoardWorker(batch) = self;
        while batch.session.control.stopped().is_none() {
            let Some((place, line, text)) = batch.take(lines) else { return };
            let result = batch.solve(line, &text).unwrap_or_else(Result::Bad);
            batch.put(place, result);
        }
    }
}

impl Drop for BoardWorker<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().workers -= 1;
        self.0.left.notify_all();
    }
}

impl Batch<'_> {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there are no more lines; false if the run is stopped and somebody does not notice.
    fn wait(&self) -> bool {
        let mut stopped = None;
        let mut queue = self.lock();
        while queue.workers > 0 {
            let looked = self.left.wait_timeout(queue, LOOK);
            queue = looked.unwrap_or_else(PoisonError::into_inner).0;
            if self.session.control.is_asked() {
                self.tell(&queue);
            }
            if self.session.control.stopped().is_some() {
                let since = *stopped.get_or_insert_with(Instant::now);
                if since.elapsed() >= GRACE {
                    return false;
                }
            }
        }
        true
    }

    /// Tells whoever asked how far the run is.
    fn tell(&self, queue: &Queue) {
        let Tally { boards, unique, several, none, .. } = &queue.tally;
        let seconds = self.session.control.elapsed().as_secs_f64();
        let text = format!(
            "state: {} up to line {} in {seconds:.1} s: {unique} unique, {several} several, {none} none",
            counted(*boards, "board"),
            queue.line
        );
        match self.progress {
            Some(progress) => progress.bar().suspend(|| signals::say(&text)),
            None => signals::say(&text),
        }
    }

    /// Lines that are still in work come to nothing.
    fn give_up(&self) {
        let mut queue = self.lock();
        for slot in queue.waiting.iter_mut().filter(|slot| slot.result.is_none()) {
            slot.result = Some(Result::Solved(Solved {
                verdict: BoardVerdict::Incomplete,
                notes: Vec::new(),
                open: None,
                complete: false,
                stats: Stats::default(),
                times: [slot.begun.elapsed(), Duration::ZERO],
            }));
        }
        self.write(&mut queue);
        queue.is_over = true;
    }

    /// Says what all came to.
    fn conclude(&self) -> Outcome {
        let written = self.output.finish();
        if let Some(progress) = self.progress {
            progress.finish();
        }
        match written {
            Err(Failure::BrokenPipe) => return Ok(ExitStatus::Fine),
            finished => finished?,
        }
        let mut queue = self.lock();
        if let Some(error) = queue.failure.take() {
            return Err(Failure::Io { name: self.name.clone(), error });
        }
        let stop = self.session.control.stopped();
        let Tally { boards, none, unique, several, open, bad, stats, times } = &queue.tally;
        let all = counted(*boards, "board");
        let undecided = match boards - unique - several - none {
            0 => String::new(),
            some => format!(", {some} undecided"),
        };
        let verdicts = format!("{unique} unique, {several} several, {none} none{undecided}");
        self.messages.note(&format!("{all}: {verdicts}"));
        if let Some(what) = queue.rows.doubt() {
            self.messages.warning(&self.name, 0, &what);
        }
        if let Some(stop) = stop {
            let line = match queue.line {
                0 => String::new(),
                line => format!(", up to line {line}"),
            };
            self.messages.say(&format!("incomplete: {all}{line} ({})", stop.text()));
        } else if *open > 0 {
            let open = counted(*open, "board");
            self.messages.say(&format!("incomplete: {open} undecided (node limit reached)"));
        }
        let complete = stop.is_none() && *open == 0;
        if let Some(form) = self.flags.search.stats {
            let [read, search] = *times;
            let peak = self.session.control.peak();
            let branch = self.flags.search.branch.rule.name;
            let (engine, optimal) = ("learn", None);
            let summary = Summary { engine, branch, complete, optimal, stats, read, search, peak };
            self.messages.say(&summary.text(form));
        }
        Ok(match (complete, *bad) {
            (false, _) => ExitStatus::Incomplete,
            (true, 0) => ExitStatus::Fine,
            (true, _) => ExitStatus::Bad,
        })
    }

    /// The next line: its place in the queue, its number, its text.
    fn take(&self, lines: &Mutex<Lines>) -> Option<(usize, u64, Vec<u8>)> {
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mut queue = self.lock();
        while queue.waiting.len() >= self.room {
            queue = self.moved.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        drop(queue);
        let next = lines.next();
        let mut queue = self.lock();
        match next {
            _ if queue.is_over => None,
            Ok(None) => None,
            Ok(Some((line, text))) => {
                queue.line = line;
                queue.rows.add(&text, self.flags.board.from);
                queue.waiting.push_back(Slot { line, begun: Instant::now(), result: None });
                Some((queue.written + queue.waiting.len() - 1, line, text))
            }
            Err(error) => {
                queue.failure = Some(error);
                None
            }
        }
    }

    fn solve(&self, line: u64, text: &[u8]) -> std::result::Result<Result, Failure> {
        let begun = Instant::now();
        let format = self.flags.board.from;
        let is_grid = match format {
            Some(format) => format == Format::Text,
            None => import::is_grid_line(text),
        };
        let read = if is_grid {
            let rows: Vec<u8> = text.iter().map(|&b| if b == b'/' { b'\n' } else { b }).collect();
            board::interpret(self.kind, &rows, Some(Format::Text))
        } else {
            board::interpret(self.kind, text, format)
        };
        let (kind, import::Imported { clues, notes }) =
            read.map_err(|diagnostic| Failure::Input {
                name: self.name.clone(),
                diagnostic: Box::new(placed(diagnostic, line, text, is_grid)),
            })?;
        let notes = notes.into_iter().map(|note| note.what).collect();
        let mut board = Board::new(kind, clues);
        board.problem.branch_by(self.session.flags.branch.rule);
        let role = kind.role();
        let query = self.session.query(&board.problem, board.constraints.clone(), Goal::Unique);
        let made = begun.elapsed();
        let (facts, stats) = self.session.facts_of_many(&query, Subject::Covers);
        let times = [made, begun.elapsed() - made];
        let open = facts.colors.iter().filter(|&&(item, shared)| {
            let at = board.width.and_then(|width| width.decode(board.problem.name(item)));
            shared == Shared::Differs && at.is_some_and(|at| at.role() == role)
        });
        let complete = facts.end == Status::Exhausted;
        let (verdict, open) = match (complete, facts.models, facts.differ) {
            (true, 0, _) => (BoardVerdict::None, None),
            (true, _, false) => (BoardVerdict::Unique, Some(0)),
            (_, _, true) => (BoardVerdict::Several, Some(open.count())),
            (false, _, false) => (BoardVerdict::Incomplete, None),
        };
        Ok(Result::Solved(Solved { verdict, notes, open, complete, stats, times }))
    }

    /// Puts a result where it belongs, and writes all that nothing is missing before.
    fn put(&self, place: usize, result: Result) {
        let mut queue = self.lock();
        if queue.is_over {
            return;
        }
        let index = place - queue.written;
        queue.waiting[index].result = Some(result);
        self.write(&mut queue);
        drop(queue);
        self.moved.notify_all();
    }

    /// Writes results up to the first that is missing.
    fn write(&self, queue: &mut Queue) {
        while queue.waiting.front().is_some_and(|slot| slot.result.is_some()) {
            let Some(Slot { line, result, .. }) = queue.waiting.pop_front() else { return };
            queue.written += 1;
            if let Some(progress) = self.progress {
                progress.advance();
            }
            match result {
                None => {}
                Some(Result::Bad(failure)) => {
                    queue.tally.bad += 1;
                    self.beside_bar(|| self.messages.failure(&failure));
                }
                Some(Result::Solved(solved)) => {
                    for note in &solved.notes {
                        self.beside_bar(|| self.messages.warning(&self.name, line, note));
                    }
                    queue.tally.add(&solved);
                    let form = self.flags.format.unwrap_or(BatchFormat::Text);
                    let text = solved.text(line, form, self.flags.search.stats.is_some());
                    if self.output.push(|out| out.extend_from_slice(text.as_bytes())).is_err() {
                        self.session.control.stop(Stop::Output);
                    }
                }
            }
        }
    }

    /// Says something without disturbing the bar.
    fn beside_bar(&self, say: impl FnOnce()) {
        match self.progress {
            Some(progress) => progress.bar().suspend(say),
            None => say(),
        }
    }
}

/// The complaint about a board, at its place in the file.
fn placed(mut diagnostic: Diagnostic, line: u64, text: &[u8], is_grid: bool) -> Diagnostic {
    if is_grid {
        let row = diagnostic.line.saturating_sub(1) as usize;
        let before = text.split(|&byte| byte == b'/').take(row).map(|row| row.len() as u64 + 1);
        diagnostic.column += before.sum::<u64>();
        let (start, length) = (diagnostic.column as usize - 1, diagnostic.excerpt.mark.len());
        diagnostic.excerpt = Excerpt::around(text, start..start + length);
    }
    diagnostic.line = line;
    diagnostic
}
