//! How sure a selection is: what changes when the data change a little.
//!
//! A ranking always has a first feature, also where nothing is to be found. Whether the same
//! features would be selected again is measured here, for any [`Selector`]: it ranks many slightly
//! different versions of the data, and the selections are compared.
//!
//! **Versions.** [`Change::Subsample`]: a part of the samples, drawn without replacement, from every class its
//! share where the data have labels. (Not the bootstrap: it repeats samples, a repeated sample is its own nearest
//! neighbor at distance 0, and every graph would be one of copies.) [`Change::Noise`]: all samples, with Gaussian noise
//! on every value, in units of the standard deviation of its feature.
//!
//! **Agreement.** With h_j the number of the R versions in which feature j is among the best k of m:
//!
//! ```text
//! frequency     h_j / R
//! Kuncheva      mean over pairs of (|A∩B| - k²/m) / (k - k²/m):   1 always the same, 0 as by chance
//! Spearman      mean over pairs of the correlation of all ranks (ties and missing scores by mean rank)
//! ```
//!
//! **Safe to report.** A feature is safe when it is one of the k best of the data as they are, and the lower end of
//! the one-sided 95 % confidence interval (Wilson) of its frequency exceeds [`Stability::threshold`] (0.8): of all
//! such versions, not only of those that were drawn, more than 80 % select it. With 50 repeats that takes 45. The
//! confidence is about the versions, not about new samples: subsamples share most of their samples with one another.
//!
//! For subsamples of half of the samples, and only for those, Meinshausen and Bühlmann (2010) bound the expected number of
//! features that are reported and should not be by k²/((2π - 1)m), π the smallest frequency that is reported; it
//! assumes that features without meaning are exchangeable and that the method is no worse than guessing.
//! [`Report::expected_false`] tells it.
//!
//! **When it misleads.** A method that avoids redundancy (mrsf, mrmr) chooses between copies of a feature, and another version may
//! choose the other copy: it is then sure of what is measured and unsure of which feature says it.
//!
//! References: Kuncheva: A stability index for feature selection, AIA 2007. Kalousis, Prados, Hilario: Stability of feature
//! selection algorithms, KAIS 2007. Meinshausen, Bühlmann: Stability selection, JRSS B 2010.

mod agreement;
mod bounds;
mod draw;
mod versions;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

pub use agreement::{kuncheva, mean_ranks, spearman};

use agreement::{RankSum, standardized, wilson_lower, wilson_upper};
use versions::Versions;

use crate::dataset::Dataset;
use crate::detail::Detail;
use crate::eval::MOST_REPEATS;
use crate::monitor::{Monitor, Stage};
use crate::ranking::Ranking;
use crate::selector::Selector;
use crate::{Error, Result};

/// The normal quantile of the confidence, one-sided 95 %.
const QUANTILE: f64 = 1.644_853_626_951_472_2;

/// Data of more samples are ranked one version at a time: a version may hold several n × n matrices.
const SIDE_BY_SIDE: usize = 2000;

/// The most noise, in standard deviations of a feature: long before that nothing is left of the data.
const MOST_NOISE: f64 = 1e6;

/// How a version of the data differs from the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// A part of the samples, above 0 and below 1.
    Subsample {
        /// How large a part.
        fraction: f64,
    },
    /// Gaussian noise on every value.
    Noise {
        /// Its standard deviation, in standard deviations of the feature.
        level: f64,
    },
}

impl Change {
    /// Subsamples of a `fraction` of the samples (1: none) and `noise` (0: none), each by itself.
    ///
    /// # Errors
    /// [`Error::Parameter`] where a number breaks its rule, or nothing is left to change.
    pub fn each(fraction: f64, noise: f64) -> Result<Vec<Self>> {
        if !(fraction > 0.0 && fraction <= 1.0) {
            return Err(Error::parameter("fraction", "above 0 and at most 1", fraction));
        }
        if !(0.0..=MOST_NOISE).contains(&noise) {
            return Err(Error::parameter("noise", format!("from 0 to {MOST_NOISE}"), noise));
        }
        if fraction == 1.0 && noise == 0.0 {
            let rule = "below 1 where the noise is 0: with both the data stay as they are, and there is nothing to measure";
            return Err(Error::parameter("fraction", rule, 1));
        }
        let subsample = (fraction < 1.0).then_some(Change::Subsample { fraction });
        Ok(subsample.into_iter().chain((noise > 0.0).then_some(Change::Noise { level: noise })).collect())
    }
}

/// How to measure the stability of a selection.
///
/// ```
/// use fiedler::{dataset::demo, methods::Laplacian, stability::Stability};
///
/// let stability = Stability { count: 2, repeats: 20, ..Stability::default() };
/// let report = stability.run(&Laplacian::default(), &demo::iris()?)?;
/// assert_eq!(report.safe, [2, 3]); // the petals
/// assert_eq!(report.kuncheva, 1.0);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Stability {
    /// How many features are selected, k.
    pub count: usize,
    /// How many versions of the data are ranked, R, at least 2.
    pub repeats: usize,
    /// How a version differs from the data.
    pub change: Change,
    /// What the frequency of a feature must exceed for it to be safe to report, from 0 and below 1.
    pub threshold: f64,
    /// Whether to tell, for noise, what theorems 5 and 6 of the dissertation let it do: O(n³).
    pub bounds: bool,
    /// Seed of the draws; the same seed gives the same bits.
    pub seed: u64,
}

impl Stability {
    /// How many versions of the data are ranked where the user does not say.
    pub const REPEATS: usize = 50;
    /// The part of the samples in a subsample where the user does not say.
    pub const FRACTION: f64 = 0.8;
    /// The noise, in standard deviations of the feature, where the user does not say.
    pub const NOISE: f64 = 0.1;
    /// What the frequency of a safe feature must exceed where the user does not say.
    pub const THRESHOLD: f64 = 0.8;

    /// How many features are selected where the user does not say: ten, or half of few.
    pub fn usual_count(n_features: usize) -> usize {
        n_features.div_ceil(2).min(10)
    }
}

impl Default for Stability {
    fn default() -> Self {
        let change = Change::Subsample { fraction: Self::FRACTION };
        Stability {
            count: 10,
            repeats: Self::REPEATS,
            change,
            threshold: Self::THRESHOLD,
            bounds: false,
            seed: 0,
        }
    }
}

/// How stable a selection is.
#[derive(Debug, Clone)]
pub struct Report {
    /// How the versions differ from the data.
    pub change: Change,
    /// How many versions were ranked.
    pub repeats: usize,
    /// How many features every version selected.
    pub count: usize,
    /// Samples of a version.
    pub n_samples: usize,
    /// In how many versions every feature was selected.
    pub times: Vec<usize>,
    /// Mean Kuncheva index of the pairs of selections.
    pub kuncheva: f64,
    /// Mean Spearman correlation of the pairs of rankings.
    pub spearman: f64,
    /// What the frequency of a feature must exceed for it to be safe.
    pub threshold: f64,
    /// In how many versions a feature must be selected to be safe; `None` where there are too few
    /// versions for any confidence.
    pub needed: Option<usize>,
    /// The features that are safe to report, best first.
    pub safe: Vec<usize>,
    /// Subsamples of half: at most so many of the safe features are expected to be false.
    pub expected_false: Option<f64>,
    /// Noise, where asked: what the first version changed, beside what it could have changed.
    pub bounds: Option<Detail>,
    /// The ranking of the data as they are.
    pub ranking: Ranking,
    /// What the user should know before trusting it.
    pub warnings: Vec<String>,
}

impl Report {
    /// The share of the versions in which feature `j` was selected.
    pub fn frequency(&self, j: usize) -> f64 {
        self.times[j] as f64 / self.repeats as f64
    }

    /// The lower end of the one-sided 95 % confidence interval of the frequency of feature `j`.
    pub fn lower_bound(&self, j: usize) -> f64 {
        wilson_lower(self.times[j], self.repeats, QUANTILE)
    }

    /// The upper end of the one-sided 95 % confidence interval of the frequency of feature `j`; with the lower end, an
    /// interval of 90 %.
    pub fn upper_bound(&self, j: usize) -> f64 {
        wilson_upper(self.times[j], self.repeats, QUANTILE)
    }

    /// The features, most often selected first, then as the data as they are rank them.
    pub fn order(&self) -> Vec<usize> {
        order_over_all(std::slice::from_ref(self))
    }
}

/// The features that are safe to report whatever the change, best first: safe in every one of `reports`.
pub fn safe_in_all(reports: &[Report]) -> Vec<usize> {
    let Some((first, others)) = reports.split_first() else { return Vec::new() };
    let is_safe = |j: &usize| others.iter().all(|r| r.safe.contains(j));
    first.safe.iter().copied().filter(is_safe).collect()
}

/// The features, most often selected over all changes first, then as the data as they are rank them.
pub fn order_over_all(reports: &[Report]) -> Vec<usize> {
    let Some(first) = reports.first() else { return Vec::new() };
    let mut order = first.ranking.order().to_vec();
    order.sort_by_key(|&j| std::cmp::Reverse(reports.iter().map(|r| r.times[j]).sum::<usize>()));
    order
}

impl Stability {
    /// Measures the stability of what `selector` selects.
    ///
    /// # Errors
    /// As [`run_with`](Self::run_with).
    pub fn run(&self, selector: &dyn Selector, data: &Dataset) -> Result<Report> {
        self.run_with(selector, data, &crate::Silent)
    }

    /// Measures the stability of what `selector` selects, telling `monitor` how far it is.
    ///
    /// # Errors
    /// A parameter breaks its rule, the method fails on the data or on a version of them, or
    /// [`Error::Canceled`].
    pub fn run_with(&self, selector: &dyn Selector, data: &Dataset, monitor: &dyn Monitor) -> Result<Report> {
        self.check_on(data)?;
        let versions = Versions::new(self, data)?;
        let ranking = selector.rank_with(data, monitor)?;
        if ranking.n_scored() == 0 {
            return Err(Error::parameter(
                "data",
                "such that some feature has a score: what is selected without one is selected by its place",
                format!("none of {} features with a score by {}", data.n_features(), ranking.method),
            ));
        }
        let bounds = self.bounds_of(selector, &versions, &ranking, monitor)?;
        let found = self.repeat(selector, &versions, monitor)?;
        let needed = (1..=self.repeats).find(|&h| wilson_lower(h, self.repeats, QUANTILE) > self.threshold);
        let is_safe = |j: &usize| needed.is_some_and(|needed| found.times[*j] >= needed);
        let safe = scored(&ranking, self.count).iter().copied().filter(is_safe).collect();
        let mut warnings = self.warnings(&ranking, needed);
        warnings.extend(found.warning(self.repeats));
        let halved = 2 * versions.n_samples() <= data.n_samples();
        Ok(Report {
            change: self.change,
            repeats: self.repeats,
            count: self.count,
            n_samples: versions.n_samples(),
            kuncheva: kuncheva(&found.times, self.repeats, self.count),
            spearman: found.ranks.mean_spearman(),
            times: found.times,
            threshold: self.threshold,
            expected_false: needed
                .filter(|_| halved)
                .and_then(|needed| self.expected_false(needed, data.n_features())),
            safe,
            bounds,
            warnings,
            needed,
            ranking,
        })
    }

    /// What the theorems say, where that is asked and the data change by noise.
    fn bounds_of(
        &self,
        selector: &dyn Selector,
        versions: &Versions<'_>,
        ranking: &Ranking,
        monitor: &dyn Monitor,
    ) -> Result<Option<Detail>> {
        if !self.bounds || !matches!(self.change, Change::Noise { .. }) {
            return Ok(None);
        }
        let noisy = versions.make(0, monitor)?;
        bounds::bounds(selector, (versions.data, ranking), &noisy, self.count, monitor).map(Some)
    }

    /// Checks what can be checked without data.
    ///
    /// # Errors
    /// [`Error::Parameter`] where a number breaks its rule.
    pub fn check(&self) -> Result<()> {
        if !(2..=MOST_REPEATS).contains(&self.repeats) {
            let rule = format!("from 2 to {MOST_REPEATS} (selections are compared in pairs)");
            return Err(Error::parameter("repeats", rule, self.repeats));
        }
        if !(0.0..1.0).contains(&self.threshold) {
            return Err(Error::parameter("threshold", "from 0 and below 1", self.threshold));
        }
        match self.change {
            Change::Subsample { fraction } if !(fraction > 0.0 && fraction < 1.0) => {
                Err(Error::parameter("fraction", "above 0 and below 1", fraction))
            }
            Change::Noise { level } if !(level > 0.0 && level <= MOST_NOISE) => {
                Err(Error::parameter("noise", format!("above 0 and at most {MOST_NOISE}"), level))
            }
            _ => Ok(()),
        }
    }

    fn check_on(&self, data: &Dataset) -> Result<()> {
        self.check()?;
        let m = data.n_features();
        if m < 2 {
            let rule = "two features at least (selections are compared in pairs)";
            return Err(Error::parameter("data", rule, m));
        }
        if self.count == 0 || self.count >= m {
            let rule = format!("from 1 to {}, fewer than there are features ({m})", m - 1);
            return Err(Error::parameter("count", rule, self.count));
        }
        Ok(())
    }

    /// The bound of Meinshausen and Bühlmann, for what it is proved for.
    fn expected_false(&self, needed: usize, n_features: usize) -> Option<f64> {
        let smallest = needed as f64 / self.repeats as f64;
        let halves = self.change == Change::Subsample { fraction: 0.5 };
        let count = self.count as f64;
        (halves && smallest > 0.5).then(|| count * count / ((2.0 * smallest - 1.0) * n_features as f64))
    }

    fn warnings(&self, ranking: &Ranking, needed: Option<usize>) -> Vec<String> {
        let mut warnings = ranking.warnings.clone();
        if needed.is_none() {
            warnings.push(format!(
                "{} repeats are too few for 95 % confidence in a frequency above {}: no feature can be safe",
                self.repeats, self.threshold
            ));
        }
        if ranking.n_scored() < self.count {
            warnings.push(format!(
                "{} of the {} to select have a score: the others are never selected",
                ranking.n_scored(),
                self.count
            ));
        }
        warnings
    }

    /// Ranks all versions. They are looked at in order, so that sums do not depend on threads.
    fn repeat(
        &self,
        selector: &dyn Selector,
        versions: &Versions<'_>,
        monitor: &dyn Monitor,
    ) -> Result<Counted> {
        let stage = Stage::new(monitor, "repeats", self.repeats)?;
        let done = AtomicUsize::new(0);
        // What the method reports of itself shows as progress of the repeats, and stops them.
        let inner = |_: &'static str, _: usize, _: usize| -> ControlFlow<()> {
            monitor.update("repeats", done.load(Ordering::Relaxed), self.repeats)
        };
        let rank = |number: usize| -> Result<Ranking> {
            let ranking = selector.rank_with(&versions.make(number, &inner)?, &inner)?;
            done.fetch_add(1, Ordering::Relaxed);
            stage.advance(1)?;
            Ok(ranking)
        };
        let together = if versions.n_samples() > SIDE_BY_SIDE { 1 } else { rayon::current_num_threads() };
        let mut found = Counted::new(versions.data.n_features());
        for start in (0..self.repeats).step_by(together) {
            let numbers = start..self.repeats.min(start + together);
            let rankings: Vec<Result<Ranking>> = numbers.into_par_iter().map(rank).collect();
            for ranking in rankings {
                found.add(&ranking?, self.count);
            }
        }
        Ok(found)
    }
}

/// What the versions selected.
struct Counted {
    times: Vec<usize>,
    ranks: RankSum,
    /// Versions with something to tell, and the first of it.
    warned: usize,
    first_warning: Option<String>,
}

impl Counted {
    fn new(n_features: usize) -> Self {
        Counted { times: vec![0; n_features], ranks: RankSum::default(), warned: 0, first_warning: None }
    }

    fn add(&mut self, ranking: &Ranking, count: usize) {
        scored(ranking, count).iter().for_each(|&j| self.times[j] += 1);
        self.warned += usize::from(!ranking.warnings.is_empty());
        self.first_warning = self.first_warning.take().or_else(|| ranking.warnings.first().cloned());
        self.ranks.add(&standardized(ranking));
    }

    /// What most versions warn of.
    fn warning(&self, repeats: usize) -> Option<String> {
        let first = self.first_warning.as_ref().filter(|_| 2 * self.warned > repeats)?;
        Some(format!("in {} of {repeats} versions: {first}", self.warned))
    }
}

/// The best `count` features, as far as they have a score: without one, a place says nothing.
fn scored(ranking: &Ranking, count: usize) -> &[usize] {
    ranking.top(count.min(ranking.n_scored()))
}
