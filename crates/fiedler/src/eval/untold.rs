//! Rankings that tell nothing: no feature has a score, or all scores are equal. Their order is that of the columns, and to
//! judge it would be to judge the file.

use super::result::{Curve, CurveKind, Evaluation};
use crate::advice::{Step, Wording, typed};

/// Why a curve has no values: its rankings do not tell features apart ([`Ranking::tells_apart`](crate::Ranking::tells_apart)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Untold {
    /// In how many partitions; one is enough, for means over the others would be of other samples.
    pub partitions: usize,
    /// How many labels of every class it knew, where those were few and it looks at them.
    pub labeled: Option<usize>,
    /// With how many it could be tried again, where the classes have so many and nobody asked for them yet.
    pub more: Option<usize>,
}

impl Untold {
    /// `None` where every partition has a ranking.
    pub(super) fn of(partitions: usize, labeled: Option<usize>, more: Option<usize>) -> Option<Self> {
        (partitions > 0).then_some(Untold { partitions, labeled, more })
    }
}

impl Curve {
    /// Whether its points are compared with others: all features are at no count, and what has no ranking has no values.
    pub(super) fn is_compared(&self) -> bool {
        self.kind != CurveKind::All && self.untold.is_none()
    }
}

impl Evaluation {
    /// Which candidates are not judged, why, and what helps, a sentence each.
    pub fn untold(&self, words: Wording) -> Vec<String> {
        let mut sentences = Vec::new();
        let curves = self.tables.iter().flat_map(|table| &table.curves);
        for curve in curves.filter(|curve| curve.kind == CurveKind::Candidate) {
            let told = curve.untold.map(|untold| self.sentence(&curve.name, untold, words));
            sentences.extend(told.filter(|sentence| !sentences.contains(sentence)));
        }
        sentences
    }

    fn sentence(&self, name: &str, untold: Untold, words: Wording) -> String {
        let (some, all) = (untold.partitions, self.n_partitions);
        let (part, why) = if some < all {
            (
                format!(" in {some} of {all} partitions"),
                ", for a mean over the others would be of other samples",
            )
        } else {
            (String::new(), "")
        };
        let Some(each) = untold.labeled else {
            return format!("{name}: no ranking{part}: all features tie, so it is not judged{why}");
        };
        let noun = if each == 1 { "sample" } else { "samples" };
        let helps = untold.more.map_or(String::new(), |more| {
            format!("; {more} or more may tell them apart{}", typed(Step::Labeled(more), words))
        });
        format!(
            "{name}: no ranking{part}: all features tie with {each} labeled {noun} a class, so it is not judged{why}{helps}"
        )
    }
}
