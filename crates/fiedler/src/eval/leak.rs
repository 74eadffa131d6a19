//! Samples that judge what was selected with them.

use super::protocol::Selection;
use super::result::{CurveKind, Evaluation};
use super::split::Partition;

/// How selection came to see what judges it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Leak {
    /// Selection saw all samples, because that was asked ([`Selection::All`]).
    AllSamples,
    /// The samples of drawn classes select and judge ([`Partition::Classes`]), and these candidates selected with the labels
    /// that judge them.
    DrawnClasses(Vec<String>),
}

impl Evaluation {
    /// Whether, and how, a selection may look better than it is.
    pub fn leak(&self) -> Option<Leak> {
        let protocol = &self.protocol;
        match (protocol.selection, &protocol.partition) {
            (Selection::All, _) => Some(Leak::AllSamples),
            (Selection::Training, Partition::Classes { .. }) if protocol.metric.needs_labels() => {
                let curves = self.tables.first().map_or(&[][..], |table| &table.curves);
                let with_labels = curves.iter().filter(|c| c.kind == CurveKind::Candidate && c.sees_labels);
                let names: Vec<String> = with_labels.map(|curve| curve.name.clone()).collect();
                (!names.is_empty()).then_some(Leak::DrawnClasses(names))
            }
            _ => None,
        }
    }
}
