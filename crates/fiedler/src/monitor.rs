//! Progress out, cancellation in.
//!
//! Long work calls a [`Monitor`] between blocks. The monitor may draw a bar, check for Ctrl-C,
//! or both; when it answers [`ControlFlow::Break`] the work returns [`Error::Canceled`] and
//! nothing half done is left behind, because results exist only as return values.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::checkpoint::Checkpoint;
use crate::limits::{Held, Limits};
use crate::{Error, Result};

/// Told how far the work is, between blocks; asked whether to go on.
///
/// Called from worker threads, hence `Sync`.
pub trait Monitor: Sync {
    /// `done` of `total` units of `stage` are finished (`total` 0: not known).
    fn update(&self, stage: &'static str, done: usize, total: usize) -> ControlFlow<()>;

    /// Seconds on a clock of the caller's, for how long things take. The library has no clock.
    fn now(&self) -> Option<f64> {
        None
    }

    /// What the work may take of the machine; asked before anything large is allocated.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Something to know before the work goes on, one sentence without a full stop: that it will take long, and what to do
    /// instead.
    fn note(&self, text: &str) {
        let _ = text;
    }

    /// Where long work may be kept, so that a later run goes on from there.
    fn checkpoint(&self) -> Option<&dyn Checkpoint> {
        None
    }
}

/// Another monitor, with limits of its own.
///
/// ```
/// use fiedler::{Limited, Limits, Selector, Silent, dataset::demo, methods::Entropy};
///
/// let small = Limited { monitor: &Silent, limits: Limits::of("100kB".parse()?) };
/// let error = Entropy.rank_with(&demo::iris()?, &small).unwrap_err();
/// assert!(error.to_string().contains("needs 180 kB of memory, and the limit is 100 kB"));
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Limited<'a> {
    /// Who is told.
    pub monitor: &'a dyn Monitor,
    /// What the work may take.
    pub limits: Limits,
}

impl Monitor for Limited<'_> {
    fn update(&self, stage: &'static str, done: usize, total: usize) -> ControlFlow<()> {
        self.monitor.update(stage, done, total)
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn now(&self) -> Option<f64> {
        self.monitor.now()
    }

    fn note(&self, text: &str) {
        self.monitor.note(text);
    }

    fn checkpoint(&self) -> Option<&dyn Checkpoint> {
        self.monitor.checkpoint()
    }
}

impl std::fmt::Debug for Limited<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limited").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// Another monitor, while something is held in memory.
pub(crate) struct Beside<'a> {
    pub(crate) monitor: &'a dyn Monitor,
    pub(crate) held: Held,
}

impl Monitor for Beside<'_> {
    fn update(&self, stage: &'static str, done: usize, total: usize) -> ControlFlow<()> {
        self.monitor.update(stage, done, total)
    }

    fn limits(&self) -> Limits {
        self.monitor.limits().beside(self.held)
    }

    fn now(&self) -> Option<f64> {
        self.monitor.now()
    }

    fn note(&self, text: &str) {
        self.monitor.note(text);
    }

    fn checkpoint(&self) -> Option<&dyn Checkpoint> {
        self.monitor.checkpoint()
    }
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

    /// Whom it tells.
    pub(crate) fn monitor(&self) -> &'a dyn Monitor {
        self.monitor
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

    fn limits(&self) -> Limits {
        self.stage.monitor.limits()
    }

    fn now(&self) -> Option<f64> {
        self.stage.monitor.now()
    }

    fn note(&self, text: &str) {
        self.stage.monitor.note(text);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// A clock, a budget and an ear.
    #[derive(Default)]
    struct Whole(Mutex<Vec<String>>);

    impl Monitor for Whole {
        fn update(&self, _: &'static str, _: usize, _: usize) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn now(&self) -> Option<f64> {
            Some(7.0)
        }

        fn limits(&self) -> Limits {
            Limits::of(crate::limits::Bytes(123))
        }

        fn note(&self, text: &str) {
            self.0.lock().expect("no panic").push(text.to_owned());
        }
    }

    #[test]
    fn work_inside_a_unit_has_all_of_the_monitor() {
        let whole = Whole::default();
        let stage = Stage::new(&whole, "stage", 1).expect("not stopped");
        let within = stage.within();
        within.note("long");
        assert_eq!((within.now(), within.limits().memory.0), (Some(7.0), 123));
        assert_eq!(*whole.0.lock().expect("no panic"), ["long"]);
    }
}
