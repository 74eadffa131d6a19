//! Chapter 5 of the dissertation on generated studies: its tables in their form, and which of its claims hold.
//!
//! The human cancer data are not to be had, so no value is better or worse than printed. What can be judged are the
//! claims, each counted over studies, and where two rankings are compared with a t-test over studies, which are independent.

use fiedler::Goal;
use fiedler::eval::Selection;
use serde_json::{Value, json};

use super::Context;
use super::found::{Cell, CurveFound, Ours, TableFound, Verdict};
use super::fusion_study::{SOURCES, Trial};
use super::held::{ClaimFound, Held};
use super::recipe::{FusionKeys, Recipe};
use super::tested::{Pair, mean};
use crate::failure::{Failure, Outcome};

/// Studies where `--quick` is given.
const QUICK: usize = 2;

/// The parts that have curves, with what the chapter calls them.
const PARTS: [(&str, &str); 3] = [
    ("2C", "table 5.4, 5.5: 2C-DATA"),
    ("4C", "table 5.4: 4C-DATA"),
    ("4C from 2C", "table 5.5: 4C-DATA, genes of 2C-DATA"),
];

/// Computes the chapter again.
///
/// # Errors
/// The recipe is at fault, or Ctrl-C.
pub(super) fn run(recipe: &Recipe, keys: &FusionKeys, context: &Context<'_>) -> Outcome<TableFound> {
    if keys.steps < 3 || keys.counts.is_empty() || keys.studies == 0 {
        return Err(Failure::usage("[fusion] needs `studies`, `counts` and 3 `steps` at least"));
    }
    let settings = recipe.settings();
    let mut found = TableFound::new(&settings);
    let studies = if context.quick { keys.studies.min(QUICK) } else { keys.studies };
    let mut all = Vec::with_capacity(settings.len());
    for setting in &settings {
        let selection = match setting.selection.as_deref() {
            Some("all") => Selection::All,
            _ => Selection::Training,
        };
        let mut answers = Vec::with_capacity(studies);
        for seed in 0..studies as u64 {
            context.tell(&format!("study {}, selection on {}", seed + 1, selection.name()));
            let asked = json!({"fusion": keys, "seed": seed, "selection": selection.name()});
            let compute = || Trial::new(keys, seed, selection, context.monitor)?.answer();
            answers.push(context.cache.get("generated studies", &asked, compute)?);
        }
        all.push(Answers(answers));
    }
    tables(&mut found, keys, &all);
    found.claims = claims(&all)?;
    Ok(found)
}

/// What the studies of a setting gave.
struct Answers(Vec<Value>);

impl Answers {
    /// The mean over all counts, of every study.
    fn values(&self, part: &str, method: &str, what: &str) -> Vec<f64> {
        let mean = |answer: &Value| {
            let values = numbers(&answer[part][method][what]);
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        self.0.iter().filter_map(mean).collect()
    }

    /// The mean over studies at every count.
    fn curve(&self, part: &str, method: &str, what: &str) -> Vec<f64> {
        let all: Vec<Vec<f64>> = self.0.iter().map(|a| numbers(&a[part][method][what])).collect();
        let counts = all.first().map_or(0, Vec::len);
        (0..counts).map(|c| all.iter().map(|v| v[c]).sum::<f64>() / all.len() as f64).collect()
    }

    fn methods(&self, part: &str) -> Vec<String> {
        let names = self.0.first().and_then(|a| a[part].as_object()).map(|o| o.keys().cloned().collect());
        names.unwrap_or_default()
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// A mean with its spread over studies.
fn spread(values: &[f64]) -> Option<Ours> {
    let n = values.len();
    let mean = (n > 0).then(|| values.iter().sum::<f64>() / n as f64)?;
    let square = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    let sd = if n > 1 { (square / (n - 1) as f64).sqrt() } else { 0.0 };
    Some(Ours::Number { mean, sd, n })
}

/// The order of the chapter; what it does not have comes last.
fn ordered(mut names: Vec<String>) -> Vec<String> {
    let order = ["SPCA", "Laplacian Score"].map(str::to_owned).into_iter();
    let order = order.chain(SOURCES.map(|s| format!("MSFS {s}")));
    let rest = ["MSFS COMB-1", "MSFS COMB-2", "ReliefF", "MSFS-FIS", "MSFS-kerCB", "random"];
    let order: Vec<String> = order.chain(rest.map(str::to_owned)).collect();
    names.sort_by_key(|name| order.iter().position(|known| known == name).unwrap_or(usize::MAX));
    names
}

fn tables(found: &mut TableFound, keys: &FusionKeys, all: &[Answers]) {
    let mut cells = small_and_sizes(all);
    cells.extend(judged(all));
    cells.extend(listed(all));
    found.cells = cells
        .into_iter()
        .map(|(row, method, ours)| {
            let printed = keys.printed.get(&row).and_then(|line| line.get(&method));
            let paper = printed.map(|value| crate::config::texts(value).join(","));
            Cell { row, method, paper, ours, verdict: Verdict::None }
        })
        .collect();
    let Some(first) = all.first() else { return };
    for (part, row) in PARTS {
        for what in ["accuracy", "hits"] {
            for method in ordered(first.methods(part)) {
                let points = keys.counts.iter().copied().zip(first.curve(part, &method, what)).collect();
                found.curves.push(CurveFound { row: format!("{row}, {what}"), method, points });
            }
        }
    }
}

/// A line of a table: its row, its method, and what every setting gave.
type Line = (String, String, Vec<Option<Ours>>);

/// Tables 5.1 and 5.3.
fn small_and_sizes(all: &[Answers]) -> Vec<Line> {
    let mut lines = Vec::new();
    for name in ["Unsupervised", "Supervised"] {
        for (place, what) in [(0, "ACC"), (1, "REL")] {
            let of =
                |a: &Answers| a.0.iter().filter_map(|v| v["5.1"][name][place].as_f64()).collect::<Vec<_>>();
            let ours = all.iter().map(|a| spread(&of(a))).collect();
            lines.push(("table 5.1".to_owned(), format!("{name}, {what}"), ours));
        }
    }
    for (set, row) in [("2C", "table 5.3: 2C-DATA"), ("4C", "table 5.3: 4C-DATA")] {
        for (at, source) in SOURCES.iter().enumerate() {
            let size = |a: &Answers| {
                let sizes = &a.0.first()?["sizes"];
                let samples = if at < 2 { sizes[set].to_string() } else { "-".to_owned() };
                Some(Ours::Text(format!("{}, {samples}", sizes["genes"][at])))
            };
            let ours = all.iter().map(size).collect();
            lines.push((row.to_owned(), format!("{source}: genes, samples"), ours));
        }
    }
    lines
}

/// Tables 5.4 and 5.5, and figure 5.5 (c).
fn judged(all: &[Answers]) -> Vec<Line> {
    let mut lines = Vec::new();
    let names = |part: &str| all.first().map(|a| a.methods(part)).unwrap_or_default();
    let ours = |part: &str, method: &str, what: &str| {
        all.iter().map(|a| spread(&a.values(part, method, what))).collect::<Vec<_>>()
    };
    for (part, row) in PARTS {
        // Genes of 2C-DATA have the hits they have there.
        let measures: &[&str] = if part == "4C from 2C" { &["accuracy"] } else { &["accuracy", "hits"] };
        for what in measures {
            for method in ordered(names(part)) {
                lines.push((format!("{row}, {what}"), method.clone(), ours(part, &method, what)));
            }
        }
    }
    for coefficient in names("sweep").into_iter().filter(|name| name != "random") {
        let row = "figure 5.5 (c): accuracy by the coefficient of miRNA, the rest is Function".to_owned();
        let ours = ours("sweep", &coefficient, "accuracy");
        lines.push((row, coefficient, ours));
    }
    lines
}

/// Table 5.6.
fn listed(all: &[Answers]) -> Vec<Line> {
    let gene = |a: &Answers, place: usize| {
        let gene = &a.0.first()?["top"][place];
        let word = match (gene["matters"].as_bool()?, gene["known"].as_bool()?) {
            (true, true) => "matters, known",
            (true, false) => "matters, not known",
            (false, true) => "called known, does not matter",
            (false, false) => "does not matter",
        };
        Some(Ours::Text(format!("{}: {word}", gene["gene"].as_str()?)))
    };
    let line = |place: usize| {
        let ours = all.iter().map(|a| gene(a, place)).collect();
        ("table 5.6: the first study".to_owned(), (place + 1).to_string(), ours)
    };
    (0..20).map(line).collect()
}

/// A claim: one ranking above others, in a part and by a measure.
struct Above {
    text: &'static str,
    part: &'static str,
    what: &'static str,
    better: &'static [&'static str],
    than: &'static [&'static str],
}

/// What the chapter concludes of means.
const ABOVE: [Above; 9] = [
    Above {
        text: "2C-DATA: genes by miRNA, COMB-1 and COMB-2 are more accurate than those of the baselines",
        part: "2C",
        what: "accuracy",
        better: &["MSFS miRNA", "MSFS COMB-1", "MSFS COMB-2"],
        than: &["SPCA", "Laplacian Score"],
    },
    Above {
        text: "4C-DATA: the same",
        part: "4C",
        what: "accuracy",
        better: &["MSFS miRNA", "MSFS COMB-1", "MSFS COMB-2"],
        than: &["SPCA", "Laplacian Score"],
    },
    Above {
        text: "2C-DATA: a combination is more accurate than every source alone",
        part: "2C",
        what: "accuracy",
        better: &["MSFS COMB-1"],
        than: &["MSFS mRNA", "MSFS miRNA", "MSFS Function", "MSFS Pathway", "MSFS GO Terms"],
    },
    Above {
        text: "2C-DATA: COMB-2 finds more known genes than every source alone and the baselines",
        part: "2C",
        what: "hits",
        better: &["MSFS COMB-2"],
        than: &[
            "SPCA",
            "Laplacian Score",
            "MSFS mRNA",
            "MSFS miRNA",
            "MSFS Function",
            "MSFS Pathway",
            "MSFS GO Terms",
        ],
    },
    Above {
        text: "2C-DATA: MSFS-FIS is the most accurate of those that look at labels",
        part: "2C",
        what: "accuracy",
        better: &["MSFS-FIS"],
        than: &["ReliefF", "MSFS-kerCB"],
    },
    Above {
        text: "2C-DATA: COMB-2, without labels, finds more known genes than those that look at labels",
        part: "2C",
        what: "hits",
        better: &["MSFS COMB-2"],
        than: &["ReliefF", "MSFS-FIS", "MSFS-kerCB"],
    },
    Above {
        text: "genes of 2C-DATA tell the four tumors of 4C-DATA apart: by miRNA, COMB-1 and COMB-2 better than by supervised selection",
        part: "4C from 2C",
        what: "accuracy",
        better: &["MSFS miRNA", "MSFS COMB-1", "MSFS COMB-2"],
        than: &["ReliefF", "MSFS-FIS", "MSFS-kerCB"],
    },
    // The best of many coefficients is above both ends in most flat curves too, so one of them is fixed: half of each.
    Above {
        text: "figure 5.5 (c): accuracy is higher where both sources take part (COMB-1: half miRNA, half Function) than with either alone",
        part: "2C",
        what: "accuracy",
        better: &["MSFS COMB-1"],
        than: &["MSFS miRNA", "MSFS Function"],
    },
    Above {
        text: "not in the chapter: COMB-2 is more accurate than random selection on 2C-DATA",
        part: "2C",
        what: "accuracy",
        better: &["MSFS COMB-2"],
        than: &["random"],
    },
];

fn claims(all: &[Answers]) -> Outcome<Vec<ClaimFound>> {
    let mut claims = vec![ClaimFound {
        text: "table 5.1: the supervised list is more accurate and holds no more genes that matter (studies)"
            .to_owned(),
        holds: all.iter().map(|a| studies(a, &higher_accuracy_fewer_hits)).collect(),
    }];
    for above in &ABOVE {
        let holds = all.iter().map(|a| above.held(a)).collect::<Outcome<Vec<Held>>>()?;
        claims.push(ClaimFound { text: above.text.to_owned(), holds });
    }
    claims.push(ClaimFound {
        text: "table 5.6: 17 or more of the first 20 genes of COMB-2 matter (studies)".to_owned(),
        holds: all.iter().map(|a| studies(a, &|v| mattering(v) >= 17)).collect(),
    });
    Ok(claims)
}

/// In how many studies something is so.
fn studies(all: &Answers, so: &dyn Fn(&Value) -> bool) -> Held {
    let mut held = Held::none();
    all.0.iter().enumerate().for_each(|(at, answer)| held.count(format!("study {}", at + 1), so(answer)));
    held
}

impl Above {
    /// Pair by pair, by a paired t-test over studies.
    fn held(&self, all: &Answers) -> Outcome<Held> {
        let mut held = Held::none();
        for better in self.better {
            for than in self.than {
                let values = |method: &str| all.values(self.part, method, self.what);
                let (ours, theirs) = (values(better), values(than));
                let name = format!("{better} and {than}");
                let tested = Pair { ours: &ours, theirs: &theirs, overlap: 0.0 }.test(Goal::Maximize, 0.0)?;
                held.compare(name, tested, (ours.len(), mean(&ours) > mean(&theirs)));
            }
        }
        Ok(held)
    }
}

fn higher_accuracy_fewer_hits(answer: &Value) -> bool {
    let of = |name: &str, at: usize| answer["5.1"][name][at].as_f64().unwrap_or(f64::NAN);
    of("Supervised", 0) > of("Unsupervised", 0) && of("Supervised", 1) <= of("Unsupervised", 1)
}

fn mattering(answer: &Value) -> usize {
    answer["top"].as_array().into_iter().flatten().filter(|gene| gene["matters"] == true).count()
}
