//! The findings as the panels ask for them.

use std::collections::HashMap;

use fiedler::Portrait;
use fiedler::portrait::{Axis, FeaturePortrait, Parts, ScoreCurve};

use crate::story::{HITS, Measured, RankingStory, Story};
use crate::text;

/// A story, and what is asked of them again and again.
pub(crate) struct View<'a> {
    pub(crate) found: &'a Story,
    /// The places of the listed features in the list, by their columns.
    places: HashMap<usize, usize>,
    /// How often each feature was chosen again, under the change that chose it least often.
    frequencies: HashMap<usize, f64>,
}

impl<'a> View<'a> {
    pub(crate) fn new(found: &'a Story) -> Self {
        let places = found.portrait.features.iter().enumerate().map(|(at, f)| (f.index, at)).collect();
        let mut frequencies = HashMap::new();
        for sure in &found.stability {
            for (at, &j) in sure.order.iter().enumerate() {
                let least: &mut f64 = frequencies.entry(j).or_insert(1.0);
                *least = least.min(sure.frequency(at));
            }
        }
        View { found, places, frequencies }
    }

    /// Where a feature is in the list, if it is listed.
    pub(crate) fn place(&self, j: usize) -> Option<usize> {
        self.places.get(&j).copied()
    }

    /// ` data-f="…"`: the mark by which the script finds what is about a feature.
    pub(crate) fn mark(&self, j: usize) -> String {
        self.place(j).map_or(String::new(), |at| crate::svg::data("f", &at.to_string()))
    }

    /// How often a feature was chosen again, whatever the change.
    pub(crate) fn frequency(&self, j: usize) -> Option<f64> {
        self.frequencies.get(&j).copied()
    }

    pub(crate) fn portrait(&self) -> &'a Portrait {
        &self.found.portrait
    }

    /// Hits of known features, beside what else is measured.
    pub(crate) fn hits(&self) -> Vec<&'a Measured> {
        let others = self.accuracy().first().is_some_and(|measured| measured.measure != HITS);
        self.measured(|measure| others && measure == HITS)
    }

    /// What a protocol measures first: a table for every number of labels.
    pub(crate) fn accuracy(&self) -> Vec<&'a Measured> {
        let first = self.found.evaluation.first().map(|measured| &measured.measure);
        self.measured(|measure| first == Some(measure))
    }

    fn measured(&self, wanted: impl Fn(&String) -> bool) -> Vec<&'a Measured> {
        self.found.evaluation.iter().filter(|measured| wanted(&measured.measure)).collect()
    }

    /// Hits of known features, beside something else or alone.
    pub(crate) fn any_hits(&self) -> Option<&'a Measured> {
        self.found.evaluation.iter().find(|measured| measured.measure == HITS)
    }

    /// What a protocol measures beside accuracy: the mutual information of clusters and classes.
    pub(crate) fn information(&self) -> Vec<&'a Measured> {
        let first = self.found.evaluation.first().map(|measured| &measured.measure);
        self.measured(|measure| first != Some(measure) && measure != HITS)
    }

    /// The curve of the ranking that the report is about.
    pub(crate) fn curve(&self) -> Option<&ScoreCurve> {
        self.portrait().curves.first()
    }

    /// The ranking that the report is about.
    pub(crate) fn ranking(&self) -> Option<&'a RankingStory> {
        let named = self.curve().and_then(|c| self.found.rankings.iter().find(|r| r.name == c.method));
        named.or(self.found.rankings.first())
    }

    /// The features that are kept.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &FeaturePortrait> {
        self.portrait().features.iter().filter(|f| f.kept)
    }

    /// Whether it is known how sure the selection is.
    pub(crate) fn is_sure_known(&self) -> bool {
        !self.found.stability.is_empty()
    }

    /// How the scores of the listed features are written.
    pub(crate) fn scores(&self) -> text::Column {
        text::Column::of(self.portrait().features.iter().filter_map(|f| f.score))
    }

    /// The two eigenvectors to draw first: the first two that part more than a handful of the samples.
    pub(crate) fn first_axes(map: &fiedler::portrait::Map) -> (usize, usize) {
        let few = |axis: &Axis| {
            let all = axis.coordinates.len();
            matches!(axis.parts, Parts::Samples { samples } if samples * 20 < all)
        };
        let mut telling: Vec<usize> = (0..map.axes.len()).filter(|&a| !few(&map.axes[a])).collect();
        telling.extend((0..map.axes.len()).filter(|&a| few(&map.axes[a])));
        (telling.first().copied().unwrap_or(0), telling.get(1).copied().unwrap_or(0))
    }

    /// The name of a feature.
    pub(crate) fn feature(&self, j: usize) -> String {
        self.found.names.get(&j).cloned().unwrap_or_else(|| format!("x{j}"))
    }

    /// The name of a feature, short and harmless, for charts.
    pub(crate) fn short(&self, j: usize, most: usize) -> String {
        text::short(&text::harmless(&self.feature(j)), most)
    }

    /// The name of a feature as a label of a chart that is so wide at most.
    pub(crate) fn label(&self, j: usize, room: f64) -> String {
        text::fit(&text::harmless(&self.feature(j)), room)
    }

    /// The name of a sample that is drawn.
    pub(crate) fn sample(&self, index: usize) -> String {
        let drawn = &self.portrait().samples;
        let at = drawn.indices.iter().position(|&i| i == index);
        let name = at.zip(drawn.names.as_ref()).map(|(at, names)| names[at].clone());
        name.unwrap_or_else(|| format!("sample {}", text::count(index + 1)))
    }

    /// What an eigenvector separates, in words.
    pub(crate) fn parts(&self, axis: &Axis) -> String {
        match &axis.parts {
            Parts::Classes { classes, .. } => format!("separates {} from the rest", text::classes(classes)),
            Parts::ManyClasses { fewer, classes, .. } => {
                format!(
                    "separates {} of the {} classes from the rest",
                    text::count(*fewer),
                    text::count(*classes)
                )
            }
            Parts::Ordered { low, high, .. } => {
                format!("orders the classes, from {} to {}", text::class(low), text::class(high))
            }
            Parts::Samples { samples } => {
                format!("separates {} from the rest", text::plural(*samples, "sample"))
            }
            Parts::Gradient { low, high } => {
                let ends = [*low, *high].map(|i| text::short(&text::harmless(&self.sample(i)), 20));
                format!("runs evenly from {} to {}", ends[0], ends[1])
            }
        }
    }

    /// Whether an eigenvector follows the classes.
    pub(crate) fn follows_classes(axis: &Axis) -> bool {
        matches!(axis.parts, Parts::Classes { .. } | Parts::ManyClasses { .. } | Parts::Ordered { .. })
    }

    /// The same in a row of many, after the eigenvector's name: nothing where it separates nothing.
    pub(crate) fn which(&self, axis: &Axis) -> String {
        match axis.parts {
            Parts::Gradient { .. } => String::new(),
            _ => format!(", which {}", self.parts(axis)),
        }
    }

    /// The eigenvector that a feature follows most, and its share.
    pub(crate) fn follows(&self, feature: &FeaturePortrait) -> Option<(&Axis, f64)> {
        let map = self.portrait().map.as_ref()?;
        let shares = map.axes.iter().zip(&feature.alignment);
        let mut most: Option<(&Axis, f64)> = None;
        for (axis, &share) in shares {
            if most.is_none_or(|(_, known)| share > known) {
                most = Some((axis, share));
            }
        }
        most
    }
}
