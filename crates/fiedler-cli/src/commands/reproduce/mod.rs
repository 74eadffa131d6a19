//! `fiedler reproduce`: a table of a paper computed again, beside what was printed.
//!
//! ```text
//!  KEY.toml ──► data, settings, methods ──► protocol ──► cache ──► paper | ours | verdict
//!  embedded or a path                                    by content
//! ```
//! A difference is reported and never tuned away: the first setting of a recipe is judged, whatever
//! the others show.

mod along;
mod cache;
mod check;
mod claims;
mod counts;
mod evaluate;
mod found;
mod fusion;
mod fusion_study;
mod held;
mod kinds;
mod labels;
mod meant;
mod overview;
mod papers;
mod place;
mod race;
mod rankings;
mod recipe;
mod samples;
mod shared;
mod show;
mod store;
mod study;
mod tested;
mod told;
mod values;

use std::path::{Path, PathBuf};
use std::time::Instant;

use cpu_time::ProcessTime;
use fiedler::Monitor;
use serde_json::json;

use super::begin;
use crate::args::{ReproduceArgs, TableOrJson};
use crate::failure::{Failure, Outcome};
use crate::lists::did_you_mean;
use crate::output::json::document;
use crate::output::{self, YELLOW};
use cache::Cache;
use found::TableFound;
use recipe::{Data, Recipe};
use store::{Store, Stored};

/// What all kinds of work need.
struct Context<'a> {
    store: Store,
    cache: Cache,
    quick: bool,
    verbose: bool,
    monitor: &'a dyn Monitor,
}

/// A table and its recipe.
struct Table {
    key: String,
    /// What to ask for to have it again, in its own folder where it is a file of the user's.
    asked: String,
    recipe: Recipe,
    found: TableFound,
    /// Whether it is a look at few partitions.
    quick: bool,
    seconds: f64,
    /// What all threads took together.
    cpu_seconds: f64,
}

/// Runs the command.
///
/// # Errors
/// Wrong usage, data that cannot be read, or Ctrl-C.
pub(crate) fn run(args: &ReproduceArgs) -> Outcome {
    if args.list {
        let format = TableOrJson::chosen(args.format, args.output.as_deref())?;
        return output::write(list(format)?.as_bytes(), format.styling(), args.output.as_deref());
    }
    let recipes = recipes(args)?;
    if args.common.seed.is_some() {
        return Err(Failure::usage("--seed: the seed of a table is a key of its recipe"));
    }
    if args.quick && args.write {
        return Err(Failure::usage("--write keeps the paper's protocol, --quick does not: give one of them"));
    }
    let format = TableOrJson::chosen(args.format, args.output.as_deref())?;
    let progress = begin(&args.common)?;
    let context = Context {
        store: Store::new(args.data.as_deref(), own(args)),
        cache: Cache::new(args.cache.as_deref(), args.fresh)?,
        quick: args.quick,
        verbose: args.common.verbose,
        monitor: &progress,
    };
    context
        .store
        .check(recipes.iter().flat_map(|(_, recipe)| &recipe.data).map(|data| data.file.as_str()))?;
    let several = recipes.len() > 1;
    let mut tables = Vec::with_capacity(recipes.len());
    for (key, recipe) in recipes {
        let (begun, worked) = (Instant::now(), ProcessTime::now());
        let mut found = compute(&recipe, &context)?;
        if args.quick {
            found.unjudged();
        }
        // Of one recipe the error says what is missing, with the same words.
        if !args.common.quiet && (several || !found.cells.is_empty()) {
            warn(&key, &recipe, &found);
        }
        if let Some(get) = recipe.get.as_ref().filter(|_| !found.missing.is_empty()) {
            found.missing.push(get.clone());
        }
        let file = own(args).and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let asked = file.unwrap_or_else(|| key.clone());
        let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), worked.elapsed().as_secs_f64());
        context.tell(&format!("{key}: {seconds:.1} s, {cpu_seconds:.1} CPU seconds"));
        tables.push(Table { key, asked, recipe, found, quick: args.quick, seconds, cpu_seconds });
    }
    progress.finish();
    if tables.iter().all(|t| t.found.cells.is_empty()) {
        return Err(Failure::Data(format!("nothing was computed: {}", why_nothing(&tables))));
    }
    if args.write {
        write(args, &tables)?;
    }
    let text = match format {
        TableOrJson::Table => tables.iter().map(show::table).collect::<Vec<_>>().join("\n"),
        TableOrJson::Json => show::json(&tables),
    };
    output::write(text.as_bytes(), format.styling(), args.output.as_deref())
}

/// What to know of a table before trusting it, and which rows it lacks; where it lacks all of them, the first and how many more.
fn warn(key: &str, recipe: &Recipe, found: &TableFound) {
    let begins = |m: &String| m.starts_with(&recipe.origin.file) || m.starts_with(key);
    // What begins with the file of the recipe says where it belongs.
    let placed = |m: &String| if begins(m) { m.clone() } else { format!("{key}: {m}") };
    let missing = match in_brief(&found.missing) {
        Some(brief) if found.cells.is_empty() => vec![brief],
        _ => found.missing.clone(),
    };
    let get = recipe.get.iter().filter(|_| !missing.is_empty());
    missing
        .iter()
        .chain(get)
        .chain(&found.warnings)
        .for_each(|m| output::report("warning", YELLOW, &placed(m)));
}

/// The first row that is missing, and how many more are.
fn in_brief(rows: &[String]) -> Option<String> {
    let (first, rest) = rows.split_first()?;
    let more = match rest.len() {
        0 => String::new(),
        1 => " (and 1 more row is missing)".to_owned(),
        more => format!(" (and {more} more rows are missing)"),
    };
    Some(format!("{first}{more}"))
}

/// Why there is nothing: what is missing, and how to come by it.
fn why_nothing(tables: &[Table]) -> String {
    let of_table = |table: &Table| {
        let get = table.recipe.get.as_ref();
        let rows =
            table.found.missing.strip_suffix(table.recipe.get.as_slice()).unwrap_or(&table.found.missing);
        in_brief(rows).map(|brief| get.map_or(brief.clone(), |get| format!("{brief}; {get}")))
    };
    tables.iter().find_map(of_table).unwrap_or_else(|| "there is nothing to compute".to_owned())
}

fn compute(recipe: &Recipe, context: &Context<'_>) -> Outcome<TableFound> {
    if let Some(question) = &recipe.evaluate {
        return evaluate::run(recipe, question, context);
    }
    if let Some(question) = &recipe.labels {
        return labels::run(recipe, question, context);
    }
    if let Some(keys) = &recipe.study {
        return study::run(recipe, keys, context);
    }
    if let Some(keys) = &recipe.fusion {
        return fusion::run(recipe, keys, context);
    }
    if let Some(race) = &recipe.race {
        return race::run(recipe, race, context);
    }
    rankings::run(recipe, context)
}

impl Context<'_> {
    /// The data set of a row; where it is not there, why is noted with the line that names it.
    fn stored(&self, recipe: &Recipe, data: &Data, found: &mut TableFound) -> Outcome<Option<Stored>> {
        let read = self.store.find(&data.file, data.label.as_deref(), self.monitor);
        match read.map_err(|failure| recipe.placed(failure, data, 0))? {
            Ok(stored) => Ok(Some(stored)),
            Err(sentence) => {
                let sentence = format!("{}: {}: {sentence}", recipe.row(data), data.name);
                if !found.missing.contains(&sentence) {
                    found.missing.push(sentence);
                }
                Ok(None)
            }
        }
    }

    /// What is begun, for `--verbose`.
    fn tell(&self, what: &str) {
        if self.verbose {
            anstream::eprintln!("{what}");
        }
    }
}

/// The recipes that are asked for: of a key, of a file, or all.
fn recipes(args: &ReproduceArgs) -> Outcome<Vec<(String, Recipe)>> {
    let asked = args.what.as_deref().ok_or_else(|| {
        Failure::usage(
            "say what to reproduce: a key (--list shows them), `all`, or the path of a recipe (TOML)",
        )
    })?;
    let embedded = |key: &str, text: &str| Ok((key.to_owned(), recipe::parse(text, &format!("{key}.toml"))?));
    if asked == "all" {
        return papers::ALL.iter().map(|(key, text)| embedded(key, text)).collect();
    }
    if let Some((key, text)) = papers::ALL.iter().find(|(key, _)| *key == asked) {
        return Ok(vec![embedded(key, text)?]);
    }
    let path = Path::new(asked);
    if !path.exists() {
        let hint = did_you_mean(asked, papers::ALL.iter().map(|(key, _)| *key));
        return Err(Failure::usage(format!(
            "`{asked}` is neither a key nor a file{hint}; --list shows the keys"
        )));
    }
    let key = path.file_stem().unwrap_or(path.as_os_str());
    Ok(vec![(key.to_string_lossy().into_owned(), recipe::read(path)?)])
}

/// The keys with what they are and the files that they need.
fn list(format: TableOrJson) -> Outcome<String> {
    let mut recipes = Vec::new();
    for (key, text) in papers::ALL {
        recipes.push((key, recipe::parse(text, key)?));
    }
    let told = |(key, recipe): &(&str, Recipe)| json!({"key": key, "source": recipe.source, "title": recipe.title, "files": show::files(recipe)});
    Ok(match format {
        TableOrJson::Table => show::list(&recipes),
        TableOrJson::Json => document(&recipes.iter().map(told).collect()),
    })
}

/// The file of the user's, where that is what was asked for.
fn own(args: &ReproduceArgs) -> Option<&Path> {
    let path = Path::new(args.what.as_deref()?);
    let key = papers::ALL.iter().any(|(key, _)| Some(*key) == path.to_str());
    (!key && path.is_file()).then_some(path)
}

/// Writes the README of every table, and its part of the README of all of them; of a recipe of the user's a page of its name beside
/// it.
fn write(args: &ReproduceArgs, tables: &[Table]) -> Outcome {
    let mut pages: Vec<(PathBuf, String)> = Vec::new();
    let own = own(args);
    // Where no data are at hand the page of those who had them stays as it is.
    let computed = || tables.iter().filter(|table| !table.found.cells.is_empty());
    for table in computed() {
        if let Some(recipe) = own {
            pages.push((recipe.with_extension("md"), show::page(table)));
            continue;
        }
        let folder = Path::new("papers").join(&table.key);
        if !folder.is_dir() {
            let sentence =
                format!("--write: there is no {} here; run it in the repository", folder.display());
            return Err(Failure::usage(sentence));
        }
        pages.push((folder.join("README.md"), show::page(table)));
    }
    if own.is_none() {
        let path = Path::new("papers").join("README.md");
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        pages.push((path, overview::overview(computed(), &old)));
    }
    for (path, text) in pages {
        fiedler_io::write_whole(&path, |out| out.write_all(text.as_bytes()))?;
    }
    Ok(())
}
