//! Tables of two columns, and 0/1 tables that mean the same.

use std::path::Path;

use fiedler::Monitor;

use super::{IsName, Row, Text, WithNotes, title};
use crate::Result;

/// Reads annotations as (feature, term).
///
/// # Errors
/// The file cannot be read or is neither form.
pub fn read_annotations(
    path: &Path,
    known: IsName<'_>,
    monitor: &dyn Monitor,
) -> Result<WithNotes<Vec<(String, String)>>> {
    let text = Text::read(path, monitor)?;
    let rows: Vec<Row> = text.rows().collect();
    let mut told = if is_wide(&rows) {
        WithNotes { found: wide(&text, &rows)?, notes: Vec::new() }
    } else {
        pairs(&text, rows, known, "annotation table")?
    };
    told.found = text.filled(told.found, "annotations")?;
    Ok(told)
}

/// Reads what every sample belongs to, as (sample, category); a category may be a path `a/b/c`.
///
/// # Errors
/// The file cannot be read, a line has not two fields, or a sample has no category.
pub fn read_categories(
    path: &Path,
    known: IsName<'_>,
    monitor: &dyn Monitor,
) -> Result<WithNotes<Vec<(String, String)>>> {
    let text = Text::read(path, monitor)?;
    let mut told = pairs(&text, text.rows().collect(), known, "category table")?;
    told.found = text.filled(told.found, "samples")?;
    Ok(told)
}

/// Every cell but titles is 0 or 1, and there is a title over every column.
fn is_wide(rows: &[Row]) -> bool {
    let mark = |c: &String| c == "0" || c == "1";
    rows.len() > 1
        && rows[0].1.len() > 1
        && !rows[0].1[1..].iter().all(mark)
        && rows[1..].iter().all(|(_, r)| r.len() > 1 && r[1..].iter().all(mark))
}

fn wide(text: &Text, rows: &[Row]) -> Result<Vec<(String, String)>> {
    let width = rows[1].1.len();
    let titles = &rows[0].1;
    // The corner may be empty or missing.
    let terms = if titles.len() == width { &titles[1..] } else { &titles[..] };
    let mut found = Vec::new();
    for (line, row) in &rows[1..] {
        if row.len() != terms.len() + 1 {
            let what = format!("{} fields where {} are expected", row.len(), terms.len() + 1);
            return Err(text.wrong(*line, "annotation table", what));
        }
        let marked = row[1..].iter().zip(terms).filter(|(mark, _)| *mark == "1");
        found.extend(marked.map(|(_, term)| (row[0].clone(), term.clone())));
    }
    Ok(found)
}

fn pairs(
    text: &Text,
    rows: Vec<Row>,
    known: IsName<'_>,
    format: &'static str,
) -> Result<WithNotes<Vec<(String, String)>>> {
    let (titled, note) = rows.first().map_or((false, None), |(_, row)| title(row, known, false));
    let pair = |(line, row): Row| match <[String; 2]>::try_from(row) {
        Ok([name, other]) if name.is_empty() || other.is_empty() => {
            let what = format!("nothing stands beside `{name}{other}`; fill it in or delete the line");
            Err(text.wrong(line, format, what))
        }
        Ok([name, other]) => Ok((name, other)),
        Err(row) => {
            let fields = if row.len() == 1 { "field" } else { "fields" };
            Err(text.wrong(line, format, format!("{} {fields} where two are expected", row.len())))
        }
    };
    let found = rows.into_iter().skip(usize::from(titled)).map(pair).collect::<Result<_>>()?;
    Ok(WithNotes { found, notes: note.into_iter().collect() })
}
