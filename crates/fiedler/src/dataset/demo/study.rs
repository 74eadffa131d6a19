//! A study of the shape of DIS 5.4 whose truth is known: expression of genes in normal and cancerous tissue, microRNA of the
//! same samples, and three kinds of knowledge about genes, each with noise of its own.
//!
//! | genes | what they do | matter |
//! |---|---|---|
//! | triggers of the state | differ between normal and tumor, more in some tissues than in others | yes |
//! | triggers of the kind | differ between the tumors of different tissues | yes |
//! | fire | follow the state most cleanly, in every tissue alike | no |
//! | markers | differ between tissues, normal or not | no |
//! | weather | follow the day of the measurement, many and strongly | no |
//! | all others | follow nothing | no |
//!
//! No source tells the truth: microRNA follow the kind of sample, and some the day; the lists of genes with a relevant function or
//! pathway hold most triggers and more genes that are none; terms of an ontology are enriched; publications name what is fashionable,
//! and the list of known genes lacks a fifth of the truth and has others in place of it. The triggers, and who is fire, are
//! what the chapter supposes ("triggers" and "fire", 5.1); whether its claims hold then is for an experiment to say. How strong
//! everything is was chosen so that every source tells something and none tells all.

mod knowledge;

use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::super::{Dataset, Dense, Labels, Order};
use crate::monitor::{Monitor, Silent};
use crate::random::{generator, shuffle};
use crate::{Error, Result, limits};

/// The tissues, with their numbers of tumors and of normal samples.
const TISSUES: [(&str, usize, usize); 11] = [
    ("Colon", 10, 2),
    ("Pancreas", 7, 2),
    ("Kidney", 5, 2),
    ("Bladder", 5, 2),
    ("Prostate", 5, 2),
    ("Ovary", 5, 2),
    ("Uterus", 8, 2),
    ("Lung", 5, 2),
    ("Mesothelioma", 8, 1),
    ("Melanoma", 4, 2),
    ("Breast", 5, 2),
];
/// The tissues of the smaller set.
const FOUR: [&str; 4] = ["Mesothelioma", "Uterus", "Colon", "Pancreas"];
/// Days of measurement.
const DAYS: usize = 4;
/// Genes of the chapter, for which the sizes of the sources are printed (table 5.3).
const GENES: usize = 16_063;
/// The fewest genes that leave every source a few.
const FEWEST: usize = 400;

/// A generator of such a study; the default has the sizes of table 5.3.
///
/// ```
/// use fiedler::dataset::demo::Study;
/// let study = Study { genes: 600, seed: 1 }.generate()?;
/// assert_eq!((study.two.n_samples(), study.four.n_samples(), study.mirna.n_features()), (88, 33, 151));
/// assert_eq!(study.two.n_features(), 600);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Study {
    /// Number of genes; the sizes of the sources about genes are in proportion.
    pub genes: usize,
    /// Seed of the generator; the same seed gives the same bits.
    pub seed: u64,
}

impl Default for Study {
    fn default() -> Self {
        Study { genes: GENES, seed: 0 }
    }
}

/// What [`Study`] made. Genes are indices of the columns of `two` and `four`.
#[derive(Debug, Clone)]
pub struct StudyData {
    /// 88 samples, normal or tumor (2C-DATA).
    pub two: Dataset,
    /// The 33 tumors of four tissues among them (4C-DATA).
    pub four: Dataset,
    /// microRNA of the 88 samples, in their order.
    pub mirna: Dataset,
    /// Genes with a relevant function.
    pub function: Vec<usize>,
    /// Interactions of relevant pathways.
    pub pathway: Vec<(usize, usize)>,
    /// Terms of genes.
    pub annotations: Vec<(usize, usize)>,
    /// How many publications name a gene.
    pub literature: Vec<usize>,
    /// Genes that are known to matter, ascending; not all do, and some that do are missing.
    pub known: Vec<usize>,
    /// Genes that matter, ascending.
    pub truth: Vec<usize>,
}

/// A sample.
#[derive(Debug, Clone, Copy)]
struct Sample {
    tissue: usize,
    tumor: bool,
    day: usize,
}

/// What genes do, as shares of all.
struct Roles {
    state: Vec<usize>,
    kind: Vec<usize>,
    fire: Vec<usize>,
    markers: Vec<usize>,
    weather: Vec<usize>,
    /// Those that follow nothing.
    others: Vec<usize>,
}

impl Study {
    /// Makes the study.
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than 400 genes.
    pub fn generate(&self) -> Result<StudyData> {
        self.generate_with(&Silent)
    }

    /// As [`generate`](Self::generate), within the limits of a monitor.
    ///
    /// # Errors
    /// As [`generate`](Self::generate); [`Error::TooLarge`] when the numbers take more memory than they may.
    pub fn generate_with(&self, monitor: &dyn Monitor) -> Result<StudyData> {
        if self.genes < FEWEST {
            return Err(Error::parameter("genes", format!("at least {FEWEST}"), self.genes));
        }
        let samples = self.samples();
        let needed = limits::matrices(2, samples.len(), self.genes);
        monitor.limits().check("the table of a study", needed, "ask for fewer genes")?;
        let roles = self.roles();
        let two = self.expression(&samples, &roles)?;
        let four: Vec<usize> =
            (0..samples.len()).filter(|&i| samples[i].tumor && FOUR.contains(&tissue(&samples[i]))).collect();
        let kinds = Labels::new(four.iter().map(|&i| Some(tissue(&samples[i]))));
        let four = two.samples(&four, monitor)?.labeled(kinds.called(super::LABEL))?;
        let mut truth = [&roles.state[..], &roles.kind].concat();
        truth.sort_unstable();
        Ok(StudyData {
            mirna: self.mirna(&samples)?,
            function: self.listed(&roles, 535, 3),
            pathway: self.pathway(&roles),
            annotations: self.annotations(&roles),
            literature: self.literature(&roles),
            known: self.known(&roles),
            two,
            four,
            truth,
        })
    }

    /// A stream of random numbers of its own for every part.
    fn stream(&self, part: u64) -> ChaCha8Rng {
        generator(self.seed, &[0x7374_7564, part])
    }

    /// A size of the chapter in proportion.
    fn share(&self, of_chapter: usize) -> usize {
        (of_chapter * self.genes).div_ceil(GENES)
    }

    fn samples(&self) -> Vec<Sample> {
        let mut samples = Vec::new();
        for (tissue, &(_, tumors, normal)) in TISSUES.iter().enumerate() {
            samples.extend((0..tumors + normal).map(|i| Sample { tissue, tumor: i < tumors, day: 0 }));
        }
        let mut days: Vec<usize> = (0..samples.len()).map(|i| i % DAYS).collect();
        shuffle(&mut days, &mut self.stream(0));
        samples.iter_mut().zip(days).for_each(|(sample, day)| sample.day = day);
        samples
    }

    fn roles(&self) -> Roles {
        let mut genes: Vec<usize> = (0..self.genes).collect();
        shuffle(&mut genes, &mut self.stream(1));
        let mut take = |share: usize| genes.split_off(genes.len() - self.share(share));
        let (state, kind, fire) = (take(160), take(160), take(80));
        let (markers, weather) = (take(160), take(800));
        Roles { state, kind, fire, markers, weather, others: genes }
    }

    /// Expression: noise of deviation 1, and what the role of a gene adds.
    fn expression(&self, samples: &[Sample], roles: &Roles) -> Result<Dataset> {
        let n = samples.len();
        let mut rng = self.stream(2);
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        let mut values: Vec<f64> = (0..n * self.genes).map(|_| normal()).collect();
        let mut add = |genes: &[usize], levels: &mut dyn FnMut() -> Vec<f64>| {
            for &gene in genes {
                let levels = levels();
                let column = &mut values[gene * n..(gene + 1) * n];
                column.iter_mut().zip(&levels).for_each(|(value, level)| *value += level);
            }
        };
        let mut draws = self.stream(3);
        let mut normal = || -> f64 { StandardNormal.sample(&mut draws) };
        add(&roles.state, &mut || {
            let sign = normal().signum();
            let strength: Vec<f64> = TISSUES.iter().map(|_| sign * (1.5 + 0.75 * normal())).collect();
            samples.iter().map(|s| if s.tumor { strength[s.tissue] } else { 0.0 }).collect()
        });
        add(&roles.kind, &mut || {
            let level: Vec<f64> = TISSUES.iter().map(|_| 2.0 * normal()).collect();
            samples.iter().map(|s| if s.tumor { level[s.tissue] } else { 0.0 }).collect()
        });
        add(&roles.fire, &mut || {
            let level = 1.8 * normal().signum();
            samples.iter().map(|s| if s.tumor { level } else { 0.0 }).collect()
        });
        add(&roles.markers, &mut || {
            let level: Vec<f64> = TISSUES.iter().map(|_| normal()).collect();
            samples.iter().map(|s| level[s.tissue]).collect()
        });
        add(&roles.weather, &mut || {
            let level: Vec<f64> = (0..DAYS).map(|_| 1.2 * normal()).collect();
            samples.iter().map(|s| level[s.day]).collect()
        });
        let state = |s: &Sample| Some(if s.tumor { "tumor" } else { "normal" });
        let names = (1..=self.genes).map(|gene| format!("G{gene:05}")).collect();
        table(values, samples, names)?.labeled(Labels::new(samples.iter().map(state)).called(super::LABEL))
    }

    /// 151 microRNA: 45 follow the kind of sample, 10 the day.
    fn mirna(&self, samples: &[Sample]) -> Result<Dataset> {
        let mut rng = self.stream(4);
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        let mut values = Vec::with_capacity(151 * samples.len());
        for j in 0..151 {
            let kinds: Vec<f64> = (0..2 * TISSUES.len()).map(|_| 1.5 * normal()).collect();
            let days: Vec<f64> = (0..DAYS).map(|_| normal()).collect();
            let state = 0.7 * normal();
            for sample in samples {
                let own = 2 * sample.tissue + usize::from(sample.tumor);
                let level = match j {
                    0..45 => kinds[own] + if sample.tumor { state } else { 0.0 },
                    45..55 => days[sample.day],
                    _ => 0.0,
                };
                values.push(level + normal());
            }
        }
        table(values, samples, (1..=151).map(|j| format!("miR-{j}")).collect())
    }
}

fn tissue(sample: &Sample) -> &'static str {
    TISSUES[sample.tissue].0
}

/// Column after column, with the names of the samples.
fn table(values: Vec<f64>, samples: &[Sample], names: Vec<String>) -> Result<Dataset> {
    let columns = Dense::new(values, samples.len(), names.len(), Order::ColumnMajor)?;
    let mut numbers = [[0usize; 2]; TISSUES.len()];
    let mut name = |s: &Sample| {
        let number = &mut numbers[s.tissue][usize::from(s.tumor)];
        *number += 1;
        format!("{}-{}-{number}", tissue(s), if s.tumor { "tumor" } else { "normal" })
    };
    let sample_names = samples.iter().map(&mut name).collect();
    Dataset::named(columns, Some(names), &Silent)?.with_sample_names(sample_names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_has_the_sizes_of_the_chapter() {
        let study = Study { genes: GENES, seed: 3 };
        let roles = study.roles();
        assert_eq!((study.samples().len(), study.listed(&roles, 535, 3).len()), (88, 535));
        let mut ends: Vec<usize> = study.pathway(&roles).iter().flat_map(|&(a, b)| [a, b]).collect();
        ends.sort_unstable();
        ends.dedup();
        assert_eq!(ends.len(), 571);
        let mut annotated: Vec<usize> = study.annotations(&roles).iter().map(|a| a.0).collect();
        annotated.dedup();
        assert_eq!(annotated.len(), 4385);
    }

    #[test]
    fn no_source_tells_the_truth() {
        let study = Study { genes: 2000, seed: 1 }.generate().expect("enough genes");
        let among = |list: &[usize]| list.iter().filter(|g| study.truth.binary_search(g).is_ok()).count();
        assert_eq!(study.truth.len(), 40);
        assert_eq!((among(&study.known), study.known.len()), (32, 40));
        assert_eq!(among(&study.function), 24);
        assert!(study.function.len() > 48);
        assert_eq!(study.four.labels().map(|l| l.classes().len()), Some(4));
        let again = Study { genes: 2000, seed: 1 }.generate().expect("enough genes");
        assert_eq!(again.two.column(7).ok(), study.two.column(7).ok());
        let other = Study { genes: 2000, seed: 2 }.generate().expect("enough genes");
        assert_ne!(other.truth, study.truth);
    }

    /// What the table of roles promises, on means over genes.
    #[test]
    fn genes_do_what_their_roles_say() {
        let study = Study { genes: 4000, seed: 5 };
        let (samples, roles) = (study.samples(), study.roles());
        let data = study.expression(&samples, &roles).expect("enough genes");
        let gap = |genes: &[usize], one: &dyn Fn(&Sample) -> bool| {
            let of = |gene: &usize| {
                let column = data.column(*gene).expect("a gene");
                let mean = |wanted: bool| {
                    let some: Vec<f64> = column
                        .iter()
                        .zip(&samples)
                        .filter(|(_, s)| one(s) == wanted)
                        .map(|(v, _)| *v)
                        .collect();
                    some.iter().sum::<f64>() / some.len() as f64
                };
                (mean(true) - mean(false)).abs()
            };
            genes.iter().map(of).sum::<f64>() / genes.len() as f64
        };
        let tumor = |s: &Sample| s.tumor;
        assert!(gap(&roles.fire, &tumor) > gap(&roles.state, &tumor) + 0.1);
        assert!(gap(&roles.state, &tumor) > gap(&roles.others, &tumor) + 0.5);
        let first_day = |s: &Sample| s.day == 0;
        assert!(gap(&roles.weather, &first_day) > gap(&roles.others, &first_day) + 0.5);
    }
}
