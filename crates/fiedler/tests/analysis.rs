//! A question as a whole: what follows from it for every method, and what its card tells.

use std::ops::ControlFlow;
use std::sync::Mutex;

use fiedler::dataset::demo;
use fiedler::eval::{Measure, Partition, Protocol};
use fiedler::stability::Stability;
use fiedler::{Analysis, Findings, Monitor, ParameterValue, Silent, Wanted};

fn judged(metric: Measure, counts: &[usize]) -> Analysis {
    let partition = Partition::Halves { repeats: 2 };
    let protocol = Protocol { counts: counts.to_vec(), partition, ..Protocol::new(metric) };
    Analysis { methods: vec!["mrsf".to_owned()], evaluate: Some(protocol), ..Analysis::default() }
}

fn on_planted(asked: &Analysis) -> Findings {
    asked.run(&demo::load("planted").expect("embedded"), "planted", &Silent).expect("an answer")
}

fn count(found: &Findings) -> Option<ParameterValue> {
    found.rankings[0].parameters.iter().find(|(name, _)| *name == "count").map(|(_, value)| value.clone())
}

#[test]
fn methods_choose_as_many_features_as_will_be_judged() {
    assert_eq!(count(&on_planted(&judged(Measure::Redundancy, &[5, 70]))), Some(70.into()));
    // What the user says of the count is stronger.
    let told = Analysis { count: Wanted::AllChoosing(20), ..judged(Measure::Redundancy, &[5, 70]) };
    let found = on_planted(&told);
    assert_eq!((count(&found), found.rankings[0].places.len()), (Some(20.into()), 200));
    let sure = Stability { count: 7, repeats: 2, ..Stability::default() };
    let asked = Analysis { methods: vec!["mrsf".to_owned()], stability: vec![sure], ..Analysis::default() };
    assert_eq!(count(&on_planted(&asked)), Some(7.into()));
}

#[test]
fn the_card_tells_everything_that_was_asked() {
    let asked = Analysis { include: vec![3], ..judged(Measure::Redundancy, &[5, 10]) };
    let found = on_planted(&asked);
    let told: Vec<String> = found.card.asked.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let third = format!("include {}", found.features.of(3));
    assert_eq!(told, ["method mrsf", &third, "protocol redundancy", "counts 5,10", "repeats 2"]);
    let mut asked = judged(Measure::Jaccard { neighbors: 7 }, &[]);
    if let Some(protocol) = &mut asked.evaluate {
        (protocol.random, protocol.worst, protocol.significance) = (3, true, 0.01);
    }
    let found = on_planted(&asked);
    let told: Vec<String> = found.card.asked.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let judged =
        ["protocol jaccard", "neighbors 7", "repeats 2", "draws 3", "worst true", "significance 0.01"];
    assert_eq!(told[1..], judged);
}

/// Remembers what was worked at.
#[derive(Default)]
struct Stages(Mutex<Vec<&'static str>>);

impl Monitor for Stages {
    fn update(&self, stage: &'static str, _: usize, _: usize) -> ControlFlow<()> {
        self.0.lock().expect("not poisoned").push(stage);
        ControlFlow::Continue(())
    }
}

#[test]
fn ranks_are_made_only_where_a_method_takes_them() {
    let digits = demo::digits().expect("embedded");
    let transformed = |method: &str| {
        let stages = Stages::default();
        let asked = Analysis { methods: vec![method.to_owned()], ..Analysis::default() };
        asked.run(&digits, "digits", &stages).expect("an answer");
        stages.0.into_inner().expect("not poisoned").contains(&"transforming")
    };
    assert!(transformed("laplacian") && !transformed("variance"));
}
