//! The verdict in a few sentences, each by a plain rule, and what to be careful about.

use crate::panels_said;
use crate::story::{RankingStory, Spot};
use crate::text::{count, escape, list, name, number, percent, plural, short};
use crate::view::View;
use fiedler::Goal;

/// The verdict: which, how many, how sure. HTML.
pub(crate) fn verdict(view: &View<'_>) -> Vec<String> {
    let mut said = Vec::new();
    said.extend(which(view));
    said.extend(how_many(view));
    said.extend(known(view));
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
    warned.chain(too_few(view)).chain(panels_said::unrelated_labels(view)).collect()
}

/// That so few samples tell nothing.
fn too_few(view: &View<'_>) -> Option<String> {
    let n = view.found.data.n_samples;
    (1..SAMPLES).contains(&n).then(|| format!("{} are too few to trust any of this", plural(n, "sample")))
}

/// Of fewer samples nothing can be learned.
const SAMPLES: usize = 10;

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
    let lists = view.found.data.n_samples == 0 || view.found.joins_lists();
    let does = match view.ranking() {
        Some(method) if !lists => does(method, best.len()),
        _ if best.len() == 1 => "ranks first when all lists are taken together".to_owned(),
        _ => "rank first when all lists are taken together".to_owned(),
    };
    let by = match view.ranking() {
        Some(method) if view.found.rankings.len() > 1 => format!(" by {}", escape(&method.name)),
        _ => String::new(),
    };
    Some(format!("{} {does}{by}.", list(&best)))
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
    let redundant = panels_said::redundancy(view).unwrap_or_default()
        + &panels_said::one_thing(view).unwrap_or_default()
        + &together(view);
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
                Some(turn) =>
                    format!("there is no clear break among the best, only a bend at rank {}", count(turn)),
                None => "they have no turning point that separates good from poor".to_owned(),
            },
            if curve.kept == 1 { "is".to_owned() } else { format!("{kept} are") }
        ),
    })
}

/// That a set which was chosen together is one of its size.
fn together(view: &View<'_>) -> String {
    let chosen = view.ranking().is_some_and(|r| r.looks_together) && !view.found.joins_lists();
    let chosen = chosen && view.kept().count() > 1;
    if chosen {
        " They were chosen together: asked for another number, the method may choose others.".to_owned()
    } else {
        String::new()
    }
}

/// How many known features are among the first, where some are known.
fn known(view: &View<'_>) -> Option<String> {
    let known = view.found.known.as_ref()?;
    let told: Vec<String> = known
        .hits
        .iter()
        .map(|(depth, hits)| format!("{} among the first {}", count(*hits), count(*depth)))
        .collect();
    Some(format!("Of {} known to matter, {}.", plural(known.ranked, "feature"), list(&told)))
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
    let enough = verdict.enough.mean;
    let random = format!(
        "{} at random give {}{}",
        count(verdict.enough.count),
        shown(verdict.random.mean),
        compared(&verdict.random, (enough, measured.goal))
    );
    let all = verdict.all.as_ref().map_or(String::new(), |all| {
        let against = compared(all, (enough, measured.goal));
        format!("; all {} give {}{against}", count(all.count), shown(all.mean))
    });
    Some(format!(
        "With {} by {} the {} is <b>{}</b>; {random}{all}.{}",
        plural(verdict.enough.count, "feature"),
        escape(&verdict.enough.name),
        escape(&measured.title()),
        shown(enough),
        if measured.n_partitions < FEW {
            format!(
                " {} are few: the spread itself is hardly known.",
                plural(measured.n_partitions, "partition")
            )
        } else {
            String::new()
        }
    ))
}

/// With fewer partitions hardly anything is sure.
const FEW: usize = 5;
/// Below this a difference is not chance.
const SIGNIFICANT: f64 = 0.05;

/// A p-value after its letter, with the digits that matter.
fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {}", number((p * 1000.0).round() / 1000.0)) }
}

/// How another selection compares with the one chosen, as the end of a clause.
fn compared(other: &Spot, (chosen, goal): (f64, Goal)) -> String {
    let better = match goal {
        Goal::Maximize => other.mean > chosen,
        Goal::Minimize => other.mean < chosen,
    };
    match other.p_value {
        Some(p) if p < SIGNIFICANT => {
            format!(", {} (p {})", if better { "better" } else { "worse" }, probability(p))
        }
        Some(p) => format!(", no clear difference (p {})", probability(p)),
        None => String::new(),
    }
}

fn how_sure(view: &View<'_>) -> Option<String> {
    let story = view.found;
    let Some(first) = story.stability.first() else {
        // What makes it sure or not in a fusion are its sources, which `fiedler stability` does not know.
        let ranked = view.curve().is_some() && story.data.n_samples > 0 && !story.is_fused();
        return ranked.then(|| {
            let method = view.ranking().map_or(String::new(), |r| format!(" -m {}", escape(&r.name)));
            format!(
                "<span class=\"soft\">How sure this is, whether other samples would give the same features, has not been measured: \
                 run <code>fiedler stability …{method} --top {}</code> on the same data.</span>",
                view.kept().count()
            )
        });
    };
    let kinds = if story.stability.len() > 1 { ", under every kind of change" } else { "" };
    if story.safe.is_empty() {
        return Some(format!(
            "<b>None of the {}</b> is safe to report: of none are we 95 % sure that more than {} of such versions of the data \
             choose it again.",
            count(first.count),
            percent(first.threshold)
        ));
    }
    Some(format!(
        "<b>{} of the {}</b> {} safe to report: chosen again in more than {} of all such versions of the data{kinds} (95 % sure).",
        count(story.safe.len()),
        count(first.count),
        if story.safe.len() < 2 { "is" } else { "are" },
        percent(first.threshold)
    ))
}
