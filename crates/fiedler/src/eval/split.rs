//! Partitions of the samples into those that may be learned from and those that judge.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;

use crate::random::{generator, shuffle};
use crate::{Error, Result};

/// One partition; both parts ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The samples that selection and classifiers learn from.
    pub training: Vec<usize>,
    /// The samples that judge.
    pub test: Vec<usize>,
}

/// The most times that samples are parted anew, or that versions of the data are ranked.
pub const MOST_REPEATS: usize = 100_000;

/// How samples are parted. Parts are stratified: every class is divided alike, as far as whole
/// numbers allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Partition {
    /// Half for training, half for test, drawn `repeats` times.
    Halves {
        /// How often.
        repeats: usize,
    },
    /// Cross-validation: each of `folds` parts is the test part once; all of it `repeats` times.
    Folds {
        /// Number of parts.
        folds: usize,
        /// How often.
        repeats: usize,
    },
    /// Some of the classes, drawn `repeats` times: selection sees the samples of the drawn ones, and the same judge
    /// it. For metrics that train nothing, as clusterings do (He, Cai, Niyogi 2005, 4.2).
    Classes {
        /// How many classes are drawn.
        classes: usize,
        /// How often.
        repeats: usize,
    },
    /// Partitions from elsewhere, such as those of a paper.
    Given(Vec<Split>),
}

impl Partition {
    /// Checks what can be checked without data.
    pub(super) fn check(&self) -> Result<()> {
        match *self {
            Partition::Halves { repeats } => check("repeats", 1, MOST_REPEATS, repeats),
            Partition::Folds { folds, repeats } => {
                check("repeats", 1, MOST_REPEATS, repeats)?;
                check("folds", 2, usize::MAX, folds)
            }
            Partition::Classes { classes, repeats } => {
                check("repeats", 1, MOST_REPEATS, repeats)?;
                check("classes", 2, usize::MAX, classes)
            }
            Partition::Given(_) => Ok(()),
        }
    }

    /// The partitions of samples with these classes; `None` where there are none, and every sample is
    /// treated alike. The same seed, the same partitions.
    ///
    /// # Errors
    /// [`Error::Parameter`] when a number is out of range or a given split is not one.
    pub fn splits(&self, n_samples: usize, classes: Option<&[u32]>, seed: u64) -> Result<Vec<Split>> {
        let alike = vec![0; n_samples];
        let classes = classes.unwrap_or(&alike);
        self.check()?;
        match *self {
            Partition::Halves { repeats } => {
                check("samples", 2, usize::MAX, n_samples)?;
                let half = |r| halves(classes, &mut generator(seed, &[r as u64]));
                Ok((0..repeats).map(half).collect())
            }
            Partition::Folds { folds, repeats } => {
                check("folds", 2, n_samples, folds)?;
                let parted = |r| cross_validation(classes, folds, &mut generator(seed, &[r as u64]));
                Ok((0..repeats).flat_map(parted).collect())
            }
            Partition::Classes { classes: drawn, repeats } => {
                let present = classes.iter().collect::<BTreeSet<_>>().len();
                check("classes", 2, present, drawn)?;
                let some = |r| some_classes(classes, drawn, &mut generator(seed, &[r as u64]));
                Ok((0..repeats).map(some).collect())
            }
            Partition::Given(ref splits) => {
                splits.iter().try_for_each(|s| s.check(n_samples))?;
                check("splits", 1, usize::MAX, splits.len())?;
                Ok(splits.clone())
            }
        }
    }
}

impl Split {
    fn check(&self, n: usize) -> Result<()> {
        let mut seen = vec![false; n];
        for &i in self.training.iter().chain(&self.test) {
            match seen.get_mut(i) {
                Some(met) if !*met => *met = true,
                _ => {
                    let rule = format!("disjoint parts of the samples 0 to {}", n.saturating_sub(1));
                    return Err(Error::parameter(
                        "splits",
                        rule,
                        format!("sample {i} twice or out of range"),
                    ));
                }
            }
        }
        if self.training.is_empty() || self.test.is_empty() {
            Err(Error::parameter("splits", "two parts that are not empty", "an empty one"))
        } else {
            Ok(())
        }
    }
}

fn check(name: &str, min: usize, max: usize, got: usize) -> Result<()> {
    if (min..=max).contains(&got) {
        return Ok(());
    }
    let rule = if max == usize::MAX { format!("at least {min}") } else { format!("from {min} to {max}") };
    Err(Error::parameter(name, rule, got))
}

/// The samples in random order, class after class.
fn by_class(classes: &[u32], rng: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); classes.iter().max().map_or(0, |&c| c as usize + 1)];
    classes.iter().enumerate().for_each(|(i, &c)| members[c as usize].push(i));
    members.iter_mut().for_each(|m| shuffle(m, rng));
    members
}

/// Half of every class. The odd sample goes to the part that is smaller so far, to training where they are equal; that of a class
/// of one sample always to training, for what was never learned cannot be recognized.
fn halves(classes: &[u32], rng: &mut ChaCha8Rng) -> Split {
    let (mut training, mut test) = (Vec::new(), Vec::new());
    for members in by_class(classes, rng) {
        let odd = !members.len().is_multiple_of(2);
        let wanted = training.len() <= test.len() || members.len() == 1;
        let half = members.len() / 2 + usize::from(odd && wanted);
        training.extend(&members[..half]);
        test.extend(&members[half..]);
    }
    training.sort_unstable();
    test.sort_unstable();
    Split { training, test }
}

/// All samples of `drawn` classes, on both sides: those that selection sees are those that judge.
fn some_classes(classes: &[u32], drawn: usize, rng: &mut ChaCha8Rng) -> Split {
    let mut kept: Vec<u32> = classes.to_vec();
    kept.sort_unstable();
    kept.dedup();
    shuffle(&mut kept, rng);
    kept.truncate(drawn);
    let training: Vec<usize> = (0..classes.len()).filter(|&i| kept.contains(&classes[i])).collect();
    Split { test: training.clone(), training }
}

/// The samples dealt out to the folds class after class, as cards are.
fn cross_validation(classes: &[u32], folds: usize, rng: &mut ChaCha8Rng) -> Vec<Split> {
    let mut fold_of = vec![0; classes.len()];
    let dealt = by_class(classes, rng).into_iter().flatten().enumerate();
    dealt.for_each(|(turn, i)| fold_of[i] = turn % folds);
    let samples = 0..classes.len();
    (0..folds)
        .map(|fold| {
            let (test, training) = samples.clone().partition(|&i| fold_of[i] == fold);
            Split { training, test }
        })
        .collect()
}
