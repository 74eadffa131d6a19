//! The panels, in the order of the questions: which features, why these, how many, how sure, can I trust the graph.

mod accuracy;
mod along;
mod card;
mod details;
mod distributions;
mod features;
mod graph;
mod methods;
mod path;
mod pixels;
mod redundancy;
mod samples;
mod scores;
mod sources;
mod stability;
mod sweep;
mod trend;
mod why;

use crate::svg::Chart;
use crate::text::escape;
use crate::view::View;

/// A panel of the page.
pub(crate) struct Panel {
    /// Its anchor.
    pub(crate) id: &'static str,
    /// The question it answers.
    pub(crate) title: String,
    /// What it tells for these data: HTML.
    pub(crate) says: String,
    /// Charts and tables: HTML.
    pub(crate) body: String,
    /// Whether it takes the whole width.
    pub(crate) wide: bool,
}

/// The panels that have something to show.
pub(crate) fn all(view: &View<'_>) -> Vec<Panel> {
    let makers: [fn(&View<'_>) -> Option<Panel>; 19] = [
        // Which, and why these.
        scores::panel,
        why::panel,
        features::panel,
        samples::panel,
        distributions::panel,
        sources::panel,
        pixels::panel,
        // How many.
        redundancy::panel,
        path::panel,
        // How sure.
        accuracy::panel,
        accuracy::information,
        accuracy::hits,
        trend::panel,
        sweep::panel,
        stability::panel,
        methods::panel,
        details::panel,
        // Can I trust the graph?
        graph::spectrum_panel,
        graph::health_panel,
    ];
    makers.iter().filter_map(|make| make(view)).chain([card::panel(view)]).collect()
}

/// A chart by its name, with what its colors stand for.
pub(crate) fn chart(view: &View<'_>, name: &str) -> Option<Chart> {
    let key = match name {
        "samples" | "samples-kept" => samples::key(view),
        "stability" => stability::key(view),
        _ => Vec::new(),
    };
    Some(plain(view, name)?.key(&key))
}

fn plain(view: &View<'_>, name: &str) -> Option<Chart> {
    match name {
        "scores" => scores::chart(view),
        "why" => why::chart(view),
        "samples" => samples::chart(view, view.portrait().map.as_ref()?, "all features"),
        "samples-kept" => samples::chart(view, view.portrait().map_of_kept.as_ref()?, "kept features alone"),
        "spectrum" => graph::spectrum(view),
        "degrees" => graph::degrees(view),
        "redundancy" => redundancy::chart(view),
        "methods" => methods::chart(view),
        "accuracy" => Some(accuracy::draw(view.found.evaluation.first()?)),
        "information" => Some(accuracy::draw(view.information().first()?)),
        "labels" => trend::chart(view, false),
        "parameter" => trend::chart(view, true),
        "hits" => Some(accuracy::draw(view.any_hits()?)),
        "sweep" => sweep::chart(view, false),
        "sweep-hits" => sweep::chart(view, true),
        "stability" => stability::chart(view),
        "path" => path::chart(view),
        "pixels" => pixels::chart(view),
        "sources" => sources::chart(view),
        "distributions" => distributions::chart(view),
        _ => None,
    }
}

/// A chart with the numbers behind it as a table that opens.
pub(crate) fn figure(chart: &Chart, id: &str, table: &str) -> String {
    format!("<figure>{}</figure>{}", chart.inline(id), folded(&chart.title, table))
}

/// A table that opens.
pub(crate) fn folded(title: &str, table: &str) -> String {
    format!(
        "<details><summary>The numbers<span class=\"live\"> of: {}</span></summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Numbers of: {}\">{table}</div></details>",
        escape(title),
        escape(title)
    )
}

/// A table; headings that begin with `#` are of numbers, which stand on the right. Cells are HTML.
pub(crate) fn table(caption: &str, headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let is_number: Vec<bool> = headings.iter().map(|h| h.starts_with('#')).collect();
    let class = |c: usize| if is_number.get(c) == Some(&true) { " class=\"n\"" } else { "" };
    let head: String = headings
        .iter()
        .enumerate()
        .map(|(c, h)| format!("<th scope=\"col\"{}>{}</th>", class(c), escape(h.trim_start_matches('#'))))
        .collect();
    let row = |cells: Vec<String>| -> String {
        let cells: String =
            cells.iter().enumerate().map(|(c, cell)| format!("<td{}>{cell}</td>", class(c))).collect();
        format!("<tr>{cells}</tr>")
    };
    let rows: String = rows.into_iter().map(row).collect();
    format!(
        "<table><caption class=\"live\">{}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>",
        escape(caption)
    )
}
