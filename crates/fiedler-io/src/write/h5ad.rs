//! AnnData: X, names of samples and features, the classes as a categorical column of `obs`, and the scores of a method in `var`.

use std::io::{self, Write};

use hdf5_pure::{AttrValue, DatasetBuilder, FileBuilder, GroupBuilder};

use super::{Content, Selection};
use crate::matrix::{Matrix, Numbers, Storage};
use crate::options::Format;
use crate::table::Layout;

/// A file with what the selection holds.
pub(super) struct H5ad<'a> {
    selection: &'a Selection<'a>,
    matrix: Matrix,
}

impl<'a> H5ad<'a> {
    pub(super) fn new(selection: &'a Selection<'a>, matrix: Matrix, notes: &mut Vec<String>) -> Self {
        let Layout { format, .. } = selection.layout;
        if *format == Format::H5ad {
            notes.push(
                "the file holds X, the names, the labels and the scores; other parts of the AnnData file were not copied"
                    .to_owned(),
            );
        }
        H5ad { selection, matrix }
    }

    fn build(&self) -> FileBuilder {
        let s = self.selection;
        let mut file = FileBuilder::new();
        file.set_attr("encoding-type", text("anndata"));
        file.set_attr("encoding-version", text("0.1.0"));
        self.x(&mut file);
        let samples: Vec<String> = match s.sample_names {
            Some(names) => names.to_vec(),
            None => (0..s.n_samples).map(|i| i.to_string()).collect(),
        };
        let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
        let features: Vec<&str> = s.names.iter().map(AsRef::as_ref).collect();
        let label = s.label_column().map(|(column, texts)| (column.name.as_str(), texts));
        let target = s.target_column().map(|(column, numbers)| (column.name.as_str(), numbers));
        let title = label.map(|l| l.0).or(target.map(|t| t.0));
        let mut obs = frame(file.create_group("obs"), &samples, title.as_slice());
        if let Some((name, Numbers::F64(values))) = target {
            array(obs.create_dataset(name).with_f64_data(values));
        }
        if let Some((name, texts)) = label {
            let column = categorical(obs.create_group(name), texts);
            obs.add_group(column.finish());
        }
        file.add_group(obs.finish());
        let var = self.var(file.create_group("var"), &features);
        file.add_group(var.finish());
        for name in ["layers", "obsm", "obsp", "uns", "varm", "varp"] {
            let mut group = file.create_group(name);
            describe(&mut group, "dict", "0.1.0");
            file.add_group(group.finish());
        }
        file
    }

    /// The names of the features, and the scores under the names that the functions of Python give them.
    fn var(&self, group: GroupBuilder, features: &[&str]) -> GroupBuilder {
        let Some(found) = self.selection.scores else { return frame(group, features, &[]) };
        let score = format!("{}_score", found.method.replace('-', "_"));
        let rank = format!("{score}_rank");
        let mut var = frame(group, features, &[&score, &rank]);
        array(var.create_dataset(&score).with_f64_data(&found.scores));
        let ranks: Vec<i64> = found.ranks.iter().map(|&r| r as i64).collect();
        array(var.create_dataset(&rank).with_i64_data(&ranks));
        var
    }

    fn x(&self, file: &mut FileBuilder) {
        let m = &self.matrix;
        let shape = [m.rows as u64, m.columns as u64];
        if let Storage::Dense { .. } = &m.storage {
            let dataset = file.create_dataset("X");
            match super::stored::by_row(m) {
                Numbers::F32(v) => dataset.with_f32_data(&v),
                Numbers::F64(v) => dataset.with_f64_data(&v),
            };
            array(dataset.with_shape(&shape));
            return;
        }
        let mut group = file.create_group("X");
        describe(&mut group, "csr_matrix", "0.1.0");
        group.set_attr("shape", AttrValue::I64Array(shape.iter().map(|&n| n as i64).collect()));
        // Rows first, as most programs for single cells want them.
        if let Storage::Sparse { offsets, rows, values } = m.turned_storage() {
            let offsets: Vec<i64> = offsets.into_iter().map(|o| o as i64).collect();
            let indices: Vec<i32> = rows.into_iter().map(|r| r as i32).collect();
            group.create_dataset("indptr").with_i64_data(&offsets);
            group.create_dataset("indices").with_i32_data(&indices);
            match values {
                Numbers::F32(v) => group.create_dataset("data").with_f32_data(&v),
                Numbers::F64(v) => group.create_dataset("data").with_f64_data(&v),
            };
        }
        file.add_group(group.finish());
    }
}

impl Content for H5ad<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.build().finish_to(out).map_err(io::Error::other)
    }
}

fn text(value: &str) -> AttrValue {
    AttrValue::VarLenString(value.to_owned())
}

fn describe(group: &mut GroupBuilder, kind: &str, version: &str) {
    group.set_attr("encoding-type", text(kind));
    group.set_attr("encoding-version", text(version));
}

/// Says that a data set is an array of numbers.
fn array(dataset: &mut DatasetBuilder) {
    dataset.set_attr("encoding-type", text("array"));
    dataset.set_attr("encoding-version", text("0.2.0"));
}

/// A table with an index and these columns, which the caller adds.
fn frame(mut group: GroupBuilder, index: &[&str], columns: &[&str]) -> GroupBuilder {
    describe(&mut group, "dataframe", "0.2.0");
    group.set_attr("_index", text("_index"));
    let columns = match columns {
        [] => AttrValue::F64Array(Vec::new()),
        names => AttrValue::VarLenStringArray(names.iter().map(|&name| name.to_owned()).collect()),
    };
    group.set_attr("column-order", columns);
    strings(&mut group, "_index", index);
    group
}

fn strings(group: &mut GroupBuilder, name: &str, values: &[&str]) {
    let dataset = group.create_dataset(name).with_vlen_strings(values);
    dataset.set_attr("encoding-type", text("string-array"));
    dataset.set_attr("encoding-version", text("0.2.0"));
}

/// Codes into the sorted classes, -1 where there is none.
fn categorical(mut group: GroupBuilder, texts: &[Option<&str>]) -> GroupBuilder {
    describe(&mut group, "categorical", "0.2.0");
    group.set_attr("ordered", AttrValue::I8(0));
    let mut classes: Vec<&str> = texts.iter().flatten().copied().collect();
    classes.sort_unstable();
    classes.dedup();
    let code = |t: &Option<&str>| t.map_or(-1, |t| classes.partition_point(|c| *c < t) as i32);
    let codes: Vec<i32> = texts.iter().map(code).collect();
    array(group.create_dataset("codes").with_i32_data(&codes));
    strings(&mut group, "categories", &classes);
    group
}
