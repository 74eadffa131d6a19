//! Scores that are sums of squares are never below 0, where rounding would make them so; those of MCFS, which are below 0
//! where a feature is not used, are never so by rounding alone.

#![allow(clippy::expect_used)]

use fiedler::methods::{Fisher, Laplacian, Mcfs, Variance};
use fiedler::{Dataset, Labels, Scaling, Selector};

const CLASSES: usize = 3;

/// Every row once in each class, so that the means of the classes are equal: what is between them is rounding.
fn table(seed: u64) -> (Vec<Vec<f64>>, Vec<usize>) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / 1e9
    };
    let once: Vec<Vec<f64>> = (0..9).map(|_| (0..5).map(|_| next()).collect()).collect();
    // Each class in an order of its own, or else the sums would round alike.
    let places = [1, 2, 4].into_iter().flat_map(|step| (0..9).map(move |i| i * step % 9));
    let rows = places.map(|i| once[i].clone()).collect();
    let codes = (0..CLASSES).flat_map(|c| [c; 9]).collect();
    (rows, codes)
}

/// Σ (Σ_l f)²/n_l - (Σ f)²/n, as it is written down.
fn between(column: &[f64], codes: &[usize]) -> f64 {
    let square = |values: &[f64]| values.iter().sum::<f64>().powi(2) / values.len() as f64;
    let class = |c: usize| column.iter().zip(codes).filter(|p| *p.1 == c).map(|p| *p.0).collect::<Vec<_>>();
    (0..CLASSES).map(|c| square(&class(c))).sum::<f64>() - square(column)
}

#[test]
fn no_score_of_squares_is_negative() {
    let mut below = 0;
    for seed in 0..50 {
        let (rows, codes) = table(seed);
        let column = |j: usize| rows.iter().map(|r| r[j]).collect::<Vec<f64>>();
        below += (0..5).filter(|&j| between(&column(j), &codes) < 0.0).count();
        for scaling in [Scaling::None, Scaling::Standard, Scaling::Range] {
            let data = Dataset::from_rows(&rows).expect("finite").scaled(scaling);
            let data = data.labeled(Labels::from_codes(&codes)).expect("a label per sample");
            let methods: [(&str, Box<dyn Selector>); 4] = [
                ("fisher", Box::new(Fisher)),
                ("mcfs", Box::new(Mcfs { clusters: 2, count: 3, ..Mcfs::default() })),
                ("laplacian", Box::new(Laplacian::default())),
                ("variance", Box::new(Variance)),
            ];
            for (name, method) in methods {
                // A method may refuse so few samples; what it answers is never below 0.
                let Ok(ranking) = method.rank(&data) else { continue };
                let least = if name == "mcfs" { -1e-12 } else { f64::NEG_INFINITY };
                let wrong = |s: &&f64| s.is_sign_negative() && !s.is_nan() && **s > least;
                assert_eq!(ranking.scores().iter().find(wrong), None, "{name}, {scaling:?}, {seed}");
            }
        }
    }
    assert!(below > 12, "the data are such that the plain formula falls below 0: {below} times");
}
