//! Work that will take long says so before it begins: before the first block, and before a graph of all pairs is built.

#![allow(clippy::expect_used)]

use std::ops::ControlFlow;
use std::sync::Mutex;

use fiedler::limits::Bytes;
use fiedler::methods::{AromSvm, Entropy, Evsc, Mcfs, PathSpca};
use fiedler::{Dataset, Error, Labels, Limits, Monitor, Selector};

/// Keeps the notes, and stops the work at its first block.
#[derive(Default)]
struct First(Mutex<Vec<String>>);

impl Monitor for First {
    fn update(&self, _: &'static str, _: usize, _: usize) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn limits(&self) -> Limits {
        Limits::of(Bytes(1 << 60))
    }

    fn note(&self, text: &str) {
        self.0.lock().expect("no panic").push(text.to_owned());
    }
}

/// 4,000 samples in 20 classes, 2,000 features that all vary.
fn large() -> Dataset {
    let (n, m) = (4000, 2000);
    let rows: Vec<Vec<f64>> =
        (0..n).map(|i| (0..m).map(|j| ((i * 31 + j * 17 + i * j) % 101) as f64).collect()).collect();
    let codes: Vec<usize> = (0..n).map(|i| i % 20).collect();
    let data = Dataset::from_rows(&rows).expect("finite");
    data.labeled(Labels::from_codes(&codes)).expect("a label per sample")
}

#[test]
fn long_methods_tell_their_time_before_they_begin() {
    let data = large();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let methods: [(&str, Box<dyn Selector>); 5] = [
        ("evsc", Box::new(Evsc::default())),
        ("entropy", Box::new(Entropy)),
        ("path-spca", Box::new(PathSpca { count: 2000 })),
        ("mcfs", Box::new(Mcfs { count: 2000, clusters: 30, ..Mcfs::default() })),
        ("arom-svm", Box::new(AromSvm::default())),
    ];
    for (name, method) in methods {
        let first = First::default();
        let stopped = pool.install(|| method.rank_with(&data, &first));
        assert!(matches!(stopped, Err(Error::Canceled)), "{name}: {:?}", stopped.err());
        let notes = first.0.into_inner().expect("no panic");
        let told = notes.iter().find(|note| note.starts_with(name) && note.contains(" takes about "));
        let told = told.unwrap_or_else(|| panic!("{name}: {notes:?}"));
        assert!(told.contains(" minute") || told.contains(" hours"), "{told}");
        assert!(told.contains("; "), "what to do instead: {told}");
    }
}
