//! The cut values by which sSelect chooses λ, against their definitions on the matrix written out.

mod common;
#[path = "naive/eigen.rs"]
mod eigen;

use fiedler::dataset::demo::Planted;
use fiedler::graph::Knn;
use fiedler::methods::{Cut, Lambda, SSelect};
use fiedler::{Cells, Dataset, GraphRecipe, Labels, Selector, Silent};

fn data() -> Dataset {
    let planted =
        Planted { n_samples: 50, noise: 30, ..Planted::default() }.generate().expect("planted").data;
    let labels = (0..50).map(|i| (i < 12).then(|| ["a", "b", "c", "d"][i % 4]));
    planted.labeled(Labels::new(labels)).expect("as many")
}

/// Every threshold on the second eigenvector, from sums over all pairs.
fn naive(s: &[Vec<f64>], cut: Cut) -> f64 {
    let n = s.len();
    let (values, vectors) = eigen::jacobi(eigen::normalized_laplacian(s));
    if cut == Cut::Eigenvalue {
        return values[1];
    }
    let degree = |i: usize| s[i].iter().sum::<f64>();
    let place: Vec<f64> = (0..n).map(|i| vectors[1][i] / degree(i).sqrt()).collect();
    let mut best = f64::INFINITY;
    for &threshold in &place {
        let inside: Vec<bool> = place.iter().map(|&p| p <= threshold + 1e-9).collect();
        let between = |a: bool, b: bool| -> f64 {
            let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            pairs.filter(|&(i, j)| inside[i] == a && inside[j] == b).map(|(i, j)| s[i][j]).sum()
        };
        let (crossing, first, second) = (between(true, false), between(true, true), between(false, false));
        let size = |a: bool| inside.iter().filter(|&&i| i == a).count() as f64;
        let (a, b) = match cut {
            Cut::Ratio => (size(true), size(false)),
            Cut::MinMax => (first, second),
            _ => (first + crossing, second + crossing),
        };
        if size(false) > 0.0 && a > 0.0 && b > 0.0 {
            best = best.min(crossing / a + crossing / b);
        }
    }
    best
}

#[test]
fn every_cut_by_its_definition() {
    let data = data();
    let recipe = Knn { k: 12.into(), ..Knn::default() };
    for cut in [Cut::Eigenvalue, Cut::Normalized, Cut::Ratio, Cut::MinMax] {
        let lambda = Lambda::Auto { grid: vec![0.0, 0.3, 1.0], keep: Some(5), cut };
        let method = SSelect { lambda, graph: GraphRecipe::Knn(recipe.clone()), ..SSelect::default() };
        let ranking = method.rank(&data).expect("a ranking");
        let table = ranking.details.iter().find(|d| d.key == "cut_values").expect("the table");
        let Some(Cells::FeatureLists(features)) = table.values("features") else {
            panic!("lists of features")
        };
        let Some(Cells::Marks(chosen)) = table.values("chosen") else { panic!("marks") };
        let found = table.series("cut");
        let mut connected = 0;
        for (value, features) in found.iter().zip(features) {
            let graph = recipe.build(&data.subset(features).expect("in range"), &Silent).expect("a graph");
            if graph.diagnostics().components == 1 {
                let expected = naive(&common::written_out(&graph), cut);
                assert!(
                    (value - expected).abs() < 1e-8 * expected.max(1e-3),
                    "{cut:?}: {value}, expected {expected}"
                );
                connected += 1;
            }
        }
        assert!(connected > 0, "something was compared");
        let least = found.iter().copied().filter(|v| !v.is_nan()).fold(f64::INFINITY, f64::min);
        let mark = chosen.iter().position(|&c| c).expect("one is chosen");
        assert_eq!(found[mark], least);
        assert_eq!(ranking.parameters.text("cut"), cut.name());
    }
}
