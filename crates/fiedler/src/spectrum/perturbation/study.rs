//! The synthetic study of DIS 2.5: three Gaussians, three features of noise, and a Laplacian that
//! is mixed with the one of the noise.
//!
//! ```text
//! F1 F2 F3   three Gaussians of unit variance about (2,0,0), (0,2,0), (0,0,2), 30 samples each: N
//! F4 F5 F6   uniform in 0..1: N_ε
//! Ñ = (1-α)N + αN_ε,   0 ≤ α ≤ ½
//! ```
//!
//! Both Laplacians are of full RBF graphs. The text does not tell σ nor the range of the uniform features; σ is the automatic
//! one unless given. 0..1 (not about 0) is what the remark that the irrelevant features lie nearer to ξ_1 asks for, but φ1 then mixes
//! up features without any noise: what is near to ξ_1 is smooth. Features are not scaled, and f̂ = D^½f/‖D^½f‖ keeps the D of N: the paper decouples what noise does to features from what it does to N.
//! ξ̃_1 is no longer D^½1 and λ̃_1 no longer 0; φ2 and φ3 leave out the first pair of Ñ whatever it is.
//!
//! The paper shows one draw. [`Study::repeat`] counts over many draws how often what it says holds.

use faer::Mat;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use super::super::{NormalizedLaplacian, dense};
use super::{Perturbation, ScoreChange};
use crate::dataset::{Dataset, Dense, Order, Scaling};
use crate::graph::{Bandwidth, Graph, Rbf, median};
use crate::methods::Phi;
use crate::monitor::{Monitor, Silent, Stage};
use crate::random::unit;
use crate::{Error, Result};

/// Relevant features, and as many irrelevant ones.
const RELEVANT: usize = 3;
/// φ3's k: the number of Gaussians, as the paper takes the number of classes.
const CLUSTERS: usize = 3;
/// The powers of the spectral function, γ(λ) = λ^r.
const POWERS: [u32; 2] = [1, 3];
/// The eigenvalues of chart-2-1, from 1: two leading ones and some further down.
const LEADING: [usize; 2] = [2, 3];
const TAIL: [usize; 4] = [10, 15, 25, 30];

/// The study.
///
/// ```
/// use fiedler::spectrum::Study;
///
/// let rows = Study { alphas: vec![0.0, 0.5], ..Study::default() }.run()?;
/// assert_eq!(rows[0].size, 0.0);
/// assert!(rows[1].values[1] > rows[0].values[1]); // noise blurs the clusters
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// Samples of each Gaussian, at least 10.
    pub samples: usize,
    /// The shares of noise, ascending, from 0 to 1; the first should be 0.
    pub alphas: Vec<f64>,
    /// σ of both graphs.
    pub bandwidth: Bandwidth,
    /// Between what the irrelevant features are uniform.
    pub uniform: (f64, f64),
    /// Seed of the draw.
    pub seed: u64,
}

impl Default for Study {
    fn default() -> Self {
        let alphas = (0..=20).map(|i| f64::from(i) / 40.0).collect();
        Study { samples: 30, alphas, bandwidth: Bandwidth::Auto, uniform: (0.0, 1.0), seed: 0 }
    }
}

/// What a share α of noise does.
#[derive(Debug, Clone)]
pub struct StudyRow {
    /// The share of noise.
    pub alpha: f64,
    /// ‖Ñ - N‖₂.
    pub size: f64,
    /// The eigenvalues of Ñ.
    pub values: Vec<f64>,
    /// sin θ between every ξ_j and ξ̃_j.
    pub sines: Vec<f64>,
    /// The scores of the six features by each φ and power.
    pub scores: Vec<PhiScores>,
    /// F3: what became of the sum over all pairs and over the leading three, for each power.
    pub changes: Vec<ScoreChange>,
}

/// The scores of the six features.
#[derive(Debug, Clone, PartialEq)]
pub struct PhiScores {
    /// Which φ.
    pub phi: Phi,
    /// r of γ(λ) = λ^r.
    pub power: u32,
    /// F1 to F6; the first three are relevant.
    pub scores: Vec<f64>,
}

impl PhiScores {
    /// Whether every relevant feature is better than every irrelevant one.
    pub fn separates(&self) -> bool {
        let (relevant, irrelevant) = self.scores.split_at(RELEVANT);
        let fold = |values: &[f64], f: fn(f64, f64) -> f64| values.iter().copied().reduce(f);
        let apart = match self.phi {
            Phi::Three => fold(relevant, f64::min).zip(fold(irrelevant, f64::max)).map(|(a, b)| a > b),
            _ => fold(relevant, f64::max).zip(fold(irrelevant, f64::min)).map(|(a, b)| a < b),
        };
        apart.unwrap_or(false)
    }
}

impl Study {
    /// One draw, a row per α.
    ///
    /// # Errors
    /// A parameter breaks its rule, or the solver fails.
    pub fn run(&self) -> Result<Vec<StudyRow>> {
        self.check()?;
        let columns = self.draw();
        let exact = self.laplacian(&columns[..RELEVANT])?;
        let noise = self.laplacian(&columns[RELEVANT..])?;
        let roots: Vec<f64> = exact.1.degrees().iter().map(|d| d.sqrt()).collect();
        let weigh = |f: &Vec<f64>| f.iter().zip(&roots).map(|(f, r)| f * r).collect();
        let features: Vec<Vec<f64>> = columns.iter().map(weigh).collect();
        self.alphas.iter().map(|&alpha| row(alpha, &exact.0, &noise.0, &features)).collect()
    }

    /// `draws` draws with seeds from `seed` on, and how often what the paper says of its draw holds.
    ///
    /// # Errors
    /// As [`run`](Self::run); [`Error::Canceled`].
    pub fn repeat(&self, draws: usize, monitor: &dyn Monitor) -> Result<Summary> {
        let (first, last) = (self.alphas.first().copied(), self.alphas.last().copied());
        if draws == 0 || first != Some(0.0) || last.is_none_or(|a| a <= 0.0) {
            let rule = "a list that begins with 0 and ends above it, for at least one draw";
            return Err(Error::parameter("alphas", rule, format!("{:?} and {draws} draws", self.alphas)));
        }
        let stage = Stage::new(monitor, "draws", draws)?;
        let one = |draw: usize| -> Result<Vec<StudyRow>> {
            let rows = Study { seed: self.seed.wrapping_add(draw as u64), ..self.clone() }.run()?;
            stage.advance(1)?;
            Ok(rows)
        };
        let all: Vec<Result<Vec<StudyRow>>> = (0..draws).into_par_iter().map(one).collect();
        let all = all.into_iter().collect::<Result<Vec<_>>>()?;
        Ok(Summary { draws, claims: claims(&all), mixing: mixing(&all) })
    }

    fn check(&self) -> Result<()> {
        if self.samples < 10 {
            let rule = "at least 10, for the study looks at 30 eigenvalues";
            return Err(Error::parameter("samples", rule, self.samples));
        }
        if !self.alphas.is_sorted() || self.alphas.iter().any(|a| !(0.0..=1.0).contains(a)) {
            return Err(Error::parameter("alphas", "ascending, from 0 to 1", format!("{:?}", self.alphas)));
        }
        let (low, high) = self.uniform;
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(Error::parameter(
                "uniform",
                "two finite numbers, ascending",
                format!("{low}, {high}"),
            ));
        }
        Ok(())
    }

    /// The six columns.
    fn draw(&self) -> Vec<Vec<f64>> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let n = RELEVANT * self.samples;
        let mut columns = vec![Vec::new(); 2 * RELEVANT];
        for i in 0..n {
            for (j, column) in columns.iter_mut().enumerate() {
                column.push(if j < RELEVANT {
                    let center = if i / self.samples == j { 2.0 } else { 0.0 };
                    let noise: f64 = StandardNormal.sample(&mut rng);
                    center + noise
                } else {
                    self.uniform.0 + (self.uniform.1 - self.uniform.0) * unit(&mut rng)
                });
            }
        }
        columns
    }

    /// N of the full RBF graph on some columns, and the graph.
    fn laplacian(&self, columns: &[Vec<f64>]) -> Result<(Mat<f64>, Graph)> {
        let n = columns[0].len();
        let values = Dense::new(columns.concat(), n, columns.len(), Order::ColumnMajor)?;
        let data = Dataset::new(values)?.scaled(Scaling::None);
        let graph = Rbf { bandwidth: self.bandwidth }.build(&data, &Silent)?;
        let laplacian = dense::to_dense(&NormalizedLaplacian::new(&graph));
        Ok((laplacian, graph))
    }
}

fn row(alpha: f64, exact: &Mat<f64>, noise: &Mat<f64>, features: &[Vec<f64>]) -> Result<StudyRow> {
    let n = exact.nrows();
    let mixed = Mat::from_fn(n, n, |i, j| (1.0 - alpha) * exact[(i, j)] + alpha * noise[(i, j)]);
    let found = Perturbation::between(exact.as_ref(), mixed.as_ref())?;
    let values: Vec<f64> = found.pairs().iter().map(|p| p.perturbed.max(0.0)).collect();
    let masses: Vec<Vec<f64>> = features.iter().map(|f| found.masses(f).1).collect();
    let mut scores = Vec::new();
    for phi in [Phi::One, Phi::Two, Phi::Three] {
        for power in POWERS {
            let score = |m: &Vec<f64>| score(phi, power, m, &values);
            scores.push(PhiScores { phi, power, scores: masses.iter().map(score).collect() });
        }
    }
    let third = &features[RELEVANT - 1];
    let mut changes = Vec::new();
    for pairs in [n, CLUSTERS] {
        for power in POWERS {
            changes.push(found.score_change(third, third, pairs, power)?);
        }
    }
    let sines = found.pairs().iter().map(|p| p.sine).collect();
    Ok(StudyRow { alpha, size: found.size(), values, sines, scores, changes })
}

/// φ of a feature with these masses α_j² at these eigenvalues.
fn score(phi: Phi, power: u32, masses: &[f64], values: &[f64]) -> f64 {
    let gamma = |v: f64| v.powi(power as i32);
    let pairs = || masses.iter().zip(values);
    match phi {
        Phi::One => pairs().map(|(m, &v)| m * gamma(v)).sum(),
        Phi::Two => pairs().skip(1).map(|(m, &v)| m * gamma(v)).sum::<f64>() / (1.0 - masses[0]),
        Phi::Three => pairs().take(CLUSTERS).skip(1).map(|(m, &v)| m * (gamma(2.0) - gamma(v))).sum(),
    }
}

/// What many draws show.
#[derive(Debug, Clone)]
pub struct Summary {
    /// How many draws.
    pub draws: usize,
    /// What the paper says, and how often it holds.
    pub claims: Vec<Claim>,
    /// At which share of noise each score mixes up the features.
    pub mixing: Vec<Mixing>,
}

/// Something the paper says of its draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What it says.
    pub text: &'static str,
    /// In how many draws it holds.
    pub holds: usize,
}

/// The share of noise at which relevant and irrelevant features are first mixed up.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixing {
    /// Which φ.
    pub phi: Phi,
    /// r of γ(λ) = λ^r.
    pub power: u32,
    /// Draws in which they are mixed up without any noise.
    pub at_once: usize,
    /// Draws in which they never are.
    pub never: usize,
    /// The median of the share over all draws, infinite for those in which they never are.
    pub median: f64,
}

/// Where the scores of `(phi, power)` stand in a row.
fn place(phi: Phi, power: usize) -> usize {
    2 * phi as usize + power
}

/// Where a draw first mixes up features; infinite where it never does.
fn first_mixed(rows: &[StudyRow], place: usize) -> f64 {
    rows.iter().find(|r| !r.scores[place].separates()).map_or(f64::INFINITY, |r| r.alpha)
}

fn mixing(all: &[Vec<StudyRow>]) -> Vec<Mixing> {
    let mut out = Vec::new();
    for phi in [Phi::One, Phi::Two, Phi::Three] {
        for (p, power) in POWERS.into_iter().enumerate() {
            let mixed: Vec<f64> = all.iter().map(|rows| first_mixed(rows, place(phi, p))).collect();
            let count = |value: f64| mixed.iter().filter(|&&m| m == value).count();
            let (at_once, never) = (count(0.0), count(f64::INFINITY));
            out.push(Mixing { phi, power, at_once, never, median: median(mixed) });
        }
    }
    out
}

/// |c - c̃|/|c| of F3 at the largest α.
fn relative_change(rows: &[StudyRow], place: usize) -> f64 {
    let score = |row: &StudyRow| row.scores[place].scores[RELEVANT - 1];
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    ((score(first) - score(last)) / score(first)).abs()
}

/// The distance between the worst relevant and the best irrelevant feature, over the mean score.
fn relative_gap(scores: &PhiScores) -> f64 {
    let (relevant, irrelevant) = scores.scores.split_at(RELEVANT);
    let worst = relevant.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best = irrelevant.iter().copied().fold(f64::INFINITY, f64::min);
    (best - worst) * scores.scores.len() as f64 / scores.scores.iter().sum::<f64>()
}

fn claims(all: &[Vec<StudyRow>]) -> Vec<Claim> {
    type Check = fn(&[StudyRow]) -> bool;
    fn ends(rows: &[StudyRow]) -> (&StudyRow, &StudyRow) {
        (&rows[0], &rows[rows.len() - 1])
    }
    fn mean_sine(rows: &[StudyRow], j: usize) -> f64 {
        rows.iter().map(|r| r.sines[j - 1]).sum::<f64>() / rows.len() as f64
    }
    fn changes(rows: &[StudyRow], phi: Phi) -> (f64, f64) {
        (relative_change(rows, place(phi, 0)), relative_change(rows, place(phi, 1)))
    }
    let checks: [(&'static str, Check); 13] = [
        ("leading eigenvalues grow with the noise", |rows| {
            let (first, last) = ends(rows);
            LEADING.iter().all(|j| last.values[j - 1] > first.values[j - 1])
        }),
        ("the gap between leading and last eigenvalues shrinks", |rows| {
            let (first, last) = ends(rows);
            let gap = |row: &StudyRow| row.values[TAIL[3] - 1] - row.values[LEADING[1] - 1];
            gap(last) < gap(first)
        }),
        ("leading eigenvectors turn less than the others", |rows| {
            let leading = LEADING.map(|j| mean_sine(rows, j)).into_iter().fold(0.0, f64::max);
            TAIL.iter().all(|&j| leading < mean_sine(rows, j))
        }),
        ("φ3 of F3 changes less than φ1 and φ2", |rows| {
            let change = |phi| changes(rows, phi).0;
            change(Phi::Three) < change(Phi::One) && change(Phi::Three) < change(Phi::Two)
        }),
        ("r³ makes φ1 of F3 change more", |rows| changes(rows, Phi::One).1 > changes(rows, Phi::One).0),
        ("r³ makes φ2 of F3 change more", |rows| changes(rows, Phi::Two).1 > changes(rows, Phi::Two).0),
        ("r³ makes φ3 of F3 change less", |rows| changes(rows, Phi::Three).1 < changes(rows, Phi::Three).0),
        ("φ1 mixes up features at the largest α", |rows| {
            !ends(rows).1.scores[place(Phi::One, 0)].separates()
        }),
        ("φ2 mixes up features at the largest α", |rows| {
            !ends(rows).1.scores[place(Phi::Two, 0)].separates()
        }),
        ("φ3 still separates them at the largest α", |rows| {
            ends(rows).1.scores[place(Phi::Three, 0)].separates()
        }),
        ("φ2 mixes up features no sooner than φ1", |rows| {
            first_mixed(rows, place(Phi::Two, 0)) >= first_mixed(rows, place(Phi::One, 0))
        }),
        ("φ2 keeps relevant and irrelevant features further apart than φ1", |rows| {
            let scores = &ends(rows).0.scores;
            relative_gap(&scores[place(Phi::Two, 0)]) > relative_gap(&scores[place(Phi::One, 0)])
        }),
        ("with r³ φ1 mixes up features no sooner than with r", |rows| {
            first_mixed(rows, place(Phi::One, 1)) >= first_mixed(rows, place(Phi::One, 0))
        }),
    ];
    checks.map(|(text, check)| Claim { text, holds: all.iter().filter(|rows| check(rows)).count() }).to_vec()
}
