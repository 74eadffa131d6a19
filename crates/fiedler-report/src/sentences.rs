//! The verdict in a few sentences, each by a plain rule, and what to be careful about.

use crate::panels_said;
use crate::story::RankingStory;
use crate::text::{count, escape, list, name, number, percent, plural, short};
use crate::view::View;

/// The verdict: which, how many, how sure. HTML.
pub(crate) fn verdict(view: &View<'_>) -> Vec<String> {
    let mut said = Vec::new();
    said.extend(which(view));
    said.extend(how_many(view));
    said.extend(how_good(view));
    said.extend(how_sure(view));
    if said.is_empty() {
        said.extend(panels_said::graph(view));
    }
    said
}

/// What to know before trusting it. HTML.
pub(crate) fn careful(view: &View<'_>) -> Vec<String> {
    let warned = view.found.warnings.iter().map(|w| capital(&escape(w)));
    warned.chain(panels_said::unrelated_labels(view)).collect()
}

fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn which(view: &View<'_>) -> Option<String> {
    let best: Vec<String> = view
        .portrait()
        .features
        .iter()
        .filter(|f| f.score.is_some())
        .take(view.kept().count().clamp(1, 3))
        .map(|f| format!("<b>{}</b>", name(&short(&view.feature(f.index), 60))))
        .collect();
    if best.is_empty() {
        return None;
    }
    let lists = view.found.data.n_samples == 0;
    let does = match view.ranking() {
        Some(method) if !lists => does(method, best.len()),
        _ if best.len() == 1 => "ranks first when all lists are taken together".to_owned(),
        _ => "rank first when all lists are taken together".to_owned(),
    };
    Some(format!("{} {does}.", list(&best)))
}

/// What the best features of a method do, after the subject of the sentence.
fn does(method: &RankingStory, features: usize) -> String {
    let one = features == 1;
    let verb = |singular: &str, plural: &str| if one { singular.to_owned() } else { plural.to_owned() };
    match (method.name.as_str(), method.is_unsupervised, &method.about) {
        ("variance", ..) => verb("varies most", "vary most"),
        (_, true, _) => {
            format!("{} the structure of the samples best", verb("follows", "follow"))
        }
        (_, _, Some(about)) => {
            format!("{} <bdi>{}</bdi>", verb("tells most about", "tell most about"), escape(about))
        }
        _ => verb("ranks first", "rank first"),
    }
}

fn how_many(view: &View<'_>) -> Option<String> {
    use fiedler::portrait::KeptBy;
    let curve = view.curve()?;
    if view.found.data.n_features == 1 {
        return Some("It is the only feature: there is nothing to choose from.".to_owned());
    }
    let all = plural(view.found.data.n_features, "feature");
    let redundant = panels_said::redundancy(view).unwrap_or_default();
    let are = if curve.kept == 1 { "is" } else { "are" };
    let kept = count(curve.kept);
    Some(match curve.kept_by {
        KeptBy::Elbow => format!("After {kept} of {all} the curve of the scores bends most.{redundant}"),
        KeptBy::Asked => format!("{kept} of {all} {are} kept.{redundant}"),
        KeptBy::Usual if curve.elbow.is_some() => {
            format!("{kept} of {all} {are} kept, the usual number.{redundant}")
        }
        KeptBy::Judged => format!(
            "{kept} of {all} {are} shown as kept: the fewest of those tried that come within one standard error of the \
             best.{redundant}"
        ),
        KeptBy::Usual => format!(
            "The scores of {all} do not say how many to keep: {}. The first {} shown as kept.{redundant}",
            match curve.late_turn {
                Some(turn) => format!("they fall evenly until rank {}", count(turn)),
                None => "they have no turning point that separates good from poor".to_owned(),
            },
            if curve.kept == 1 { "is".to_owned() } else { format!("{kept} are") }
        ),
    })
}

fn how_good(view: &View<'_>) -> Option<String> {
    let measured = view.found.evaluation.first()?;
    let verdict = measured.verdict.as_ref()?;
    let shown = |v: f64| {
        if (0.0..=1.0).contains(&v) && measured.measure.contains("accuracy") {
            percent(v)
        } else {
            number((v * 1000.0).round() / 1000.0)
        }
    };
    let all = verdict
        .all
        .as_ref()
        .map_or(String::new(), |all| format!("all {}: {}, ", count(all.count), shown(all.mean)));
    Some(format!(
        "With {} by {} the {} is <b>{}</b> ({all}{} at random: {}).",
        plural(verdict.enough.count, "feature"),
        escape(&verdict.enough.name),
        escape(&measured.measure),
        shown(verdict.enough.mean),
        count(verdict.enough.count),
        shown(verdict.random.mean)
    ))
}

fn how_sure(view: &View<'_>) -> Option<String> {
    let story = view.found;
    let Some(first) = story.stability.first() else {
        // What makes it sure or not in a fusion are its sources, which `fiedler stability` does not know.
        let ranked = view.curve().is_some() && story.data.n_samples > 0 && !story.is_fused();
        return ranked.then(|| {
            "<span class=\"soft\">How sure this is was not measured: <code>fiedler stability</code> on the same data does.</span>"
                .to_owned()
        });
    };
    let often = view.chosen_in(0.9);
    let kinds = if story.stability.len() > 1 { " under every kind of change" } else { "" };
    Some(format!(
        "{} of the {} {} chosen again in 90 % of the versions of the data or more{kinds}; <b>{}</b> safe to report.",
        if often == 0 { "None".to_owned() } else { count(often) },
        count(first.count),
        if often < 2 { "is" } else { "are" },
        match story.safe.len() {
            0 => "none is".to_owned(),
            1 => "1 is".to_owned(),
            safe => format!("{} are", count(safe)),
        }
    ))
}
