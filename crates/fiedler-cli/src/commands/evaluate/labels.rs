//! Who selects with labels, and whether those labels judge as well.

use fiedler::Findings;
use fiedler::eval::{CurveKind, Evaluation, Leak, MadeBy, Partition, Selection};

/// Which methods select with labels or with the target, and with which.
pub(super) fn who_sees_labels(answer: &Findings) -> String {
    let using = |seen: &fiedler::Seen| {
        seen.labels.as_ref().or(seen.target.as_ref()).map(|name| (seen.method.clone(), name.clone()))
    };
    let mut users: Vec<(String, String)> = answer.seen.iter().filter_map(using).collect();
    users.extend(fused_with_labels(answer));
    match users.first() {
        None => match &answer.card.data.target {
            Some(target) => format!("{}; no method selects with it", target.name),
            None => "no method selects with labels".to_owned(),
        },
        Some((_, name)) => {
            let methods: Vec<&str> = users.iter().map(|(method, _)| method.as_str()).collect();
            let part = answer.evaluation.as_ref().map_or("", labels_of);
            format!("{} selected with {name} of {part}", methods.join(", "))
        }
    }
}

/// The fusions that labels take part in, with what these are called.
fn fused_with_labels(answer: &Findings) -> Vec<(String, String)> {
    let labels = answer.card.data.labels.as_ref().map_or("labels", |labels| &labels.name);
    let curves =
        answer.evaluation.iter().flat_map(|found| &found.tables).take(1).flat_map(|table| &table.curves);
    let fused = curves.filter(|c| c.kind == CurveKind::Candidate && c.made_by == MadeBy::Fusion);
    fused.filter(|c| c.sees_labels).map(|c| (c.name.clone(), labels.to_owned())).collect()
}

/// Whose labels selection saw.
fn labels_of(found: &Evaluation) -> &'static str {
    match (found.protocol.selection, &found.protocol.partition) {
        (Selection::Elsewhere, _) => "the data",
        (Selection::All, _) => "all samples",
        (_, Partition::Classes { .. }) => "these samples",
        _ => "the training part",
    }
}

/// Said wherever figures are shown that selection could have looked at.
pub(super) fn in_words(leak: &Leak) -> String {
    match leak {
        Leak::AllSamples => {
            "selection saw the samples that judge it (--select-on all): supervised methods look \
                             better than they are"
                .to_owned()
        }
        Leak::DrawnClasses(names) => {
            let look = if names.len() == 1 {
                "it looks better than it is"
            } else {
                "they look better than they are"
            };
            let names = names.join(", ");
            format!("{names} selected with the labels of the samples that judge (--classes): {look}")
        }
    }
}
