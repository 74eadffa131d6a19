//! Long work away from the interpreter: other Python threads run meanwhile, Ctrl-C is heard, progress is told.
//!
//! ```text
//!  calling thread                          thread of the work, in a pool of n_jobs
//!  ─ without the interpreter, waits ◄───── answer
//!  ─ every tick: signals? tell? ────────► canceled? (asked between blocks)
//! ```

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fiedler::limits::Bytes;
use fiedler::{Limits, Monitor};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::raise;
use crate::words::sentence;

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(50);

/// How long work that was told to stop is waited for. Work that does not listen by then is left to end alone, with its
/// threads: it holds on to its data and its answer is dropped.
const PATIENCE: Duration = Duration::from_millis(250);

/// On which terms work runs: threads (0: as many as there are cores), memory for large pieces of work, and whom to tell
/// how far it is, as `tell(stage, done, total, notes)`.
#[derive(FromPyObject)]
pub(crate) struct Terms(usize, Option<String>, Option<Py<PyAny>>);

/// Runs `work` and waits for its answer.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    terms: &Terms,
    work: impl FnOnce(&dyn Monitor) -> fiedler::Result<T> + Send + 'static,
) -> PyResult<T> {
    let memory = terms.1.as_deref().map(str::parse).transpose().map_err(|error| raise(py, error))?;
    let watch = Arc::new(Watch::new(memory));
    let pool = pool(terms.0)?;
    let (send, mut receive) = mpsc::channel();
    let worker = Arc::clone(&watch);
    thread::Builder::new().name("fiedler".to_owned()).spawn(move || {
        let answer = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(&*worker))));
        // Nobody listens where the caller has left on Ctrl-C.
        let _ = send.send(answer);
    })?;
    loop {
        let (channel, found) = py.detach(move || {
            let found = receive.recv_timeout(TICK);
            (receive, found)
        });
        receive = channel;
        match found {
            Ok(Ok(answer)) => {
                terms.tell_notes(py, &watch)?;
                return answer.map_err(|error| raise(py, error));
            }
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err(
                    "the library failed in a way it should not; please report",
                ));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(stop) = py.check_signals().and_then(|()| terms.tell(py, &watch)) {
                    watch.canceled.store(true, Ordering::Relaxed);
                    if py.detach(move || receive.recv_timeout(PATIENCE).err())
                        == Some(RecvTimeoutError::Timeout)
                    {
                        leave(terms.0);
                    }
                    return Err(stop);
                }
            }
        }
    }
}

impl Terms {
    /// Tells the caller how far the work is.
    fn tell(&self, py: Python<'_>, watch: &Watch) -> PyResult<()> {
        let Some(tell) = &self.2 else { return Ok(()) };
        let (stage, done, total) = *lock(&watch.progress);
        tell.call1(py, (stage, done, total, watch.take_notes())).map(drop)
    }

    /// Tells the caller what was noted after it was told last.
    fn tell_notes(&self, py: Python<'_>, watch: &Watch) -> PyResult<()> {
        if lock(&watch.notes).is_empty() { Ok(()) } else { self.tell(py, watch) }
    }
}

/// The monitor of the work.
struct Watch {
    canceled: AtomicBool,
    begun: Instant,
    memory: Option<Bytes>,
    progress: Mutex<(&'static str, usize, usize)>,
    notes: Mutex<Vec<String>>,
}

impl Watch {
    fn new(memory: Option<Bytes>) -> Self {
        Watch {
            canceled: AtomicBool::new(false),
            begun: Instant::now(),
            memory,
            progress: Mutex::new(("", 0, 0)),
            notes: Mutex::default(),
        }
    }

    fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.notes))
    }
}

impl Monitor for Watch {
    fn update(&self, stage: &'static str, done: usize, total: usize) -> ControlFlow<()> {
        // Whoever finds the slot taken has nothing newer to say than its neighbor.
        if let Ok(mut progress) = self.progress.try_lock() {
            *progress = (stage, done, total);
        }
        if self.canceled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn now(&self) -> Option<f64> {
        Some(self.begun.elapsed().as_secs_f64())
    }

    fn limits(&self) -> Limits {
        self.memory.map_or_else(Limits::default, Limits::of)
    }

    fn note(&self, text: &str) {
        lock(&self.notes).push(sentence(text));
    }
}

/// What is behind a mutex, also where a thread failed while it held it: all of it is plain data.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which process made a pool, and of how many threads.
type Key = (u32, usize);
static POOLS: Mutex<Vec<(Key, Arc<ThreadPool>)>> = Mutex::new(Vec::new());

/// Leaves the pool of so many threads to work that did not stop: whoever asks next has a pool of its own and does not wait.
fn leave(threads: usize) {
    let key = (std::process::id(), threads);
    lock(&POOLS).retain(|(known, _)| *known != key);
}

/// The pool of so many threads. Threads do not live on in a forked process, so that every process has pools of its own.
fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let key = (std::process::id(), threads);
    let mut pools = lock(&POOLS);
    if let Some((_, pool)) = pools.iter().find(|(known, _)| *known == key) {
        return Ok(Arc::clone(pool));
    }
    let made = ThreadPoolBuilder::new().num_threads(threads).thread_name(|_| "fiedler".to_owned()).build();
    let pool = Arc::new(made.map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
    pools.push((key, Arc::clone(&pool)));
    Ok(pool)
}
