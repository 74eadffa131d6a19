//! Several methods side by side: ranks and how far they agree.

use fiedler::portrait::Comparison;

use super::{Panel, figure, table};
use crate::look;
use crate::svg::{Chart, data};
use crate::text::{count, escape, name};
use crate::view::View;

/// Features that are drawn.
const DRAWN: usize = 20;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let found = view.portrait().comparison.as_ref()?;
    let chart = chart(view)?;
    let mut columns = vec!["feature"];
    let headings: Vec<String> = found.methods.iter().map(|m| format!("#{m}")).collect();
    columns.extend(headings.iter().map(String::as_str));
    let rows = found.features.iter().zip(&found.ranks).map(|(&j, ranks)| {
        let mut row = vec![name(&view.feature(j))];
        row.extend(ranks.iter().map(|r| r.map_or("none".to_owned(), count)));
        row
    });
    let numbers = table("Ranks of features by method", &columns, rows);
    let pairs = pairs(found);
    let shares = pairs.iter().map(|(a, b)| {
        vec![
            escape(&format!("{} and {}", found.methods[*a], found.methods[*b])),
            format!("{} of {}", count(found.shared[*a][*b]), count(found.count)),
            crate::text::correlation(found.spearman[*a][*b]),
        ]
    });
    let agreement = table("Agreement of methods", &["methods", "#shared", "#Spearman, all ranks"], shares);
    Some(Panel {
        id: "methods",
        title: "Methods side by side".to_owned(),
        says: says(found),
        body: format!("{}<div class=\"scroll\">{agreement}</div>", figure(&chart, "chart-methods", &numbers)),
        wide: false,
    })
}

fn pairs(found: &Comparison) -> Vec<(usize, usize)> {
    let k = found.methods.len();
    (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b))).collect()
}

fn says(found: &Comparison) -> String {
    let mut pairs = pairs(found);
    pairs.sort_by_key(|(a, b)| std::cmp::Reverse(found.shared[*a][*b]));
    let all = found.methods.len();
    let in_all = found.ranks.iter().filter(|r| r.iter().all(|r| r.is_some_and(|r| r <= found.count))).count();
    let close = pairs.first().map_or(String::new(), |(a, b)| {
        format!(
            "{} and {} share {} of their best {}",
            escape(&found.methods[*a]),
            escape(&found.methods[*b]),
            count(found.shared[*a][*b]),
            count(found.count)
        )
    });
    if all == 2 {
        format!("{close}.")
    } else {
        format!(
            "{} of the best {} {} the same for all {all} methods; {close}, most of all pairs.",
            count(in_all),
            count(found.count),
            if in_all == 1 { "is" } else { "are" }
        )
    }
}

pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    let found = view.portrait().comparison.as_ref()?;
    let features = found.features.len().min(DRAWN);
    let (left, row, top) = (150.0, 17.0, 26.0);
    let wide = (480.0 - left) / found.methods.len() as f64;
    let mut chart = Chart::new(480.0, top + row * features as f64 + 20.0, "Ranks by method")
        .saying(format!("Ranks of {features} features by {} methods.", found.methods.len()));
    for (m, method) in found.methods.iter().enumerate() {
        chart.text("t mid tiny", (left + (m as f64 + 0.5) * wide, 16.0), &crate::text::short(method, 12));
    }
    for (r, &j) in found.features.iter().take(features).enumerate() {
        let y = top + r as f64 * row;
        chart.label("end", (left - 9.0, y + 12.5), &view.label(j, left - 12.0), &view.mark(j));
        for (m, rank) in found.ranks[r].iter().enumerate() {
            let share =
                rank.map_or(0.0, |rank| (1.0 - (rank as f64 - 1.0) / (2.0 * found.count as f64)).max(0.0));
            let shown = rank.map_or("none".to_owned(), count);
            let tip = format!("{}: rank {shown} by {}", view.short(j, 50), found.methods[m]);
            let x = left + m as f64 * wide;
            chart.rect(
                &format!("cell {}", look::step(share * 0.75)),
                (x, y),
                (wide, row),
                &(data("tip", &tip) + &view.mark(j)),
            );
            chart.text(
                if share > 0.72 { "mid tiny inv" } else { "mid tiny" },
                (x + wide / 2.0, y + 12.0),
                &shown,
            );
        }
    }
    chart.text(
        "t tiny",
        (2.0, top + row * features as f64 + 14.0),
        "rank; darker is better; smallest sum of ranks first",
    );
    Some(chart)
}
