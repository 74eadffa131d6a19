//! What several test files share: golden files, closeness, graphs written out, sparse copies.
#![allow(dead_code, unreachable_pub)] // every test file uses a part of it

pub mod clumps;

use fiedler::dataset::Sparse;
use fiedler::{Dataset, Graph, Labels, Scaling};
use serde_json::Value;

/// A file of inputs and reference outputs, made by slow literal Python.
pub struct Golden {
    pub name: &'static str,
    pub data: Dataset,
    outputs: Value,
}

/// All golden files, unscaled as the papers compute.
pub fn golden() -> Vec<Golden> {
    let files = [
        ("iris_jittered", include_str!("../golden/iris_jittered.json")),
        ("three_gaussians", include_str!("../golden/three_gaussians.json")),
    ];
    files
        .into_iter()
        .map(|(name, text)| {
            let json: Value = serde_json::from_str(text).expect("a golden file is JSON");
            let rows: Vec<Vec<f64>> = json["X"].as_array().expect("X").iter().map(numbers).collect();
            let codes: Vec<usize> = numbers(&json["y"]).iter().map(|&v| v as usize).collect();
            let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
            let data = data.labeled(Labels::from_codes(&codes)).expect("a label per sample");
            Golden { name, data, outputs: json["outputs"].clone() }
        })
        .collect()
}

impl Golden {
    /// An output, or one field of it.
    pub fn output(&self, key: &str, field: &str) -> &Value {
        let output = self.outputs.get(key).unwrap_or_else(|| panic!("{}: no output {key}", self.name));
        output.get(field).unwrap_or(output)
    }

    /// The numbers of an output, NaN for null.
    pub fn numbers(&self, key: &str, field: &str) -> Vec<f64> {
        numbers(self.output(key, field))
    }

    /// One number.
    pub fn number(&self, key: &str, field: &str) -> f64 {
        self.output(key, field).as_f64().unwrap_or_else(|| panic!("{key}.{field} is a number"))
    }

    /// Fails unless `got` is the output to a relative error of 1e-9, with gaps where it has gaps.
    pub fn assert_close(&self, key: &str, field: &str, got: &[f64]) {
        assert_close(&format!("{} {key}", self.name), got, &self.numbers(key, field), 1e-9);
    }
}

/// JSON numbers, NaN for null.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect()
}

/// Fails unless every value is within `relative` of the expected one (of the largest, where that
/// is far larger), and NaN exactly where NaN is expected.
pub fn assert_close(what: &str, got: &[f64], expected: &[f64], relative: f64) {
    assert_eq!(got.len(), expected.len(), "{what}: length");
    let largest = expected.iter().filter(|v| v.is_finite()).fold(0.0f64, |a, v| a.max(v.abs()));
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        if e.is_nan() || g.is_nan() {
            assert_eq!(g.is_nan(), e.is_nan(), "{what}[{i}]: got {g}, expected {e}");
        } else {
            let scale = e.abs().max(1e-5 * largest);
            assert!((g - e).abs() <= relative * scale, "{what}[{i}]: got {g}, expected {e}");
        }
    }
}

/// S as rows: the library's S·I.
pub fn written_out(graph: &Graph) -> Vec<Vec<f64>> {
    let n = graph.n_samples();
    let lanes = n.next_multiple_of(8);
    let (mut identity, mut out) = (vec![0.0; n * lanes], vec![0.0; n * lanes]);
    (0..n).for_each(|i| identity[i * lanes + i] = 1.0);
    graph.apply(&identity, lanes, &mut out);
    out.chunks_exact(lanes).map(|row| row[..n].to_vec()).collect()
}

/// The same table by its non-zeros, unscaled and without labels.
pub fn sparse(rows: &[Vec<f64>]) -> Dataset {
    let (mut offsets, mut samples, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..rows[0].len() {
        for (i, row) in rows.iter().enumerate().filter(|(_, row)| row[j] != 0.0) {
            samples.push(i as u32);
            values.push(row[j]);
        }
        offsets.push(samples.len());
    }
    let columns = Sparse::new(offsets, samples, values, rows.len()).expect("well formed");
    Dataset::new(columns).expect("finite").scaled(Scaling::None)
}
