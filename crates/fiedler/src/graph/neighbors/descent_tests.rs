//! Tests of the approximate search: against the exact one, on any number of threads, with longer lists.

#![allow(clippy::unwrap_used)]

use super::super::nearest;
use super::*;
use crate::Silent;
use crate::dataset::Scaling;
use crate::dataset::demo::Planted;

fn clusters(n: usize) -> Dataset {
    let planted = Planted { n_samples: n, ..Planted::default() };
    planted.generate().unwrap().data.scaled(Scaling::Standard)
}

/// As far as it goes.
fn found(data: &Dataset, metric: Metric, k: usize, recall: f64) -> (NeighborLists, f64) {
    let truth = Truth::of(data, metric, k, &Silent).unwrap();
    let lists = descend(data, metric, k, &Goal { truth: &truth, recall }, &Silent).unwrap();
    let measured = truth.recall(&lists);
    (lists, measured)
}

#[test]
fn finds_nearly_all_and_says_how_many() {
    let data = clusters(1500);
    for &metric in Metric::ALL {
        let (lists, measured) = found(&data, metric, 8, 1.0);
        let exact = nearest(&data, metric, 8, &Silent).unwrap();
        let hits = |i: usize| lists.of(i, 0).iter().filter(|nb| exact.of(i, 0).contains(nb)).count();
        let share = (0..1500).map(hits).sum::<usize>() as f64 / (1500.0 * 8.0);
        assert!(share > 0.9, "{metric:?}: {share}");
        assert!((measured - share).abs() < 0.02, "{metric:?}: {measured} against {share}");
    }
}

#[test]
fn longer_lists_find_more() {
    let data = clusters(3000);
    let truth = Truth::of(&data, Metric::Euclidean, 5, &Silent).unwrap();
    let query = Query { k: 5, codes: &vec![0; 3000], n_classes: 1, searching: &[] };
    let search = Search::new(&data, Metric::Euclidean, &query, &Silent).unwrap();
    let mut rows = Rows::read(&data, &search.geometry).unwrap();
    let order = Tree::grow(&rows, NEIGHBORHOOD, u32::MAX).order;
    rows.reorder(&order);
    let sight = |recall: f64| Sight::new(&Goal { truth: &truth, recall }, &rows, &order);
    let mut descent = Descent::new(&rows, 5);
    descent.trees(&sight(2.0), &Silent).unwrap();
    // No share is as large, so that rounds end where nothing is new.
    assert!(!descent.rounds(&sight(2.0), &Silent).unwrap());
    let share = |descent: &Descent<'_>| descent.share(&sight(2.0));
    let short = share(&descent);
    assert!(descent.widen());
    assert_eq!(share(&descent), short, "longer lists begin with what was found");
    descent.rounds(&sight(2.0), &Silent).unwrap();
    assert!(share(&descent) > short || short == 1.0, "{short}");
}

#[test]
fn threads_change_nothing_and_duplicates_do_no_harm() {
    let rows: Vec<Vec<f64>> = (0..900).map(|i| vec![f64::from(i % 3), 1.0, f64::from(i / 700)]).collect();
    let data = Dataset::from_rows(&rows).unwrap();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let run = |threads| pool(threads).install(|| found(&data, Metric::Euclidean, 5, 1.0).0);
    let one = run(1);
    assert_eq!(one, run(3));
    assert!((0..900).all(|i| one.of(i, 0).len() >= 5));
    assert!(one.neighbors.iter().all(|nb| nb.distance == 0.0));
}
