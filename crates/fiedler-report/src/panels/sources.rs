//! Several sources of knowledge: what each contributes, and how each alone would rank.

use fiedler::{Cells, Detail};

use super::{Panel, table};
use crate::look;
use crate::svg::{Chart, data};
use crate::text::{count, list, name, percent};
use crate::view::View;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let details = &view.ranking()?.details;
    let shares = details.iter().find(|d| d.key == "sources");
    let ranks = details.iter().find(|d| d.key == "source_ranks")?;
    let chart = shares
        .and_then(bars)
        .map_or(String::new(), |c| format!("<figure>{}</figure>", c.inline("chart-sources")));
    Some(Panel {
        id: "sources",
        title: "What each source says".to_owned(),
        says: says(shares, ranks),
        body: format!("{chart}<div class=\"scroll\">{}</div>", places(view, ranks)),
        wide: true,
    })
}

fn says(shares: Option<&Detail>, ranks: &Detail) -> String {
    let names: Vec<String> = ranks.columns.iter().skip(1).map(|c| name(&c.heading)).collect();
    let Some((sources, weights)) = shares.and_then(of_shares) else {
        return format!("One ranking is made of {}.", list(&names));
    };
    let most = weights.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(i, _)| i);
    let least = weights.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(i, _)| i);
    if weights.len() < 2 || weights[most] - weights[least] < 0.005 {
        return format!("{} count alike, {} each.", list(&names), percent(weights[most]));
    }
    format!(
        "{} counts most with {} of the whole, {} least with {}.",
        name(&sources[most]),
        percent(weights[most]),
        name(&sources[least]),
        percent(weights[least])
    )
}

/// The shares of the sources, where they have some.
pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    bars(view.ranking()?.details.iter().find(|d| d.key == "sources")?)
}

fn of_shares(detail: &Detail) -> Option<(&[String], &[f64])> {
    match (detail.values("source")?, detail.values("share")?) {
        (Cells::Words(sources), Cells::Bars(shares)) => Some((sources, shares)),
        _ => None,
    }
}

fn bars(detail: &Detail) -> Option<Chart> {
    let (sources, shares) = of_shares(detail)?;
    let (left, row) = (150.0, 22.0);
    let mut chart = Chart::new(480.0, row * sources.len() as f64 + 10.0, "Shares of the sources")
        .saying(format!("{} sources.", sources.len()));
    let most = shares.iter().copied().fold(0.0f64, f64::max).max(f64::MIN_POSITIVE);
    for (i, (source, share)) in sources.iter().zip(shares).enumerate() {
        let y = 6.0 + i as f64 * row;
        chart.text(
            "end",
            (left - 9.0, y + 12.0),
            &crate::text::fit(&crate::text::harmless(source), left - 12.0),
        );
        chart.rect("bar", (left, y), (share / most * 260.0, 14.0), &data("tip", &percent(*share)));
        chart.text("t", (left + share / most * 260.0 + 7.0, y + 12.0), &percent(*share));
    }
    Some(chart)
}

/// The ranks of the best features by each source, darker where better.
fn places(view: &View<'_>, ranks: &Detail) -> String {
    let Some(Cells::Features(features)) = ranks.values("feature") else { return String::new() };
    let headings: Vec<String> = ranks.columns.iter().skip(1).map(|c| format!("#{}", c.heading)).collect();
    let mut columns = vec!["feature"];
    columns.extend(headings.iter().map(String::as_str));
    let most = features.len().max(1) as f64;
    let rows = features.iter().enumerate().take(20).map(|(row, &j)| {
        let mut cells = vec![name(&view.feature(j))];
        for column in ranks.columns.iter().skip(1) {
            let Cells::Numbers(places) = &column.values else { continue };
            cells.push(places.get(row).copied().flatten().map_or("–".to_owned(), |rank| {
                let class = look::step((1.0 - rank / (2.0 * most)).max(0.0) * 0.8);
                format!("<svg class=\"dot10\" viewBox=\"0 0 10 10\" aria-hidden=\"true\" width=\"10\" height=\"10\"><rect class=\"{class}\" width=\"10\" height=\"10\"/></svg>{}", count(rank as usize))
            }));
        }
        cells
    });
    table("Ranks by source", &columns, rows)
}
