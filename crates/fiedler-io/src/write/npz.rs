//! NPZ: a sparse matrix as SciPy loads it, or the array `X`; with names and classes in arrays of their own.

use std::io::{self, Write};

use super::{Content, Selection};
use crate::matrix::{Matrix, Numbers, Storage};
use crate::npz::{FEATURE_NAMES, SAMPLE_NAMES};
use crate::zip;

/// An archive.
pub(super) struct Npz<'a> {
    selection: &'a Selection<'a>,
    matrix: Matrix,
}

impl<'a> Npz<'a> {
    pub(super) fn new(selection: &'a Selection<'a>, matrix: Matrix) -> Self {
        Npz { selection, matrix }
    }

    fn data(&self) -> Vec<(&'static str, Vec<u8>)> {
        let shape = [self.matrix.rows, self.matrix.columns];
        match &self.matrix.storage {
            Storage::Dense { .. } => vec![("X.npy", numbers(&super::stored::by_row(&self.matrix), &shape))],
            Storage::Sparse { offsets, rows, values } => {
                let offsets: Vec<i64> = offsets.iter().map(|&o| o as i64).collect();
                vec![
                    ("indices.npy", array("<i4", &[rows.len()], rows.iter().flat_map(|r| r.to_le_bytes()))),
                    (
                        "indptr.npy",
                        array("<i8", &[offsets.len()], offsets.iter().flat_map(|o| o.to_le_bytes())),
                    ),
                    ("format.npy", array("|S3", &[], *b"csc")),
                    ("shape.npy", array("<i8", &[2], shape.iter().flat_map(|&n| (n as i64).to_le_bytes()))),
                    ("data.npy", numbers(values, &[values.len()])),
                ]
            }
        }
    }
}

impl Content for Npz<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let s = self.selection;
        let mut members = self.data();
        let names: Vec<&str> = s.names.iter().map(AsRef::as_ref).collect();
        let features = format!("{FEATURE_NAMES}.npy");
        let samples = format!("{SAMPLE_NAMES}.npy");
        let mut named: Vec<(&str, Vec<u8>)> = Vec::new();
        if s.layout.header {
            named.push((&features, texts(&names)));
        }
        if let Some(names) = s.sample_names {
            named.push((&samples, texts(&names.iter().map(String::as_str).collect::<Vec<_>>())));
        }
        if let Some((_, labels)) = s.label_column() {
            let labels: Vec<&str> = labels.iter().map(|l| l.unwrap_or("")).collect();
            let whole: Option<Vec<i64>> = labels.iter().map(|l| l.parse().ok()).collect();
            named.push((
                "y.npy",
                match whole {
                    Some(codes) => array("<i8", &[codes.len()], codes.iter().flat_map(|c| c.to_le_bytes())),
                    None => texts(&labels),
                },
            ));
        }
        if let Some((_, target)) = s.target_column() {
            named.push(("y.npy", numbers(target, &[s.n_samples])));
        }
        members.append(&mut named);
        zip::write(out, &members)
    }
}

fn numbers(values: &Numbers, shape: &[usize]) -> Vec<u8> {
    match values {
        Numbers::F32(v) => array("<f4", shape, v.iter().flat_map(|x| x.to_le_bytes())),
        Numbers::F64(v) => array("<f8", shape, v.iter().flat_map(|x| x.to_le_bytes())),
    }
}

/// Texts of the length of the longest.
fn texts(texts: &[&str]) -> Vec<u8> {
    let length = texts.iter().map(|t| t.chars().count()).max().unwrap_or(1).max(1);
    let padded = texts.iter().flat_map(|t| t.chars().map(u32::from).chain(std::iter::repeat(0)).take(length));
    array(&format!("<U{length}"), &[texts.len()], padded.flat_map(u32::to_le_bytes))
}

fn array(kind: &str, shape: &[usize], bytes: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let mut content = super::binary::header(kind, &format!("({})", shape.trim_end()));
    content.extend(bytes);
    content
}
