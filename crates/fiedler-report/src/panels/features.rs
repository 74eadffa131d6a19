//! The features, to search and sort: score, kept or dropped, and why.

use fiedler::portrait::{COMPARED, FeaturePortrait};

use super::Panel;
use super::why::subscript;
use crate::panels_said::{SAME, ranked_with_all_labels};
use crate::payload::ROWS;
use crate::svg::data;
use crate::text::{correlation, count, escape, name, percent, plural};
use crate::view::View;

/// A dropped feature is said to be like a kept one from this correlation on. The script of the page knows it too.
const LIKE: f64 = 0.8;
/// A kept feature is told by the eigenvector that it follows where so much of it does.
const FOLLOWS: f64 = 0.1;
/// A dropped one, where so much of it does.
const FOLLOWS_WELL: f64 = 0.25;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let list = &view.portrait().features;
    if list.is_empty() {
        return None;
    }
    let known = view.is_sure_known();
    let head = |key: &str, label: &str, class: &str| {
        format!(
            "<th scope=\"col\" class=\"{class}\" data-key=\"{key}\" data-label=\"{label}\"><button type=\"button\">{label}</button></th>"
        )
    };
    let stability = if known { head("frequency", "chosen again", "n hide-small") } else { String::new() };
    let rows: String = list.iter().take(ROWS).map(|f| row(view, f)).collect();
    let body = format!(
        "<div class=\"controls\"><label>Search <input type=\"search\" id=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label>\
         <label><input type=\"checkbox\" id=\"only-kept\"> kept only</label>\
         <span id=\"matches\" class=\"soft\" role=\"status\">{}</span></div>\
         <div class=\"scroll\"><table id=\"feature-table\"><caption class=\"live\">Features, best first</caption><thead><tr>{}{}{}{stability}{}{}</tr></thead>\
         <tbody>{rows}</tbody></table></div>\
         <p class=\"note\"><button type=\"button\" id=\"more\" hidden>Show more</button> {}</p>",
        shown(list.len()),
        head("rank", "rank", "n"),
        head("name", "feature", ""),
        head("score", "score", "n"),
        head("alpha", "follows (α²)", "hide-small"),
        "<th scope=\"col\">kept or dropped, and why</th>",
        beyond(view)
    );
    Some(Panel { id: "features", title: "Features".to_owned(), says: says(view), body, wide: true })
}

fn shown(all: usize) -> String {
    if all > ROWS { format!("first {} of {}", count(ROWS), count(all)) } else { plural(all, "feature") }
}

fn beyond(view: &View<'_>) -> String {
    let (listed, all) = (view.portrait().features.len(), view.found.data.n_features);
    if listed >= all {
        return String::new();
    }
    let rest = match &view.found.full_table {
        Some(file) => format!("; all of them are in <code>{}</code>", escape(file)),
        None => String::new(),
    };
    format!("The best {} of {} are listed{rest}.", count(listed), plural(all, "feature"))
}

fn says(view: &View<'_>) -> String {
    let dropped: Vec<&FeaturePortrait> = view.portrait().features.iter().filter(|f| !f.kept).collect();
    let same = dropped.iter().filter(|f| f.alike.is_some_and(|a| a.correlation.abs() >= SAME)).count();
    let told = dropped.iter().filter(|f| f.alike.is_some()).count();
    let kept = view.kept().count();
    let one =
        if kept > COMPARED { format!("one of the first {COMPARED} kept") } else { "a kept one".to_owned() };
    let redundant = match (same, told) {
        (_, 0) => String::new(),
        (0, 1) => format!(" The next one does not say the same as {one} (correlation of {SAME} or more)."),
        (_, 1) => format!(" The next one says the same as {one} (correlation of {SAME} or more)."),
        (0, told) => format!(
            " None of the next {} says the same as {one} (correlation of {SAME} or more).",
            count(told)
        ),
        (same, told) => format!(
            " Of the next {}, {} as {one} (correlation of {SAME} or more).",
            count(told),
            if same == 1 { "1 says the same".to_owned() } else { format!("{} say the same", count(same)) }
        ),
    };
    format!(
        "{} of {} kept.{}{redundant} Choose a feature, and the other panels show it.",
        count(kept),
        plural(view.found.data.n_features, "feature"),
        ranked_with_all_labels(view).unwrap_or_default()
    )
}

fn row(view: &View<'_>, f: &FeaturePortrait) -> String {
    let score = f.score.map_or("none".to_owned(), |s| view.scores().show(s));
    let stability = if view.is_sure_known() {
        format!("<td class=\"n hide-small\">{}</td>", view.frequency(f.index).map_or(String::new(), percent))
    } else {
        String::new()
    };
    format!(
        "<tr data-f=\"{}\" aria-selected=\"false\"><td class=\"n\">{}</td><td class=\"name-cell\"><button type=\"button\" class=\"pick\" aria-pressed=\"false\">\
         <span class=\"long\">{}</span></button></td><td class=\"n\">{score}</td>{stability}<td class=\"hide-small\">{}</td><td class=\"why\">{}</td></tr>",
        f.rank - 1,
        count(f.rank),
        name(&view.feature(f.index)),
        bars(view, f),
        because(view, f)
    )
}

/// Small bars of the alignments.
fn bars(view: &View<'_>, f: &FeaturePortrait) -> String {
    if f.alignment.is_empty() {
        return String::new();
    }
    let mut marks = String::new();
    for (a, share) in f.alignment.iter().enumerate() {
        let (x, height) = (a * 22, (share * 20.0).max(0.8));
        marks.push_str(&format!(
            "<rect class=\"no\" x=\"{x}\" y=\"0\" width=\"18\" height=\"20\"/><rect x=\"{x}\" y=\"{:.1}\" width=\"18\" height=\"{height:.1}\"/>",
            20.0 - height
        ));
    }
    let words = view.follows(f).map_or(String::new(), |(axis, share)| {
        format!("{} follows eigenvector {}", percent(share), axis.pair)
    });
    let axes = view.portrait().map.iter().flat_map(|m| &m.axes).zip(&f.alignment);
    let each: Vec<String> =
        axes.map(|(axis, share)| format!("ξ{} {}", subscript(axis.pair), percent(*share))).collect();
    let tip = data("tip", &format!("α²: {}", each.join(", ")));
    format!(
        "<svg class=\"alpha\" viewBox=\"0 0 128 20\" role=\"img\" aria-label=\"{words}\"{tip}>{marks}</svg>"
    )
}

/// Kept or dropped, and why, in words. The script says the same of the features that it adds.
pub(crate) fn because(view: &View<'_>, f: &FeaturePortrait) -> String {
    let together = view.ranking().is_some_and(|r| r.looks_together);
    let state = if f.kept { "<span class=\"state kept-word\">kept</span>" } else { "dropped" };
    if let Some(reason) = &f.reason {
        return format!("{state}: {}", escape(reason));
    }
    let follows = view.follows(f).filter(|(_, share)| *share >= if f.kept { FOLLOWS } else { FOLLOWS_WELL });
    let part = follows.map(|(axis, share)| {
        let which = escape(&view.which(axis));
        format!("follows ξ{} ({}){which}", subscript(axis.pair), percent(share))
    });
    let by = match (together, f.kept) {
        (true, true) => ": chosen with the others".to_owned(),
        (true, false) => ": not chosen".to_owned(),
        (false, true) => " by its score".to_owned(),
        (false, false) => format!(": below the first {}", count(view.kept().count())),
    };
    let alike = f.alike.filter(|a| !f.kept && a.correlation.abs() >= LIKE);
    match (f.kept, alike, part) {
        (true, _, Some(part)) => format!("{state}{by}; {part}"),
        (true, _, None) if f.alignment.is_empty() => format!("{state}{by}"),
        (true, _, None) => format!("{state}{by}; follows no leading eigenvector"),
        (false, Some(alike), _) => format!(
            "{state}{}like {} (r = {})",
            if together { ": ".to_owned() } else { format!("{by}; ") },
            name(&view.feature(alike.index)),
            correlation(alike.correlation)
        ),
        (false, _, Some(part)) => format!("{state}{by}, though it {part}"),
        (false, ..) => format!("{state}{by}"),
    }
}
