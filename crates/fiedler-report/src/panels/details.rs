//! What a method tells beyond scores, as it describes itself.

use fiedler::{Audience, Cells, Detail};

use super::{Panel, table};
use crate::text::{count, escape, name, number};
use crate::view::View;

/// Details that have a panel of their own.
const ELSEWHERE: [&str; 4] = ["path", "entries", "sources", "source_ranks"];
/// Lines that are shown.
const LINES: usize = 40;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let ranking = view.ranking()?;
    let shown = |d: &&Detail| {
        d.audience != Audience::Programs && !ELSEWHERE.contains(&d.key.as_str()) && d.n_rows() > 0
    };
    let details: Vec<&Detail> = ranking.details.iter().filter(shown).collect();
    let first = details.first()?;
    let body: String =
        details.iter().map(|d| format!("<div class=\"scroll\">{}</div>", lines(view, d))).collect();
    let more = if first.n_rows() > LINES {
        format!(" The first {LINES} of {} lines.", count(first.n_rows()))
    } else {
        String::new()
    };
    Some(Panel {
        id: "details",
        title: first.title.clone(),
        says: format!("{}.{more}", escape(&capital(&first.sentence)).trim_end_matches('.')),
        body,
        wide: false,
    })
}

fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn lines(view: &View<'_>, detail: &Detail) -> String {
    let words = |c: &Cells| matches!(c, Cells::Words(_) | Cells::Features(_) | Cells::FeatureLists(_));
    let headings: Vec<String> = detail
        .columns
        .iter()
        .map(|c| if words(&c.values) { c.heading.clone() } else { format!("#{}", c.heading) })
        .collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cell = |values: &Cells, row: usize| match values {
        Cells::Numbers(v) => v[row].map_or(String::new(), number),
        Cells::Bars(v) => number(v[row]),
        Cells::Counts(v) => count(v[row]),
        Cells::Words(v) => escape(&v[row]),
        Cells::Marks(v) => if v[row] { "chosen" } else { "" }.to_owned(),
        Cells::Features(v) => name(&view.feature(v[row])),
        Cells::FeatureLists(v) => {
            v[row].iter().take(5).map(|&j| name(&view.feature(j))).collect::<Vec<_>>().join(", ")
        }
        Cells::NumberLists(v) => v[row].iter().take(5).map(|v| number(*v)).collect::<Vec<_>>().join(", "),
        _ => String::new(),
    };
    let rows = (0..detail.n_rows().min(LINES))
        .map(|row| detail.columns.iter().map(|c| cell(&c.values, row)).collect());
    table(&detail.title, &headings, rows)
}
