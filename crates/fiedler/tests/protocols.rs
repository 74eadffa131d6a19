//! Protocols of the papers beside halves and folds: draws of classes (LS 4.2), a handful of labels (SSL Algorithm 2).

use std::sync::{Arc, Mutex};

use fiedler::dataset::demo;
use fiedler::eval::{Candidate, Made, Measure, Partition, Point, Protocol, Ranker, Selection, Untold};
use fiedler::methods::{Fisher, Laplacian};
use fiedler::{
    Dataset, Labels, MethodInfo, Monitor, Ranking, Result, Scaling, Selector, Silent, Supervision,
};

/// Four classes far apart in two features, 10 samples each, and a feature of noise.
fn corners() -> Dataset {
    let noise = |i: usize| ((i * 7919 % 101) as f64) / 101.0;
    let row = |i: usize| {
        vec![50.0 * (i % 2) as f64 + noise(i), 50.0 * (i / 2 % 2) as f64 + noise(i + 40), noise(i + 80)]
    };
    let rows: Vec<Vec<f64>> = (0..40).map(row).collect();
    let codes: Vec<usize> = (0..40).map(|i| i % 4).collect();
    let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
    data.labeled(Labels::from_codes(&codes)).expect("a label per sample")
}

#[test]
fn drawn_classes_come_whole_and_judge_what_they_select() {
    let classes: Vec<u32> = (0..40).map(|i| i % 4).collect();
    let partition = Partition::Classes { classes: 2, repeats: 12 };
    let splits = partition.splits(40, Some(&classes), 5).expect("possible");
    assert_eq!(splits.len(), 12);
    let mut drawn: Vec<Vec<u32>> = Vec::new();
    for split in &splits {
        assert_eq!(split.training, split.test);
        let mut kept: Vec<u32> = split.training.iter().map(|&i| classes[i]).collect();
        assert_eq!(kept.len(), 20, "all ten samples of both");
        kept.sort_unstable();
        kept.dedup();
        assert_eq!(kept.len(), 2);
        drawn.push(kept);
    }
    drawn.sort_unstable();
    drawn.dedup();
    assert!(drawn.len() > 3, "draws differ: {drawn:?}");
    assert_eq!(splits, partition.splits(40, Some(&classes), 5).expect("possible"), "the same seed");
}

/// What a draw finds is what the data of these samples alone would: the same metric on the cut data.
#[test]
fn a_draw_is_the_data_of_its_classes() {
    let data = demo::digits().expect("embedded").scaled(Scaling::None);
    let codes: Vec<u32> =
        data.labels().expect("classes").codes().iter().map(|c| c.expect("complete")).collect();
    let partition = Partition::Classes { classes: 3, repeats: 2 };
    let splits = partition.splits(codes.len(), Some(&codes), 9).expect("possible");
    for metric in [Measure::Redundancy, Measure::Jaccard { neighbors: 5 }] {
        let usual = Protocol { counts: vec![5, 20], random: 1, seed: 9, ..Protocol::new(metric) };
        let drawn = Protocol { partition: partition.clone(), ..usual.clone() };
        let found =
            drawn.evaluate(&data, &[Candidate::method(Laplacian::default())], &Silent).expect("judged");
        for (run, split) in splits.iter().enumerate() {
            let cut = data.samples(&split.training, &Silent).expect("samples");
            let alone = Protocol {
                partition: Partition::Halves { repeats: 1 },
                selection: Selection::All,
                ..usual.clone()
            };
            let alone =
                alone.evaluate(&cut, &[Candidate::method(Laplacian::default())], &Silent).expect("judged");
            for point in 0..2 {
                let value = |found: &fiedler::eval::Evaluation, run: usize| {
                    found.tables[0].curves[0].points[point].summary.values[run]
                };
                assert_eq!(value(&found, run), value(&alone, 0), "run {run}, point {point}");
            }
        }
    }
}

/// Two classes are clustered into two, of the four that there are.
#[test]
fn there_are_as_many_clusters_as_classes_drawn() {
    let partition = Partition::Classes { classes: 2, repeats: 6 };
    let metric = Measure::KMeans { clusters: None, starts: 5 };
    let protocol = Protocol { partition, counts: vec![2], random: 1, ..Protocol::new(metric) };
    let found =
        protocol.evaluate(&corners(), &[Candidate::order("corners", vec![0, 1])], &Silent).expect("judged");
    for table in &found.tables {
        assert_eq!(table.curves[0].points[0].summary.values, [1.0; 6], "{}", table.measure);
    }
}

#[test]
fn draws_that_cannot_be_are_refused() {
    let told = |protocol: Protocol, data: &Dataset| {
        protocol.evaluate(data, &[Candidate::method(Fisher)], &Silent).expect_err("refused").to_string()
    };
    let of = |classes: usize, metric: Measure| Protocol {
        partition: Partition::Classes { classes, repeats: 2 },
        counts: vec![1],
        ..Protocol::new(metric)
    };
    let clusters = || Measure::KMeans { clusters: None, starts: 2 };
    assert!(told(of(5, clusters()), &corners()).contains("`classes` must be from 2 to 4, got 5"));
    assert!(told(of(1, clusters()), &corners()).contains("`classes` must be at least 2, got 1"));
    assert!(told(of(2, Measure::Nearest), &corners()).contains("where classes are drawn"));
    let all = Protocol { selection: Selection::All, ..of(2, clusters()) };
    assert!(told(all, &corners()).contains("`select-on` must be training"));
    let pairs = Protocol { counts: vec![2], ..of(2, Measure::Redundancy) };
    assert!(told(pairs.clone(), &corners().unlabeled()).contains("needs class labels"));
    assert!(told(Protocol { counts: vec![1], ..pairs }, &corners()).contains("a single feature has no pair"));
}

/// Twenty draws of all classes are one look at the same samples.
#[test]
fn draws_that_are_all_alike_are_told() {
    let found = |classes: usize, repeats: usize| {
        let protocol = Protocol {
            partition: Partition::Classes { classes, repeats },
            counts: vec![2],
            ..Protocol::new(Measure::Redundancy)
        };
        let candidates = [Candidate::method(Laplacian::default())];
        protocol.evaluate(&corners(), &candidates, &Silent).expect("judged").warnings.concat()
    };
    assert!(found(4, 3).contains("every draw has all classes, and so the same samples"));
    assert!(!found(3, 3).contains("every draw") && !found(4, 1).contains("every draw"));
}

/// Hits that are counted by what a ranking learned from; others are none of them.
#[test]
fn hits_that_were_learned_are_told() {
    let judged = |learned: &[usize]| {
        let candidate = Candidate::order("mine", vec![2, 0, 1]).learned_from(learned);
        let protocol = Protocol { counts: vec![1], ..Protocol::new(Measure::Hits { known: vec![0, 2] }) };
        protocol.evaluate(&corners(), &[candidate], &Silent).expect("judged").warnings.concat()
    };
    assert!(
        judged(&[1, 2]).contains("mine learned its weights from 1 of the 2 known features that judge it")
    );
    assert!(!judged(&[1]).contains("learned") && !judged(&[]).contains("learned"));
}

/// How many samples there were, and how many of them had labels.
type Sighting = (usize, Option<usize>);

/// A method that writes down what it sees.
struct Spy {
    info: &'static MethodInfo,
    seen: Arc<Mutex<Vec<Sighting>>>,
}

impl Selector for Spy {
    fn info(&self) -> &'static MethodInfo {
        self.info
    }

    fn rank_view(&self, data: &Dataset, _: &dyn Monitor) -> Result<Ranking> {
        let known = data.labels().map(|l| l.codes().iter().filter(|c| c.is_some()).count());
        self.seen.lock().expect("no panic").push((data.n_samples(), known));
        Fisher.rank(&corners())
    }
}

/// What methods of every kind see of 20 training samples with two labels a class.
#[test]
fn a_method_sees_the_labels_that_are_known() {
    static OF_ALL: MethodInfo =
        MethodInfo { supervision: Supervision::Supervised, ..<Fisher as fiedler::Method>::INFO };
    static OF_SOME: MethodInfo =
        MethodInfo { supervision: Supervision::SemiSupervised, ..<Fisher as fiedler::Method>::INFO };
    static OF_NONE: MethodInfo =
        MethodInfo { supervision: Supervision::Unsupervised, ..<Fisher as fiedler::Method>::INFO };
    let expected = [(&OF_ALL, (8, Some(8))), (&OF_SOME, (20, Some(8))), (&OF_NONE, (20, None))];
    for (info, each) in expected {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let spy = Spy { info, seen: Arc::clone(&seen) };
        let protocol = Protocol {
            counts: vec![1],
            labeled: vec![2],
            partition: Partition::Halves { repeats: 3 },
            ..Protocol::new(Measure::Nearest)
        };
        let found = protocol.evaluate(&corners(), &[Candidate::method(spy)], &Silent).expect("judged");
        assert_eq!(*seen.lock().expect("no panic"), [each; 3], "{:?}", info.supervision);
        assert_eq!(found.tables[0].curves[0].points[0].summary.values.len(), 3);
    }
}

/// Several numbers of labels in one question: the tables of each are those that it has alone, to the bit.
#[test]
fn every_number_of_labels_has_its_own_tables() {
    let data = demo::iris().expect("embedded");
    let protocol = |labeled: &[usize]| Protocol {
        counts: vec![1, 2],
        labeled: labeled.to_vec(),
        known: vec![2],
        worst: true,
        partition: Partition::Halves { repeats: 3 },
        ..Protocol::new(Measure::Nearest)
    };
    let candidates = || {
        let order = Candidate::order("mine", vec![3, 2, 1, 0]);
        [Candidate::method(Fisher), Candidate::method(Laplacian::default()), order]
    };
    let judged =
        |labeled: &[usize]| protocol(labeled).evaluate(&data, &candidates(), &Silent).expect("judged").tables;
    let alone: Vec<_> = [2, 5, 9].iter().flat_map(|&each| judged(&[each])).collect();
    assert_eq!(judged(&[2, 5, 9]), alone);
    assert_eq!(alone.iter().map(|t| t.labeled).collect::<Vec<_>>(), [2, 2, 5, 5, 9, 9].map(Some));
    assert_ne!(alone[0].curves[0].points, alone[4].curves[0].points, "other labels, other features");
    assert_eq!(judged(&[9, 2, 5, 2]), alone, "in any order, each once");
}

#[test]
fn labels_are_drawn_anew_and_the_same_again() {
    let data = demo::digits().expect("embedded");
    let protocol = |seed: u64, selection: Selection| Protocol {
        counts: vec![1, 5],
        labeled: vec![2],
        selection,
        seed,
        partition: Partition::Folds { folds: 3, repeats: 1 },
        ..Protocol::new(Measure::Nearest)
    };
    let judged = |protocol: &Protocol| {
        let found = protocol.evaluate(&data, &[Candidate::method(Fisher)], &Silent).expect("judged");
        found.tables[0].curves[0].points[1].summary.values.clone()
    };
    let values = judged(&protocol(3, Selection::All));
    assert!(values[0] != values[1] || values[1] != values[2], "every fold has a draw of its own: {values:?}");
    assert_eq!(values, judged(&protocol(3, Selection::All)));
    let known = Protocol { labeled: Vec::new(), ..protocol(3, Selection::All) };
    assert_ne!(values, judged(&known), "other features are chosen");
    let refused = Protocol { labeled: vec![500], ..protocol(3, Selection::Training) };
    let refused =
        refused.evaluate(&data, &[Candidate::method(Fisher)], &Silent).expect_err("refused").to_string();
    assert!(refused.contains("`labeled` must be from 1 to "), "{refused}");
}

/// Tells features apart on some parts of the samples, and not on others.
struct Fickle {
    tells: fn(&[usize]) -> bool,
}

impl Ranker for Fickle {
    fn rank(&self, _: &Dataset, samples: &[usize], _: &dyn Monitor) -> Result<Made> {
        let tells_apart = (self.tells)(samples);
        Ok(Made { order: vec![0, 1, 2, 3], scored: 4, tells_apart, warnings: Vec::new() })
    }
}

/// One partition without a ranking is enough: a mean over the others would be of other samples than the means beside it.
#[test]
fn an_order_that_tells_nothing_has_no_values() {
    let data = demo::iris().expect("embedded");
    let protocol = Protocol {
        counts: vec![1, 2],
        partition: Partition::Folds { folds: 5, repeats: 1 },
        ..Protocol::new(Measure::Nearest)
    };
    let candidates = [
        Candidate::ranker("never", Arc::new(Fickle { tells: |_| false })),
        // Every sample is left out of one fold of five.
        Candidate::ranker("at times", Arc::new(Fickle { tells: |samples| samples.contains(&0) })),
        Candidate::ranker("always", Arc::new(Fickle { tells: |_| true })),
    ];
    let found = protocol.evaluate(&data, &candidates, &Silent).expect("judged");
    let table = &found.tables[0];
    for (curve, partitions) in table.curves.iter().zip([5, 1]) {
        assert_eq!(curve.untold, Some(Untold { partitions, labeled: None, more: None }), "{}", curve.name);
        assert!(
            curve
                .points
                .iter()
                .chain([&curve.aggregated])
                .all(|p| !p.is_judged() && p.summary.values.is_empty())
        );
        assert!(curve.points.iter().all(|p| !p.best && !p.level && p.than_random.is_none()));
    }
    assert!(table.curves[2].untold.is_none() && table.curves[2].points.iter().all(Point::is_judged));
    assert_ne!(found.verdict(table).expect("a verdict").best.name, "never");
    let told = found.untold(|_| None);
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[0], "never: no ranking: all features tie, so it is not judged");
    let part = "at times: no ranking in 1 of 5 partitions: all features tie, so it is not judged, for a mean over the others \
                would be of other samples";
    assert_eq!(told[1], part);
}
