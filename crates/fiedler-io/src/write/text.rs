//! CSV, TSV and libsvm.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

use super::{Content, Selection};
use crate::matrix::Numbers;
use crate::options::{Format, Orientation};

/// Numbers that one task formats.
const TASK: usize = 1 << 14;

/// A delimited table, laid out like the one it came from.
pub(super) struct Text<'a> {
    selection: &'a Selection<'a>,
    delimiter: u8,
    decimal: u8,
    header: bool,
}

impl<'a> Text<'a> {
    pub(super) fn new(selection: &'a Selection<'a>, format: Format) -> Self {
        let layout = selection.layout;
        // A file that was text keeps its own marks; a table that had none gets the usual ones.
        let (delimiter, decimal) = match format {
            Format::Tsv => (b'\t', layout.decimal),
            _ if layout.format == Format::Csv => (layout.delimiter, layout.decimal),
            _ => (b',', b'.'),
        };
        let was_text = matches!(layout.format, Format::Csv | Format::Tsv);
        Text { selection, delimiter, decimal, header: layout.header || !was_text }
    }

    fn field(&self, line: &mut Vec<u8>, text: &str) {
        let special = |b: u8| b == self.delimiter || matches!(b, b'"' | b'\n' | b'\r');
        if text.bytes().any(special) || text.trim().len() < text.len() {
            line.push(b'"');
            line.extend_from_slice(text.replace('"', "\"\"").as_bytes());
            line.push(b'"');
        } else {
            line.extend_from_slice(text.as_bytes());
        }
        line.push(self.delimiter);
    }

    fn number(&self, line: &mut Vec<u8>, numbers: &Numbers, i: usize) {
        let start = line.len();
        push_number(line, numbers, i);
        if self.decimal != b'.' {
            line[start..].iter_mut().filter(|b| **b == b'.').for_each(|b| *b = self.decimal);
        }
        line.push(self.delimiter);
    }

    /// One line a sample.
    fn samples(&self, range: Range<usize>, lines: &mut Vec<u8>) {
        let s = self.selection;
        let (label, target) = (s.label_column(), s.target_column());
        for i in range {
            if let Some(names) = s.sample_names {
                self.field(lines, &names[i]);
            }
            let text = |first: bool| label.filter(|(c, _)| c.first == first).map(|(_, t)| t[i].unwrap_or(""));
            let number = |first: bool| target.filter(|(c, _)| c.first == first).map(|(_, numbers)| numbers);
            if let Some(text) = text(true) {
                self.field(lines, text);
            }
            if let Some(numbers) = number(true) {
                self.number(lines, numbers, i);
            }
            for column in &s.columns {
                self.number(lines, column, i);
            }
            if let Some(text) = text(false) {
                self.field(lines, text);
            }
            if let Some(numbers) = number(false) {
                self.number(lines, numbers, i);
            }
            end_line(lines);
        }
    }

    /// One line a feature.
    fn features(&self, range: Range<usize>, lines: &mut Vec<u8>) {
        let s = self.selection;
        for j in range {
            if self.header {
                self.field(lines, &s.names[j]);
            }
            for i in 0..s.n_samples {
                self.number(lines, &s.columns[j], i);
            }
            end_line(lines);
        }
    }

    fn column_names(&self) -> Vec<u8> {
        let s = self.selection;
        let mut line = Vec::new();
        let corner = s.layout.corner.as_deref().unwrap_or("");
        if s.layout.features == Orientation::Rows {
            if self.header {
                self.field(&mut line, corner);
            }
            s.sample_names.into_iter().flatten().for_each(|n| self.field(&mut line, n));
        } else {
            if s.sample_names.is_some() {
                self.field(&mut line, corner);
            }
            let known = s.label_column().map(|(c, _)| c).or_else(|| s.target_column().map(|(c, _)| c));
            let title = |first: bool| known.filter(|c| c.first == first).map(|c| &c.name);
            title(true).into_iter().for_each(|t| self.field(&mut line, t));
            s.names.iter().for_each(|n| self.field(&mut line, n));
            title(false).into_iter().for_each(|t| self.field(&mut line, t));
        }
        end_line(&mut line);
        line
    }
}

impl Content for Text<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let s = self.selection;
        match s.layout.features {
            Orientation::Columns => {
                if self.header {
                    out.write_all(&self.column_names())?;
                }
                in_order(out, s.n_samples, s.columns.len(), |range, lines| self.samples(range, lines))
            }
            Orientation::Rows => {
                if s.sample_names.is_some() {
                    out.write_all(&self.column_names())?;
                }
                in_order(out, s.columns.len(), s.n_samples, |range, lines| self.features(range, lines))
            }
        }
    }
}

/// `label index:value …`, indices from 1.
pub(super) struct Libsvm<'a> {
    selection: &'a Selection<'a>,
    labels: Vec<String>,
}

impl<'a> Libsvm<'a> {
    pub(super) fn new(selection: &'a Selection<'a>, notes: &mut Vec<String>) -> Self {
        if selection.layout.header || selection.sample_names.is_some() {
            notes.push("libsvm files have no place for names: features are numbered from 1".to_owned());
        }
        if let Some(numbers) = &selection.target {
            let number = |i: usize| {
                let mut text = Vec::new();
                push_number(&mut text, numbers, i);
                String::from_utf8_lossy(&text).into_owned()
            };
            return Libsvm { selection, labels: (0..selection.n_samples).map(number).collect() };
        }
        let Some(labels) = &selection.labels else {
            return Libsvm { selection, labels: vec!["0".to_owned(); selection.n_samples] };
        };
        let mut classes: Vec<&str> = labels.iter().flatten().copied().collect();
        classes.sort_unstable();
        classes.dedup();
        let numeric = classes.iter().all(|c| c.parse::<f64>().is_ok_and(f64::is_finite));
        if !numeric {
            let key: Vec<String> =
                classes.iter().enumerate().map(|(c, t)| format!("{} = {t}", c + 1)).collect();
            notes.push(format!("libsvm labels are numbers: {}", key.join(", ")));
        }
        if labels.contains(&None) {
            notes.push("unlabeled samples are written with the label nan".to_owned());
        }
        let write = |label: &Option<&str>| match label {
            None => "nan".to_owned(),
            Some(text) if numeric => (*text).to_owned(),
            Some(text) => (classes.partition_point(|c| c < text) + 1).to_string(),
        };
        let labels = labels.iter().map(write).collect();
        Libsvm { selection, labels }
    }

    fn samples(&self, range: Range<usize>, lines: &mut Vec<u8>) {
        for i in range {
            lines.extend_from_slice(self.labels[i].as_bytes());
            lines.push(b' ');
            for (j, column) in self.selection.columns.iter().enumerate() {
                if column.at(i) != 0.0 {
                    lines.extend_from_slice((j + 1).to_string().as_bytes());
                    lines.push(b':');
                    push_number(lines, column, i);
                    lines.push(b' ');
                }
            }
            end_line(lines);
        }
    }
}

impl Content for Libsvm<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let s = self.selection;
        in_order(out, s.n_samples, s.columns.len(), |range, lines| self.samples(range, lines))
    }
}

/// Formats lines in parallel and writes them in order, a few tasks at a time.
fn in_order(
    out: &mut dyn Write,
    count: usize,
    width: usize,
    format: impl Fn(Range<usize>, &mut Vec<u8>) + Sync,
) -> io::Result<()> {
    let per_task = (TASK / width.max(1)).max(1);
    let tasks: Vec<Range<usize>> =
        (0..count).step_by(per_task).map(|start| start..count.min(start + per_task)).collect();
    for group in tasks.chunks(4 * rayon::current_num_threads()) {
        let parts: Vec<Vec<u8>> = group
            .par_iter()
            .map(|range| {
                let mut lines = Vec::new();
                format(range.clone(), &mut lines);
                lines
            })
            .collect();
        for part in parts {
            out.write_all(&part)?;
        }
    }
    Ok(())
}

/// The last delimiter becomes the end of the line.
fn end_line(line: &mut Vec<u8>) {
    line.pop();
    line.push(b'\n');
}

/// The shortest digits that give the number back: whole numbers without a point, very large and
/// very small ones with an exponent. Text is read in double precision, and 0.1 in single precision is
/// 0.10000000149011612 there: that is what is written.
fn push_number(line: &mut Vec<u8>, numbers: &Numbers, i: usize) {
    let value = numbers.at(i);
    // Writing to memory does not fail.
    let _ = if value.fract() == 0.0 && value.abs() < 1e15 {
        write!(line, "{value}")
    } else {
        write!(line, "{value:?}")
    };
}
