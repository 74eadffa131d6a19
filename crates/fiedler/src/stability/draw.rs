//! Which samples a repeat keeps.

use crate::dataset::{Dataset, Labels};
use crate::random::{draw, generator};
use crate::{Error, Result};

/// Fewest samples of which a ranking can be asked.
const FEWEST: usize = 3;

/// The samples of the data in groups that are drawn from one by one.
pub(super) struct Strata {
    /// Samples of every group and how many of them a repeat keeps.
    groups: Vec<(Vec<usize>, usize)>,
}

impl Strata {
    /// One group per class where the data have labels, and one of the unlabeled samples.
    pub(super) fn new(data: &Dataset, fraction: f64) -> Result<Self> {
        let n = data.n_samples();
        let mut groups = Vec::new();
        let classes = data.labels().map_or(0, |l| l.classes().len());
        for class in (0..classes).map(Some).chain([None]) {
            let in_class = |i: &usize| data.labels().map_or(class.is_none(), |l| code(l, *i) == class);
            let members: Vec<usize> = (0..n).filter(in_class).collect();
            let kept = (fraction * members.len() as f64).round() as usize;
            if let Some(class) = class.filter(|_| kept == 0) {
                let name = data.labels().map_or("", |l| l.classes()[class].as_str());
                let rule =
                    format!("large enough that class `{name}` ({} samples) does not vanish", members.len());
                return Err(Error::parameter("fraction", rule, fraction));
            }
            groups.push((members, kept));
        }
        let kept: usize = groups.iter().map(|g| g.1).sum();
        if n <= FEWEST {
            let rule = format!("more than {FEWEST} samples, for subsamples to be ranked");
            return Err(Error::parameter("data", rule, n));
        }
        if kept < FEWEST || kept == n {
            let rule = format!("such that from {FEWEST} to {} of the {n} samples are kept", n - 1);
            let got = format!("{fraction:?}, which keeps {kept} once every class is rounded");
            return Err(Error::parameter("fraction", rule, got));
        }
        Ok(Strata { groups })
    }

    /// Samples kept by every repeat.
    pub(super) fn kept(&self) -> usize {
        self.groups.iter().map(|g| g.1).sum()
    }

    /// The samples of repeat `number`, ascending.
    pub(super) fn draw(&self, seed: u64, number: usize) -> Vec<usize> {
        let mut rng = generator(seed, &[number as u64]);
        let mut chosen = Vec::with_capacity(self.kept());
        for (members, kept) in &self.groups {
            let mut members = members.clone();
            draw(&mut members, *kept, &mut rng);
            chosen.extend(&members[..*kept]);
        }
        chosen.sort_unstable();
        chosen
    }
}

fn code(labels: &Labels, sample: usize) -> Option<usize> {
    labels.codes()[sample].map(|c| c as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(labels: Option<&[&str]>) -> Dataset {
        let rows: Vec<[f64; 1]> = (0..10).map(|i| [f64::from(i)]).collect();
        let data = Dataset::from_rows(&rows).expect("finite");
        match labels {
            Some(labels) => data.labeled(Labels::new(labels.iter().map(|&l| Some(l)))).expect("ten"),
            None => data,
        }
    }

    #[test]
    fn every_class_keeps_its_share() {
        let data = data(Some(&["a", "a", "a", "a", "a", "a", "b", "b", "", ""]));
        let strata = Strata::new(&data, 0.5).expect("enough");
        for number in 0..20 {
            let chosen = strata.draw(3, number);
            let count = |range: std::ops::Range<usize>| chosen.iter().filter(|i| range.contains(i)).count();
            assert_eq!((count(0..6), count(6..8), count(8..10)), (3, 1, 1));
            assert!(chosen.is_sorted() && chosen.windows(2).all(|w| w[0] < w[1]));
        }
        assert_ne!(strata.draw(3, 0), strata.draw(3, 1));
        assert_eq!(strata.draw(3, 1), strata.draw(3, 1));
    }

    #[test]
    fn every_sample_is_drawn_as_often_as_any_other() {
        let strata = Strata::new(&data(None), 0.3).expect("enough");
        let mut times = [0; 10];
        (0..4000).for_each(|number| strata.draw(1, number).iter().for_each(|&i| times[i] += 1));
        // 1200 expected, deviation 29.
        assert!(times.iter().all(|t| (1050..1350).contains(t)), "{times:?}");
    }

    #[test]
    fn fractions_that_leave_nothing_to_rank_are_refused() {
        let vanishing = data(Some(&["a", "a", "a", "a", "a", "a", "a", "a", "a", "b"]));
        let message = Strata::new(&vanishing, 0.4).err().expect("b vanishes").to_string();
        assert!(message.contains("class `b` (1 samples) does not vanish"), "{message}");
        for fraction in [0.2, 0.99] {
            assert!(Strata::new(&data(None), fraction).is_err(), "{fraction}");
        }
    }
}
