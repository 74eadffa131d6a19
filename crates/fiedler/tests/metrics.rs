//! The metric that suits the data, against ranks counted by hand.

use fiedler::dataset::{Sparse, Transform};
use fiedler::graph::{Knn, Metric};
use fiedler::{Dataset, Graph, Scaling, Silent};

const SAMPLES: usize = 120;
const FEATURES: usize = 60;

/// Counts of which one in about twenty is not 0; every sample has some.
fn count(i: usize, j: usize) -> f64 {
    let stands = (i * 7 + j * 13) % 41 < 2 || i % FEATURES == j;
    if stands { ((i * 31 + j * 17) % 5 + 1) as f64 } else { 0.0 }
}

fn rows(value: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    (0..SAMPLES).map(|i| (0..FEATURES).map(|j| value(i, j)).collect()).collect()
}

/// √12·(midrank of a value - midrank of 0)/n, by counting.
fn from_zero(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let midrank = |value: f64, j: usize| {
        let smaller = rows.iter().filter(|row| row[j] < value).count() as f64;
        let equal = rows.iter().filter(|row| row[j] == value).count() as f64;
        smaller + (equal + 1.0) / 2.0
    };
    let rank =
        |value: f64, j: usize| 12f64.sqrt() * (midrank(value, j) - midrank(0.0, j)) / rows.len() as f64;
    rows.iter().map(|row| row.iter().enumerate().map(|(j, &v)| rank(v, j)).collect()).collect()
}

fn sparse(rows: &[Vec<f64>]) -> Dataset {
    let (mut offsets, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..FEATURES {
        for (i, row) in rows.iter().enumerate().filter(|(_, row)| row[j] != 0.0) {
            places.push(i as u32);
            values.push(row[j]);
        }
        offsets.push(values.len());
    }
    Dataset::new(Sparse::new(offsets, places, values, rows.len()).expect("sparse")).expect("finite")
}

fn as_method_sees(data: &Dataset) -> Dataset {
    let suited = data.suited(&Silent).expect("suited");
    assert_eq!(suited.transform(), Transform::Ranks);
    suited.scaled(Scaling::None)
}

fn edges(graph: &Graph) -> Vec<(usize, usize, f64)> {
    graph.edges().collect()
}

fn metric(data: &Dataset) -> String {
    let graph = Knn::default().build(data, &Silent).expect("a graph");
    let parameters = graph.description().parameters;
    parameters
        .iter()
        .find(|(name, _)| name == "metric")
        .map(|(_, value)| value.to_string())
        .expect("a metric")
}

#[test]
fn ranks_of_counts_are_compared_by_their_angles_however_they_are_stored() {
    let rows = rows(count);
    let by_hand = Dataset::from_rows(&from_zero(&rows)).expect("finite").scaled(Scaling::None);
    let expected =
        Knn { metric: Metric::Cosine.into(), ..Knn::default() }.build(&by_hand, &Silent).expect("a graph");
    for data in [Dataset::from_rows(&rows).expect("finite"), sparse(&rows)] {
        let seen = as_method_sees(&data);
        assert_eq!(metric(&seen), "cosine");
        let graph = Knn::default().build(&seen, &Silent).expect("a graph");
        let (found, expected) = (edges(&graph), edges(&expected));
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(&expected) {
            assert!((a.0, a.1) == (b.0, b.1) && (a.2 - b.2).abs() < 1e-9, "{a:?} is not {b:?}");
        }
    }
}

#[test]
fn other_data_are_compared_by_their_distance() {
    let plain = Dataset::from_rows(&rows(count)).expect("finite");
    assert_eq!(metric(&plain.clone().scaled(Scaling::Standard)), "euclidean", "no ranks");
    let negative = rows(|i, j| if i == 5 && j == 5 { -1.0 } else { count(i, j) });
    assert_eq!(metric(&as_method_sees(&Dataset::from_rows(&negative).expect("finite"))), "euclidean");
    // Half of the features have no zeros.
    let full = rows(|i, j| if j % 2 == 0 { count(i, j) } else { 1.0 + ((i * j) % 7) as f64 });
    let full = Dataset::from_rows(&full).expect("finite");
    assert_eq!(metric(&as_method_sees(&full)), "euclidean");
    let asked = Knn { metric: Metric::Euclidean.into(), ..Knn::default() };
    let graph = asked.build(&as_method_sees(&plain), &Silent).expect("a graph");
    assert!(
        graph.description().parameters.iter().any(|(n, v)| n == "metric" && v.to_string() == "euclidean")
    );
}
