//! What is asked, and the thread that answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use quadrille::constraint::{Acyclic, Connected, SingleLoop};
use quadrille::{Board, EngineName, Query, QueryError};

/// How long a signal may wait.
const PATIENCE: Duration = Duration::from_millis(50);

/// What a query is about.
#[derive(Clone)]
pub enum Subject {
    Problem(Arc<quadrille::Problem>),
    Board(Arc<Board>),
}

impl Subject {
    /// Whether both are the same object.
    pub fn is(&self, other: &Subject) -> bool {
        std::ptr::eq(self.problem(), other.problem())
    }

    pub fn problem(&self) -> &quadrille::Problem {
        match self {
            Subject::Problem(problem) => problem,
            Subject::Board(board) => board.problem(),
        }
    }
}

/// Conditions on whole solutions, and how to search.
#[derive(Clone, Default)]
pub struct Terms {
    pub single_loop: bool,
    pub connected: Vec<String>,
    pub acyclic: bool,
    pub engine: EngineName,
}

/// One color or several.
#[derive(FromPyObject)]
pub enum Colors {
    One(String),
    Several(Vec<String>),
}

impl Terms {
    pub fn new(
        single_loop: bool,
        connected: Option<Colors>,
        acyclic: bool,
        engine: &str,
    ) -> PyResult<Terms> {
        let connected = match connected {
            None => Vec::new(),
            Some(Colors::One(color)) => vec![color],
            Some(Colors::Several(colors)) => colors,
        };
        let engine = match engine {
            "auto" => EngineName::Auto,
            "links" => EngineName::Links,
            "bits" => EngineName::Bits,
            "learn" => EngineName::Learn,
            "memo" => EngineName::Memo,
            other => {
                let what = format!("engine {other:?}; expected auto, links, bits, learn or memo");
                return Err(PyValueError::new_err(what));
            }
        };
        Ok(Terms { single_loop, connected, acyclic, engine })
    }

    /// The query; `flag` ends it.
    pub fn query<'s>(&self, subject: &'s Subject, flag: &Arc<AtomicBool>) -> Query<'s> {
        let mut query = match subject {
            Subject::Problem(problem) => Query::new(problem),
            Subject::Board(board) => board.query(),
        };
        if self.single_loop {
            query = query.with(SingleLoop);
        }
        for color in &self.connected {
            query = query.with(Connected { color: color.clone().into() });
        }
        if self.acyclic {
            query = query.with(Acyclic);
        }
        query.by(self.engine).cancelled_by(Arc::clone(flag))
    }
}

/// Asks on another thread, and waits for the answer or a signal.
pub fn ask<T: Send>(
    py: Python<'_>,
    subject: &Subject,
    terms: &Terms,
    ask: impl FnOnce(Query<'_>) -> Result<T, QueryError> + Send,
) -> PyResult<T> {
    let flag = Arc::new(AtomicBool::new(false));
    let query = terms.query(subject, &flag);
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        scope.spawn(move || sender.send(ask(query)));
        // An error leaves the scope only when the thread has seen the flag.
        receive(py, &Mutex::new(receiver), &flag)?
            .ok_or_else(|| PyRuntimeError::new_err("the search ended without an answer"))?
            .map_err(|error| refused(&error))
    })
}

/// The next thing that a search sends; `None` if it is over. A signal ends it.
pub fn receive<T: Send>(
    py: Python<'_>,
    receiver: &Mutex<Receiver<T>>,
    flag: &AtomicBool,
) -> PyResult<Option<T>> {
    let lock = || receiver.lock().unwrap_or_else(PoisonError::into_inner);
    if let Ok(sent) = lock().try_recv() {
        return Ok(Some(sent));
    }
    loop {
        match py.detach(|| lock().recv_timeout(PATIENCE)) {
            Ok(sent) => return Ok(Some(sent)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(signal) = py.check_signals() {
                    flag.store(true, Ordering::Relaxed);
                    return Err(signal);
                }
            }
        }
    }
}

/// The exception for a query without an answer.
pub fn refused(error: &QueryError) -> PyErr {
    match error {
        QueryError::Memory => PyMemoryError::new_err(error.to_string()),
        _ => crate::QueryError::new_err(error.to_string()),
    }
}
