//! Columns on other machines give the bits of one machine: every method, metric and kind of data, in shares of several widths.
#![allow(clippy::unwrap_used)]

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use fiedler::afar::{Afar, Join, Question, Worker};
use fiedler::dataset::{Block, Columns, Dense, Order, Sparse};
use fiedler::graph::{Knn, Landmarks, Metric, Weight};
use fiedler::methods::{self, Laplacian};
use fiedler::{Analysis, Dataset, Error, Graph, GraphRecipe, Labels, Result, Scaling, Selector, Silent};

/// Columns that are fetched to see whether most values are 0, before the shares are asked to count.
const LOOKED_AT: usize = 32;

/// Columns that lie elsewhere, in shares of some width.
struct Away {
    columns: Arc<dyn Columns>,
    width: usize,
    /// Columns that were read, not worked on.
    read: Arc<AtomicUsize>,
    /// What every share told of its columns.
    known: Mutex<Vec<Vec<f64>>>,
}

impl Columns for Away {
    fn n_samples(&self) -> usize {
        self.columns.n_samples()
    }

    fn n_features(&self) -> usize {
        self.columns.n_features()
    }

    fn is_sparse(&self) -> bool {
        self.columns.is_sparse()
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        self.read.fetch_add(range.len(), Ordering::Relaxed);
        self.columns.block(range)
    }

    fn afar(&self) -> Option<&dyn Afar> {
        Some(self)
    }
}

/// Some columns of a source.
struct Part(Arc<dyn Columns>, Range<usize>);

impl Columns for Part {
    fn n_samples(&self) -> usize {
        self.0.n_samples()
    }

    fn n_features(&self) -> usize {
        self.1.len()
    }

    fn is_sparse(&self) -> bool {
        self.0.is_sparse()
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        self.0.block(self.1.start + range.start..self.1.start + range.end)
    }
}

impl Afar for Away {
    fn ask(&self, question: &Question, tell: &dyn Fn(usize) -> Result<()>) -> Result<Vec<f64>> {
        let worker = Worker::new(sent(question));
        let mut known = self.known.lock().unwrap();
        let mut answers = Vec::new();
        for (share, start) in (0..self.n_features()).step_by(self.width).enumerate() {
            let range = start..self.n_features().min(start + self.width);
            let part = Part(Arc::clone(&self.columns), range.clone());
            let answer = worker.answer(part, known.get(share).map(Vec::as_slice), &Silent)?;
            if known.len() == share {
                known.push(answer.clone());
            }
            answers.push(answer);
            tell(range.len())?;
        }
        Ok(joined(question.join(), answers))
    }
}

/// The question as it arrives.
#[cfg(feature = "serde")]
fn sent(question: &Question) -> Question {
    serde_json::from_str(&serde_json::to_string(question).unwrap()).unwrap()
}

#[cfg(not(feature = "serde"))]
fn sent(question: &Question) -> Question {
    question.clone()
}

fn joined(join: Join, mut answers: Vec<Vec<f64>>) -> Vec<f64> {
    match join {
        Join::Append => answers.concat(),
        Join::Add | Join::AddInAnyOrder => {
            // Backwards: candidates do not depend on the order.
            let mut sum = answers.pop().unwrap();
            for answer in answers.iter().rev() {
                sum.iter_mut().zip(answer).for_each(|(s, a)| *s += a);
            }
            sum
        }
        Join::AddRows(width) => {
            let mut sum = vec![0.0; width];
            for row in answers.iter().flat_map(|answer| answer.chunks_exact(width)) {
                sum.iter_mut().zip(row).for_each(|(s, a)| *s += a);
            }
            sum
        }
    }
}

/// Numbers that look drawn, from a linear congruence.
fn drawn(n: usize, m: usize, f: impl Fn(usize, usize, f64) -> f64) -> Vec<f64> {
    let mut state = 12345_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    (0..n * m).map(|at| f(at / m, at % m, next())).collect()
}

const N: usize = 70;
const M: usize = 330;

fn kinds() -> Vec<(&'static str, Arc<dyn Columns>)> {
    let dense = |f: &dyn Fn(usize, usize, f64) -> f64| -> Arc<dyn Columns> {
        Arc::new(Dense::new(drawn(N, M, f), N, M, Order::RowMajor).unwrap())
    };
    let thin = |i: usize, j: usize, v: f64| if (i + j).is_multiple_of(11) { v + 1.0 } else { 0.0 };
    let rare = |i: usize, j: usize, v: f64| if (i * 7 + j).is_multiple_of(35) { v + 1.0 } else { 0.0 };
    let filled = drawn(N, M, thin);
    let (mut offsets, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..M {
        for i in (0..N).filter(|i| filled[i * M + j] != 0.0) {
            rows.push(i as u32);
            values.push(filled[i * M + j]);
        }
        offsets.push(rows.len());
    }
    vec![
        ("dense", dense(&|i, j, v| v + if j < 20 { (i % 2) as f64 } else { 0.0 })),
        ("offset", dense(&|_, _, v| 1e8 + v)),
        ("duplicates", dense(&|i, j, _| ((i % 5) * (j + 1) % 7) as f64)),
        ("mostly zeros", dense(&thin)),
        ("carried by few", dense(&rare)),
        ("counts", dense(&|i, j, v| f64::from(u8::from(v < 0.03)) + if j < 6 && i < 35 { 2.0 } else { 0.0 })),
        ("sparse", Arc::new(Sparse::new(offsets, rows, values, N).unwrap())),
    ]
}

/// The same columns here and elsewhere, and a count of the columns that are read from there.
fn both(columns: &Arc<dyn Columns>, width: usize) -> (Dataset, Dataset, Arc<AtomicUsize>) {
    let read = Arc::new(AtomicUsize::new(0));
    let known = Mutex::default();
    let away = Away { columns: Arc::clone(columns), width, read: Arc::clone(&read), known };
    let labels = || Labels::from_codes(&(0..N).map(|i| i % 2).collect::<Vec<_>>());
    let here = Dataset::new(Arc::clone(columns)).unwrap().labeled(labels()).unwrap();
    (here, Dataset::new(away).unwrap().labeled(labels()).unwrap(), read)
}

fn bits(scores: &[f64]) -> Vec<u64> {
    scores.iter().map(|s| s.to_bits()).collect()
}

#[test]
fn every_method_gives_the_same_bits_on_shares() {
    // Full RBF graphs and entropy sum the Gram matrix share by share.
    let rounded = ["evsc", "entropy", "hsic"];
    let never_read = ["laplacian", "spec", "fisher", "correlation", "variance", "relief-spec"];
    for (kind, columns) in kinds() {
        for method in methods::all() {
            let (here, away, read) = both(&columns, 128);
            let name = method.info.name;
            let asked = Analysis { methods: vec![name.to_owned()], ..Analysis::default() };
            let selector = &asked.selectors(&here).unwrap()[0];
            let (wanted, found) = (selector.rank(&here), selector.rank(&away));
            let (wanted, found) = match (wanted, found) {
                (Ok(wanted), Ok(found)) => (wanted, found),
                (wanted, found) => {
                    let said = |e: Option<Error>| e.map(|e| e.to_string());
                    assert_eq!(said(found.err()), said(wanted.err()), "{name} on {kind}");
                    continue;
                }
            };
            assert_eq!(found.transform, wanted.transform, "{name} on {kind}");
            if rounded.contains(&name) {
                for (a, b) in found.scores().iter().zip(wanted.scores()) {
                    let close = (a - b).abs() <= 1e-8 * (1.0 + b.abs());
                    assert!(close || (a.is_nan() && b.is_nan()), "{name} on {kind}: {a} {b}");
                }
            } else {
                assert_eq!(bits(found.scores()), bits(wanted.scores()), "{name} on {kind}");
                assert_eq!(found.order(), wanted.order(), "{name} on {kind}");
            }
            if never_read.contains(&name) {
                assert!(read.load(Ordering::Relaxed) <= LOOKED_AT, "{name} on {kind} read columns");
            }
        }
    }
}

#[test]
fn links_to_landmarks_are_the_same_from_afar() {
    for (kind, columns) in kinds() {
        for &metric in &[Metric::Euclidean, Metric::Cosine, Metric::Manhattan] {
            let (here, away, _) = both(&columns, 192);
            let recipe =
                Landmarks { landmarks: Some(12), k: 3.into(), metric: metric.into(), ..Landmarks::default() };
            let wanted = recipe.build(&here, &Silent).unwrap();
            let found = recipe.build(&away, &Silent).unwrap();
            assert_eq!(found.links(), wanted.links(), "{metric:?} on {kind}");
            assert_eq!(found.description(), wanted.description(), "{metric:?} on {kind}");
        }
    }
}

#[test]
fn every_metric_and_width_of_shares_gives_the_same_graph() {
    for (kind, columns) in kinds() {
        for &metric in Metric::ALL {
            for (weight, width) in [(Weight::Heat, 64), (Weight::Cosine, 192), (Weight::SelfTuning, 1024)] {
                let (here, away, read) = both(&columns, width);
                let graph = GraphRecipe::Knn(Knn { metric: metric.into(), weight, ..Knn::default() });
                for scaling in [Scaling::Standard, Scaling::Range] {
                    let wanted = graph.build(&here.clone().scaled(scaling), &Silent).unwrap();
                    let found = graph.build(&away.clone().scaled(scaling), &Silent).unwrap();
                    let edges = |g: &Graph| -> Vec<(usize, usize, u64)> {
                        g.edges().map(|(i, j, w)| (i, j, w.to_bits())).collect()
                    };
                    assert_eq!(edges(&found), edges(&wanted), "{metric:?} {weight:?} on {kind}");
                }
                // The covariance is one of all columns, which come to this machine for it.
                if metric != Metric::Mahalanobis {
                    assert!(
                        read.load(Ordering::Relaxed) <= 2 * LOOKED_AT,
                        "{metric:?} on {kind} read columns"
                    );
                }
            }
        }
    }
}

#[test]
fn a_value_that_is_not_finite_is_named_with_its_row_and_column() {
    let mut values = drawn(N, M, |_, _, v| v);
    values[3 * M + 200] = f64::NAN;
    let columns: Arc<dyn Columns> = Arc::new(Dense::new(values, N, M, Order::RowMajor).unwrap());
    let read = Arc::new(AtomicUsize::new(0));
    let away =
        Away { columns: Arc::clone(&columns), width: 64, read: Arc::clone(&read), known: Mutex::default() };
    let said = Dataset::new(away).unwrap_err().to_string();
    assert_eq!(said, Dataset::new(columns).unwrap_err().to_string());
    assert_eq!(read.load(Ordering::Relaxed), 64);
}

#[test]
fn what_a_machine_reports_ends_the_work() {
    struct Broken;

    impl Columns for Broken {
        fn n_samples(&self) -> usize {
            4
        }

        fn n_features(&self) -> usize {
            2
        }

        fn block(&self, _: Range<usize>) -> Result<Block<'_>> {
            Err(Error::Columns("no columns here".into()))
        }

        fn afar(&self) -> Option<&dyn Afar> {
            Some(self)
        }
    }

    impl Afar for Broken {
        fn ask(&self, _: &Question, _: &dyn Fn(usize) -> Result<()>) -> Result<Vec<f64>> {
            Err(Error::Columns("the machine is gone".into()))
        }
    }

    assert!(Dataset::new(Broken).unwrap_err().to_string().contains("the machine is gone"));
    let away = || {
        let rows = drawn(N, M, |_, _, v| v);
        let columns: Arc<dyn Columns> = Arc::new(Dense::new(rows, N, M, Order::RowMajor).unwrap());
        both(&columns, 64).1
    };
    let stop = |_: &'static str, done: usize, _: usize| {
        if done > 0 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    assert!(matches!(Laplacian::default().rank_with(&away(), &stop), Err(Error::Canceled)));
}
