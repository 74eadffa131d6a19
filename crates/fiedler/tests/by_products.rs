//! What methods offer besides scores, and variants of the papers: coefficients, the plain variance, edges inside classes.

use fiedler::graph::{Bandwidth, ClassHeat};
use fiedler::methods::{Laplacian, Mrsf, Normalization, Targets};
use fiedler::{Analysis, Cells, Dataset, GraphRecipe, Labels, Scaling, Selector, Silent, dataset::demo};

fn columns(data: &Dataset) -> Vec<Vec<f64>> {
    (0..data.n_features()).map(|j| data.column(j).expect("a column")).collect()
}

fn square_distance(columns: &[Vec<f64>], a: usize, b: usize) -> f64 {
    columns.iter().map(|c| (c[a] - c[b]).powi(2)).sum()
}

/// LS equation 3 with D → I: Σ S_ij (f_i - f_j)² over the plain variance.
#[test]
fn the_plain_variance_by_definition() {
    let iris = demo::iris().expect("built in").scaled(Scaling::Standard);
    let recipe = GraphRecipe::default();
    let graph = recipe.build(&iris, &Silent).expect("a graph");
    let n = iris.n_samples();
    let row = |i: usize| {
        let mut row = vec![0.0; n];
        let mut unit = vec![0.0; n];
        unit[i] = 1.0;
        graph.apply(&unit, 1, &mut row);
        row
    };
    let weights: Vec<Vec<f64>> = (0..n).map(row).collect();
    let method = Laplacian { graph: recipe, normalization: Normalization::None };
    let ranking = method.rank(&iris).expect("a ranking");
    for (j, f) in columns(&iris).iter().enumerate() {
        let mut above = 0.0;
        for a in 0..n {
            for b in a + 1..n {
                above += weights[a][b] * (f[a] - f[b]).powi(2);
            }
        }
        let mean = f.iter().sum::<f64>() / n as f64;
        let below: f64 = f.iter().map(|v| (v - mean).powi(2)).sum();
        assert!((ranking.scores()[j] - above / below).abs() < 1e-9 * (above / below), "feature {j}");
    }
    assert_eq!(ranking.parameters.text("normalization"), "none");
    // Where every degree is 1 the two are one.
    let on_classes = |normalization| {
        let method = Laplacian { graph: GraphRecipe::Labels, normalization };
        method.rank(&iris).expect("a ranking").scores().to_vec()
    };
    for (a, b) in on_classes(Normalization::Degree).iter().zip(on_classes(Normalization::None)) {
        assert!((a - b).abs() < 1e-12);
    }
}

#[test]
fn edges_inside_classes_with_heat_weights() {
    let iris = demo::iris().expect("built in").scaled(Scaling::Standard);
    let codes: Vec<u32> = iris.labels().expect("species").codes().iter().flatten().copied().collect();
    let columns = columns(&iris);
    let n = iris.n_samples();
    let pairs =
        || (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).filter(|&(a, b)| codes[a] == codes[b]);
    let mean = pairs().map(|(a, b)| square_distance(&columns, a, b)).sum::<f64>() / pairs().count() as f64;
    for (bandwidth, t) in [(Bandwidth::Auto, mean), (Bandwidth::Given(0.7), 0.7)] {
        let graph = ClassHeat { bandwidth }.build(&iris, &Silent).expect("a graph");
        for i in [0, 60, 149] {
            let mut unit = vec![0.0; n];
            let mut row = vec![0.0; n];
            unit[i] = 1.0;
            graph.apply(&unit, 1, &mut row);
            for j in 0..n {
                let near = codes[i] == codes[j] && i != j;
                let expected = if near { (-square_distance(&columns, i, j) / t).exp() } else { 0.0 };
                assert!((row[j] - expected).abs() < 1e-12, "{i} {j}: {} for {expected}", row[j]);
            }
        }
    }
    let alone = Labels::new((0..n).map(|i| Some(i.to_string())));
    let refused = ClassHeat::default().build(&iris.clone().labeled(alone).expect("as many"), &Silent);
    assert!(refused.expect_err("no pairs").to_string().contains("a class has two samples"));
    assert!(ClassHeat::default().build(&iris.unlabeled(), &Silent).is_err());
}

/// 1b + XW on the values of the file leaves what the path says is left.
#[test]
fn coefficients_make_the_model_of_the_path() {
    let iris = demo::iris().expect("built in");
    let raw = columns(&iris.clone().scaled(Scaling::None));
    for (targets, names) in [
        (Targets::Lda, vec!["setosa", "versicolor", "virginica"]),
        (Targets::Svm, vec!["setosa", "versicolor", "virginica"]),
        (Targets::Pca, vec!["component 1", "component 2"]),
    ] {
        let method = Mrsf { count: 3, targets: targets.clone(), pairs: 2, ..Mrsf::default() };
        let view = method.view(&iris, &Silent).expect("a view");
        let (y, _) = targets.build(&view, &GraphRecipe::default(), 2, &Silent).expect("targets");
        let (ranking, path) = method.rank_with_path(&iris, &Silent).expect("a path");
        let detail = |key: &str| ranking.details.iter().find(|d| d.key == key).expect("told");
        let (Some(Cells::Features(active)), Some(Cells::NumberLists(weights))) =
            (detail("coefficients").values("feature"), detail("coefficients").values("weights"))
        else {
            panic!("coefficients")
        };
        assert_eq!(
            detail("targets").values("target"),
            Some(&Cells::Words(names.iter().map(|n| (*n).to_owned()).collect()))
        );
        let intercepts = detail("targets").series("intercept");
        let mut left = 0.0;
        for i in 0..150 {
            for t in 0..y.n_targets {
                let terms = active.iter().zip(weights).map(|(&j, w)| raw[j][i] * w[t]);
                left += (y.values[i * y.n_targets + t] - intercepts[t] - terms.sum::<f64>()).powi(2);
            }
        }
        let expected = path.points.last().expect("a point").residual;
        assert!(
            (left.sqrt() - expected).abs() < 1e-8 * expected.max(1.0),
            "{targets:?}: {} {expected}",
            left.sqrt()
        );
    }
}

#[test]
fn coefficients_are_asked_of_one_method_that_has_them() {
    let asked = |methods: &[&str]| Analysis {
        methods: methods.iter().map(|m| (*m).to_owned()).collect(),
        coefficients: true,
        ..Analysis::default()
    };
    assert!(asked(&["mrsf"]).check().is_ok());
    for methods in [&["laplacian"][..], &["mrsf", "laplacian"]] {
        let message = asked(methods).check().expect_err("no model").to_string();
        assert!(message.contains("makes a linear model, as `mrsf` does"), "{message}");
    }
    let digits = demo::digits().expect("built in");
    let message = asked(&["mrsf"]).run(&digits, "digits", &Silent).expect_err("ranks").to_string();
    assert!(message.contains("`transform` must be none for coefficients"), "{message}");
}
