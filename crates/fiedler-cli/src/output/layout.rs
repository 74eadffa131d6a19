//! Aligned columns, bars and numbers for people.

use std::fmt::Write;

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::CYAN;
use super::width::{page, width};

/// Names wider than this are cut in tables; CSV and JSON always have them whole.
pub(crate) const WIDEST_NAME: usize = 40;

/// Cells of the longest bar behind a row.
const WIDEST_BAR: usize = 20;
/// Bars shorter than this tell nothing.
const NARROWEST_BAR: usize = 5;

/// A cell: text without any escape codes, and its style.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    text: String,
    style: Style,
    /// Whether it runs over the columns behind it, which are empty in its row.
    across: bool,
}

impl Cell {
    /// A plain cell.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Cell::styled(text, Style::new())
    }

    /// A cell with a style.
    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Cell { text: text.into(), style, across: false }
    }

    /// The heading of the rows below it: it makes its column no wider.
    pub(crate) fn across(text: impl Into<String>, style: Style) -> Self {
        Cell { across: true, ..Cell::styled(text, style) }
    }

    /// Columns that it takes of a table.
    fn width(&self) -> usize {
        if self.across { 0 } else { self.text.width() }
    }
}

/// On which side a column lines up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// Writes rows with their columns aligned, two spaces apart, without trailing blanks.
pub(crate) fn aligned(out: &mut String, columns: &[Align], rows: &[Vec<Cell>]) {
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(Cell::width).max();
    let widths: Vec<usize> = (0..columns.len()).map(|c| width(c).unwrap_or(0)).collect();
    for row in rows {
        let last = row.iter().rposition(|cell| !cell.text.is_empty());
        for (c, cell) in row.iter().enumerate().take(last.map_or(0, |l| l + 1)) {
            let padding = " ".repeat(widths[c] - cell.width());
            let gap = if c == 0 { "" } else { "  " };
            let (text, style) = (&cell.text, cell.style);
            let _ = match columns[c] {
                Align::Right => write!(out, "{gap}{padding}{style}{text}{style:#}"),
                Align::Left if Some(c) == last => write!(out, "{gap}{style}{text}{style:#}"),
                Align::Left => write!(out, "{gap}{style}{text}{style:#}{padding}"),
            };
        }
        out.push('\n');
    }
}

/// Adds a bar behind every row but the first, which is the head: as long as the page leaves room for, and none where it leaves too
/// little to compare.
pub(crate) fn with_bars(rows: &mut [Vec<Cell>], shares: impl IntoIterator<Item = f64>) {
    let widest = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.text.width() + 2).max();
    let taken: usize = (0..).map_while(widest).sum();
    let room = Some(width().saturating_sub(taken)).filter(|&room| room >= NARROWEST_BAR);
    for (row, share) in rows.iter_mut().skip(1).zip(shares) {
        row.push(Cell::styled(bar(share, room.unwrap_or(0).min(WIDEST_BAR)), CYAN));
    }
}

/// Columns of a table that belong together, line by line.
pub(crate) struct Group {
    /// How each lines up.
    pub(crate) columns: Vec<Align>,
    /// The cells of every line.
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Group {
    /// Columns that it takes, with the gap before each.
    fn width(&self) -> usize {
        let widest = |c: usize| self.rows.iter().filter_map(|r| r.get(c)).map(Cell::width).max();
        (0..self.columns.len()).map(|c| widest(c).unwrap_or(0) + 2).sum()
    }
}

/// Writes a table whose `first` column names the lines. Groups that do not fit into `width` follow in further
/// tables below, each with the names of the lines.
pub(crate) fn in_blocks(out: &mut String, first: &Group, groups: Vec<Group>, width: usize) {
    let own = first.width();
    let mut block: Vec<Group> = Vec::new();
    let mut used = own;
    let mut flush = |block: &mut Vec<Group>, last: bool| {
        let all = || std::iter::once(first).chain(block.iter());
        let columns: Vec<Align> = all().flat_map(|g| g.columns.iter().copied()).collect();
        let row = |r: usize| all().flat_map(|g| g.rows[r].iter().cloned()).collect();
        let rows: Vec<Vec<Cell>> = (0..first.rows.len()).map(row).collect();
        aligned(out, &columns, &rows);
        block.clear();
        if !last {
            out.push('\n');
        }
    };
    for group in groups {
        // The first column has no gap before it.
        if !block.is_empty() && used + group.width() > width + 2 {
            flush(&mut block, false);
            used = own;
        }
        used += group.width();
        block.push(group);
    }
    flush(&mut block, true);
}

/// Writes rows with their columns aligned; columns that do not fit the page, where there is one, stand below, each block with the first `own` ones
/// again. A column without a heading belongs to the one before it.
pub(crate) fn paged(out: &mut String, columns: &[Align], rows: &[Vec<Cell>], own: usize) {
    let cell = |row: &Vec<Cell>, c: usize| row.get(c).cloned().unwrap_or_default();
    let group = |from: usize, to: usize| Group {
        columns: columns[from..to].to_vec(),
        rows: rows.iter().map(|row| (from..to).map(|c| cell(row, c)).collect()).collect(),
    };
    let headed = |c: &usize| rows.first().is_some_and(|head| !cell(head, *c).text.is_empty());
    let starts: Vec<usize> = (own..columns.len()).filter(|c| *c == own || headed(c)).collect();
    let ends = starts.iter().skip(1).copied().chain([columns.len()]);
    let groups = starts.iter().zip(ends).map(|(&from, to)| group(from, to)).collect();
    in_blocks(out, &group(0, own), groups, page());
}

/// A name for a table: control characters made harmless, cut where it is too wide.
pub(crate) fn name(text: &str) -> String {
    short(text, WIDEST_NAME)
}

/// A name of at most `widest` columns.
pub(crate) fn short(name: &str, widest: usize) -> String {
    let clean = name.chars().map(|c| if c.is_control() || super::is_obeyed(c) { '·' } else { c });
    let mut text = String::new();
    let mut width = 0;
    for c in clean {
        width += c.width().unwrap_or(0);
        if width > widest {
            while text.width() >= widest.max(1) {
                text.pop();
            }
            return text + "…";
        }
        text.push(c);
    }
    text
}

/// A bar of `share` (0 to 1) of `width` cells, in eighths of a cell.
pub(crate) fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (width * 8) as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// A histogram of `values` in `bins` characters; `None` where all are the same.
pub(crate) fn histogram(values: &[f64], bins: usize) -> Option<String> {
    const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = (max - min) / bins as f64;
    if !(width.is_finite() && width > 0.0) {
        return None;
    }
    let mut counts = vec![0_usize; bins];
    for v in values {
        counts[(((v - min) / width) as usize).min(bins - 1)] += 1;
    }
    let highest = counts.iter().copied().max().unwrap_or(0).max(1);
    // Rounded up, so that a bin with a single value is not drawn as empty.
    Some(counts.iter().map(|&c| HEIGHTS[(c * 8).div_ceil(highest)]).collect())
}

/// Numbers in one style: fixed point with five significant digits for the largest, or
/// scientific where that would hide them.
pub(crate) struct Numbers {
    decimals: Option<usize>,
}

impl Numbers {
    /// The style that suits `values`.
    pub(crate) fn for_values(values: impl Iterator<Item = f64>) -> Self {
        let largest = values.filter(|v| v.is_finite()).map(|v| plain_zero(v).abs()).fold(0.0, f64::max);
        let magnitude = if largest > 0.0 { largest.log10().floor() as i32 } else { 0 };
        let decimals = (-4..=8).contains(&magnitude).then(|| (4 - magnitude).clamp(0, 8) as usize);
        Numbers { decimals }
    }

    /// The number as text.
    pub(crate) fn show(&self, value: f64) -> String {
        let value = plain_zero(value);
        match self.decimals {
            // What is not zero must not look like it.
            Some(decimals) if value == 0.0 || value.abs() >= 0.5 * 0.1_f64.powi(decimals as i32) => {
                format!("{value:.decimals$}")
            }
            Some(_) => format!("{value:.0e}"),
            None => format!("{value:.4e}"),
        }
    }
}

/// A number by itself, to four significant digits.
pub(crate) fn number(value: f64) -> String {
    let value = plain_zero(value);
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    if !(-4..=6).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.*}", (3 - magnitude).max(0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// -0 as 0, and so is what is too small to be a number of full precision.
fn plain_zero(value: f64) -> f64 {
    if value.abs() <= f64::MIN_POSITIVE { 0.0 } else { value }
}

/// 1797 as 1,797.
pub(crate) fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 sample`, `2 samples`.
pub(crate) fn plural(n: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}
