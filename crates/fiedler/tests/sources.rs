//! A source of columns that is as awkward as the trait allows gives the same bits as memory, and is asked for no column twice
//! in a pass.

mod common;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use fiedler::dataset::demo::Planted;
use fiedler::dataset::{Block, ColumnStats, Columns, DenseBlock, Lent, Piece, Reach, SparseBlock, Values};
use fiedler::eval::{Candidate, Measure, Partition, Protocol, SvmMeasure};
use fiedler::methods::{Fisher, Variance};
use fiedler::{Dataset, Labels, Result, Scaling, Selector, Silent, methods};

/// What a source was asked for.
#[derive(Default)]
struct Asked {
    /// Columns of the pass that goes on.
    seen: Vec<bool>,
    /// Whole passes, and what broke the rule.
    passes: usize,
    complaint: Option<String>,
}

/// Hands out copies with gaps in them, in pieces of 7, 1, 13, … columns. A pass is over when every column has been read by
/// `block`; one that is read before that a second time is a complaint. Lists come by `gather`.
struct Odd {
    columns: Vec<Vec<f64>>,
    sparse: bool,
    single: bool,
    likes: usize,
    stats: Option<Vec<ColumnStats>>,
    asked: Arc<Mutex<Asked>>,
}

impl Odd {
    fn new(columns: Vec<Vec<f64>>, likes: usize) -> Self {
        let asked = Asked { seen: vec![false; columns.len()], ..Asked::default() };
        let asked = Arc::new(Mutex::new(asked));
        Odd { columns, sparse: false, single: false, likes, stats: None, asked }
    }

    fn copy(&self, list: impl Iterator<Item = usize>) -> Block<'static> {
        let list: Vec<usize> = list.collect();
        if self.sparse { self.sparse_copy(&list) } else { self.dense_copy(&list) }
    }

    /// Columns side by side or one after the other by turns, with values that nobody may read in between.
    fn dense_copy(&self, list: &[usize]) -> Block<'static> {
        let (n, width) = (self.n_samples(), list.len());
        let (row_stride, column_stride) = if width % 2 == 0 { (1, n + 3) } else { (width + 2, 1) };
        let mut values = vec![f64::NAN; n * row_stride.max(1) + width * column_stride];
        for (at, &j) in list.iter().enumerate() {
            for (i, &v) in self.columns[j].iter().enumerate() {
                values[i * row_stride + at * column_stride] = v;
            }
        }
        Block::Dense(DenseBlock { values: self.values(values), row_stride, column_stride })
    }

    fn sparse_copy(&self, list: &[usize]) -> Block<'static> {
        let (mut offsets, mut rows, mut values) = (vec![5], Vec::new(), Vec::new());
        for &j in list {
            for (i, &v) in self.columns[j].iter().enumerate().filter(|(_, v)| **v != 0.0) {
                rows.push(i as u32);
                values.push(v);
            }
            offsets.push(5 + rows.len());
        }
        let (offsets, rows) = (Cow::Owned(offsets), Cow::Owned(rows));
        Block::Sparse(SparseBlock { offsets, rows, values: self.values(values) })
    }

    fn values(&self, values: Vec<f64>) -> Values<'static> {
        if self.single {
            return Values::F32(values.iter().map(|&v| v as f32).collect());
        }
        Values::F64(values.into())
    }
}

impl Columns for Odd {
    fn n_samples(&self) -> usize {
        self.columns[0].len()
    }

    fn n_features(&self) -> usize {
        self.columns.len()
    }

    fn is_sparse(&self) -> bool {
        self.sparse
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        let mut asked = self.asked.lock().expect("one thread");
        for j in range.clone() {
            if std::mem::replace(&mut asked.seen[j], true) {
                asked.complaint = Some(format!("column {j} was read twice in pass {}", asked.passes));
            }
        }
        if asked.seen.iter().all(|&s| s) {
            asked.passes += 1;
            asked.seen.fill(false);
        }
        Ok(self.copy(range))
    }

    fn gather(&self, mut list: &[usize]) -> Result<Vec<Piece<'_>>> {
        let mut pieces = Vec::new();
        for size in [7, 1, 13].into_iter().cycle() {
            if list.is_empty() {
                break;
            }
            let (some, rest) = list.split_at(size.min(list.len()));
            pieces.push(Piece { width: some.len(), block: self.copy(some.iter().copied()) });
            list = rest;
        }
        Ok(pieces)
    }

    fn preferred_block(&self) -> usize {
        self.likes
    }

    fn stats(&self) -> Option<Vec<ColumnStats>> {
        self.stats.clone()
    }
}

const SAMPLES: usize = 60;

/// Four clusters, with as much noise as makes several blocks of features; `zeros` of ten values are 0.
fn columns(zeros: usize) -> Vec<Vec<f64>> {
    let planted =
        Planted { n_samples: SAMPLES, informative: 6, redundant: 4, noise: 190, ..Planted::default() };
    let data = planted.generate().expect("planted").data.scaled(Scaling::None);
    (0..data.n_features())
        .map(|j| {
            let column = data.column(j).expect("in memory");
            // As numbers of single precision, so that both precisions hold the same.
            let value =
                |(i, v): (usize, &f64)| if (i * 7 + j * 3) % 10 < zeros { 0.0 } else { f64::from(*v as f32) };
            column.iter().enumerate().map(value).collect()
        })
        .collect()
}

fn labeled(data: Dataset) -> Dataset {
    let classes: Vec<usize> = (0..SAMPLES).map(|i| i % 4).collect();
    data.labeled(Labels::from_codes(&classes)).expect("a label per sample")
}

/// The columns in memory.
fn memory(columns: &[Vec<f64>], sparse: bool) -> Dataset {
    let rows: Vec<Vec<f64>> = (0..SAMPLES).map(|i| columns.iter().map(|c| c[i]).collect()).collect();
    let data = if sparse { common::sparse(&rows) } else { Dataset::from_rows(&rows).expect("finite") };
    labeled(data.scaled(Scaling::Auto))
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

/// Runs on one thread, where passes follow each other, or on two.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(work)
}

fn all_methods() -> Vec<(&'static str, Box<dyn Selector>)> {
    let build = |entry: &fiedler::Registered| {
        let count = entry.info.parameters.iter().filter(|p| p.name == "count");
        let set: Vec<(&str, &str)> = count.map(|p| (p.name, "5")).collect();
        (entry.info.name, entry.build(set, None).expect("defaults are right"))
    };
    let mut all: Vec<_> = methods::all().iter().map(build).collect();
    for (name, set) in [
        ("mrmr", vec![("criterion", "fcq"), ("count", "5")]),
        ("hsic", vec![("search", "forward"), ("count", "3")]),
        ("hsic", vec![("search", "backward"), ("count", "3")]),
    ] {
        all.push((name, methods::find(name).and_then(|e| e.build(set, None)).expect("known parameters")));
    }
    all
}

#[test]
fn every_method_gives_the_same_bits_on_a_source_that_is_not_memory() {
    for (zeros, sparse, likes, single) in [(0, false, 1, false), (7, true, 13, true), (9, false, 100, true)] {
        let columns = columns(zeros);
        let expected = memory(&columns, sparse);
        let odd = Odd { sparse, single, ..Odd::new(columns, likes) };
        let asked = Arc::clone(&odd.asked);
        let data = labeled(on_threads(1, || Dataset::new(odd)).expect("finite"));
        assert_eq!(data.stats(), expected.stats());
        assert_eq!(asked.lock().expect("one thread").passes, 1, "one look");
        for (name, method) in all_methods() {
            let expected = method.rank(&expected).expect(name);
            let found = on_threads(1, || method.rank(&data)).expect(name);
            assert_eq!(bits(found.scores()), bits(expected.scores()), "{name}, {zeros}");
            assert_eq!(found.order(), expected.order(), "{name}");
            let now = asked.lock().expect("one thread");
            assert_eq!(now.complaint, None, "{name}");
            assert!(now.seen.iter().all(|s| !s), "{name}: passes are whole");
            drop(now);
            // Passes of several threads may overlap: only the answer counts.
            let found = on_threads(2, || method.rank(&data)).expect(name);
            assert_eq!(bits(found.scores()), bits(expected.scores()), "{name} on two threads");
            *asked.lock().expect("one thread") =
                Asked { seen: vec![false; data.n_features()], ..Asked::default() };
        }
    }
}

#[test]
fn every_judge_gives_the_same_bits_on_a_source_that_is_not_memory() {
    let columns = columns(3);
    let candidates = [Candidate::method(Variance), Candidate::method(Fisher)];
    for metric in [
        Measure::Nearest,
        Measure::Svm(SvmMeasure::default()),
        Measure::KMeans { clusters: None, starts: 3 },
        Measure::Jaccard { neighbors: 5 },
        Measure::Redundancy,
    ] {
        let protocol = Protocol {
            counts: vec![2, 5, 70, 130, 200],
            partition: Partition::Folds { folds: 3, repeats: 1 },
            ..Protocol::new(metric)
        };
        let judge = |data: &Dataset| protocol.evaluate(data, &candidates, &Silent).expect("it can be judged");
        let expected = judge(&memory(&columns, false));
        let data = labeled(Dataset::new(Odd::new(columns.clone(), 7)).expect("finite"));
        assert_eq!(format!("{:?}", judge(&data)), format!("{expected:?}"), "{}", protocol.metric.name());
    }
}

#[test]
fn parts_of_such_a_source_are_those_of_memory() {
    let columns = columns(5);
    let (memory, odd) =
        (memory(&columns, false), Dataset::new(Odd::new(columns.clone(), 13)).expect("finite"));
    let chosen: Vec<usize> = (0..100).map(|j| (j * 37 + 5) % 200).collect();
    let rows: Vec<usize> = (0..30).map(|i| (i * 7 + 2) % SAMPLES).collect();
    let parts = |data: &Dataset| -> Result<Vec<Dataset>> {
        Ok(vec![
            data.subset(&chosen)?,
            data.samples(&rows, &Silent)?,
            data.with_noise(0.1, 3, &Silent)?,
            data.samples(&rows, &Silent)?.subset(&chosen)?.with_noise(0.2, 1, &Silent)?,
        ])
    };
    for (found, expected) in parts(&odd).expect("parts").iter().zip(parts(&memory).expect("parts")) {
        assert_eq!(found.stats(), expected.stats());
        for j in 0..found.n_features() {
            assert_eq!(found.column(j).expect("there"), expected.column(j).expect("there"), "column {j}");
        }
        let rank = |data: &Dataset| Variance.rank(&data.clone().scaled(Scaling::None)).expect("a ranking");
        assert_eq!(bits(rank(found).scores()), bits(rank(&expected).scores()));
    }
}

#[test]
fn what_a_source_knows_of_its_columns_is_not_looked_for() {
    let columns = columns(0);
    let stats = memory(&columns, false).stats().to_vec();
    let odd = Odd { stats: Some(stats.clone()), ..Odd::new(columns.clone(), 64) };
    let asked = Arc::clone(&odd.asked);
    let data = Dataset::new(odd).expect("vouched for");
    assert_eq!(data.stats(), stats);
    let asked = asked.lock().expect("one thread");
    assert!(asked.passes == 0 && asked.seen.iter().all(|s| !s), "nothing was read");
    drop(asked);
    let short = Odd { stats: Some(stats[1..].to_vec()), ..Odd::new(columns, 64) };
    let message = Dataset::new(short).expect_err("one too few").to_string();
    assert!(message.contains("statistics of columns: 199 given where 200 are needed"), "{message}");
}

/// A source that has 192 columns at hand at a time, and counts how many blocks are looked at at once.
struct Few {
    columns: Arc<[f64]>,
    n_samples: usize,
    alive: Arc<AtomicUsize>,
    most: AtomicUsize,
}

/// A block that is being looked at.
struct Alive(Arc<[f64]>, Arc<AtomicUsize>);

impl AsRef<[f64]> for Alive {
    fn as_ref(&self) -> &[f64] {
        &self.0
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.1.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Columns for Few {
    fn n_samples(&self) -> usize {
        self.n_samples
    }

    fn n_features(&self) -> usize {
        self.columns.len() / self.n_samples
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        let now = self.alive.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let block = Arc::new(Alive(Arc::clone(&self.columns), Arc::clone(&self.alive)));
        let part = range.start * self.n_samples..range.end * self.n_samples;
        let values = Values::F64(Lent::Shared(block, part));
        Ok(Block::Dense(DenseBlock { values, row_stride: 1, column_stride: self.n_samples }))
    }

    fn reach(&self) -> Reach {
        Reach { together: 64, at_once: 3 }
    }
}

#[test]
fn no_more_columns_are_worked_on_than_are_at_hand() {
    let (n, m) = (30, 12_800);
    let columns: Arc<[f64]> = (0..n * m).map(|p| ((p * 7919) % 1009) as f64).collect();
    for threads in [1, 16] {
        let (alive, most) = (Arc::default(), AtomicUsize::new(0));
        let source = Arc::new(Few { columns: Arc::clone(&columns), n_samples: n, alive, most });
        let classes: Vec<usize> = (0..n).map(|i| i % 3).collect();
        on_threads(threads, || {
            let data = Dataset::new(Arc::clone(&source)).expect("finite");
            let data = data.labeled(Labels::from_codes(&classes)).expect("a label per sample");
            Fisher.rank(&data).expect("scores");
        });
        let most = source.most.load(Ordering::SeqCst);
        assert!(most <= threads.min(192 / 64), "{most} blocks of 64 columns at a time, of {threads} threads");
    }
}

/// A source that answers a list with too few columns.
struct Short(Odd);

impl Columns for Short {
    fn n_samples(&self) -> usize {
        self.0.n_samples()
    }

    fn n_features(&self) -> usize {
        self.0.n_features()
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        self.0.block(range)
    }

    fn gather(&self, list: &[usize]) -> Result<Vec<Piece<'_>>> {
        self.0.gather(&list[1..])
    }
}

#[test]
fn a_list_that_is_not_answered_is_an_error() {
    let data = Dataset::new(Short(Odd::new(columns(0), 64))).expect("finite");
    let message = data.column(3).expect_err("too few columns").to_string();
    assert!(message.contains("another number of columns"), "{message}");
}
