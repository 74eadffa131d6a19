//! sSelect against golden values, the formula written out, and labels of every kind.

mod common;
#[path = "naive/eigen.rs"]
mod eigen;

use common::{assert_close, golden};
use fiedler::dataset::Sparse;
use fiedler::dataset::demo::{self, Planted};
use fiedler::graph::{Graph, Knn, Weight};
use fiedler::methods::{Cut, Discretize, Lambda, Laplacian, Phi, SSelect, Spec};
use fiedler::spectrum::Filter;
use fiedler::{Cells, Dataset, Error, GraphRecipe, Labels, Ranking, Scaling, Selector};

fn data(rows: &[Vec<f64>]) -> Dataset {
    Dataset::from_rows(rows).expect("finite").scaled(Scaling::None)
}

/// The same in sparse columns.
fn sparse(rows: &[Vec<f64>]) -> Dataset {
    let (mut offsets, mut at, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..rows[0].len() {
        for (i, row) in rows.iter().enumerate().filter(|(_, row)| row[j] != 0.0) {
            at.push(i as u32);
            values.push(row[j]);
        }
        offsets.push(at.len());
    }
    let columns = Sparse::new(offsets, at, values, rows.len()).expect("well formed");
    Dataset::new(columns).expect("finite").scaled(Scaling::None)
}

/// The first characters of `text` label the samples; a dot is no label.
fn labeled(data: Dataset, text: &str) -> Dataset {
    let mut labels: Vec<Option<String>> = text.chars().map(|c| (c != '.').then(|| c.to_string())).collect();
    labels.resize(data.n_samples(), None);
    data.labeled(Labels::new(labels)).expect("a label or none per sample")
}

fn rank(method: &SSelect, data: &Dataset) -> Ranking {
    method.rank(data).expect("a ranking")
}

/// The paper's rule: two sides, whatever the number of classes.
fn lambda(value: f64) -> SSelect {
    SSelect { lambda: Lambda::Given(value), discretize: Discretize::Sign, ..SSelect::default() }
}

/// Mutual information over the larger entropy, from the definition.
fn nmi(a: &[usize], b: &[usize]) -> f64 {
    let n = a.len() as f64;
    let share = |keep: &dyn Fn(usize) -> bool| (0..a.len()).filter(|&i| keep(i)).count() as f64 / n;
    let (mut information, mut ha, mut hb) = (0.0, 0.0, 0.0);
    for u in 0..20 {
        let pu = share(&|i| a[i] == u);
        let qu = share(&|i| b[i] == u);
        ha -= if pu > 0.0 { pu * pu.ln() } else { 0.0 };
        hb -= if qu > 0.0 { qu * qu.ln() } else { 0.0 };
        for v in 0..20 {
            let (p, qv) = (share(&|i| a[i] == u && b[i] == v), share(&|i| b[i] == v));
            information += if p > 0.0 { p * (p / (pu * qv)).ln() } else { 0.0 };
        }
    }
    if f64::max(ha, hb) > 0.0 { information / f64::max(ha, hb) } else { 0.0 }
}

/// 1 - NMI of every feature, from a ranking that sees the labels alone.
fn disagreements(data: &Dataset, discretize: Discretize) -> Vec<f64> {
    rank(&SSelect { discretize, ..lambda(0.0) }, data).scores().to_vec()
}

#[test]
fn golden_values() {
    for g in golden() {
        for key in ["sselect", "sselect.lambda05"] {
            let labels = g.output(key, "labels").as_array().expect("a list").clone();
            let labels = labels.iter().map(|l| l.as_u64().map(|code| code.to_string()));
            let data = g.data.clone().labeled(Labels::new(labels)).expect("a label or none per sample");
            g.assert_close(key, "scores", rank(&lambda(g.number(key, "lambda")), &data).scores());
        }
    }
}

#[test]
fn mutual_information_by_hand() {
    // A binary graph of evenly spread samples, so that the sign cuts where the eye would.
    let rows: Vec<Vec<f64>> = [
        [-4.0, 1.0, -1.0],
        [-3.0, -1.0, -1.0],
        [-2.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, 1.0, 1.0],
        [2.0, -1.0, 1.0],
        [3.0, 1.0, 1.0],
        [4.0, -1.0, 1.0],
    ]
    .map(Vec::from)
    .to_vec();
    let data = labeled(data(&rows), "aa.ab.bb");
    let found = disagreements(&data, Discretize::Sign);
    // Feature 0 puts all six labeled samples right.
    assert_close("agreement", &found[..1], &[0.0], 1e-12);
    // Feature 1: of a (+, -, -), of b (+, +, -). I = ln 2 - H(1/3, 2/3), over ln 2.
    let h = |p: f64| -p * p.ln() - (1.0 - p) * (1.0 - p).ln();
    assert_close("noise", &found[1..2], &[1.0 - (1.0 - h(1.0 / 3.0) / 2f64.ln())], 1e-12);
    // Feature 2: a (-, -, +), b (+, +, +): groups of two and four; H(y) is the larger entropy.
    let information = h(1.0 / 3.0) - 0.5 * h(1.0 / 3.0);
    assert_close("lopsided", &found[2..], &[1.0 - information / 2f64.ln()], 1e-12);
}

#[test]
fn the_formula_written_out() {
    let planted = Planted { n_samples: 40, noise: 12, ..Planted::default() }.generate().expect("planted");
    let data = planted.data.scaled(Scaling::None);
    let text: String =
        (0..40).map(|i| if i % 3 == 0 { (b'a' + (i % 4) as u8) as char } else { '.' }).collect();
    let data = labeled(data, &text);
    let method = lambda(0.3);
    let ranking = rank(&method, &data);
    let graph = ranking.graph.as_ref().expect("it has a graph");
    let smooth = Laplacian::default().rank(&data).expect("a ranking");
    let known: Vec<usize> = (0..40).filter(|i| i % 3 == 0).collect();
    let classes: Vec<usize> = known.iter().map(|i| i % 4).collect();
    for j in 0..data.n_features() {
        let f = data.column(j).expect("in memory");
        let mean = f.iter().zip(graph.degrees()).map(|(f, d)| f * d).sum::<f64>() / graph.volume();
        let sides: Vec<usize> = known.iter().map(|&i| usize::from(f[i] >= mean)).collect();
        let expected = 0.3 * smooth.scores()[j] + 0.7 * (1.0 - nmi(&sides, &classes));
        assert_close("formula", &[ranking.scores()[j]], &[expected], 1e-12);
    }
}

#[test]
fn weights_at_the_ends() {
    let data = labeled(
        demo::iris().expect("embedded"),
        &"a".repeat(60).chars().chain("b".repeat(90).chars()).collect::<String>(),
    );
    let smooth = Laplacian::default().rank(&data).expect("a ranking");
    assert_eq!(rank(&lambda(1.0), &data).scores(), smooth.scores());
    let alone = rank(&lambda(0.0), &data);
    let graph = alone.graph.as_ref().expect("it has a graph");
    let classes: Vec<usize> = (0..150).map(|i| usize::from(i >= 60)).collect();
    for j in 0..4 {
        let f = data.column(j).expect("in memory");
        let mean = f.iter().zip(graph.degrees()).map(|(f, d)| f * d).sum::<f64>() / graph.volume();
        let sides: Vec<usize> = f.iter().map(|&v| usize::from(v >= mean)).collect();
        assert_close("labels alone", &[alone.scores()[j]], &[1.0 - nmi(&sides, &classes)], 1e-12);
    }
}

#[test]
fn two_sides_for_three_classes_are_told() {
    let iris = demo::iris().expect("embedded");
    let told = |classes: &str, discretize: Discretize| {
        let data = labeled(iris.clone(), &classes.repeat(20));
        let ranking = rank(&SSelect { discretize, ..SSelect::default() }, &data);
        ranking.warnings.iter().any(|w| w.contains("discretize=kmeans"))
    };
    assert!(told("abc", Discretize::Sign));
    assert!(!told("ab", Discretize::Sign) && !told("abc", Discretize::KMeans));
}

#[test]
fn a_class_named_like_no_label_is_told() {
    let iris = demo::iris().expect("embedded");
    let told = |names: &[&str]| {
        let labels = (0..150).map(|i| Some(names[i / 50 % names.len()]));
        let data = iris.clone().labeled(Labels::new(labels)).expect("one per sample");
        rank(&SSelect::default(), &data).warnings.iter().any(|w| w.contains("taken as a class"))
    };
    assert!(told(&["a", "Unknown"]) && told(&["a", "b", "-1"]));
    assert!(!told(&["1", "-1"]) && !told(&["a", "b", "c"]), "-1 is the other of two classes");
}

#[test]
fn no_labels_is_the_laplacian_score_and_says_so() {
    let iris = demo::iris().expect("embedded");
    let smooth = Laplacian::default().rank(&iris).expect("a ranking");
    for data in [iris.clone().unlabeled(), labeled(iris.clone(), "...")] {
        for weight in [
            Lambda::Given(0.1),
            Lambda::Given(0.0),
            Lambda::Auto { grid: vec![0.5], keep: Some(2), cut: Cut::Eigenvalue },
        ] {
            let ranking = rank(&SSelect { lambda: weight, ..SSelect::default() }, &data);
            assert_eq!(ranking.scores(), smooth.scores());
            assert!(
                ranking.warnings.iter().any(|w| w.contains("no sample has a label")),
                "{:?}",
                ranking.warnings
            );
        }
    }
}

#[test]
fn a_single_class_says_nothing_and_is_told() {
    let data = labeled(demo::iris().expect("embedded"), "aaa.a");
    let smooth = Laplacian::default().rank(&data).expect("a ranking");
    let auto = Lambda::Auto { grid: vec![0.2, 0.4], keep: None, cut: Cut::Eigenvalue };
    for method in [lambda(0.4), lambda(0.0), SSelect { lambda: auto, ..SSelect::default() }] {
        let ranking = rank(&method, &data);
        assert_eq!(ranking.scores(), smooth.scores());
        assert_eq!(ranking.parameters.real_or_word("lambda"), Some(1.0));
        let told = |w: &String| w.contains("one class") && w.contains("`lambda` 1");
        assert!(ranking.warnings.iter().any(told), "{:?}", ranking.warnings);
    }
}

#[test]
fn two_labels_are_enough() {
    // Two labels of different classes: NMI is 1 where the feature parts them, else 0.
    let planted = Planted { n_samples: 60, noise: 30, ..Planted::default() }.generate().expect("planted");
    let data = labeled(planted.data, "ab");
    let found = disagreements(&data, Discretize::Sign);
    assert!(found.iter().all(|&d| d.abs() < 1e-12 || (d - 1.0).abs() < 1e-12), "{found:?}");
    assert!(found.iter().any(|&d| d < 0.5) && found.iter().any(|&d| d > 0.5));
    let ranking = rank(&SSelect::default(), &data);
    assert!(ranking.warnings.iter().all(|w| !w.contains("label")), "{:?}", ranking.warnings);
    assert!(found[ranking.order()[0]] < 0.5, "the first feature parts the two");
}

#[test]
fn contradictory_labels_are_just_labels() {
    // The same flower twice, under two names: no feature can agree, none is refused.
    let row = vec![1.0, 2.0];
    let mut rows = vec![row.clone(), row];
    rows.extend((0..10).map(|i| vec![i as f64, (i * 7 % 10) as f64]));
    let found = disagreements(&labeled(data(&rows), "ab"), Discretize::Sign);
    assert_close("contradiction", &found, &[1.0, 1.0], 1e-12);
}

#[test]
fn all_labeled_with_three_classes_needs_three_groups() {
    let iris = demo::iris().expect("embedded");
    let sign = disagreements(&iris, Discretize::Sign);
    let kmeans = disagreements(&iris, Discretize::KMeans);
    // Two sides of three equal classes: NMI is at most ln 2 / ln 3.
    let most = 1.0 - 2f64.ln() / 3f64.ln();
    assert!(sign.iter().all(|&d| d >= most - 1e-12), "{sign:?}");
    assert!(kmeans[2] < most && kmeans[3] < most, "{kmeans:?}");
    // The groups of petal length, by trying every pair of cuts.
    let f = iris.column(2).expect("in memory");
    let mut sorted = f.clone();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    let cost = |group: &[f64]| {
        let mean = group.iter().sum::<f64>() / group.len() as f64;
        group.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>()
    };
    let part =
        |low: f64, high: f64| -> Vec<f64> { f.iter().copied().filter(|&v| low <= v && v < high).collect() };
    let mut best = (f64::INFINITY, 0.0, 0.0);
    for (p, &a) in sorted.iter().enumerate().skip(1) {
        for &b in &sorted[p + 1..] {
            let parts = [part(f64::MIN, a), part(a, b), part(b, f64::MAX)];
            let total: f64 = parts.iter().map(|g| cost(g)).sum();
            if total < best.0 {
                best = (total, a, b);
            }
        }
    }
    let groups: Vec<usize> = f.iter().map(|&v| usize::from(v >= best.1) + usize::from(v >= best.2)).collect();
    let classes: Vec<usize> = (0..150).map(|i| i / 50).collect();
    assert_close("kmeans", &kmeans[2..3], &[1.0 - nmi(&groups, &classes)], 1e-12);
}

#[test]
fn every_phi_can_be_the_first_term() {
    let data = labeled(demo::iris().expect("embedded").scaled(Scaling::None), &"a......b...".repeat(13));
    let gamma: Filter = "r^3".parse().expect("a spectral function");
    let far = disagreements(&data, Discretize::Sign);
    for (phi, gamma, largest) in [
        (Phi::One, Filter::Identity, 2.0),
        (Phi::Three, Filter::Identity, 2.0),
        (Phi::Two, gamma, 8.0),
        (Phi::Three, gamma, 8.0),
    ] {
        let spec = Spec { phi, gamma, clusters: Some(2), ..Spec::default() }.rank(&data).expect("a ranking");
        let turned = |s: f64| if phi == Phi::Three { 1.0 - s / largest } else { s / (largest / 2.0) };
        let expected: Vec<f64> =
            spec.scores().iter().zip(&far).map(|(&s, d)| 0.6 * turned(s) + 0.4 * d).collect();
        let found = rank(&SSelect { phi, gamma, ..lambda(0.6) }, &data);
        assert_close("first term", found.scores(), &expected, 1e-10);
    }
}

/// A line of the table from which λ is chosen.
#[derive(Debug, Clone, PartialEq)]
struct CutValue {
    lambda: f64,
    features: Vec<usize>,
    /// NaN where it does not count.
    cut: f64,
    components: usize,
    chosen: bool,
}

impl CutValue {
    fn counts(&self) -> bool {
        !self.cut.is_nan()
    }
}

fn table(ranking: &Ranking) -> Vec<CutValue> {
    let detail = ranking.details.first().expect("a table");
    let Some(Cells::Marks(marks)) = detail.values("chosen") else { panic!("no marks: {detail:?}") };
    let Some(Cells::Counts(components)) = detail.values("components") else {
        panic!("no counts: {detail:?}")
    };
    let Some(Cells::FeatureLists(features)) = detail.values("features") else {
        panic!("no features: {detail:?}")
    };
    let (lambdas, cuts) = (detail.series("lambda"), detail.series("cut"));
    let line = |i: usize| CutValue {
        lambda: lambdas[i],
        features: features[i].clone(),
        cut: cuts[i],
        components: components[i],
        chosen: marks[i],
    };
    (0..detail.n_rows()).map(line).collect()
}

#[test]
fn lambda_is_chosen_by_the_smallest_cut_of_a_connected_graph() {
    let planted = Planted { n_samples: 60, noise: 40, ..Planted::default() }.generate().expect("planted");
    let data = labeled(planted.data, &"0123".repeat(3));
    let grid = vec![0.0, 0.1, 0.5, 0.9, 1.0];
    let graph = GraphRecipe::Knn(Knn { k: 20.into(), ..Knn::default() });
    let auto = SSelect {
        lambda: Lambda::Auto { grid: grid.clone(), keep: Some(4), cut: Cut::Eigenvalue },
        graph: graph.clone(),
        ..lambda(0.0)
    };
    let ranking = rank(&auto, &data);
    let table = table(&ranking);
    assert_eq!(table.iter().map(|l| l.lambda).collect::<Vec<_>>(), grid);
    for line in &table {
        let given = rank(&SSelect { graph: graph.clone(), ..lambda(line.lambda) }, &data);
        assert_eq!(line.features, given.top(4));
        // The cut value from the definition.
        let chosen = data.subset(&line.features).expect("in range");
        let knn = Knn { k: 20.into(), ..Knn::default() }.build(&chosen, &fiedler::Silent).expect("a graph");
        let n = 60;
        let mut similarity = vec![vec![0.0; n]; n];
        for j in 0..n {
            let mut unit = vec![0.0; n * 8];
            let mut out = unit.clone();
            unit[j * 8] = 1.0;
            knn.apply(&unit, 8, &mut out);
            (0..n).for_each(|i| similarity[i][j] = out[i * 8]);
        }
        let (values, _) = eigen::jacobi(eigen::normalized_laplacian(&similarity));
        let pieces = knn.diagnostics().components;
        assert_eq!(line.components, pieces);
        let expected = if pieces == 1 { values[1] } else { 0.0 };
        assert!((line.cut - expected).abs() < 1e-9, "{line:?}, expected {expected}");
    }
    let best = table.iter().filter(|l| l.counts()).map(|l| l.cut).fold(f64::INFINITY, f64::min);
    let chosen = table.iter().find(|l| l.chosen).expect("one is chosen");
    assert_eq!((chosen.cut, table.iter().filter(|l| l.chosen).count()), (best, 1));
    assert_eq!(ranking.parameters.real_or_word("lambda"), Some(chosen.lambda));
    assert_eq!(ranking.scores(), rank(&SSelect { graph, ..lambda(chosen.lambda) }, &data).scores());
}

#[test]
fn disconnected_graphs_are_reported_and_not_celebrated() {
    // Four far clusters of which each informative feature sees some: the graph falls apart, into more
    // pieces than there are classes.
    let rows: Vec<Vec<f64>> = (0..24)
        .map(|i| {
            vec![(i % 4) as f64 * 100.0 + (i * 5 % 7) as f64, (i % 2) as f64 * 300.0 + (i * 3 % 11) as f64]
        })
        .collect();
    let data = labeled(data(&rows), "0101");
    let auto = SSelect {
        lambda: Lambda::Auto { grid: vec![0.2, 0.8], keep: Some(2), cut: Cut::Eigenvalue },
        ..SSelect::default()
    };
    let ranking = rank(&auto, &data);
    let in_pieces = |l: &CutValue| l.components == 4 && !l.counts();
    assert!(table(&ranking).iter().all(in_pieces), "{:?}", ranking.details);
    assert_eq!(ranking.parameters.real_or_word("lambda"), Some(0.2));
    assert!(ranking.warnings.iter().any(|w| w.contains("no λ could be preferred")), "{:?}", ranking.warnings);
    // Of two features both are kept: nothing that is said of `keep` could help.
    assert!(
        ranking.warnings.iter().any(|w| w.contains("select the same features")),
        "{:?}",
        ranking.warnings
    );
}

/// The first feature parts the two classes, the second is smooth on a long line, the third is noise.
fn parted(n: usize) -> Vec<Vec<f64>> {
    (0..n)
        .map(|i| {
            let noise = ((i * 37 + 11) as f64 * 0.618_034).fract();
            vec![
                (i % 2) as f64 * 5.0 + noise,
                (i / 2) as f64,
                ((i * 53 + 3) as f64 * 0.618_034).fract() * 40.0,
            ]
        })
        .collect()
}

#[test]
fn features_that_part_the_classes_win() {
    let data = labeled(data(&parted(40)), "ababab");
    let grid = vec![1.0, 0.0];
    let auto =
        SSelect { lambda: Lambda::Auto { grid, keep: Some(1), cut: Cut::Eigenvalue }, ..SSelect::default() };
    let ranking = rank(&auto, &data);
    let lines = table(&ranking);
    assert_eq!((lines[0].components, lines[1].components), (1, 2), "{lines:?}");
    assert_eq!(lines[1].features, [0]);
    assert!(lines[1].chosen && lines[1].counts() && lines[1].cut == 0.0, "{lines:?}");
    assert_eq!(ranking.parameters.real_or_word("lambda"), Some(0.0));
}

#[test]
fn a_choice_of_nothing_is_told() {
    let data = labeled(
        demo::iris().expect("embedded"),
        &"a".repeat(60).chars().chain("b".repeat(90).chars()).collect::<String>(),
    );
    let auto = |keep| SSelect {
        lambda: Lambda::Auto { grid: vec![0.1, 0.9], keep, cut: Cut::Eigenvalue },
        ..SSelect::default()
    };
    let all = rank(&auto(Some(4)), &data);
    assert!(
        all.warnings.iter().any(|w| w.contains("all 2 of them select the same features")),
        "{:?}",
        all.warnings
    );
    // Half of four features, where nothing is said.
    assert_eq!(rank(&auto(None), &data).parameters.whole_or_word("keep"), Some(2));
}

#[test]
fn an_outlier_without_neighbors_leaves_a_feature_its_score() {
    // The last sample lies 10⁸ away on the first feature, and its edges weigh next to nothing; it
    // pulls the plain mean far from everybody else.
    let mut rows = parted(60);
    let plain = data(&rows);
    let weight = |d: f64| (-d / 30.0).exp();
    let distance = |i: usize, j: usize| (0..3).map(|t| (rows[i][t] - rows[j][t]).powi(2)).sum::<f64>();
    let edges = (0..60).flat_map(|i| (0..i).map(move |j| (j, i)));
    let edges: Vec<(usize, usize, f64)> =
        edges.map(|(j, i)| (j, i, if i == 59 { 1e-22 } else { weight(distance(i, j)) })).collect();
    let graph = GraphRecipe::Given(std::sync::Arc::new(Graph::from_edges(&edges, 60).expect("valid")));
    let expected =
        Laplacian { graph: graph.clone(), ..Laplacian::default() }.rank(&plain).expect("a ranking");
    rows[59][0] = 1e8;
    for (name, moved) in [("dense", data(&rows)), ("sparse", sparse(&rows))] {
        let f: Vec<f64> = rows.iter().map(|r| r[0]).collect();
        let Ok(graph_of) = graph.build(&moved, &fiedler::Silent) else { panic!("a graph") };
        let mean = f.iter().zip(graph_of.degrees()).map(|(f, d)| f * d).sum::<f64>() / graph_of.volume();
        let below: f64 = f.iter().zip(graph_of.degrees()).map(|(f, d)| d * (f - mean).powi(2)).sum();
        let above: f64 = edges.iter().map(|&(i, j, w)| w * (f[i] - f[j]).powi(2)).sum();
        let found =
            Laplacian { graph: graph.clone(), ..Laplacian::default() }.rank(&moved).expect("a ranking");
        assert_close(name, &found.scores()[..1], &[above / below], 1e-8);
        assert_close(name, &found.scores()[1..], &expected.scores()[1..], 1e-10);
        let labeled = labeled(moved, &"ab".repeat(20));
        let agreement = rank(&SSelect { graph: graph.clone(), ..lambda(0.0) }, &labeled);
        assert_close(name, &agreement.scores()[..1], &[0.0], 1e-12);
    }
}

#[test]
fn a_single_sample_that_differs_is_a_score_too() {
    // All but the last sample are equal, and its edges weigh 10⁻⁴⁰.
    let edges: Vec<(usize, usize, f64)> =
        (0..20).flat_map(|i| (0..i).map(move |j| (j, i, if i == 19 { 1e-40 } else { 1.0 }))).collect();
    let graph = GraphRecipe::Given(std::sync::Arc::new(Graph::from_edges(&edges, 20).expect("valid")));
    let rows: Vec<Vec<f64>> = (0..20).map(|i| vec![if i == 19 { 4.3 } else { 0.1 }, i as f64]).collect();
    for scaling in [Scaling::None, Scaling::Standard] {
        let found = Laplacian { graph: graph.clone(), ..Laplacian::default() }
            .rank(&data(&rows).scaled(scaling))
            .expect("a ranking");
        assert_close("one sample", &found.scores()[..1], &[1.0], 1e-9);
    }
}

#[test]
fn invariances() {
    let planted = Planted { n_samples: 50, noise: 20, ..Planted::default() }.generate().expect("planted");
    let data = planted.data.scaled(Scaling::None);
    let columns: Vec<Vec<f64>> = (0..data.n_features()).map(|j| data.column(j).expect("in memory")).collect();
    let text: Vec<char> =
        (0..50).map(|i| if i % 4 == 0 { '.' } else { (b'a' + (i % 3) as u8) as char }).collect();
    let order: Vec<usize> = (0..50).map(|i| (i * 21 + 5) % 50).collect();
    let value = |j: usize, i: usize| (columns[j][i] * 1024.0).round() / 1024.0;
    let build = |at: &dyn Fn(usize) -> usize, change: &dyn Fn(f64) -> f64| {
        let rows: Vec<Vec<f64>> =
            (0..50).map(|i| (0..columns.len()).map(|j| change(value(j, at(i)))).collect()).collect();
        let text: String = (0..50).map(|i| text[at(i)]).collect();
        labeled(Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None), &text)
    };
    for discretize in [Discretize::Sign, Discretize::KMeans] {
        let method = SSelect { discretize, ..SSelect::default() };
        let plain = rank(&method, &build(&|i| i, &|v| v));
        let turned = rank(&method, &build(&|i| order[i], &|v| v));
        assert_close("sample order", turned.scores(), plain.scores(), 1e-10);
        let moved = rank(&method, &build(&|i| i, &|v| v + 1e8));
        assert_close("offset", moved.scores(), plain.scores(), 1e-6);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let ranking = pool.install(|| rank(&method, &build(&|i| i, &|v| v)));
            ranking.scores().iter().map(|s| s.to_bits()).collect::<Vec<u64>>()
        };
        assert_eq!(run(1), run(4), "threads");
    }
}

#[test]
fn sparse_columns_count_as_dense_ones() {
    let rows: Vec<Vec<f64>> = (0..30)
        .map(|i| {
            (0..5)
                .map(|j| if (i * 3 + j * 5 + i * j) % 4 == 0 { (i % 7 + j) as f64 + 0.5 } else { 0.0 })
                .collect()
        })
        .collect();
    let sparse = sparse(&rows);
    for discretize in [Discretize::Sign, Discretize::KMeans] {
        let method = SSelect { discretize, ..SSelect::default() };
        let a = rank(&method, &labeled(data(&rows), "ab.cab..bc"));
        let b = rank(&method, &labeled(sparse.clone().scaled(Scaling::None), "ab.cab..bc"));
        assert_close("sparse", b.scores(), a.scores(), 1e-10);
    }
}

#[test]
fn a_sample_at_the_mean_is_on_the_upper_side() {
    // On a ring every degree is 2 and the mean 0; the last sample lies at it.
    let rows: Vec<Vec<f64>> = [-1.0, 2.0, -2.0, 1.0, 0.0].map(|v| vec![v]).to_vec();
    let graph = GraphRecipe::Knn(Knn { k: 4.into(), weight: Weight::Binary, ..Knn::default() });
    let method = SSelect { graph, ..lambda(0.0) };
    let with_upper = rank(&method, &labeled(data(&rows), "bab.a")).scores()[0];
    assert!(with_upper.abs() < 1e-12, "sign 0 is +1: {with_upper}");
}

#[test]
fn wrong_parameters_are_named() {
    let data = labeled(demo::iris().expect("embedded"), "ab");
    let name = |weight: Lambda| match (SSelect { lambda: weight, ..SSelect::default() }).rank(&data) {
        Err(Error::Parameter { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(name(Lambda::Given(1.5)), "lambda");
    assert_eq!(name(Lambda::Given(f64::NAN)), "lambda");
    assert_eq!(name(Lambda::Auto { grid: vec![], keep: Some(3), cut: Cut::Eigenvalue }), "grid");
    assert_eq!(name(Lambda::Auto { grid: vec![0.1], keep: Some(0), cut: Cut::Eigenvalue }), "keep");
    let entry = fiedler::methods::find("sselect").expect("registered");
    assert!(entry.build([("lambda", "auto"), ("grid", "0.1, 0.5"), ("keep", "2")], None).is_ok());
    for wrong in [("lambda", "2"), ("discretize", "tree"), ("phi", "4")] {
        assert!(entry.build([wrong], None).is_err(), "{wrong:?}");
    }
    assert!(entry.build([("lambda", "auto"), ("grid", "0.1;2")], None).is_err());
    assert!(entry.build([("lambda", "0.3"), ("grid", "junk")], None).is_err(), "read though not used");
}
