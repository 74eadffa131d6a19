//! Data sets that come with the library, so that every example runs at once.
//!
//! `iris` is Fisher's table of flowers (150 × 4) and `digits` the UCI optical digits at 8 × 8
//! pixels (1797 × 64, CC BY 4.0), both as scikit-learn ships them. [`Planted`] makes data whose
//! truth is known, and [`Study`] a study from many sources.

mod study;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, StandardNormal};

pub use study::{Study, StudyData};

use super::{Dataset, Dense, Labels, Order};
use crate::monitor::{Monitor, Silent};
use crate::{Error, Result, limits};

/// The names of the embedded data sets.
pub const NAMES: [&str; 3] = ["iris", "digits", "planted"];

/// What the labels of embedded data are called.
pub const LABEL: &str = "class";

/// The embedded data set of that name, labels included.
///
/// # Errors
/// [`Error::Parameter`] when there is none of that name.
pub fn load(name: &str) -> Result<Dataset> {
    match name {
        "iris" => iris(),
        "digits" => digits(),
        "planted" => Planted::default().generate().map(|p| p.data),
        _ => Err(Error::parameter("demo", format!("one of {}", NAMES.join(", ")), format!("`{name}`"))),
    }
}

/// Fisher's iris: 150 flowers, four lengths in cm, three species.
///
/// # Errors
/// None in practice; the signature is that of every data set.
pub fn iris() -> Result<Dataset> {
    let bytes = include_bytes!("demo/iris.bin");
    let names = ["sepal length", "sepal width", "petal length", "petal width"];
    let values = bytes[..600].iter().map(|&b| f64::from(b) / 10.0).collect();
    let species = ["setosa", "versicolor", "virginica"];
    let labels = Labels::new(bytes[600..].iter().map(|&b| Some(species[usize::from(b)])));
    from_bytes(values, 150, names.map(str::to_owned).to_vec(), labels)
}

/// Handwritten digits: 1797 images of 8 × 8 pixels with values 0 to 16, ten classes.
///
/// # Errors
/// None in practice; the signature is that of every data set.
pub fn digits() -> Result<Dataset> {
    let bytes = include_bytes!("demo/digits.bin");
    let pixels = 1797 * 64;
    let names = (0..64).map(|p| format!("pixel_{}_{}", p / 8, p % 8)).collect();
    let values = bytes[..pixels].iter().map(|&b| f64::from(b)).collect();
    let labels = Labels::new(bytes[pixels..].iter().map(|b| Some(b.to_string())));
    from_bytes(values, 1797, names, labels)
}

fn from_bytes(values: Vec<f64>, n: usize, names: Vec<String>, labels: Labels) -> Result<Dataset> {
    let columns = Dense::new(values, n, names.len(), Order::RowMajor)?;
    Ok(Dataset::named(columns, Some(names), &Silent)?.labeled(labels.called(LABEL))?.with_labels_unnamed())
}

/// A generator of data with a known answer: clusters of samples that a few features separate,
/// noisy copies of those features, and noise.
///
/// ```
/// use fiedler::dataset::demo::Planted;
/// let planted = Planted { n_samples: 60, noise: 20, ..Planted::default() }.generate()?;
/// assert_eq!(planted.data.n_features(), 6 + 6 + 20);
/// assert!(planted.informative.contains(&0) && !planted.informative.contains(&6));
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Planted {
    /// Number of samples, spread evenly over the clusters.
    pub n_samples: usize,
    /// Number of clusters.
    pub clusters: usize,
    /// Features with a cluster mean; the first of the columns.
    pub informative: usize,
    /// Noisy copies of informative features; the columns after those.
    pub redundant: usize,
    /// Features of pure noise; the last columns.
    pub noise: usize,
    /// Distance of the cluster means, in standard deviations inside a cluster.
    pub separation: f64,
    /// Seed of the generator; the same seed gives the same bits.
    pub seed: u64,
}

impl Default for Planted {
    fn default() -> Self {
        Planted {
            n_samples: 200,
            clusters: 4,
            informative: 6,
            redundant: 6,
            noise: 188,
            separation: 4.0,
            seed: 0,
        }
    }
}

/// What [`Planted`] made.
#[derive(Debug, Clone)]
pub struct PlantedData {
    /// The data, labeled with the clusters.
    pub data: Dataset,
    /// Columns that are informative; the redundant ones follow them, then noise.
    pub informative: std::ops::Range<usize>,
    /// Columns that repeat informative ones.
    pub redundant: std::ops::Range<usize>,
}

impl Planted {
    /// Makes the data.
    ///
    /// # Errors
    /// [`Error::Parameter`] when a count is zero where one is needed.
    pub fn generate(&self) -> Result<PlantedData> {
        self.generate_with(&Silent)
    }

    /// As [`generate`](Self::generate), within the limits of a monitor.
    ///
    /// # Errors
    /// As [`generate`](Self::generate); [`Error::TooLarge`] when the numbers take more memory than they may.
    pub fn generate_with(&self, monitor: &dyn Monitor) -> Result<PlantedData> {
        for (name, value) in
            [("n_samples", self.n_samples), ("clusters", self.clusters), ("informative", self.informative)]
        {
            if value == 0 {
                return Err(Error::parameter(name, "at least 1", value));
            }
        }
        let m = self.informative.saturating_add(self.redundant).saturating_add(self.noise);
        let needed = limits::matrices(1, self.n_samples, m);
        monitor.limits().check("the table of planted data", needed, "ask for fewer samples or features")?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        // Every informative feature puts the clusters in an order of its own.
        let levels: Vec<f64> = (0..self.informative * self.clusters)
            .map(|p| {
                let (feature, cluster) = (p / self.clusters, p % self.clusters);
                let turned = (cluster + feature) % self.clusters;
                let level = if feature % 2 == 0 { turned } else { turned ^ 1 };
                self.separation * level as f64
            })
            .collect();
        let mut values = Vec::with_capacity(self.n_samples * m);
        for i in 0..self.n_samples {
            let row = values.len();
            for f in 0..self.informative {
                values.push(levels[f * self.clusters + i % self.clusters] + normal());
            }
            for r in 0..self.redundant {
                let copied: f64 = values[row + r % self.informative];
                values.push(2.0 * copied + 0.2 * normal() - 1.0);
            }
            values.extend((0..self.noise).map(|_| normal()));
        }
        let numbered =
            |kind: &str, count: usize| (0..count).map(|i| format!("{kind}_{i}")).collect::<Vec<_>>();
        let names = [
            numbered("informative", self.informative),
            numbered("redundant", self.redundant),
            numbered("noise", self.noise),
        ]
        .concat();
        let clusters: Vec<usize> = (0..self.n_samples).map(|i| i % self.clusters).collect();
        let data = from_bytes(values, self.n_samples, names, Labels::from_codes(&clusters))?;
        let end = self.informative + self.redundant;
        Ok(PlantedData { data, informative: 0..self.informative, redundant: self.informative..end })
    }
}
