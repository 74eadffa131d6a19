//! How to reproduce this: data, method, parameters as given and as fitted, versions, seed, time, command.

use std::fmt::Write;

use super::Panel;
use crate::story::{DataStory, LabelStory, RankingStory};
use crate::text::{count, escape, list, name, number, plural, seconds};
use crate::view::View;

/// Classes that are named.
const CLASSES: usize = 12;

pub(crate) fn panel(view: &View<'_>) -> Panel {
    let command = view.found.command.as_deref().map_or(String::new(), |command| {
        format!(
            "<div class=\"command\"><pre id=\"command\" tabindex=\"0\">{}</pre><button type=\"button\" class=\"copy\" id=\"copy\" hidden>Copy</button></div>",
            escape(command)
        )
    });
    let mut facts = String::new();
    for (what, value) in facts_of(view) {
        let _ = write!(facts, "<dt>{}</dt><dd>{value}</dd>", escape(&what));
    }
    let took = view.found.seconds.map_or(String::new(), |s| format!(" It took {}.", seconds(s)));
    Panel {
        id: "again",
        title: "How to reproduce this".to_owned(),
        says: match view.found.command {
            Some(_) => {
                format!("This command gives the same answer, to the bit, on any number of threads.{took}")
            }
            None => format!("The same data, method and seed give the same answer, to the bit.{took}"),
        },
        body: format!("{command}<dl class=\"note\">{facts}</dl>{}", notes(view)),
        wide: true,
    }
}

/// The data in a few words.
fn size(data: &DataStory) -> String {
    format!(
        "{}: {}{}{}{}",
        name(&data.name),
        if data.n_samples > 0 { plural(data.n_samples, "sample") + ", " } else { String::new() },
        plural(data.n_features, "feature"),
        if data.is_sparse { ", stored by their non-zeros" } else { "" },
        if data.n_constant > 0 {
            format!(", {} of them constant", count(data.n_constant))
        } else {
            String::new()
        }
    )
}

/// The labels, and who looked at them.
fn labels(labels: &LabelStory) -> String {
    let classes: Vec<String> =
        labels.classes.iter().take(CLASSES).map(|(c, n)| format!("{} ({})", name(c), count(*n))).collect();
    let more = match labels.classes.len().saturating_sub(CLASSES) {
        0 => String::new(),
        more => format!(" and {} more", count(more)),
    };
    let without = match labels.unlabeled {
        0 => String::new(),
        some => format!("; {} without one", plural(some, "sample")),
    };
    let used = match (labels.used, labels.weighed) {
        (_, true) => "; the weights of the sources were learned from them",
        (true, _) => "",
        _ => "; no method looked at them",
    };
    format!("{}: {}{more}{without}{used}", name(&labels.name), list(&classes))
}

fn facts_of(view: &View<'_>) -> Vec<(String, String)> {
    let story = view.found;
    let data = &story.data;
    let mut facts = vec![("data".to_owned(), size(data))];
    facts.extend(data.labels.as_ref().map(|l| ("labels".to_owned(), labels(l))));
    if let Some(target) = &data.target {
        let (low, high) = target.range;
        facts.push((
            "target".to_owned(),
            format!("{}: a number from {} to {}", name(&target.name), number(low), number(high)),
        ));
    }
    if let Some(fingerprint) = data.fingerprint {
        let value = format!(
            "<code>{fingerprint:016x}</code>: the same for the same numbers, whatever file they are in"
        );
        facts.push(("fingerprint".to_owned(), value));
    }
    let asked: Vec<String> = story
        .asked
        .iter()
        .filter(|(_, v)| !v.is_empty())
        .map(|(n, v)| format!("{} = {}", escape(n), escape(v)))
        .collect();
    if !asked.is_empty() {
        facts.push(("asked".to_owned(), asked.join(", ")));
    }
    facts.extend(view.found.rankings.iter().map(|r| (r.title.clone(), method(r, data.n_samples > 0))));
    facts.push((
        "seed".to_owned(),
        story.seed.map_or("none given; the method's default".to_owned(), |s| s.to_string()),
    ));
    facts.push(("version".to_owned(), format!("fiedler {}", escape(&story.version))));
    facts
}

fn method(ranking: &RankingStory, has_data: bool) -> String {
    let parameters: Vec<String> =
        ranking.parameters.iter().map(|(n, v)| format!("{} = {}", escape(n), escape(v))).collect();
    let parameters = if parameters.is_empty() {
        String::new()
    } else {
        format!(" Parameters: {}.", parameters.join(", "))
    };
    let graph = ranking.graph.as_ref().map_or(String::new(), |(kind, of)| {
        let of: Vec<String> = of.iter().map(|(n, v)| format!("{} = {}", escape(n), escape(v))).collect();
        format!(
            " Graph: {}{}.",
            escape(kind),
            if of.is_empty() { String::new() } else { format!(", {}", of.join(", ")) }
        )
    });
    let about = ranking.about.as_ref().filter(|_| !ranking.is_unsupervised);
    let about = about.map_or(String::new(), |about| format!(" It looked at {}.", name(about)));
    let seen = if has_data { format!(" Features: {}.", escape(&ranking.seen)) } else { String::new() };
    format!("{}{about}{seen}{parameters}{graph}", escape(&ranking.measures))
}

fn notes(view: &View<'_>) -> String {
    if view.found.notes.is_empty() {
        return String::new();
    }
    let items: String = view.found.notes.iter().map(|n| format!("<li>{}</li>", escape(n))).collect();
    format!("<details open><summary>What was decided for you</summary><ul>{items}</ul></details>")
}
