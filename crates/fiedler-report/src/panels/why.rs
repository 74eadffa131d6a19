//! Why these: which leading eigenvectors of the graph the best features follow.

use fiedler::portrait::{FeaturePortrait, Map};

use super::{Panel, figure, table};
use crate::look;
use crate::panels_said::FOLLOWS;
use crate::svg::{Chart, data};
use crate::text::{escape, name, number, percent};
use crate::view::View;

/// Features that are drawn.
const DRAWN: usize = 14;

/// The words of this panel for someone who does not know them.
const WHAT: &str = "<p class=\"note\">An eigenvector ξ of the graph gives every sample a number, nearly the same to samples \
    that are linked; the leading ones separate groups that are linked least to the rest, large or small. α² is the share of a feature that follows one: at 100 % \
    the feature says what the eigenvector says and nothing else.</p>";

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let map = view.portrait().map.as_ref()?;
    let chart = chart(view)?;
    let headings: Vec<String> = map.axes.iter().map(|a| format!("#ξ{}", subscript(a.pair))).collect();
    let mut columns = vec!["feature"];
    columns.extend(headings.iter().map(String::as_str));
    let rows = drawn(view).into_iter().map(|f| {
        let mut row = vec![name(&view.feature(f.index))];
        row.extend(f.alignment.iter().map(|a| percent(*a)));
        row
    });
    let numbers = table("Share of a feature that follows each eigenvector", &columns, rows);
    Some(Panel {
        id: "why",
        title: "Why these".to_owned(),
        says: says(view),
        body: figure(&chart, "chart-why", &numbers) + &legend(view, map) + WHAT,
        wide: false,
    })
}

fn drawn<'v>(view: &'v View<'_>) -> Vec<&'v FeaturePortrait> {
    view.portrait().features.iter().filter(|f| !f.alignment.is_empty()).take(DRAWN).collect()
}

/// Eigenvectors that are told with what they separate; of further ones only the numbers.
const TOLD: usize = 3;

/// Which eigenvectors the kept features follow, those that most follow first.
fn says(view: &View<'_>) -> String {
    let kept: Vec<&FeaturePortrait> = view.kept().filter(|f| !f.alignment.is_empty()).collect();
    let all = kept.len();
    let votes = votes(view, &kept);
    let Some((first, rest)) = votes.split_first() else {
        return format!(
            "None of the {all} kept features follows one of the leading eigenvectors by {} or more: what they share is \
             finer than the large groups of the samples.",
            percent(FOLLOWS)
        );
    };
    let who = match (first.features, all) {
        (_, 1) => "The kept feature follows".to_owned(),
        (1, _) => format!("1 of the {all} kept features follows"),
        (2, 2) => "Both kept features follow".to_owned(),
        (n, _) if n == all => format!("All {all} kept features follow"),
        (n, _) => format!("{n} of the {all} kept features follow"),
    };
    let mut words = format!("{who} eigenvector {} most, which {}", first.pair, escape(&first.parts));
    for vote in rest.iter().take(TOLD - 1) {
        let verb = if vote.features == 1 { "follows" } else { "follow" };
        words +=
            &format!("; {} {verb} eigenvector {}, which {}", vote.features, vote.pair, escape(&vote.parts));
    }
    told_apart(view) + &words + &remaining(rest.get(TOLD - 1..).unwrap_or_default(), all, &votes) + "."
}

/// What a method that looks at labels keeps features for, before what they follow.
fn told_apart(view: &View<'_>) -> String {
    let method = view.ranking().filter(|r| !r.is_unsupervised);
    method.and_then(|r| Some((r, r.about.as_ref()?))).map_or(String::new(), |(method, about)| {
        format!(
            "{} keeps features for what they tell about <bdi>{}</bdi>, not for what follows here. ",
            escape(&method.title),
            escape(about)
        )
    })
}

/// An eigenvector, how many features follow it most, and what it separates.
struct Vote {
    pair: usize,
    features: usize,
    parts: String,
}

fn votes(view: &View<'_>, kept: &[&FeaturePortrait]) -> Vec<Vote> {
    let mut votes: Vec<Vote> = Vec::new();
    for (axis, _) in kept.iter().filter_map(|f| view.follows(f)).filter(|(_, share)| *share >= FOLLOWS) {
        match votes.iter_mut().find(|v| v.pair == axis.pair) {
            Some(vote) => vote.features += 1,
            None => votes.push(Vote { pair: axis.pair, features: 1, parts: view.parts(axis) }),
        }
    }
    votes.sort_by(|a, b| b.features.cmp(&a.features).then(a.pair.cmp(&b.pair)));
    votes
}

/// What the sentence leaves: features of further eigenvectors, and those that follow none.
fn remaining(further: &[Vote], all: usize, votes: &[Vote]) -> String {
    let mut words = String::new();
    let features: usize = further.iter().map(|v| v.features).sum();
    if features > 0 {
        let pairs: Vec<String> = further.iter().map(|v| v.pair.to_string()).collect();
        let one = if pairs.len() == 1 { "eigenvector" } else { "eigenvectors" };
        let verb = if features == 1 { "follows" } else { "follow" };
        words += &format!("; {features} {verb} {one} {}", crate::text::list(&pairs));
    }
    let none = all - votes.iter().map(|v| v.features).sum::<usize>();
    if none > 0 {
        let verb = if none == 1 { "follows" } else { "follow" };
        words += &format!("; {none} {verb} none of them by {} or more", percent(FOLLOWS));
    }
    words
}

fn legend(view: &View<'_>, map: &Map) -> String {
    let item = |axis: &fiedler::portrait::Axis| {
        format!(
            "<li><b>ξ{}</b> {} <span class=\"soft\">(λ = {})</span></li>",
            subscript(axis.pair),
            escape(&view.parts(axis)),
            number(axis.eigenvalue)
        )
    };
    let items: String = map.axes.iter().map(item).collect();
    format!("<ol class=\"axes\" aria-label=\"What the eigenvectors separate\">{items}</ol>")
}

pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    let map = view.portrait().map.as_ref()?;
    let features = drawn(view);
    if features.is_empty() || map.axes.is_empty() {
        return None;
    }
    let (left, row, top) = (150.0, 17.0, 26.0);
    let wide = (480.0 - left) / map.axes.len() as f64;
    let mut chart = Chart::new(
        480.0,
        top + row * features.len() as f64 + 22.0,
        "Features and the eigenvectors they follow",
    )
    .saying(format!(
        "Shares of {} features that follow {} eigenvectors.",
        features.len(),
        map.axes.len()
    ));
    for (a, axis) in map.axes.iter().enumerate() {
        chart.text("t mid", (left + (a as f64 + 0.5) * wide, 16.0), &format!("ξ{}", subscript(axis.pair)));
    }
    for (r, feature) in features.iter().enumerate() {
        let y = top + r as f64 * row;
        let class = if feature.kept { "end strong" } else { "t end" };
        let word = view.label(feature.index, left - 12.0);
        chart.label(class, (left - 9.0, y + 12.5), &word, &view.mark(feature.index));
        for (a, share) in feature.alignment.iter().enumerate() {
            let tip = format!(
                "{}: {} follows ξ{}",
                view.short(feature.index, 60),
                percent(*share),
                subscript(map.axes[a].pair)
            );
            let more = data("tip", &tip) + &data("f", &(feature.rank - 1).to_string());
            let class = format!("cell {}", look::step(share.sqrt()));
            chart.rect(&class, (left + a as f64 * wide, y), (wide, row), &more);
        }
    }
    let y = top + row * features.len() as f64 + 15.0;
    chart.text(
        "t tiny",
        (2.0, y),
        "α²: the stronger the color, the more of the feature follows the eigenvector",
    );
    Some(chart)
}

pub(super) fn subscript(n: usize) -> String {
    n.to_string().chars().map(|c| char::from_u32(0x2080 + c.to_digit(10).unwrap_or(0)).unwrap_or(c)).collect()
}
