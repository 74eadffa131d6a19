//! [`Story`]: findings as a report tells them, as plain data that can be written and read again.
//!
//! Of a million features only those that a report mentions are in it, so that it is small whatever the data.

use std::collections::BTreeMap;

use fiedler::eval::{CurveKind, Evaluation, Place, Table};
use fiedler::portrait::Portrait;
use fiedler::stability::{Change, Report};
use fiedler::{Cells, DataCard, Detail, Findings, Goal, RankingFound, Scaling, Supervision};
use serde::{Deserialize, Serialize};

use crate::text::{number, percent};

/// The version of what [`Story::to_json`] writes; it changes when a reader of the last one would misread this one.
pub const FORMAT: u32 = 1;

/// Features of a stability that are told at least.
const SURE: usize = 100;
/// Features whose ranks by source are told.
const SOURCES: usize = 40;

/// Findings as a report tells them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Story {
    /// The version of this format.
    pub format: u32,
    /// The version of the library that found it.
    pub version: String,
    /// The data.
    pub data: DataStory,
    /// The command that finds it again.
    pub command: Option<String>,
    /// Height and width, where the features are the pixels of an image, row by row.
    pub image_shape: Option<(usize, usize)>,
    /// What was asked, as given.
    pub asked: Vec<(String, String)>,
    /// The seed, where one was given.
    pub seed: Option<u64>,
    /// The names of the features that are mentioned, by their columns.
    pub names: BTreeMap<usize, String>,
    /// One ranking a method.
    pub rankings: Vec<RankingStory>,
    /// What is drawn.
    pub portrait: Portrait,
    /// How good the selections are, where that was asked: one table a measure.
    pub evaluation: Vec<Measured>,
    /// How sure the selection is, one a kind of change.
    pub stability: Vec<Sure>,
    /// What was decided without being asked.
    pub notes: Vec<String>,
    /// What to know before trusting it.
    pub warnings: Vec<String>,
    /// How long it took.
    pub seconds: Option<f64>,
}

/// The data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataStory {
    /// What the user calls them.
    pub name: String,
    /// Number of samples; 0 where there are none, as for rankings made elsewhere.
    pub n_samples: usize,
    /// Number of features.
    pub n_features: usize,
    /// Number of features that are constant.
    pub n_constant: usize,
    /// Whether they are stored by their non-zeros.
    pub is_sparse: bool,
    /// Their labels.
    pub labels: Option<LabelStory>,
}

/// The labels of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelStory {
    /// What they are called.
    pub name: String,
    /// The classes with the number of samples of each.
    pub classes: Vec<(String, usize)>,
    /// Whether a method looked at them.
    pub used: bool,
}

/// What a method found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankingStory {
    /// The method.
    pub name: String,
    /// Its name in prose.
    pub title: String,
    /// What it measures.
    pub measures: String,
    /// Whether it looks for structure, and not at labels.
    pub is_unsupervised: bool,
    /// The name of the labels that it saw.
    pub labels: Option<String>,
    /// How the data were scaled; empty for data as they are.
    pub scaling: String,
    /// Parameters, as given and as chosen.
    pub parameters: Vec<(String, String)>,
    /// The kind of its graph and the parameters of that.
    pub graph: Option<(String, Vec<(String, String)>)>,
    /// What it tells beyond scores.
    pub details: Vec<Detail>,
}

/// A measure of all candidates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What is measured.
    pub measure: String,
    /// Which way is better.
    pub goal: Goal,
    /// Number of features of the data.
    pub n_features: usize,
    /// Number of partitions.
    pub n_partitions: usize,
    /// How many features are kept at each point.
    pub counts: Vec<usize>,
    /// The curves.
    pub curves: Vec<Line>,
    /// The short answer.
    pub verdict: Option<Answer>,
}

/// The short answer of a measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The smallest count that comes within one standard error of the best.
    pub enough: Spot,
    /// The best.
    pub best: Spot,
    /// As many features at random.
    pub random: Spot,
    /// All features, where that compares.
    pub all: Option<Spot>,
}

/// A measure against the number of features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The candidate.
    pub name: String,
    /// `method`, `worst`, `random` or `all`.
    pub kind: String,
    /// The points.
    pub points: Vec<Spot>,
}

/// A point of a curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spot {
    /// The candidate.
    pub name: String,
    /// Number of features.
    pub count: usize,
    /// Mean over the partitions.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Whether it is the best at its count.
    pub best: bool,
}

/// How sure a selection is under one kind of change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sure {
    /// The change, in words.
    pub change: String,
    /// How many versions were ranked.
    pub repeats: usize,
    /// How many features every version selected.
    pub count: usize,
    /// Mean Kuncheva index.
    pub kuncheva: f64,
    /// What the frequency of a feature must exceed for it to be safe.
    pub threshold: f64,
    /// The features that are safe to report.
    pub safe: Vec<usize>,
    /// The features that are told, most often chosen first.
    pub order: Vec<usize>,
    /// In how many versions each of these was chosen.
    pub times: Vec<usize>,
    /// The lower bound of the share of all versions that choose it.
    pub lower: Vec<f64>,
}

impl Story {
    /// The story of some findings.
    pub fn of(found: &Findings) -> Self {
        let portrait = found.portrait.clone().unwrap_or_default();
        let rankings: Vec<RankingStory> = found.rankings.iter().map(RankingStory::of).collect();
        let stability: Vec<Sure> = found.stability.iter().map(|r| Sure::of(r, &portrait)).collect();
        let card = &found.card;
        let used = found.seen.iter().any(|s| s.labels.is_some());
        let mut story = Story {
            format: FORMAT,
            version: card.version.to_string(),
            data: DataStory::of(&card.data, used),
            command: None,
            image_shape: None,
            asked: card.asked.iter().map(|(n, v)| (n.clone(), v.to_string())).collect(),
            seed: card.seed,
            names: BTreeMap::new(),
            rankings,
            portrait,
            evaluation: found.evaluation.iter().flat_map(measured).collect(),
            stability,
            notes: found.notes.clone(),
            warnings: found.warnings.clone(),
            seconds: found.seconds,
        };
        if let Some(ranking) = story.rankings.first_mut() {
            ranking.details.extend(sources(found));
        }
        story.name_with(|j| found.features.of(j).into_owned());
        story
    }

    /// Gives every feature that is mentioned its name.
    fn name_with(&mut self, name: impl Fn(usize) -> String) {
        let mut mentioned: Vec<usize> = self.portrait.features.iter().map(|f| f.index).collect();
        mentioned.extend(self.portrait.features.iter().filter_map(|f| f.alike).map(|a| a.index));
        mentioned.extend(self.portrait.comparison.iter().flat_map(|c| &c.features));
        mentioned.extend(self.stability.iter().flat_map(|s| &s.order));
        for detail in self.rankings.iter().flat_map(|r| &r.details).flat_map(|d| &d.columns) {
            match &detail.values {
                Cells::Features(list) => mentioned.extend(list),
                Cells::FeatureLists(lists) => mentioned.extend(lists.iter().flatten()),
                _ => {}
            }
        }
        self.names = mentioned.into_iter().map(|j| (j, name(j))).collect();
    }

    /// Whether fewer features are listed than were ranked.
    pub fn leaves_features_out(&self) -> bool {
        let listed = self.portrait.features.len();
        listed > 0 && listed < self.data.n_features
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// A sentence: it is no such text, or one of another version.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|e| format!("it is no JSON of fiedler ({e})"))?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                return Err(format!(
                    "it is findings of format {format}, and this version reads format {FORMAT}; write them again with --findings"
                ));
            }
            None => {
                return Err(
                    "it is not what --findings writes; `fiedler rank DATA --findings FILE.json` does"
                        .to_owned(),
                );
            }
        }
        serde_json::from_value(value)
            .map_err(|e| format!("it is not what --findings writes ({e}); write it again with --findings"))
    }
}

impl DataStory {
    /// The data of a card; `used` tells whether a method looked at the labels.
    pub fn of(card: &DataCard, used: bool) -> Self {
        let labels = card.labels.as_ref();
        DataStory {
            name: card.name.clone(),
            n_samples: card.n_samples,
            n_features: card.n_features,
            n_constant: card.n_constant,
            is_sparse: card.is_sparse,
            labels: labels.map(|l| LabelStory { name: l.name.clone(), classes: l.classes.clone(), used }),
        }
    }
}

impl RankingStory {
    /// What a method found.
    pub fn of(found: &RankingFound) -> Self {
        let named = |(n, v): (&str, &fiedler::Value)| (n.to_owned(), v.to_string());
        let graph = found.graph.as_ref().map(|g| {
            (g.kind.clone(), g.parameters.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect())
        });
        let method = found.method;
        let unsupervised = method.supervision == Supervision::Unsupervised;
        RankingStory {
            name: method.name.to_owned(),
            title: method.title.to_owned(),
            measures: method.measures.to_owned(),
            is_unsupervised: unsupervised || found.labels.is_none(),
            labels: found.labels.clone(),
            scaling: if found.scaling == Scaling::None {
                String::new()
            } else {
                found.scaling.name().to_owned()
            },
            parameters: found.parameters.iter().map(named).collect(),
            graph,
            details: found.details.clone(),
        }
    }
}

/// What each source of a fusion counts, and the rank that it alone gives the best features.
fn sources(found: &Findings) -> Vec<Detail> {
    let Some(places) = found.rankings.first().map(|r| &r.places).filter(|_| !found.sources.is_empty()) else {
        return Vec::new();
    };
    let best: Vec<usize> = places.iter().take(SOURCES).map(|p| p.index).collect();
    let mut ranks = Detail::new("source_ranks", "Ranks by source", "the rank that each source alone gives")
        .column("feature", "feature", Cells::Features(best.clone()));
    for source in &found.sources {
        let of = best.iter().map(|&j| source.ranks.get(j).copied().flatten().map(|r| r as f64)).collect();
        ranks = ranks.column(&source.name, &source.name, Cells::Numbers(of));
    }
    if found.sources.iter().any(|s| s.graph.is_none()) {
        return vec![ranks];
    }
    let names = found.sources.iter().map(|s| s.name.clone()).collect();
    let shares = Detail::new("sources", "Sources", "what each source counts")
        .column("source", "source", Cells::Words(names))
        .column("share", "share", Cells::Bars(found.sources.iter().map(|s| s.weight).collect()));
    vec![shares, ranks]
}

fn measured(evaluation: &Evaluation) -> Vec<Measured> {
    evaluation.tables.iter().map(|table| Measured::of(evaluation, table)).collect()
}

impl Measured {
    fn of(evaluation: &Evaluation, table: &Table) -> Self {
        let line = |curve: &fiedler::eval::Curve| Line {
            name: curve.name.clone(),
            kind: curve.kind.name().to_owned(),
            points: curve
                .points
                .iter()
                .filter(|p| p.summary.mean.is_finite() && p.summary.sd.is_finite())
                .map(|p| Spot {
                    name: curve.name.clone(),
                    count: p.count,
                    mean: p.summary.mean,
                    sd: p.summary.sd,
                    best: p.best,
                })
                .collect(),
        };
        let spot =
            |p: &Place| Spot { name: p.name.clone(), count: p.count, mean: p.mean, sd: p.sd, best: false };
        Measured {
            measure: table.measure.to_string(),
            goal: table.goal,
            n_features: evaluation.n_features,
            n_partitions: evaluation.n_partitions,
            counts: evaluation.protocol.counts.clone(),
            curves: table.curves.iter().map(line).collect(),
            verdict: evaluation.verdict(table).map(|v| {
                let all = v.all.as_ref().map(spot);
                Answer { enough: spot(&v.enough), best: spot(&v.best), random: spot(&v.random), all }
            }),
        }
    }

    /// The curve of that kind, if there is one.
    pub(crate) fn of_kind(&self, kind: CurveKind) -> Option<&Line> {
        self.curves.iter().find(|c| c.kind == kind.name())
    }
}

impl Sure {
    fn of(report: &Report, portrait: &Portrait) -> Self {
        let mut order: Vec<usize> = report.order().into_iter().take(SURE).collect();
        let mut known = order.clone();
        known.sort_unstable();
        let listed = portrait.features.iter().map(|f| f.index);
        order.extend(listed.filter(|j| known.binary_search(j).is_err()));
        Sure {
            change: match report.change {
                Change::Subsample { fraction } => format!("{} of the samples", percent(fraction)),
                Change::Noise { level } => format!("noise of {}σ", number(level)),
            },
            repeats: report.repeats,
            count: report.count,
            kuncheva: if report.kuncheva.is_finite() { report.kuncheva } else { 0.0 },
            threshold: report.threshold,
            safe: report.safe.clone(),
            times: order.iter().map(|&j| report.times[j]).collect(),
            lower: order.iter().map(|&j| report.lower_bound(j)).collect(),
            order,
        }
    }

    /// The share of the versions that chose the feature at place `at` of the order.
    pub(crate) fn frequency(&self, at: usize) -> f64 {
        self.times[at] as f64 / self.repeats.max(1) as f64
    }

    /// The same for a feature by its column.
    pub(crate) fn frequency_of(&self, j: usize) -> Option<f64> {
        self.order.iter().position(|&k| k == j).map(|at| self.frequency(at))
    }
}
