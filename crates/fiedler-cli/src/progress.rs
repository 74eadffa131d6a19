//! A progress bar on standard error, and the way Ctrl-C reaches the work.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::{Mutex, TryLockError};
use std::time::{Duration, Instant};

use fiedler::limits::Bytes;
use fiedler::{Limits, Monitor};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::args::CommonArgs;
use crate::interrupt;
use crate::output;
use crate::output::layout::count;
use crate::pools::possible;
use crate::words::told_in_options;

/// Work that is done sooner than this needs no bar.
const SHOW_AFTER: Duration = Duration::from_millis(400);

/// Draws a bar where one is wanted; asks the work to stop after Ctrl-C.
pub(crate) struct Progress {
    show: bool,
    verbose: bool,
    quiet: bool,
    memory: Option<Bytes>,
    stage: Mutex<Option<Stage>>,
    begun: Instant,
}

struct Stage {
    name: &'static str,
    begun: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar on a terminal, unless `--quiet`.
    pub(crate) fn new(common: &CommonArgs) -> Self {
        let progress = Progress {
            show: !common.quiet && std::io::stderr().is_terminal(),
            verbose: common.verbose,
            quiet: common.quiet,
            memory: common.memory.map(possible),
            stage: Mutex::new(None),
            begun: Instant::now(),
        };
        if let (Some(asked), Some(possible)) =
            (common.memory, progress.memory.filter(|&m| Some(m) < common.memory))
        {
            progress.note(&format!(
                "--memory {asked} is more than the system lets the command have (ulimit -v); it takes {possible}"
            ));
        }
        progress
    }

    /// The work is done: the bar goes, and with `--verbose` the time of the last stage stays.
    pub(crate) fn finish(&self) {
        if let Ok(mut stage) = self.stage.lock() {
            self.end(stage.take());
        }
    }

    fn end(&self, stage: Option<Stage>) {
        let Some(stage) = stage else { return };
        if let Some(bar) = stage.bar {
            bar.finish_and_clear();
        }
        if self.verbose {
            anstream::eprintln!("{:>8.3} s  {}", stage.begun.elapsed().as_secs_f64(), stage.name);
        }
    }

    fn draw(&self, name: &'static str, done: usize, total: usize) {
        // A thread that finds another one drawing goes on with its work.
        let mut current = match self.stage.try_lock() {
            Ok(current) => current,
            Err(TryLockError::WouldBlock | TryLockError::Poisoned(_)) => return,
        };
        if current.as_ref().is_none_or(|s| s.name != name) {
            self.end(current.take());
            *current = Some(Stage { name, begun: Instant::now(), bar: None });
        }
        let Some(stage) = current.as_mut().filter(|_| self.show) else { return };
        if stage.bar.is_none() && stage.begun.elapsed() > SHOW_AFTER {
            stage.bar = Some(bar(name, total, stage.begun));
        }
        if let Some(bar) = &stage.bar {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        }
    }
}

impl Drop for Progress {
    /// A command that ends early leaves no half-drawn bar behind.
    fn drop(&mut self) {
        self.finish();
    }
}

impl Monitor for Progress {
    fn update(&self, stage: &'static str, done: usize, total: usize) -> ControlFlow<()> {
        if interrupt::requested() {
            return ControlFlow::Break(());
        }
        if self.show || self.verbose {
            self.draw(stage, done, total);
        }
        ControlFlow::Continue(())
    }

    fn now(&self) -> Option<f64> {
        Some(self.begun.elapsed().as_secs_f64())
    }

    fn limits(&self) -> Limits {
        self.memory.map_or_else(Limits::default, Limits::of)
    }

    fn note(&self, text: &str) {
        if self.quiet {
            return;
        }
        let tell = || output::report("note", output::BOLD, &told_in_options(text));
        match self.stage.lock().ok().and_then(|stage| stage.as_ref().and_then(|s| s.bar.clone())) {
            Some(bar) => bar.suspend(tell),
            None => tell(),
        }
    }
}

fn bar(name: &'static str, total: usize, begun: Instant) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let template = match total {
        0 => "{msg:<20} {spinner} {human_pos}  {rate}/s, {elapsed}",
        _ => "{msg:<20} {wide_bar} {percent:>3} %  {rate}/s, {eta} left",
    };
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = out.write_str(&count(state.per_sec().round() as usize));
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.with_key("rate", rate);
    ProgressBar::with_draw_target(Some(total as u64), target)
        .with_style(style.progress_chars("█▉▊▋▌▍▎▏ "))
        .with_message(name)
        .with_elapsed(begun.elapsed())
}

/// Wipes a half-drawn bar from the terminal before the process ends.
pub(crate) fn clear_line() {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[2K");
    }
}
