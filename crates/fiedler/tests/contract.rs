//! The contract: what every registered method must do, whatever it computes.

mod common;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::assert_close;
use fiedler::dataset::demo::Planted;
use fiedler::dataset::{Dense, Order};
use fiedler::graph::Knn;
use fiedler::{
    Analysis, Dataset, Error, GraphOptions, GraphRecipe, GraphUse, Judges, Labels, OrderedBy, Ranking,
    Registered, Role, Scaling, Selector, Silent, Supervision, methods,
};

/// Data with a known answer, as plain rows that a test can bend.
#[derive(Clone)]
struct Plain {
    rows: Vec<Vec<f64>>,
    labels: Vec<usize>,
    scaling: Scaling,
}

impl Plain {
    /// Four clusters on columns 0..4, noisy copies in 4..6, noise after that.
    fn planted() -> Self {
        let planted =
            Planted { n_samples: 60, informative: 4, redundant: 2, noise: 14, ..Planted::default() };
        let data = planted.generate().expect("planted").data.scaled(Scaling::None);
        let columns: Vec<Vec<f64>> =
            (0..data.n_features()).map(|j| data.column(j).expect("in memory")).collect();
        let rows = (0..60).map(|i| columns.iter().map(|c| c[i]).collect()).collect();
        Plain { rows, labels: (0..60).map(|i| i % 4).collect(), scaling: Scaling::Standard }
    }

    fn data(&self) -> Dataset {
        self.labeled(Dataset::from_rows(&self.rows).expect("finite"))
    }

    fn labeled(&self, data: Dataset) -> Dataset {
        data.scaled(self.scaling).labeled(Labels::from_codes(&self.labels)).expect("a label per sample")
    }

    fn map_columns(&self, f: impl Fn(usize, f64) -> f64) -> Self {
        let mut plain = self.clone();
        for row in &mut plain.rows {
            row.iter_mut().enumerate().for_each(|(j, v)| *v = f(j, *v));
        }
        plain
    }

    fn with_column(&self, f: impl Fn(&[f64]) -> f64) -> Self {
        let mut plain = self.clone();
        plain.rows.iter_mut().for_each(|row| row.push(f(row)));
        plain
    }
}

fn build(entry: &Registered) -> Box<dyn Selector> {
    let set: Vec<(&str, &str)> =
        entry.info.parameters.iter().filter(|p| p.role == Role::Count).map(|p| (p.name, "5")).collect();
    entry.build(set, None).expect("defaults are right")
}

/// As [`build`], set to see structure: most eigenvalues of standardized data belong to noise, and
/// evsc, asked about all of them, answers with noise (its page says so).
fn build_for_structure(entry: &Registered) -> Box<dyn Selector> {
    match entry.info.name {
        "evsc" => entry.build([("rank", "5")], None).expect("a known parameter"),
        _ => build(entry),
    }
}

fn rank(entry: &Registered, data: &Dataset) -> Ranking {
    build(entry).rank(data).unwrap_or_else(|e| panic!("{}: {e}", entry.info.name))
}

fn for_each(check: impl Fn(&Registered, &str)) {
    for entry in methods::all() {
        check(entry, entry.info.name);
    }
}

#[test]
fn names_are_unique_and_descriptions_complete() {
    let mut names: Vec<&str> = methods::all().iter().map(|e| e.info.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), methods::all().len());
    for_each(|entry, name| {
        let info = entry.info;
        for text in [info.title, info.measures, info.formula, info.cost, info.fails, info.reference] {
            assert!(!text.trim().is_empty(), "{name}: an empty description");
        }
        assert!(info.parameters.iter().all(|p| !p.help.is_empty()), "{name}: a parameter without help");
        assert!(entry.build([("no-such", "1")], None).is_err(), "{name}: an unknown parameter passes");
    });
}

#[test]
fn planted_features_beat_noise() {
    let data = Plain::planted().data();
    for_each(|entry, name| {
        if name != "variance" {
            let ranking = build_for_structure(entry).rank(&data).expect(name);
            // path-spca follows one direction, and the planted features have several.
            let sure = if name == "path-spca" { 3 } else { 4 };
            assert!(
                ranking.top(sure).iter().all(|&j| j < 6),
                "{name}: noise in the top: {:?}",
                ranking.top(6)
            );
        }
    });
}

/// A score is what the method measured, never the place of the feature in disguise.
#[test]
fn scores_are_not_places() {
    let data = Plain::planted().data();
    for_each(|entry, name| {
        let ranking = rank(entry, &data);
        let scores: Vec<f64> = ranking.order().iter().filter_map(|&j| ranking.score(j)).collect();
        let step = scores[1] - scores[0];
        let even = scores.windows(2).all(|w| (w[1] - w[0] - step).abs() <= 1e-9 * step.abs());
        assert!(!even, "{name}: {scores:?}");
    });
}

#[test]
fn sample_order_does_not_matter() {
    let plain = Plain::planted();
    let mut turned = plain.clone();
    turned.rows.reverse();
    turned.labels.reverse();
    turned.rows.rotate_left(17);
    turned.labels.rotate_left(17);
    for_each(|entry, name| {
        let (a, b) = (rank(entry, &plain.data()), rank(entry, &turned.data()));
        assert_close(name, b.scores(), a.scores(), 1e-6);
        assert_eq!(a.order(), b.order(), "{name}");
    });
}

#[test]
fn feature_order_permutes_the_output() {
    let plain = Plain::planted();
    let mut turned = plain.clone();
    turned.rows.iter_mut().for_each(|row| row.reverse());
    for_each(|entry, name| {
        let (a, b) = (rank(entry, &plain.data()), rank(entry, &turned.data()));
        let back: Vec<f64> = b.scores().iter().rev().copied().collect();
        assert_close(name, &back, a.scores(), 1e-6);
    });
}

#[test]
fn duplicate_columns_tie() {
    let plain = Plain::planted().with_column(|row| row[1]).with_column(|row| row[9]);
    for_each(|entry, name| {
        let ranking = rank(entry, &plain.data());
        for (original, copy) in [(1, 20), (9, 21)] {
            let (first, second) = (ranking.scores()[original], ranking.scores()[copy]);
            let place = |j: usize| ranking.order().iter().position(|&other| other == j);
            match entry.info.judges {
                Judges::OneByOne => assert_close(name, &[second], &[first], 1e-12),
                // What is measured as a set grows may rise: what counts is who came first.
                _ if ranking.ordered_by() != OrderedBy::Score => {
                    assert!(place(original) < place(copy), "{name}: {:?}", ranking.order());
                }
                // A copy of a chosen feature is worth less, or as much; the first column wins a tie.
                Judges::Together => {
                    assert!(second - first <= 1e-12 * first.abs(), "{name}: {second} {first}");
                }
            }
        }
    });
}

#[test]
fn a_set_takes_copies_alike_where_redundancy_does_not_count() {
    let plain = Plain::planted().with_column(|row| row[1]);
    for name in ["trace-ratio", "arom-svm"] {
        let ranking = rank(&methods::find(name).expect("registered"), &plain.data());
        assert_close(name, &[ranking.scores()[20]], &[ranking.scores()[1]], 1e-12);
    }
}

/// Any block of features, scored by itself, has the scores it has among all others, to the bit: what memory, disk
/// and a cluster stand on.
#[test]
fn what_is_judged_one_by_one_can_be_scored_in_any_blocks() {
    let data = Plain::planted().data();
    for_each(|entry, name| {
        let method = build(entry);
        let view = method.view(&data, &Silent).expect("a view");
        match (method.judges(), method.scorer(&view, &Silent)) {
            (Judges::Together, Err(Error::JudgesTogether { .. })) => {}
            (Judges::OneByOne, Ok(scorer)) => {
                let whole = method.rank(&data).expect(name);
                for block in [vec![3, 7, 11], vec![0], (5..20).collect()] {
                    let scores = scorer.scores(&view.subset(&block).expect("columns"), &Silent).expect(name);
                    let expected: Vec<f64> = block.iter().map(|&j| whole.scores()[j]).collect();
                    assert_eq!(scores, expected, "{name} {block:?}");
                }
                let fewer = view.samples(&[0, 1, 2, 3, 4, 5], &Silent).expect("samples");
                assert!(scorer.graph.is_none() || scorer.scores(&fewer, &Silent).is_err(), "{name}");
            }
            (judges, scorer) => panic!("{name} says {judges:?}, and its scorer is there: {}", scorer.is_ok()),
        }
    });
}

/// What the library does by itself is what an analysis does, and so the command.
#[test]
fn a_method_asked_alone_answers_as_an_analysis_does() {
    for data in [Plain::planted().data(), Plain::planted().data().with_labels_unnamed()] {
        for_each(|entry, name| {
            let alone = entry.usual().and_then(|method| method.rank(&data)).expect(name);
            let analysis = Analysis { methods: vec![name.to_owned()], ..Analysis::default() };
            let found = analysis.run(&data, "planted", &Silent).expect(name);
            let ranking = &found.rankings[0];
            let order: Vec<usize> = ranking.places.iter().map(|p| p.index).collect();
            assert_eq!(order, alone.order(), "{name}");
            let scores: Vec<Option<f64>> = order.iter().map(|&j| alone.score(j)).collect();
            assert_eq!(ranking.places.iter().map(|p| p.score).collect::<Vec<_>>(), scores, "{name}");
            assert_eq!((ranking.scaling, &ranking.labels), (alone.scaling, &alone.labels), "{name}");
            assert_eq!(ranking.parameters, alone.parameters, "{name}");
        });
    }
}

/// A method that can go either way uses labels exactly where the user named them.
#[test]
fn labels_that_nobody_named_change_no_unsupervised_answer() {
    let named = Plain::planted().data();
    let carried = named.clone().with_labels_unnamed();
    let without = named.clone().unlabeled();
    for_each(|entry, name| {
        let labels = |data: &Dataset| build(entry).rank(data).map(|r| (r.labels.clone(), r.order().to_vec()));
        match entry.info.supervision {
            Supervision::Supervised => assert!(labels(&carried).expect(name).0.is_some(), "{name}"),
            Supervision::Unsupervised => {
                assert_eq!(labels(&named).expect(name), labels(&without).expect(name))
            }
            Supervision::Optional if entry.info.graph != GraphUse::Labels => {
                assert_eq!(labels(&carried).expect(name), labels(&without).expect(name), "{name}");
                assert!(labels(&named).expect(name).0.is_some(), "{name}");
            }
            _ => {}
        }
    });
}

/// A graph of labels is a way of naming them, however many methods share it.
#[test]
fn a_graph_of_labels_lets_a_method_see_them_alone_and_in_company() {
    let data = Plain::planted().data().with_labels_unnamed();
    let ranked = |methods: &[&str]| {
        let graph = GraphOptions { kind: Some("labels".to_owned()), ..GraphOptions::default() };
        let methods = methods.iter().map(|m| (*m).to_owned()).collect();
        let found = Analysis { methods, graph, ..Analysis::default() }.run(&data, "planted", &Silent);
        let found = found.expect("the labels are there");
        (found.rankings[0].labels.clone(), found.rankings[0].places.clone())
    };
    for name in ["mrsf", "trace-ratio"] {
        assert_eq!(ranked(&[name]), ranked(&[name, "laplacian"]), "{name}");
        assert!(ranked(&[name]).0.is_some(), "{name}");
    }
}

#[test]
fn constant_columns_have_no_score_and_rank_last() {
    let plain = Plain::planted().map_columns(|j, v| if j == 0 || j == 7 { 3.25 } else { v });
    for_each(|entry, name| {
        let ranking = rank(entry, &plain.data());
        assert_eq!((ranking.score(0), ranking.score(7)), (None, None), "{name}");
        assert_eq!(ranking.order()[18..], [0, 7], "{name}");
        assert_eq!(ranking.n_scored(), 18, "{name}: a feature that varies has no score");
    });
}

#[test]
fn all_columns_constant_is_an_answer_or_an_error_never_a_panic() {
    let plain = Plain::planted().map_columns(|_, _| 1.0);
    for entry in methods::all() {
        if let Ok(ranking) = build(entry).rank(&plain.data()) {
            assert_eq!(ranking.n_scored(), 0, "{}", entry.info.name);
        }
    }
}

#[test]
fn an_offset_changes_nothing() {
    let mut plain = Plain::planted();
    // Values on a grid of 2^-10 stay exact under the offset, so only the arithmetic is tested.
    plain = plain.map_columns(|_, v| (v * 1024.0).round() / 1024.0);
    let moved = plain.map_columns(|_, v| v + 1e8);
    for_each(|entry, name| {
        let (a, b) = (rank(entry, &plain.data()), rank(entry, &moved.data()));
        assert_close(name, b.scores(), a.scores(), 1e-5);
        assert_eq!(a.order(), b.order(), "{name}");
    });
}

#[test]
fn dense_and_sparse_agree() {
    // Mostly zeros, all of them kept by both forms; no scaling, for sparse data are not centered.
    let mut plain = Plain::planted().map_columns(|_, v| if v > 1.0 { v } else { 0.0 });
    plain.scaling = Scaling::None;
    let sparse = plain.labeled(common::sparse(&plain.rows));
    for_each(|entry, name| {
        let (a, b) = (rank(entry, &plain.data()), rank(entry, &sparse));
        assert_close(name, b.scores(), a.scores(), 1e-8);
    });
}

#[test]
fn single_and_double_precision_and_both_orders_agree() {
    let plain = Plain::planted().map_columns(|_, v| f64::from(v as f32));
    let (n, m) = (plain.rows.len(), plain.rows[0].len());
    let by_column: Vec<f32> = (0..n * m).map(|p| plain.rows[p % n][p / n] as f32).collect();
    let single =
        Dataset::new(Dense::new(by_column, n, m, Order::ColumnMajor).expect("shape")).expect("finite");
    let single = plain.labeled(single);
    for_each(|entry, name| {
        let (a, b) = (rank(entry, &plain.data()), rank(entry, &single));
        assert_eq!(a.scores().len(), b.scores().len());
        assert_close(name, b.scores(), a.scores(), 1e-12);
    });
}

#[test]
fn threads_do_not_change_a_bit() {
    // More features than a block (64) and more samples than a tile of neighbors (240).
    let planted = Planted { n_samples: 260, noise: 130, ..Planted::default() };
    let dense = planted.generate().expect("planted").data;
    let run = |threads: usize, entry: &Registered, data: &Dataset| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let ranking = pool.install(|| rank(entry, data));
        ranking.scores().iter().map(|s| s.to_bits()).collect::<Vec<u64>>()
    };
    for_each(|entry, name| assert_eq!(run(1, entry, &dense), run(5, entry, &dense), "{name}"));
}

#[test]
fn labels_are_demanded_where_needed_and_unseen_where_not() {
    let plain = Plain::planted();
    let mut scrambled = plain.clone();
    scrambled.labels.rotate_left(1);
    scrambled.labels[..30].fill(0);
    for_each(|entry, name| match entry.info.supervision {
        Supervision::Supervised => {
            let result = build(entry).rank(&plain.data().unlabeled());
            assert!(matches!(result, Err(Error::LabelsMissing { .. })), "{name}: {result:?}");
            let one = Labels::from_codes(&[0; 60]);
            let result = build(entry).rank(&plain.data().labeled(one).expect("a label per sample"));
            assert!(matches!(result, Err(Error::OneClass { .. })), "{name}: {result:?}");
            let partial = Labels::new((0..60).map(|i| (i != 7).then(|| (i % 3).to_string())));
            let result = build(entry).rank(&plain.data().labeled(partial).expect("a label per sample"));
            assert!(matches!(result, Err(Error::LabelsPartial { first: 7, .. })), "{name}: {result:?}");
        }
        Supervision::Unsupervised => {
            let (a, b) = (rank(entry, &plain.data()), rank(entry, &scrambled.data()));
            assert_eq!(a.scores(), b.scores(), "{name} saw the labels");
            assert_eq!(a.scores(), rank(entry, &plain.data().unlabeled()).scores(), "{name} needs labels");
        }
        _ => {}
    });
}

#[test]
fn a_class_with_one_member_is_no_panic() {
    let mut plain = Plain::planted();
    plain.labels[13] = 9;
    for_each(|entry, name| {
        let ranking = build_for_structure(entry).rank(&plain.data()).expect(name);
        assert!(ranking.top(3).iter().all(|&j| j < 6) || name == "variance", "{name}: {:?}", ranking.top(6));
    });
}

#[test]
fn too_many_neighbors_are_a_named_error() {
    // A method that can go either way takes the graph where nobody named labels.
    let data = Plain::planted().data().with_labels_unnamed();
    for_each(|entry, name| {
        if entry.info.graph == GraphUse::Knn {
            let graph = GraphRecipe::Knn(Knn { k: 60.into(), ..Knn::default() });
            let method = entry.usual_on(graph).expect("the data are not known yet");
            let message = method.rank(&data).expect_err(name).to_string();
            assert!(
                message.contains("`k`") && message.contains("59") && message.contains("60"),
                "{name}: {message}"
            );
        }
    });
}

#[test]
fn few_samples_are_an_answer_or_a_sentence_never_a_panic() {
    let plain = Plain::planted();
    for n in 1..=3 {
        let small =
            Plain { rows: plain.rows[..n].to_vec(), labels: (0..n).collect(), scaling: plain.scaling };
        for_each(|entry, name| match build(entry).rank(&small.data()) {
            Ok(ranking) => {
                assert!(ranking.scores().iter().all(|s| !s.is_infinite()), "{name} with {n} samples");
                assert_eq!(n == 1, ranking.n_scored() == 0, "{name} with {n} samples: one is constant");
            }
            Err(error) => {
                let told = matches!(
                    error,
                    Error::TooFewSamples { .. } | Error::Parameter { .. } | Error::OneClass { .. }
                );
                assert!(told, "{name} with {n} samples: {error}");
            }
        });
    }
}

#[test]
fn a_monitor_can_stop_every_method_wherever_it_is() {
    let data = Plain::planted().data();
    for_each(|entry, name| {
        // Stop at the first call, the second, the fourth, …, until the method is done before.
        for wait in (0..).map(|p| 1usize << p) {
            let calls = AtomicUsize::new(0);
            let monitor = |_: &'static str, _: usize, _: usize| {
                let call = calls.fetch_add(1, Ordering::Relaxed) + 1;
                if call < wait { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let result = build(entry).rank_with(&data, &monitor);
            if calls.into_inner() < wait {
                assert!(result.is_ok(), "{name}: {result:?}");
                assert!(wait > 1 || name == "variance", "{name} never tells how far it is");
                break;
            }
            assert!(matches!(result, Err(Error::Canceled)), "{name}, call {wait}: {result:?}");
        }
    });
}
