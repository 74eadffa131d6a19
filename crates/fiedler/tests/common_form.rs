//! Chapter 3 of the dissertation as one test: every criterion of its table 3.1 is f̂ᵀŜf̂ (theorems 7 to 14), with Ŝ and
//! f̂ written out as the table has them.

mod common;
#[path = "naive/eigen.rs"]
mod eigen;
mod naive {
    pub(crate) use super::eigen;
    #[path = "../naive/scores.rs"]
    pub(crate) mod scores;
}

use common::{assert_close, written_out};
use fiedler::dataset::demo;
use fiedler::graph::{Rbf, Relief};
use fiedler::methods::{Fisher, Hsic, Laplacian, Phi, ReliefSpec, Scatter, Spec, TraceRatio};
use fiedler::{Dataset, GraphRecipe, Scaling, Selector, Silent};
use naive::scores::{self, Matrix, dot, form};

type Vector = Vec<f64>;

/// f̂ of f.
type Normalization = Box<dyn Fn(&[f64]) -> Vector>;

/// A line of table 3.1: the method, Ŝ, f̂, and the score of the method by f̂ᵀŜf̂.
struct Line {
    name: &'static str,
    method: Box<dyn Selector>,
    similarity: Matrix,
    normalized: Normalization,
    score: fn(f64) -> f64,
}

fn matrix(n: usize, entry: impl Fn(usize, usize) -> f64) -> Matrix {
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

fn identity(i: usize, j: usize) -> f64 {
    f64::from(u8::from(i == j))
}

/// D^½f/‖D^½f‖.
fn unit(degrees: &[f64], f: &[f64]) -> Vector {
    let scaled: Vector = f.iter().zip(degrees).map(|(f, d)| d.sqrt() * f).collect();
    let norm = dot(&scaled, &scaled).sqrt();
    scaled.iter().map(|v| v / norm).collect()
}

/// The same without its part along ξ₁, of length 1 again.
fn without_first(degrees: &[f64], f: &[f64]) -> Vector {
    let (f, first) = (unit(degrees, f), unit(degrees, &vec![1.0; f.len()]));
    let share = dot(&f, &first);
    f.iter().zip(&first).map(|(f, x)| (f - share * x) / (1.0 - share * share).sqrt()).collect()
}

/// The three functions of SPEC with γ(r) = rᵖ, theorem 7 (p = 1) and 8.
fn of_spec(graph: &GraphRecipe, s: &Matrix, power: f64) -> Vec<Line> {
    let (n, degrees) = (s.len(), scores::degrees(s));
    let (values, vectors) = eigen::jacobi(eigen::normalized_laplacian(s));
    let gamma = |v: f64| v.max(0.0).powf(power);
    let of = |range: std::ops::Range<usize>, top: f64| {
        matrix(n, |i, j| {
            range.clone().map(|r| (top - gamma(values[r])) * vectors[r][i] * vectors[r][j]).sum()
        })
    };
    let method = |phi: Phi| -> Box<dyn Selector> {
        let gamma = format!("r^{power}").parse().expect("a function");
        Box::new(Spec { phi, gamma, clusters: Some(4), graph: graph.clone() })
    };
    let (d1, d2, d3) = (degrees.clone(), degrees.clone(), degrees);
    vec![
        Line {
            name: "φ1",
            method: method(Phi::One),
            similarity: of(0..n, 1.0),
            normalized: Box::new(move |f| unit(&d1, f)),
            score: |form| 1.0 - form,
        },
        Line {
            name: "φ2",
            method: method(Phi::Two),
            similarity: of(0..n, 1.0),
            normalized: Box::new(move |f| without_first(&d2, f)),
            score: |form| 1.0 - form,
        },
        Line {
            name: "φ3",
            method: method(Phi::Three),
            similarity: of(1..4, gamma(2.0)),
            normalized: Box::new(move |f| unit(&d3, f)),
            score: |form| form,
        },
    ]
}

/// The Laplacian score (theorem 10) and the Fisher score (theorem 11, by DIS 3.14).
fn of_neighbors_and_classes(graph: &GraphRecipe, s: &Matrix, labels: &Matrix) -> Vec<Line> {
    let d = scores::degrees(s);
    let ones = scores::degrees(labels);
    vec![
        Line {
            name: "Laplacian score",
            method: Box::new(Laplacian { graph: graph.clone(), ..Laplacian::default() }),
            similarity: matrix(s.len(), |i, j| s[i][j] / (d[i] * d[j]).sqrt()),
            normalized: Box::new(move |f| without_first(&d, f)),
            score: |form| 1.0 - form,
        },
        Line {
            name: "Fisher score",
            method: Box::new(Fisher),
            similarity: labels.clone(),
            normalized: Box::new(move |f| without_first(&ones, f)),
            score: |form| form / (1.0 - form),
        },
    ]
}

/// ReliefF (theorem 12: Ŝ = I - L, which is S where rows add up to 1), trace ratio (13) and HSIC (14).
fn of_the_others(data: &Dataset, graph: &GraphRecipe, s: &Matrix, labels: &Matrix) -> Vec<Line> {
    let n = s.len();
    let relief = GraphRecipe::Relief(Relief::default()).build(data, &Silent).expect("a graph");
    let near = scores::laplacian(&written_out(&relief));
    let ratio = TraceRatio { scatter: Scatter::Fisher, count: 2, ..TraceRatio::default() };
    let lambda = ratio.rank(data).expect("a ranking").parameters.real_or_word("lambda").expect("λ is told");
    let within = scores::laplacian(labels);
    let between = |i: usize, j: usize| labels[i][j] - 1.0 / n as f64;
    let mut kernel = s.clone();
    (0..n).for_each(|i| kernel[i][i] = 0.0);
    let (sums, nf) = (scores::degrees(&kernel), n as f64);
    let all: f64 = sums.iter().sum();
    let hsic = move |i: usize, j: usize| {
        let crossed = (sums[i] + sums[j]) / (nf - 2.0);
        let entry = kernel[i][j] + all / ((nf - 1.0) * (nf - 2.0)) - crossed;
        (1.0 - identity(i, j)) * entry / (nf * (nf - 3.0))
    };
    vec![
        Line {
            name: "ReliefF",
            method: Box::new(ReliefSpec::default()),
            similarity: matrix(n, |i, j| identity(i, j) - near[i][j]),
            normalized: Box::new(move |f| unit(&vec![1.0; n], f)),
            score: |form| 1.0 - form,
        },
        Line {
            name: "trace ratio",
            method: Box::new(ratio),
            similarity: matrix(n, |i, j| between(i, j) - lambda * within[i][j]),
            normalized: Box::new(<[f64]>::to_vec),
            score: |form| form,
        },
        Line {
            name: "HSIC",
            method: Box::new(Hsic { graph: graph.clone(), ..Hsic::default() }),
            similarity: matrix(n, hsic),
            normalized: Box::new(<[f64]>::to_vec),
            score: |form| form,
        },
    ]
}

#[test]
fn every_criterion_of_table_3_1_is_one_quadratic_form() {
    let iris = demo::iris().expect("embedded").scaled(Scaling::Range);
    let data = iris.samples(&(0..150).step_by(3).collect::<Vec<_>>(), &Silent).expect("samples");
    let graph = GraphRecipe::Rbf(Rbf::default());
    let s = written_out(&graph.build(&data, &Silent).expect("a graph"));
    let labels = written_out(&GraphRecipe::Labels.build(&data, &Silent).expect("a graph"));
    let mut lines = of_spec(&graph, &s, 1.0);
    lines.extend(of_spec(&graph, &s, 3.0));
    lines.extend(of_neighbors_and_classes(&graph, &s, &labels));
    lines.extend(of_the_others(&data, &graph, &s, &labels));
    assert_eq!(lines.len(), 11);
    for Line { name, method, similarity, normalized, score } in lines {
        let view = method.view(&data, &Silent).expect("the data as the method sees them");
        let of = |j: usize| score(form(&similarity, &normalized(&view.column(j).expect("in memory"))));
        let expected: Vec<f64> = (0..4).map(of).collect();
        assert_close(name, method.rank(&data).expect("a ranking").scores(), &expected, 1e-9);
    }
}
