//! The monitor of what is done inside an evaluation.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Result;
use crate::limits::Limits;
use crate::monitor::{Monitor, Stage};

/// The monitor of the work inside a job: whatever that calls its stages, the stage is ours.
pub(super) struct Within<'a> {
    stage: &'a Stage<'a>,
    stopped: AtomicBool,
}

impl<'a> Within<'a> {
    pub(super) fn new(stage: &'a Stage<'a>) -> Self {
        Within { stage, stopped: AtomicBool::new(false) }
    }

    /// A job is done; where it failed, the others need not go on.
    pub(super) fn after<T>(&self, result: Result<T>) -> Result<T> {
        let result = result.and_then(|value| self.stage.advance(1).map(|()| value));
        result.inspect_err(|_| self.stopped.store(true, Ordering::Relaxed))
    }
}

impl Monitor for Within<'_> {
    fn update(&self, _: &'static str, _: usize, _: usize) -> ControlFlow<()> {
        if self.stopped.load(Ordering::Relaxed) || self.stage.advance(0).is_err() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn limits(&self) -> Limits {
        self.stage.monitor().limits()
    }

    fn now(&self) -> Option<f64> {
        self.stage.monitor().now()
    }

    fn note(&self, text: &str) {
        self.stage.monitor().note(text);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    struct Clock(Mutex<Vec<String>>);

    impl Monitor for Clock {
        fn update(&self, _: &'static str, _: usize, _: usize) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn now(&self) -> Option<f64> {
            Some(7.0)
        }

        fn note(&self, text: &str) {
            self.0.lock().expect("no panic").push(text.to_owned());
        }
    }

    #[test]
    fn a_job_has_the_clock_and_the_ear_of_the_monitor() {
        let clock = Clock(Mutex::default());
        let stage = Stage::new(&clock, "stage", 1).expect("not stopped");
        let within = Within::new(&stage);
        within.note("long");
        assert_eq!(within.now(), Some(7.0));
        assert_eq!(*clock.0.lock().expect("no panic"), ["long"]);
    }
}
