//! Progress out, cancellation in.
//!
//! Long work calls a [`Monitor`] between blocks. The monitor may draw a bar, check for Ctrl-C,
//! or both; when it answers [`ControlFlow::Break`] the work returns [`Error::Canceled`] and
//! nothing half done is left behind, because results exist only as return values.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Error, Result};

/// Told how far the work is, between blocks; asked whether to go on.
///
/// Called from worker threads, hence `Sync`.
pub trait Monitor: Sync {
    /// `done` of `total` units of `stage` are finished (`total` 0: not known).
    fn update(&self, stage: &'static str, done: usize, total: usize) -> ControlFlow<()>;
}

/// A monitor that says nothing and never stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Monitor for Silent {
    fn update(&self, _: &'static str, _: usize, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: Fn(&'static str, usize, usize) -> ControlFlow<()> + Sync> Monitor for F {
    fn update(&self, stage: &'static str, done: usize, total: usize) -> ControlFlow<()> {
        self(stage, done, total)
    }
}

/// Counts finished units of one stage from many threads.
pub(crate) struct Stage<'a> {
    monitor: &'a dyn Monitor,
    name: &'static str,
    done: AtomicUsize,
    total: usize,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(monitor: &'a dyn Monitor, name: &'static str, total: usize) -> Result<Self> {
        let stage = Stage { monitor, name, done: AtomicUsize::new(0), total };
        stage.advance(0)?;
        Ok(stage)
    }

    /// A monitor for the work inside one unit: whatever that calls its stages, the stage stays this one.
    pub(crate) fn within(&'a self) -> Within<'a> {
        Within { stage: self }
    }

    /// `units` more are done; an error when the caller wants to stop.
    pub(crate) fn advance(&self, units: usize) -> Result<()> {
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        match self.monitor.update(self.name, done, self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Canceled),
        }
    }
}

/// See [`Stage::within`].
pub(crate) struct Within<'a> {
    stage: &'a Stage<'a>,
}

impl Monitor for Within<'_> {
    fn update(&self, _: &'static str, _: usize, _: usize) -> ControlFlow<()> {
        if self.stage.advance(0).is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
