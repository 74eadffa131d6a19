//! A second look at a table that is not all numbers: every column that cannot be read is found at once, and what the
//! options say about it is done.

use std::ops::Range;

use rayon::prelude::*;

use super::cells::{Content, cells, text};
use super::header::Role;
use super::records::line_of;
use super::{Problem, Reader, TASK_BYTES};
use crate::error::{BadColumn, ColumnName, Holds, Location};
use crate::survey::{Column, Treated, Treatment};
use crate::{Error, Result};

impl Reader<'_> {
    /// What becomes of every column, or an error that names all that cannot be read.
    ///
    /// # Errors
    /// The cell, where one alone is bad; all bad columns otherwise.
    pub(super) fn survey(&self, records: &[Range<usize>]) -> Result<Vec<Treatment>> {
        let mut bad: Vec<(usize, BadColumn)> = Vec::new();
        let mut treatments = Vec::with_capacity(self.roles.len());
        for (position, column) in self.look(records).iter().enumerate() {
            if !matches!(self.roles[position], Role::Number(_)) {
                treatments.push(Treatment::Drop);
                continue;
            }
            let (treatment, refused) = column.treat(self.options);
            treatments.push(treatment);
            bad.extend(refused.into_iter().map(|refused| {
                let record = refused.record;
                let line = Location::Line(line_of(self.bytes, records[record].start));
                let name = self.header.name(position).map(str::to_owned);
                (record, refused.told(ColumnName { position, name }, line))
            }));
        }
        let cells: usize = bad.iter().map(|(_, b)| b.count).sum();
        match bad.as_slice() {
            [] => Ok(treatments),
            [(record, only)] if cells == 1 => Err(self.error(&records[*record], problem(only))),
            _ => {
                let columns = bad.into_iter().map(|(_, column)| column).collect();
                Err(Error::Columns { file: self.file.to_owned(), rows: records.len(), columns })
            }
        }
    }

    /// Counts what stands in every column, parts of the records in parallel.
    fn look(&self, records: &[Range<usize>]) -> Vec<Column> {
        let per_task = (TASK_BYTES * records.len() / self.bytes.len().max(1)).max(1);
        let part = |(task, part): (usize, &[Range<usize>])| {
            let mut columns = vec![Column::default(); self.roles.len()];
            for (at, record) in part.iter().enumerate() {
                let cells = cells(&self.bytes[record.clone()], self.dialect.delimiter);
                for ((column, role), cell) in columns.iter_mut().zip(&self.roles).zip(cells) {
                    if matches!(role, Role::Number(_)) {
                        let content = self.dialect.notation.read(&cell);
                        column.add(task * per_task + at, content, || text(&cell));
                    }
                }
            }
            columns
        };
        let parts: Vec<Vec<Column>> = records.par_chunks(per_task).enumerate().map(part).collect();
        let join = |a: Vec<Column>, b: Vec<Column>| a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect();
        parts.into_iter().reduce(join).unwrap_or_default()
    }

    /// Gives every column the role of its treatment, and tells what is done unlike the file says.
    pub(super) fn apply(&mut self, treatments: Vec<Treatment>, notes: &mut Vec<String>) {
        let mut told = Treated::default();
        let mut place = 0;
        for (position, treatment) in treatments.into_iter().enumerate() {
            if !matches!(self.roles[position], Role::Number(_)) {
                continue;
            }
            let name =
                self.header.name(position).map_or_else(|| format!("column {}", position + 1), str::to_owned);
            told.add(name, &treatment);
            let (role, width) = match &treatment {
                Treatment::Number => (Role::Number(place), 1),
                Treatment::Truth => (Role::Truth(place), 1),
                Treatment::Days(order) => (Role::Days(place, *order), 1),
                Treatment::OneHot(values) => (Role::OneHot(place), values.len()),
                Treatment::Drop => (Role::Skip, 0),
            };
            self.roles[position] = role;
            if let Treatment::OneHot(values) = treatment {
                self.values.insert(position, values);
            }
            place += width;
        }
        notes.extend(told.notes());
    }
}

/// The one bad cell of a table.
fn problem(bad: &BadColumn) -> Problem {
    let content = match bad.holds {
        Holds::Gaps => Content::Missing,
        Holds::Infinite => Content::Infinite,
        _ => Content::Text,
    };
    Problem::Cell { column: bad.column.position, content, found: bad.example.0.clone() }
}
