//! Which, and how many: the sorted scores, where they turn and how many features are kept.

use fiedler::Goal;
use fiedler::portrait::{KeptBy, ScoreCurve};

use super::{Panel, figure, table};
use crate::scale::Scale;
use crate::svg::{Chart, Frame};
use crate::text::{count, name, number, plural};
use crate::view::View;

/// Ranks beyond which they are drawn by factors.
const LONG: usize = 300;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let curve = view.curve().filter(|c| c.n_judged > 1)?;
    let chart = chart(view)?;
    let shown = crate::text::Column::of(curve.scores.iter().copied().take(60));
    let rows = curve.ranks.iter().zip(&curve.scores).map(|(rank, score)| {
        let feature =
            view.portrait().features.get(rank - 1).map_or(String::new(), |f| name(&view.feature(f.index)));
        vec![count(*rank), feature, shown.show(*score)]
    });
    let listed = rows.take(60).collect::<Vec<_>>();
    let numbers = table("Scores by rank", &["#rank", "feature", "#score"], listed);
    Some(Panel {
        id: "scores",
        title: "Which, and how many".to_owned(),
        says: says(view, curve),
        body: figure(&chart, "chart-scores", &numbers) + &left_over(curve),
        wide: false,
    })
}

fn says(view: &View<'_>, curve: &ScoreCurve) -> String {
    let all = count(curve.n_judged);
    let (first, last) =
        (curve.scores.first().copied().unwrap_or(0.0), curve.scores.last().copied().unwrap_or(0.0));
    let at_kept = view.portrait().features.get(curve.kept.saturating_sub(1)).and_then(|f| f.score);
    let ends = format!("Scores run from {} to {} ({})", number(first), number(last), curve.goal.in_words());
    match (curve.kept_by, at_kept) {
        (KeptBy::Elbow, Some(score)) => {
            format!(
                "{ends}; their curve bends most at rank {} of {all} ({}).",
                count(curve.kept),
                number(score)
            )
        }
        (by, Some(score)) if by != KeptBy::Usual || curve.elbow.is_some() => {
            let turn = match curve.elbow {
                Some(elbow) if elbow != curve.kept => {
                    format!("; their curve bends most at rank {}", count(elbow))
                }
                Some(_) => "; that is also where their curve bends most".to_owned(),
                None => late_turn(curve).unwrap_or("; their curve has no clear bend".to_owned()),
            };
            format!(
                "{ends}; {} of {all} {} kept{}, down to {}{turn}.",
                count(curve.kept),
                if curve.kept == 1 { "is" } else { "are" },
                match by {
                    KeptBy::Asked => " as asked",
                    KeptBy::Judged => " as the fewest that are good enough",
                    _ => ", the usual number",
                },
                number(score)
            )
        }
        _ => format!(
            "{ends}{}: they do not show how many to keep.",
            late_turn(curve).unwrap_or(" and have no turning point that separates good from poor".to_owned())
        ),
    }
}

/// That the curve bends too late to tell how many to keep, where it does.
fn late_turn(curve: &ScoreCurve) -> Option<String> {
    curve.late_turn.map(|turn| {
        format!(
            "; their curve bends only at rank {}, which sets apart the poorest {} rather than the best",
            count(turn),
            count(curve.n_judged.saturating_sub(turn))
        )
    })
}

/// Where the features are that are not on the curve.
fn left_over(curve: &ScoreCurve) -> String {
    let mut notes = Vec::new();
    if curve.n_judged > LONG && curve.elbow.is_some() {
        notes.push(
            "Where the curve bends is decided on ranks in equal steps; this axis has a log scale".to_owned(),
        );
    }
    if curve.n_aside > 0 {
        notes.push(format!(
            "{} carried by too few samples to be judged rank after these",
            plural(curve.n_aside, "feature")
        ));
    }
    if curve.n_unscored > 0 {
        let constant = match curve.n_constant {
            0 => String::new(),
            all if all == curve.n_unscored => ", all constant".to_owned(),
            some => format!(", {} of them constant", count(some)),
        };
        notes.push(format!("{} without a score come last{constant}", plural(curve.n_unscored, "feature")));
    }
    if curve.n_tied > 0 {
        notes.push(format!("{} share their score with another one", plural(curve.n_tied, "feature")));
    }
    if notes.is_empty() { String::new() } else { format!("<p class=\"note\">{}.</p>", notes.join("; ")) }
}

pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    let curve = view.curve().filter(|c| c.n_judged > 1)?;
    let frame = Frame { left: 58.0, top: 34.0, right: 468.0, bottom: 246.0 };
    let (low, high) = ends(&curve.scores);
    let pad = (high - low).max(f64::MIN_POSITIVE) * 0.05;
    let y = match curve.goal {
        // Better is up, whichever way the scores go.
        Goal::Maximize => Scale::linear((low - pad, high + pad), (frame.bottom, frame.top)),
        Goal::Minimize => Scale::linear((low - pad, high + pad), (frame.top, frame.bottom)),
    };
    let ranks = (1.0, curve.n_judged as f64);
    let across = (frame.left + 6.0, frame.right);
    let x =
        if curve.n_judged > LONG { Scale::log(ranks, across) } else { Scale::linear(ranks, across).whole() };
    let mut chart = Chart::new(480.0, 290.0, "Scores against ranks").saying(format!(
        "{} scores from {} to {}; {} features are kept.",
        count(curve.n_judged),
        number(*curve.scores.first()?),
        number(*curve.scores.last()?),
        count(curve.kept)
    ));
    let last = x.at(curve.kept.min(curve.n_judged) as f64);
    chart.rect("kept", (x.start() - 6.0, frame.top), (last - x.start() + 8.0, frame.bottom - frame.top), "");
    chart.axis_left(frame, y, &format!("score ({}, drawn upwards)", curve.goal.in_words()));
    chart.axis_below(frame, x, if curve.n_judged > LONG { "rank (log scale)" } else { "rank" });
    let points: Vec<(f64, f64)> =
        curve.ranks.iter().zip(&curve.scores).map(|(r, s)| (x.at(*r as f64), y.at(*s))).collect();
    chart.polyline("curve", points.iter().copied());
    for (at, (rank, point)) in curve.ranks.iter().zip(&points).enumerate().take(60) {
        let Some(feature) = view.portrait().features.get(rank - 1) else { break };
        let tip = format!("{}. {}\n{}", rank, view.short(feature.index, 60), number(curve.scores[at]));
        let more = crate::svg::data("tip", &tip) + &crate::svg::data("f", &(rank - 1).to_string());
        let (class, size) = if curve.n_judged <= 80 { ("dotmark", 3.2) } else { ("dotmark bare", 2.4) };
        chart.dot(class, *point, size, &more);
    }
    let height = points.iter().take(curve.kept.max(1)).next_back().map_or(frame.top, |p| p.1);
    label_kept(&mut chart, curve, frame, (last, height));
    Some(chart)
}

/// How many are kept, where the curve is not.
fn label_kept(chart: &mut Chart, curve: &ScoreCurve, frame: Frame, (at, height): (f64, f64)) {
    chart.line("mark", (at + 2.0, frame.top), (at + 2.0, frame.bottom));
    let words = match curve.kept_by {
        KeptBy::Elbow => format!("{} kept: the curve bends", count(curve.kept)),
        KeptBy::Asked => format!("{} kept, as asked", count(curve.kept)),
        KeptBy::Judged => format!("{} kept: good enough", count(curve.kept)),
        KeptBy::Usual => format!("first {}", count(curve.kept)),
    };
    let room = at + 9.0 + crate::text::width(&words) <= chart.width;
    let (class, x) = if room { ("strong acc halo", at + 9.0) } else { ("strong acc end halo", at - 5.0) };
    let is_high = height < (frame.top + frame.bottom) / 2.0;
    let y = if is_high { frame.bottom - 12.0 } else { frame.top + 16.0 };
    chart.text(class, (x, y), &words);
}

pub(super) fn ends(values: &[f64]) -> (f64, f64) {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (low, high)
}
