//! Fusions and rankings made elsewhere as candidates of an evaluation, against graphs and splits made by hand.

use std::sync::Arc;

use fiedler::eval::{Candidate, Evaluation, MadeBy, Measure, Partition, Protocol, Selection};
use fiedler::fusion::{Coefficients, Consensus, Joining, Joint, Knowledge, NamedList, rank_by_each};
use fiedler::fusion::{FeatureSet, Source, combine};
use fiedler::graph::Rbf;
use fiedler::{Analysis, Dataset, GraphRecipe, Labels, Ranking, Silent, methods};

use super::rows;

const N: usize = 36;

/// Two classes, twelve features, the first three of which follow the classes; and other numbers that do too.
fn world() -> (Dataset, Dataset) {
    let shifted = |m: usize, some: usize, seed: u64| {
        let mut all = rows(N, m, seed);
        for (i, row) in all.iter_mut().enumerate() {
            row[..some].iter_mut().for_each(|v| *v += 0.9 * (i % 2) as f64);
        }
        Dataset::from_rows(&all).expect("finite")
    };
    let codes: Vec<usize> = (0..N).map(|i| i % 2).collect();
    let target = shifted(12, 3, 5).labeled(Labels::from_codes(&codes)).expect("a label each");
    (target, shifted(5, 4, 9))
}

fn rbf() -> GraphRecipe {
    GraphRecipe::Rbf(Rbf::default())
}

/// Every kind of knowledge that does not need the other numbers.
fn sources(aux: &Dataset) -> Vec<(String, Knowledge)> {
    let paths = (0..N).map(|i| format!("{}/{}", i % 2, i % 6)).collect();
    let classes = Labels::new((0..N).map(|i| Some(["a", "b", "c"][i % 3])));
    let alike = |i: usize, j: usize| if i == j { 1.0 } else { 1.0 / (1.0 + i.abs_diff(j) as f64) };
    let dense = (0..N * N).map(|p| alike(p / N, p % N)).collect();
    let ring = (0..N).map(|i| (i, (i + 2) % N, 1.0)).chain((0..N / 2).map(|i| (i, i + N / 2, 0.5))).collect();
    let set = FeatureSet { name: "set".into(), features: vec![0, 1, 7] };
    [
        ("own", Knowledge::Target(rbf())),
        ("aux", Knowledge::Data(aux.clone(), rbf())),
        ("labels", Knowledge::OwnLabels),
        ("groups", Knowledge::Labels(classes)),
        ("tree", Knowledge::Hierarchy(paths, None)),
        ("alike", Knowledge::Similarity(dense)),
        ("ring", Knowledge::Edges(ring)),
        ("set", Knowledge::Sets(vec![set], rbf())),
    ]
    .map(|(name, known)| (name.to_owned(), known))
    .to_vec()
}

fn protocol() -> Protocol {
    let partition = Partition::Halves { repeats: 4 };
    Protocol { partition, counts: vec![1, 3, 6], random: 2, seed: 7, ..Protocol::new(Measure::Nearest) }
}

fn splits(data: &Dataset) -> Vec<fiedler::eval::Split> {
    let codes: Vec<u32> = (0..data.n_samples() as u32).map(|i| i % 2).collect();
    protocol().partition.splits(data.n_samples(), Some(&codes), 7).expect("possible")
}

fn values(found: &Evaluation, at: usize) -> Vec<Vec<f64>> {
    found.tables[0].curves[at].points.iter().map(|p| p.summary.values.clone()).collect()
}

fn order(ranking: &Ranking) -> Vec<usize> {
    ranking.order().to_vec()
}

/// A fusion inside every training half is the fusion of data that hold these samples alone.
#[test]
fn a_fusion_is_fitted_on_the_training_part() {
    let (target, aux) = world();
    let (asked, equal) = (Analysis::default(), || Joining::Sum(Coefficients::Equal));
    let joint = Joint { target: target.clone(), sources: sources(&aux), joining: equal(), asked };
    let by_hand = |split: &fiedler::eval::Split| {
        let some = &split.training;
        let part = target.samples(some, &Silent).expect("samples");
        let other = aux.samples(some, &Silent).expect("samples");
        let place = |i: usize| some.iter().position(|&s| s == i);
        let dense: Vec<f64> = some
            .iter()
            .flat_map(|&i| {
                some.iter().map(move |&j| if i == j { 1.0 } else { 1.0 / (1.0 + i.abs_diff(j) as f64) })
            })
            .collect();
        let ring: Vec<(usize, usize, f64)> = (0..N)
            .map(|i| (i, (i + 2) % N, 1.0))
            .chain((0..N / 2).map(|i| (i, i + N / 2, 0.5)))
            .filter_map(|(a, b, w)| Some((place(a)?, place(b)?, w)))
            .collect();
        let paths: Vec<String> = some.iter().map(|i| format!("{}/{}", i % 2, i % 6)).collect();
        let classes = Labels::new(some.iter().map(|i| Some(["a", "b", "c"][i % 3])));
        let own = part.labels().expect("labeled");
        let few = part.subset(&[0, 1, 7]).expect("features");
        let graphs = [
            rbf().build(&part, &Silent).expect("rbf"),
            rbf().build(&other, &Silent).expect("rbf"),
            Arc::new(fiedler::fusion::label_graph(own).expect("labels")),
            Arc::new(fiedler::fusion::label_graph(&classes).expect("labels")),
            Arc::new(fiedler::fusion::hierarchy_graph(&paths, None).expect("paths")),
            Arc::new(fiedler::Graph::from_dense(&dense, some.len()).expect("symmetric")),
            Arc::new(fiedler::Graph::from_edges(&ring, some.len()).expect("edges")),
            rbf().build(&few, &Silent).expect("rbf"),
        ];
        let named = graphs.map(|graph| Source { name: String::new(), graph });
        let fusion = combine(&named, &Coefficients::Equal, None, &Silent).expect("graphs");
        let given = GraphRecipe::Given(fusion.graph);
        order(&methods::find("laplacian").and_then(|m| m.usual_on(given)?.rank(&part)).expect("ranked"))
    };
    let twin = Candidate::orders("twin", splits(&target).iter().map(by_hand).collect());
    let both = [Candidate::ranker("fused", Arc::new(joint)), twin];
    let found = protocol().evaluate(&target, &both, &Silent).expect("judged");
    assert_eq!(values(&found, 0), values(&found, 1));
    assert_eq!(found.tables[0].curves[0].selected, found.tables[0].curves[1].selected);
    assert_ne!(
        found.tables[0].curves[0].selected[0], found.tables[0].curves[0].selected[1],
        "each has its own"
    );
    let made: Vec<MadeBy> = found.tables[0].curves.iter().map(|c| c.made_by).collect();
    assert_eq!(made, [MadeBy::Fusion, MadeBy::Ranking, MadeBy::Nobody, MadeBy::Nobody]);
}

/// The same for a ranking on each source.
#[test]
fn rankings_by_each_source_are_made_anew_too() {
    let (target, aux) = world();
    let asked = Analysis { methods: vec!["laplacian".into(), "variance".into()], ..Analysis::default() };
    let fixed = Ranking::new("list", fiedler::Goal::Minimize, (0..12).map(f64::from).collect());
    let fixed = NamedList::new("elsewhere", &fixed);
    let known = sources(&aux)[..2].to_vec();
    let joining = Joining::Each(Consensus::default(), vec![fixed.clone()]);
    let joint = Joint { target: target.clone(), sources: known, joining, asked: asked.clone() };
    let by_hand = |split: &fiedler::eval::Split| {
        let part = target.samples(&split.training, &Silent).expect("samples");
        let other = aux.samples(&split.training, &Silent).expect("samples");
        let graphs = [("own", &part), ("aux", &other)].map(|(name, data)| Source {
            name: name.into(),
            graph: rbf().build(data, &Silent).expect("rbf"),
        });
        let ranked = rank_by_each(&graphs, &asked, &part, &Silent).expect("ranked");
        let lists: Vec<NamedList> = ranked.into_iter().map(|r| r.list).chain([fixed.clone()]).collect();
        // Borda by hand: the mean rank.
        let mean = |j: usize| lists.iter().map(|l| l.ranks[j]).sum::<f64>() / lists.len() as f64;
        order(&Ranking::new("borda", fiedler::Goal::Minimize, (0..12).map(mean).collect()))
    };
    let twin = Candidate::orders("twin", splits(&target).iter().map(by_hand).collect());
    let both = [Candidate::ranker("each", Arc::new(joint)), twin];
    let found = protocol().evaluate(&target, &both, &Silent).expect("judged");
    assert_eq!(found.tables[0].curves[0].selected, found.tables[0].curves[1].selected);
}

/// Learned weights never see the labels that selection must not know.
#[test]
fn hidden_labels_stay_hidden() {
    let (target, aux) = world();
    let joint = |data: &Dataset| Joint {
        target: data.clone(),
        sources: sources(&aux)[..2].to_vec(),
        joining: Joining::Sum(Coefficients::Aligned),
        asked: Analysis::default(),
    };
    // Wrong labels where none are known must not matter: the ranker takes those of what it may see.
    let wrong = target.clone().labeled(Labels::from_codes(&vec![0; N])).expect("a label each");
    let few = Protocol { labeled: vec![4], ..protocol() };
    let both = [
        Candidate::ranker("right", Arc::new(joint(&target))),
        Candidate::ranker("wrong", Arc::new(joint(&wrong))),
    ];
    let found = few.evaluate(&target, &both, &Silent).expect("judged");
    assert_eq!(found.tables[0].curves[0].selected, found.tables[0].curves[1].selected);
}

/// Selected on one set, judged on another: the order of columns and features that only one has do not matter.
#[test]
fn other_data_judge_by_name() {
    let (target, aux) = world();
    let names: Vec<String> = (0..12).map(|j| format!("g{j}")).collect();
    let rows_of = |data: &Dataset| -> Vec<Vec<f64>> {
        let columns: Vec<Vec<f64>> = (0..data.n_features()).map(|j| data.column(j).expect("there")).collect();
        (0..data.n_samples()).map(|i| columns.iter().map(|c| c[i]).collect()).collect()
    };
    let named = |values: &[Vec<f64>], names: &[String]| {
        let flat = fiedler::dataset::Dense::new(
            values.concat(),
            values.len(),
            names.len(),
            fiedler::dataset::Order::RowMajor,
        );
        let codes: Vec<usize> = (0..values.len()).map(|i| i % 2).collect();
        let data = Dataset::named(flat.expect("whole"), Some(names.to_vec()), &Silent).expect("finite");
        data.labeled(Labels::from_codes(&codes)).expect("a label each")
    };
    let all = rows_of(&target);
    let (here, there) = all.split_at(16);
    let select = named(here, &names);
    let judge = named(there, &names);
    // The same in another order, with a feature more.
    let turned: Vec<Vec<f64>> =
        there.iter().map(|r| r.iter().rev().copied().chain([3.0]).collect()).collect();
    let more: Vec<String> = names.iter().rev().cloned().chain(["extra".to_owned()]).collect();
    let turned = named(&turned, &more);
    let fisher =
        || Candidate::shared(Arc::from(methods::find("fisher").and_then(|m| m.usual()).expect("a method")));
    let found = protocol().evaluate_on(&turned, &select, &[fisher()], &Silent).expect("judged");
    assert_eq!((found.protocol.selection, found.n_samples, found.n_features), (Selection::Elsewhere, 20, 12));
    assert!(
        found.warnings.iter().any(|w| w.contains("1 feature that") && w.contains("`extra`")),
        "{:?}",
        found.warnings
    );
    assert_eq!(found.tables[0].curves[0].made_by, MadeBy::Method);
    assert!(found.tables[0].curves[0].sees_labels && found.tables[0].curves[0].is_one_ranking);
    // Samples without names are known by their values, in whatever order the features stand.
    let shared = |found: &Evaluation| {
        found.warnings.iter().any(|w| w.contains("20 of the 20 samples that judge have the same"))
    };
    assert!(!shared(&found), "{:?}", found.warnings);
    let same = protocol().evaluate_on(&turned, &judge, &[fisher()], &Silent).expect("judged");
    assert!(shared(&same), "{:?}", same.warnings);
    let ranking = methods::find("fisher").and_then(|m| m.usual()?.rank(&select)).expect("ranked");
    let by_hand =
        protocol().evaluate(&judge, &[Candidate::order("twin", order(&ranking))], &Silent).expect("judged");
    assert_eq!(values(&found, 0), values(&by_hand, 0));
    let refused =
        protocol().evaluate_on(&aux, &select, &[fisher()], &Silent).expect_err("other names").to_string();
    assert!(refused.contains("12 of the 12 features that selection sees are not there"), "{refused}");
    let few = Protocol { labeled: vec![2], ..protocol() };
    let refused = few.evaluate_on(&judge, &select, &[fisher()], &Silent).expect_err("labels").to_string();
    assert!(refused.contains("`labeled` must be left out where other data judge"), "{refused}");
}

/// The table of hits beside another metric is what the metric of hits finds.
#[test]
fn hits_stand_beside_any_metric() {
    let (target, _) = world();
    let known = vec![0, 2, 5];
    let fisher =
        || [Candidate::shared(Arc::from(methods::find("fisher").and_then(|m| m.usual()).expect("a method")))];
    let beside = Protocol { known: known.clone(), ..protocol() };
    let alone = Protocol { metric: Measure::Hits { known }, ..protocol() };
    let beside = beside.evaluate(&target, &fisher(), &Silent).expect("judged");
    let alone = alone.evaluate(&target, &fisher(), &Silent).expect("judged");
    assert_eq!((beside.tables.len(), beside.tables[1].measure), (2, "hit ratio"));
    assert_eq!(beside.tables[1].curves, alone.tables[0].curves);
}
