//! Labels in a file of their own.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use fiedler::{Dataset, Labels, Monitor};

use crate::csv::{Notation, read_texts};
use crate::input::Input;
use crate::memory::TEXT_TAKES;
use crate::options::{Format, ReadOptions};
use crate::table::{number_label, unknown_column};
use crate::{Error, Result, npy};

/// Labels, and what the file calls them where it does.
pub(crate) struct Read {
    pub(crate) labels: Labels,
    pub(crate) title: Option<String>,
}

impl Read {
    fn untitled(labels: Labels) -> Self {
        Read { labels, title: None }
    }
}

/// Reads the labels of the samples of `data`.
///
/// One column: one label a line, in the order of the samples, an empty line for an unlabeled
/// sample. Two columns or more: sample name and label, in any order, or sample name and several columns of which one is
/// named as the label. Or a one-dimensional array.
pub(crate) fn read(
    path: &Path,
    data: &Dataset,
    options: &ReadOptions,
    notes: &mut Vec<String>,
    monitor: &dyn Monitor,
) -> Result<Read> {
    let mut input = Input::open(path, monitor.limits())?;
    let file = input.name.clone();
    if input.format(None)? == Format::Npy {
        let values = npy::read_vector(&mut input, monitor)?;
        return in_order(&file, values.into_iter().map(number_label).collect(), data).map(Read::untitled);
    }
    input.check_text()?;
    let budget = Rc::clone(&input.budget);
    let bytes = input.read_all(monitor)?;
    budget.take_items(bytes.len(), TEXT_TAKES)?;
    let mut rows = read_texts(&bytes, &file, &options.text)?;
    let notation = Notation { decimal: b'.', missing: options.text.missing.clone() };
    let label = |text: &String| (!notation.is_missing(text.as_bytes())).then(|| text.clone());
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    if widest <= 1 {
        if let Some(label) =
            options.label.as_ref().filter(|l| rows.first().is_none_or(|r| r[0] != l.as_str()))
        {
            return Err(unknown_column(&file, label.as_str(), rows.first().map(Vec::as_slice), 1));
        }
        // Without a line end after it, an empty last line cannot be told from none.
        if rows.len() + 1 == data.n_samples() && rows.last().is_some_and(|r| r[0].is_empty()) {
            rows.push(vec![String::new()]);
        }
        let labels = rows.iter().map(|r| label(&r[0])).collect();
        let (title, labels) = fit(labels, data.n_samples(), &file, notes)?;
        return in_order(&file, labels, data).map(|labels| Read { labels, title });
    }
    let at = column(&file, &rows, options, notes)?;
    let rows: Vec<Vec<String>> = rows.into_iter().map(|row| pair(row, at)).collect();
    let labels = by_name(&file, &rows, label, data, notes)?;
    Ok(Read { labels, title: title(&rows, data) })
}

/// What the first line calls the labels, where it names no sample.
fn title(rows: &[Vec<String>], data: &Dataset) -> Option<String> {
    let [name, title, ..] = rows.first()?.as_slice() else { return None };
    let is_sample = data.sample_names().is_some_and(|samples| samples.contains(name));
    (!is_sample && !title.is_empty()).then(|| title.clone())
}

/// The column of the labels: what is named as the label, or the second.
fn column(file: &str, rows: &[Vec<String>], options: &ReadOptions, notes: &mut Vec<String>) -> Result<usize> {
    let titles: &[String] = rows.first().map_or(&[], Vec::as_slice);
    if let Some(label) = &options.label {
        let found = label.resolve(titles.len(), |name| titles.iter().position(|t| t == name));
        return found.ok_or_else(|| unknown_column(file, label.as_str(), Some(titles), titles.len()));
    }
    if titles.len() > 2 {
        notes.push(format!(
            "the labels are those of the second column (`{}`) of {file}, which has {} columns; name the label where it is \
             another one",
            titles[1],
            titles.len()
        ));
    }
    Ok(1)
}

/// The first field of a row and the one of the label.
fn pair(mut row: Vec<String>, at: usize) -> Vec<String> {
    if at > 1 && row.len() > at {
        row.swap(1, at);
    } else if at > 1 {
        row.truncate(1);
    }
    row
}

/// One line a sample, the last ones unlabeled or not; blank lines beyond that are nothing, and one
/// line too many is a title, which comes first.
fn fit(
    mut labels: Vec<Option<String>>,
    n_samples: usize,
    file: &str,
    notes: &mut Vec<String>,
) -> Result<(Option<String>, Vec<Option<String>>)> {
    if labels.len() == n_samples + 1 && labels.last() == Some(&None) && may_be_title(&labels) {
        let first = labels.iter().flatten().next().map_or("", String::as_str);
        return Err(Error::Labels {
            file: file.to_owned(),
            what: format!("`{first}` may be a title or a class, for the last line is empty"),
            advice: "leave out the title, or the empty line".to_owned(),
        });
    }
    while labels.len() > n_samples && labels.last() == Some(&None) {
        labels.pop();
    }
    let mut title = None;
    if labels.len() == n_samples + 1 {
        notes.push(format!("the first line of {file} was taken for a title"));
        title = labels.remove(0);
    }
    Ok((title, labels))
}

/// Whether the first text stands nowhere else, while others do.
fn may_be_title(labels: &[Option<String>]) -> bool {
    let Some((Some(first), rest)) = labels.split_first() else { return false };
    let rest: Vec<&String> = rest.iter().flatten().collect();
    let classes: HashSet<&String> = rest.iter().copied().collect();
    !classes.contains(first) && classes.len() < rest.len()
}

fn in_order(file: &str, labels: Vec<Option<String>>, data: &Dataset) -> Result<Labels> {
    if labels.len() == data.n_samples() {
        return Ok(Labels::new(labels));
    }
    Err(Error::Labels {
        file: file.to_owned(),
        what: format!("{} labels for {} samples", labels.len(), data.n_samples()),
        advice: "give one a line in the order of the samples, or lines of sample name and label".to_owned(),
    })
}

fn by_name(
    file: &str,
    rows: &[Vec<String>],
    label: impl Fn(&String) -> Option<String>,
    data: &Dataset,
    notes: &mut Vec<String>,
) -> Result<Labels> {
    let wrong = |what: String, advice: &str| {
        Err(Error::Labels { file: file.to_owned(), what, advice: advice.to_owned() })
    };
    let Some(samples) = data.sample_names() else {
        return wrong(
            "it has names of samples beside the labels, but the samples of the data have no names".to_owned(),
            "give a file with one label a line, in the order of the samples",
        );
    };
    let mut found: HashMap<&str, Option<String>> = HashMap::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate().filter(|(_, r)| !(r.len() == 1 && r[0].is_empty())) {
        let [name, text, ..] = row.as_slice() else {
            return wrong(
                format!("row {} has no second field", i + 1),
                "give sample name and label in every line",
            );
        };
        if found.insert(name.as_str(), label(text)).is_some() {
            return wrong(format!("sample `{name}` has two lines"), "keep one of them");
        }
    }
    let labels: Vec<Option<String>> =
        samples.iter().map(|s| found.get(s.as_str()).cloned().flatten()).collect();
    let matched = samples.iter().filter(|s| found.contains_key(s.as_str())).count();
    if matched == 0 {
        return wrong(
            format!("none of the samples is named in it; the first is `{}`", samples[0]),
            "the first field of a line must be a sample name as the data have it",
        );
    }
    if matched < samples.len() {
        notes.push(format!("{} samples are not named in {file} and stay unlabeled", samples.len() - matched));
    }
    Ok(Labels::new(labels))
}
