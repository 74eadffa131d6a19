//! What noise does to eigenpairs and scores: the theorems as tests, on random matrices and graphs.

mod common;

use common::written_out;
use faer::Mat;
use fiedler::graph::{Bandwidth, Knn, Rbf};
use fiedler::methods::Phi;
use fiedler::spectrum::{Perturbation, Study};
use fiedler::{Dataset, Error, Graph, Silent};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Uniform in -1..1.
struct Draw(ChaCha8Rng);

impl Draw {
    fn next(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }

    fn symmetric(&mut self, n: usize, size: f64) -> Mat<f64> {
        let mut matrix = Mat::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                let value = size * self.next();
                matrix[(i, j)] = value;
                matrix[(j, i)] = value;
            }
        }
        matrix
    }

    fn rows(&mut self, n: usize, m: usize) -> Vec<Vec<f64>> {
        (0..n).map(|_| self.vector(m)).collect()
    }
}

fn draw(seed: u64) -> Draw {
    Draw(ChaCha8Rng::seed_from_u64(seed))
}

/// N of a graph, entry by entry from S.
fn laplacian(graph: &Graph) -> Mat<f64> {
    let s = written_out(graph);
    let d: Vec<f64> = s.iter().map(|row| row.iter().sum()).collect();
    Mat::from_fn(s.len(), s.len(), |i, j| {
        let same = if i == j && d[i] > 0.0 { 1.0 } else { 0.0 };
        if d[i] > 0.0 && d[j] > 0.0 { same - s[i][j] / (d[i] * d[j]).sqrt() } else { same }
    })
}

fn check(found: &Perturbation, feature: &[f64], noisy: &[f64], what: &str) {
    let n = found.pairs().len();
    for (j, p) in found.pairs().iter().enumerate() {
        assert!((p.perturbed - p.value).abs() <= found.size() + 1e-12, "{what}: Weyl, pair {j}");
        assert!(p.sine <= p.sine_bound + 1e-9, "{what}: angle, pair {j}: {p:?}");
        let double = 2.0 * p.sine * (1.0 - p.sine * p.sine).max(0.0).sqrt();
        assert!(double / 2.0 <= found.size() / p.gap + 1e-9, "{what}: Theorem 4, pair {j}: {p:?}");
    }
    for pairs in [1, 2, n / 3, n] {
        for power in [1, 2, 3, 5] {
            let change = found.score_change(feature, noisy, pairs, power).expect("in range");
            assert!(change.observed() <= change.bound * (1.0 + 1e-12) + 1e-12, "{what}: {change:?}");
            assert!(change.bound <= change.printed * (1.0 + 1e-9) + 1e-12, "{what}: {change:?}");
            if let Some(direct) = change.direct {
                assert!(change.observed() <= direct * (1.0 + 1e-12) + 1e-12, "{what}: direct {change:?}");
            }
            assert_eq!(change.direct.is_some(), pairs == n);
        }
    }
}

/// Compares two matrices, handed over column after column.
fn between(exact: &Mat<f64>, perturbed: &Mat<f64>) -> fiedler::Result<Perturbation> {
    let values =
        |m: &Mat<f64>| -> Vec<f64> { (0..m.ncols()).flat_map(|j| m.col_as_slice(j).to_vec()).collect() };
    Perturbation::of_matrices(exact.nrows(), &values(exact), &values(perturbed))
}

#[test]
fn the_bounds_hold_on_random_matrices_of_any_gap_and_size() {
    let mut void = 0;
    for seed in 0..60 {
        let mut draw = draw(seed);
        let n = 3 + (seed as usize) % 12;
        let root = draw.symmetric(n, 1.0);
        let exact = &root * &root; // no negative eigenvalues
        let size = 10f64.powi(-(seed as i32 % 5));
        let noise = draw.symmetric(n, size);
        // Ñ must not have negative eigenvalues either: add a square.
        let perturbed = &exact + &noise * &noise;
        let found = between(&exact, &perturbed).expect("finite");
        let feature = draw.vector(n);
        let noisy: Vec<f64> = feature.iter().map(|f| f + size * draw.next()).collect();
        void += found.pairs().iter().filter(|p| p.sine_bound == 1.0).count();
        check(&found, &feature, &noisy, &format!("seed {seed}"));
    }
    assert!(void > 0, "some gaps must be smaller than twice the noise");
}

#[test]
fn the_bounds_hold_on_graphs() {
    for seed in 0..12 {
        let mut draw = draw(100 + seed);
        let rows = draw.rows(24, 4);
        let moved: Vec<Vec<f64>> =
            rows.iter().map(|r| r.iter().map(|v| v + 0.05 * draw.next()).collect()).collect();
        let graph = |rows: &[Vec<f64>]| -> Graph {
            let data = Dataset::from_rows(rows).expect("finite");
            match seed % 2 {
                0 => Rbf::default().build(&data, &Silent).expect("a graph"),
                _ => Knn::default().build(&data, &Silent).expect("a graph"),
            }
        };
        let (exact, perturbed) = (graph(&rows), graph(&moved));
        let found = Perturbation::of_graphs(&exact, &perturbed, &fiedler::Silent).expect("same samples");
        let literal = between(&laplacian(&exact), &laplacian(&perturbed));
        assert!((found.size() - literal.expect("finite").size()).abs() < 1e-12);
        let column = |rows: &[Vec<f64>]| rows.iter().map(|r| r[0]).collect::<Vec<f64>>();
        check(&found, &column(&rows), &column(&moved), &format!("graph {seed}"));
    }
}

#[test]
fn two_by_two_by_hand() {
    // N = diag(0, 1), E = ½ off the diagonal: λ̃ = ½ ± 1/√2, tan 2θ = 1, ‖E‖ = ½, gap √2.
    let exact = Mat::from_fn(2, 2, |i, j| if i == 1 && j == 1 { 1.0 } else { 0.0 });
    let perturbed = Mat::from_fn(2, 2, |i, j| if i == j { exact[(i, i)] } else { 0.5 });
    let found = between(&exact, &perturbed).expect("finite");
    let root = 0.5f64.sqrt();
    assert!((found.size() - 0.5).abs() < 1e-14);
    for (p, value) in found.pairs().iter().zip([0.5 - root, 0.5 + root]) {
        assert!((p.perturbed - value).abs() < 1e-14 && (p.gap - 2.0 * root).abs() < 1e-14);
        assert!((p.sine - (std::f64::consts::PI / 8.0).sin()).abs() < 1e-14);
        // ε = ½/√2, so ½ arcsin 2ε = π/8: the bound of the angle is met.
        assert!((p.sine_bound - p.sine).abs() < 1e-14);
    }
    // f = (0, 1): fᵀÑf - fᵀNf = 0; all pairs, r = 1: ‖E‖·2 + sin(π/8)·1.
    let change = found.score_change(&[0.0, 1.0], &[0.0, 1.0], 2, 1).expect("in range");
    assert!(change.observed() < 1e-14 && (change.before - 1.0).abs() < 1e-14);
    assert!((change.bound - (1.0 + found.pairs()[1].sine)).abs() < 1e-14);
    assert!((change.direct.expect("all pairs") - 0.5).abs() < 1e-14);
}

#[test]
fn the_printed_angle_is_no_bound_where_the_gap_is_small() {
    // Exchanging 1.00 and 1.01 exchanges their vectors: θ is 90° while the print would say at most 45°.
    let exact = Mat::from_fn(2, 2, |i, j| if i == j { [1.01, 1.0][i] } else { 0.0 });
    let perturbed = Mat::from_fn(2, 2, |i, j| if i == j { [1.0, 1.01][i] } else { 0.0 });
    let found = between(&exact, &perturbed).expect("finite");
    let first = found.pairs()[0];
    assert!((first.sine - 1.0).abs() < 1e-14 && first.sine_bound == 1.0, "{first:?}");
}

#[test]
fn wrong_shapes_and_numbers_are_refused() {
    let square = |n: usize| Mat::<f64>::identity(n, n);
    assert!(matches!(between(&square(3), &square(4)), Err(Error::Length { expected: 9, got: 16, .. })));
    let bad = Mat::from_fn(3, 3, |_, _| f64::NAN);
    assert!(between(&square(3), &bad).is_err());
    let found = between(&square(3), &square(3)).expect("finite");
    let ones = [1.0; 3];
    assert!(found.score_change(&ones[..2], &ones, 3, 1).is_err());
    assert!(found.score_change(&[0.0; 3], &ones, 3, 1).is_err());
    for (pairs, power) in [(0, 1), (4, 1), (3, 0), (3, 65)] {
        assert!(found.score_change(&ones, &ones, pairs, power).is_err(), "{pairs} {power}");
    }
}

#[test]
fn the_study_is_the_same_on_every_thread_and_within_its_bounds() {
    let study = Study { alphas: vec![0.0, 0.3], ..Study::default() };
    let rows = study.run().expect("runs");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let alone = pool.install(|| study.repeat(4, &Silent)).expect("runs");
    let together = study.repeat(4, &Silent).expect("runs");
    assert_eq!((alone.claims, alone.mixing), (together.claims, together.mixing));
    assert!(rows[0].size < 1e-15 && rows[0].sines.iter().all(|s| *s < 1e-6));
    assert!(rows[0].values[0].abs() < 1e-12 && rows[1].values[0] > 1e-6, "λ̃₁ is no longer 0");
    for scores in rows.iter().flat_map(|r| &r.scores) {
        let top = if scores.phi == Phi::Three { 2f64.powi(scores.power as i32) } else { 2f64.powi(3) };
        assert!(scores.scores.iter().all(|s| (0.0..=top).contains(s)), "{scores:?}");
    }
    for change in rows.iter().flat_map(|r| &r.changes) {
        assert!(change.observed() <= change.bound + 1e-12, "{change:?}");
    }
    // The scores before are those of the unperturbed study.
    let first = &rows[0].scores[0];
    assert!(first.phi == Phi::One && (rows[0].changes[0].before - first.scores[2]).abs() < 1e-12);
}

#[test]
fn what_the_study_shows_of_the_papers_claims() {
    let summary = Study::default().repeat(20, &Silent).expect("runs");
    let holds = |text: &str| {
        let claim = summary.claims.iter().find(|c| c.text.contains(text));
        claim.unwrap_or_else(|| panic!("no claim {text}")).holds
    };
    assert_eq!(holds("leading eigenvalues grow"), 20);
    assert!(holds("leading eigenvectors turn less") >= 18);
    let odd = Study { bandwidth: Bandwidth::Given(1.0), ..Study::default() }.repeat(2, &Silent);
    assert_eq!(odd.expect("runs").draws, 2);
    assert!(Study { alphas: vec![0.3, 0.1], ..Study::default() }.run().is_err());
    assert!(Study { samples: 3, ..Study::default() }.run().is_err());
    assert!(Study { uniform: (1.0, 0.0), ..Study::default() }.run().is_err());
    assert!(Study { alphas: vec![0.1], ..Study::default() }.repeat(3, &Silent).is_err());
}
