//! Columns on other machines, which work on them where they lie.
//!
//! A source of columns may know machines that can compute ([`Columns::afar`](crate::dataset::Columns::afar)). The columns are
//! then cut into *shares*, side by side, and what takes a pass over all columns is asked as a [`Question`] that every share
//! answers by itself:
//!
//! ```text
//!  here                                  there, once for every share
//!  Question ────── as text ────────────► Worker::answer(columns) ──► numbers
//!  numbers  ◄───── joined as Join says ──────────┘
//! ```
//!
//! | question | an answer | joined by |
//! |---|---|---|
//! | what is known of every column | five numbers a column | putting side by side |
//! | how many values are not 0 | a number a column | putting side by side |
//! | products of all pairs of samples, to find candidates | tiles in working precision | adding in any order |
//! | exact sums of some pairs | a row of sums for every 64 features | adding row after row |
//! | the Gram matrix of the samples | n × n | adding |
//! | scores, or correlations with some vectors | a number a column | putting side by side |
//!
//! **Same bits as on one machine.** A column is looked at and scored as it would be here, in blocks of 64 that begin where
//! they begin here: shares must begin at multiples of [`TOGETHER`] columns. Exact distances are sums over runs of
//! 64 features, and the runs are added one after another, so the rows of all shares are added in the order of the features.
//! Products in working precision only name candidates, with an error bound that holds for any order of the sums. One
//! thing differs: the Gram matrix (full RBF graphs, entropy) is summed share by share and not block by block, so it agrees
//! to rounding, and is the same for the same shares whatever the number of machines.
//!
//! What nobody asks of shares, a method that weighs features together say, reads columns as from any other slow source.

mod question;
mod worker;

pub use question::{Join, Question};
pub(crate) use question::{PairJob, ScoreJob, Seen, TileJob, What};
pub(crate) use worker::Remade;
pub use worker::Worker;

use crate::Result;
use crate::dataset::{BLOCK, ColumnStats, Dataset};
use crate::monitor::{Monitor, Stage};

/// Every share must begin at a multiple of so many columns.
pub const TOGETHER: usize = BLOCK;

/// Beyond so many samples sums over all pairs are too many numbers to be sent around: n²/2 from every share.
const MOST_SAMPLES: usize = 10_000;

/// Machines that hold shares of columns.
pub trait Afar: Send + Sync {
    /// Has every share answer ([`Worker::answer`]) and joins the answers as [`Question::join`] says. `tell` is called with
    /// the number of columns of every share that is done.
    ///
    /// # Errors
    /// What the machines report, and what `tell` answers.
    fn ask(&self, question: &Question, tell: &dyn Fn(usize) -> Result<()>) -> Result<Vec<f64>>;
}

/// Data whose columns are worked on elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Far<'a> {
    afar: &'a dyn Afar,
    data: &'a Dataset,
}

impl Dataset {
    /// Who works on the columns where they lie, if anyone.
    pub(crate) fn far(&self) -> Option<Far<'_>> {
        self.source().afar().map(|afar| Far { afar, data: self })
    }

    /// As [`far`](Self::far), for sums over pairs of samples.
    pub(crate) fn far_pairs(&self) -> Option<Far<'_>> {
        self.far().filter(|_| self.n_samples() <= MOST_SAMPLES)
    }
}

impl Far<'_> {
    /// Asks all shares, of the data as they are seen.
    pub(crate) fn ask(&self, what: What, stage: &'static str, monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let stage = Stage::new(monitor, stage, self.data.n_features())?;
        let question = Question { seen: Seen::of(self.data), what };
        self.afar.ask(&question, &|columns| stage.advance(columns))
    }

    /// What is known of every column, NaN in a share with a value that is not finite.
    pub(crate) fn stats(&self, monitor: &dyn Monitor) -> Result<Vec<ColumnStats>> {
        let numbers = self.ask(What::Stats, "reading", monitor)?;
        Ok(numbers.chunks_exact(ColumnStats::NUMBERS).filter_map(ColumnStats::from_numbers).collect())
    }

    /// How many values of every column are not 0.
    pub(crate) fn counts(&self, monitor: &dyn Monitor) -> Result<Vec<usize>> {
        let counts = self.ask(What::Counts, "reading", monitor)?;
        Ok(counts.into_iter().map(|count| count as usize).collect())
    }
}
