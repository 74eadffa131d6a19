//! Progress out and cancellation in, while a file is read or written.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use fiedler::Monitor;

use crate::{Error, Result};

/// Counts finished units of one stage, from many threads.
pub(crate) struct Progress<'a> {
    monitor: &'a dyn Monitor,
    stage: &'static str,
    done: AtomicUsize,
    total: usize,
}

impl<'a> Progress<'a> {
    /// A stage of `total` units; 0 when it is not known.
    pub(crate) fn new(monitor: &'a dyn Monitor, stage: &'static str, total: usize) -> Self {
        Progress { monitor, stage, done: AtomicUsize::new(0), total }
    }

    /// `units` more are done; an error when the caller wants to stop.
    pub(crate) fn advance(&self, units: usize) -> Result<()> {
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        match self.monitor.update(self.stage, done, self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Canceled),
        }
    }
}
