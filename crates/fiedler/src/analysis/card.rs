//! The run card of an analysis: what was asked, as given.

use super::{Analysis, Wanted};
use crate::dataset::{Dataset, Scaling};
use crate::eval::{Measure, Partition, Protocol, Selection, SvmMeasure};
use crate::findings::{DataCard, RunCard};
use crate::parameters::ParameterValue;
use crate::stability::{Change, Stability};

impl Analysis {
    /// What is asked, of which data, by which program.
    pub(super) fn card(&self, data: &Dataset, name: &str) -> RunCard {
        let mut asked =
            Vec::from_iter((!self.methods.is_empty()).then(|| said("method", self.methods.join(","))));
        asked.extend(self.settings.iter().cloned());
        asked.extend(self.vary.iter().map(|(name, values)| {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            said("vary", format!("{name}={}", values.join(",")))
        }));
        asked.extend(self.graph.kind.iter().map(|kind| said("graph", kind.clone())));
        asked.extend(self.graph.given.iter().map(|_| said("graph", "given")));
        asked.extend(self.graph.set.iter().cloned());
        if self.scaling != Scaling::Auto {
            asked.push(said("scale", self.scaling.name()));
        }
        asked.extend(self.transform.map(|transform| said("transform", transform.name())));
        let labels = data.labels().filter(|_| data.labels_are_named());
        asked.extend(labels.map(|labels| said("label", labels.name())));
        asked.extend(data.target().map(|target| said("target", target.name())));
        match self.count {
            Wanted::All => {}
            Wanted::Count(count) => asked.push(said("top", count)),
            Wanted::AllChoosing(count) => asked.push(said("count", count)),
            Wanted::Auto => asked.push(said("top", "auto")),
        }
        if !self.include.is_empty() {
            let names: Vec<String> =
                self.include.iter().map(|&j| data.feature_name(j).into_owned()).collect();
            asked.push(said("include", names.join(",")));
        }
        asked.extend(self.spectrum.map(|pairs| said("eigenvalues", pairs)));
        self.evaluate.iter().for_each(|protocol| judged(protocol, &mut asked));
        let names: Vec<&str> = self.beside.iter().map(|candidate| candidate.name.as_str()).collect();
        asked.extend((!names.is_empty()).then(|| said("beside", names.join(","))));
        asked.extend(self.judge_on.iter().map(|(name, _)| said("judge-on", name.clone())));
        repeated(&self.stability, &mut asked);
        RunCard { version: env!("CARGO_PKG_VERSION"), data: DataCard::of(data, name), asked, seed: self.seed }
    }
}

fn judged(protocol: &Protocol, asked: &mut Vec<(String, ParameterValue)>) {
    asked.push(said("protocol", protocol.metric.name()));
    measured(&protocol.metric, asked);
    if !protocol.counts.is_empty() {
        let counts: Vec<String> = protocol.counts.iter().map(usize::to_string).collect();
        asked.push(said("counts", counts.join(",")));
    }
    match protocol.partition {
        Partition::Halves { repeats } => asked.push(said("repeats", repeats)),
        Partition::Folds { folds, repeats } => asked.extend([said("folds", folds), said("repeats", repeats)]),
        Partition::Classes { classes, repeats } => {
            asked.extend([said("classes", classes), said("repeats", repeats)]);
        }
        _ => {}
    }
    if !protocol.known.is_empty() {
        asked.push(said("known", protocol.known.len()));
    }
    if !protocol.labeled.is_empty() {
        let labeled: Vec<String> = protocol.labeled.iter().map(usize::to_string).collect();
        asked.push(said("labeled", labeled.join(",")));
    }
    if protocol.selection != Selection::Training {
        asked.push(said("select-on", protocol.selection.name()));
    }
    let usual = Protocol::new(protocol.metric.clone());
    if protocol.random != usual.random {
        asked.push(said("draws", protocol.random));
    }
    if protocol.worst {
        asked.push(said("worst", true));
    }
    if protocol.significance != usual.significance {
        asked.push(said("significance", protocol.significance));
    }
}

/// What was said of the metric itself.
fn measured(metric: &Measure, asked: &mut Vec<(String, ParameterValue)>) {
    match metric {
        Measure::Svm(svm) if *svm != SvmMeasure::default() => {
            let costs: Vec<String> = svm.costs.iter().map(f64::to_string).collect();
            asked.push(said("costs", costs.join(",")));
        }
        Measure::Regression { neighbors } | Measure::Jaccard { neighbors }
            if *neighbors != Measure::NEIGHBORS =>
        {
            asked.push(said("neighbors", *neighbors));
        }
        Measure::KMeans { clusters: Some(clusters), .. } => asked.push(said("clusters", *clusters)),
        Measure::Hits { known } => asked.push(said("known", known.len())),
        _ => {}
    }
}

fn repeated(stability: &[Stability], asked: &mut Vec<(String, ParameterValue)>) {
    let Some(first) = stability.first() else { return };
    asked.extend([said("count", first.count), said("repeats", first.repeats)]);
    asked.extend(stability.iter().map(|one| match one.change {
        Change::Subsample { fraction } => said("fraction", fraction),
        Change::Noise { level } => said("noise", level),
    }));
    asked.push(said("threshold", first.threshold));
}

fn said(name: &str, value: impl Into<ParameterValue>) -> (String, ParameterValue) {
    (name.to_owned(), value.into())
}
