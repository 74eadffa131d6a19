//! [`Story`]: findings as a report tells them, as plain data that can be written and read again.
//!
//! Of a million features only those that a report mentions are in it, so that it is small whatever the data.

mod judged;
mod swept;
mod trend;

use std::collections::BTreeMap;

use fiedler::portrait::Portrait;
use fiedler::stability::safe_in_all;
use fiedler::{Cells, DataCard, Detail, Findings, Judges, ParameterValue, RankingFound, Supervision};
use serde::{Deserialize, Serialize};

pub use judged::{Answer, Known, Line, Measured, Spot, Sure};
pub use swept::{Swept, SweptLine};
pub use trend::Trended;

use judged::measured;
use swept::swept;
use trend::trends;

use crate::text::{number, shorter_numbers};

/// The version of what [`Story::to_json`] writes; it changes when a reader of the last one would misread this one.
pub const FORMAT: u32 = 2;

/// What the table of known features measures.
pub(crate) const HITS: &str = "hit ratio";

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
    /// One source of a fusion against another, where that was asked: one a measure.
    #[serde(default)]
    pub sweep: Vec<Swept>,
    /// What is measured by the number of labels and by the parameters that vary, where there are several values.
    #[serde(default)]
    pub trends: Vec<Trended>,
    /// How sure the selection is, one a kind of change.
    pub stability: Vec<Sure>,
    /// Features that are known to matter, where a list of them was given.
    #[serde(default)]
    pub known: Option<Known>,
    /// The features that are safe to report whatever the change.
    pub safe: Vec<usize>,
    /// What was decided without being asked.
    pub notes: Vec<String>,
    /// What to know before trusting it.
    pub warnings: Vec<String>,
    /// How long it took.
    pub seconds: Option<f64>,
    /// The name of the file with all features, where some are left out here and it was written.
    pub full_table: Option<String>,
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
    /// The number to be predicted.
    pub target: Option<TargetStory>,
    /// A number by which to tell whether other data are the same.
    #[serde(default)]
    pub fingerprint: Option<u64>,
}

/// The number to be predicted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetStory {
    /// What it is called.
    pub name: String,
    /// The smallest and the largest number.
    pub range: (f64, f64),
}

/// The labels of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelStory {
    /// What they are called.
    pub name: String,
    /// The classes with the number of samples of each.
    pub classes: Vec<(String, usize)>,
    /// Samples without one.
    #[serde(default)]
    pub unlabeled: usize,
    /// Whether a method looked at them.
    pub used: bool,
    /// Whether the weights of sources were learned from them.
    #[serde(default)]
    pub weighed: bool,
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
    /// Whether it looks for structure, and not at labels or a number to be predicted.
    pub is_unsupervised: bool,
    /// Whether it looks at what features say together, so that one may be dropped for being like another one.
    pub looks_together: bool,
    /// The name of the labels that it saw, or of the number to be predicted.
    pub about: Option<String>,
    /// What it saw of the data: scaled how, or taken as ranks and why.
    pub seen: String,
    /// Parameters, as given and as chosen.
    pub parameters: Vec<(String, String)>,
    /// The kind of its graph and the parameters of that.
    pub graph: Option<(String, Vec<(String, String)>)>,
    /// What it tells beyond scores.
    pub details: Vec<Detail>,
}

impl Story {
    /// The story of some findings.
    pub fn of(found: &Findings) -> Self {
        let portrait = found.portrait.clone().unwrap_or_default();
        let card = &found.card;
        let rankings: Vec<RankingStory> =
            found.rankings.iter().map(|r| RankingStory::of(r, &card.data)).collect();
        let told = Sure::told(&found.stability, &portrait);
        let used = found.seen.iter().any(|s| s.labels.is_some());
        let weighed = found.weighed_by.is_some();
        let mut story = Story {
            format: FORMAT,
            version: card.version.to_string(),
            data: DataStory::of(&card.data, used, weighed),
            command: None,
            image_shape: None,
            asked: card.asked.iter().map(|(n, v)| (n.clone(), v.to_string())).collect(),
            seed: card.seed,
            names: BTreeMap::new(),
            rankings,
            portrait,
            evaluation: found.evaluation.iter().flat_map(measured).collect(),
            sweep: found.evaluation.iter().flat_map(swept).collect(),
            trends: found.evaluation.iter().flat_map(trends).collect(),
            stability: found.stability.iter().map(|r| Sure::of(r, &told)).collect(),
            known: found.known.as_ref().map(|k| Known {
                ranked: k.ranked,
                hits: k.hits.iter().map(|h| (h.depth, h.hits)).collect(),
            }),
            safe: safe_in_all(&found.stability),
            notes: found.notes.clone(),
            warnings: found.warnings.clone(),
            seconds: found.seconds,
            full_table: None,
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

    /// Whether sources or rankings were fused.
    pub(crate) fn is_fused(&self) -> bool {
        self.rankings.iter().flat_map(|r| &r.details).any(|d| d.key == "source_ranks")
    }

    /// Whether the ranking joins others, and no method made it.
    pub(crate) fn joins_lists(&self) -> bool {
        self.asked.iter().any(|(name, _)| name == "aggregate")
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
            serde_json::from_str(text).map_err(|e| format!("this is not JSON written by fiedler ({e})"))?;
        if value.get("portrait").is_none() {
            let what =
                if value.get("format").is_some() { "the output of --format json" } else { "not findings" };
            return Err(format!("this is {what}; --findings FILE.json keeps what a report needs"));
        }
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => serde_json::from_value(value)
                .map_err(|e| format!("these findings are damaged ({e}); write them again with --findings")),
            Some(format) => Err(format!(
                "these are findings of format {format}, and this version reads format {FORMAT}; write them again with --findings"
            )),
            None => {
                Err("these findings do not tell their format; write them again with --findings".to_owned())
            }
        }
    }
}

impl DataStory {
    /// The data of a card; `used` tells whether a method looked at the labels, `weighed` whether the weights of sources
    /// were learned from them.
    pub fn of(card: &DataCard, used: bool, weighed: bool) -> Self {
        let labels = card.labels.as_ref();
        let target = card.target.as_ref();
        DataStory {
            name: card.name.clone(),
            n_samples: card.n_samples,
            n_features: card.n_features,
            n_constant: card.n_constant,
            is_sparse: card.is_sparse,
            labels: labels.map(|l| LabelStory {
                name: l.name.clone(),
                classes: l.classes.clone(),
                unlabeled: l.unlabeled,
                used,
                weighed,
            }),
            target: target.map(|t| TargetStory { name: t.name.clone(), range: t.range }),
            fingerprint: card.fingerprint,
        }
    }
}

impl RankingStory {
    /// What a method found in `data`.
    pub fn of(found: &RankingFound, data: &DataCard) -> Self {
        let graph = found
            .graph
            .as_ref()
            .map(|g| (g.kind.clone(), g.parameters.iter().map(|(n, v)| (n.to_string(), shown(v))).collect()));
        let method = found.method;
        let about = found.target.clone().or_else(|| found.labels.clone());
        let mut seen = data.seen(found.scaling, found.transform);
        if found.transform == fiedler::dataset::Transform::Ranks {
            seen = format!("{seen}, for {}", data.carried.in_words());
        }
        RankingStory {
            name: method.name.to_owned(),
            title: method.title.to_owned(),
            measures: method.measures.to_owned(),
            is_unsupervised: method.supervision == Supervision::Unsupervised && found.target.is_none()
                || about.is_none(),
            looks_together: method.judges == Judges::Together,
            about,
            seen,
            parameters: found.parameters.iter().map(|(n, v)| (n.to_owned(), shown(v))).collect(),
            graph,
            details: found.details.clone(),
        }
    }
}

/// A parameter as a reader wants it: what was fitted has sixteen digits, of which four matter.
fn shown(value: &ParameterValue) -> String {
    match value {
        ParameterValue::Real(v) => number(*v),
        other => shorter_numbers(&other.to_string()),
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
    // Rankings that count alike have no shares to tell.
    let total: f64 = found.sources.iter().map(|s| s.weight).sum();
    let alike = found.sources.windows(2).all(|pair| pair[0].weight == pair[1].weight);
    if found.sources.iter().any(|s| s.graph.is_none()) && alike {
        return vec![ranks];
    }
    let names = found.sources.iter().map(|s| s.name.clone()).collect();
    let shares = Detail::new("sources", "Sources", "what each source counts")
        .column("source", "source", Cells::Words(names))
        .column("share", "share", Cells::Bars(found.sources.iter().map(|s| s.weight / total).collect()));
    vec![shares, ranks]
}
