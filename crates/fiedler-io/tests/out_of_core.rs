//! A file that is larger than the memory it may take gives the same bits as one that is read whole.

use std::fs;
use std::path::{Path, PathBuf};

use fiedler::dataset::demo::Planted;
use fiedler::graph::{GraphRecipe, Knn};
use fiedler::limits::Bytes;
use fiedler::{Dataset, Labels, Limited, Limits, Scaling, Selector, Silent, methods};
use fiedler_io::{Missing, Orientation, ReadOptions, Sampling, Table, read};

const SAMPLES: usize = 60;
const FEATURES: usize = 330;

/// Four clusters in a table of numbers that both precisions hold, row after row.
fn numbers() -> Vec<f64> {
    let planted = Planted {
        n_samples: SAMPLES,
        informative: 6,
        redundant: 4,
        noise: FEATURES - 10,
        ..Planted::default()
    };
    let data = planted.generate().expect("planted").data.scaled(Scaling::None);
    let columns: Vec<Vec<f64>> = (0..FEATURES).map(|j| data.column(j).expect("in memory")).collect();
    (0..SAMPLES * FEATURES).map(|p| f64::from(columns[p % FEATURES][p / FEATURES] as f32)).collect()
}

/// How an array lies in its file.
#[derive(Clone, Copy)]
struct Lies {
    kind: &'static str,
    fortran: bool,
    turned: bool,
}

impl Lies {
    /// Writes rows × columns as NumPy does.
    fn write(self, path: &Path, values: &[f64]) {
        let (rows, columns) = (SAMPLES, values.len() / SAMPLES);
        let shape = if self.turned { (columns, rows) } else { (rows, columns) };
        let order = if self.fortran { "True" } else { "False" };
        let text = format!("{{'descr': '{}', 'fortran_order': {order}, 'shape': {shape:?}, }}", self.kind);
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(((text.len() + 1) as u16).to_le_bytes());
        bytes.extend(text.bytes().chain([b'\n']));
        let by_sample = self.fortran == self.turned;
        let place = |p: usize| if by_sample { p } else { (p % rows) * columns + p / rows };
        for v in (0..values.len()).map(|p| values[place(p)]) {
            match self.kind {
                "<f4" => bytes.extend((v as f32).to_le_bytes()),
                ">f4" => bytes.extend((v as f32).to_be_bytes()),
                "<f8" => bytes.extend(v.to_le_bytes()),
                "<i2" => bytes.extend((v as i16).to_le_bytes()),
                other => panic!("no kind {other}"),
            }
        }
        fs::write(path, bytes).expect("written");
    }

    fn options(self) -> ReadOptions {
        let features = if self.turned { Orientation::Rows } else { Orientation::Columns };
        ReadOptions { features, ..ReadOptions::default() }
    }
}

const ROWS: Lies = Lies { kind: "<f4", fortran: false, turned: false };

fn scene() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wide.npy");
    (folder, path)
}

/// As little memory as a few columns take.
fn tight(path: &Path, options: &ReadOptions) -> Result<Table, String> {
    let monitor = Limited { monitor: &Silent, limits: Limits::of(Bytes(140_000)) };
    read(path, options, &monitor).map_err(|error| error.to_string())
}

fn on_disk(path: &Path, options: &ReadOptions) -> Table {
    let table = tight(path, options).expect("read");
    let told = table.notes.iter().any(|note| note.contains("read from the disk as it is needed"));
    assert!(told, "{:?}", table.notes);
    table
}

fn in_memory(path: &Path, options: &ReadOptions) -> Table {
    let table = read(path, options, &Silent).expect("read");
    assert!(!table.notes.iter().any(|note| note.contains("disk")), "{:?}", table.notes);
    table
}

fn labeled(data: Dataset) -> Dataset {
    let classes: Vec<usize> = (0..data.n_samples()).map(|i| i % 4).collect();
    data.labeled(Labels::from_codes(&classes)).expect("a label per sample").scaled(Scaling::Auto)
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn same(found: &Dataset, expected: &Dataset) {
    assert_eq!(found.stats(), expected.stats());
    assert_eq!(found.sample_names(), expected.sample_names());
    for j in 0..expected.n_features() {
        assert_eq!(found.feature_name(j), expected.feature_name(j));
        assert_eq!(bits(&found.column(j).expect("there")), bits(&expected.column(j).expect("there")), "{j}");
    }
}

fn all_methods() -> Vec<(&'static str, Box<dyn Selector>)> {
    let knn = || Some(GraphRecipe::Knn(Knn::default()));
    methods::all()
        .iter()
        .flat_map(|entry| {
            let count = entry.info.parameters.iter().filter(|p| p.name == "count");
            let set: Vec<(&str, &str)> = count.map(|p| (p.name, "5")).collect();
            let graphs = if entry.info.name == "evsc" { vec![None, knn()] } else { vec![None] };
            graphs
                .into_iter()
                .map(move |graph| (entry.info.name, entry.build(set.clone(), graph).expect("right")))
        })
        .collect()
}

#[test]
fn every_method_gives_the_same_bits_from_disk_and_from_memory() {
    let (_folder, path) = scene();
    let values = numbers();
    for lies in [ROWS, Lies { kind: "<f8", fortran: true, ..ROWS }] {
        lies.write(&path, &values);
        let found = labeled(on_disk(&path, &lies.options()).data);
        let expected = labeled(in_memory(&path, &lies.options()).data);
        same(&found, &expected);
        for (name, method) in all_methods() {
            let (found, expected) = (method.rank(&found).expect(name), method.rank(&expected).expect(name));
            assert_eq!(bits(found.scores()), bits(expected.scores()), "{name}");
            assert_eq!(found.order(), expected.order(), "{name}");
        }
    }
}

#[test]
fn every_kind_of_number_in_both_orders_and_both_ways_round() {
    let (_folder, path) = scene();
    let values: Vec<f64> = numbers().iter().map(|v| (v * 100.0).round()).collect();
    for kind in ["<f4", ">f4", "<f8", "<i2"] {
        for (fortran, turned) in [(false, false), (false, true), (true, false), (true, true)] {
            let lies = Lies { kind, fortran, turned };
            lies.write(&path, &values);
            same(&on_disk(&path, &lies.options()).data, &in_memory(&path, &lies.options()).data);
        }
    }
}

#[test]
fn what_is_asked_of_a_table_is_done_on_disk_too() {
    let (folder, path) = scene();
    let mut values = numbers();
    // A column of classes, a rare feature, and gaps: one in a few columns, one column of nothing else.
    for i in 0..SAMPLES {
        values[i * FEATURES] = (i % 3) as f64;
        values[i * FEATURES + 40] = f64::from(u8::from(i == 7));
        values[i * FEATURES + 90] = f64::NAN;
    }
    for (i, j) in [(3, 200), (9, 200), (9, 64), (59, 329)] {
        values[i * FEATURES + j] = f64::NAN;
    }
    ROWS.write(&path, &values);
    let names = folder.path().join("names.txt");
    fs::write(&names, (1..FEATURES).map(|j| format!("gene{j}\n")).collect::<String>()).expect("written");
    let label = ReadOptions { label: Some("1".into()), ..ReadOptions::default() };
    let exclude = vec!["x90".to_owned(), "x17".to_owned()];
    for missing in [Missing::DropRows, Missing::DropColumns, Missing::Mean, Missing::Median] {
        for options in [
            ReadOptions { missing, feature_names: Some(names.clone()), ..label.clone() },
            ReadOptions { missing, min_samples: 2, names: Some("330".into()), ..ReadOptions::default() },
            ReadOptions {
                missing,
                exclude: exclude.clone(),
                sample: Some(Sampling { count: 20, seed: 1 }),
                ..ReadOptions::default()
            },
        ] {
            let memory = read(&path, &options, &Silent).map_err(|e| e.to_string());
            match (tight(&path, &options), memory) {
                (Ok(found), Ok(expected)) => {
                    same(&found.data, &expected.data);
                    assert_eq!(found.notes[1..], expected.notes[..]);
                    let codes = |t: &Table| t.data.labels().map(|l| l.codes().to_vec());
                    assert_eq!(codes(&found), codes(&expected));
                }
                (found, expected) => assert_eq!(found.map(drop), expected.map(drop)),
            }
        }
    }
    let error = tight(&path, &ReadOptions::default()).expect_err("gaps");
    assert_eq!(
        Err(error),
        read(&path, &ReadOptions::default(), &Silent).map(drop).map_err(|e| e.to_string())
    );
}

#[test]
fn parts_of_a_file_on_disk_are_those_of_memory() {
    let (_folder, path) = scene();
    ROWS.write(&path, &numbers());
    let (found, expected) =
        (on_disk(&path, &ReadOptions::default()), in_memory(&path, &ReadOptions::default()));
    let far: Vec<usize> = (0..20).map(|j| (j * 37 + 5) % FEATURES).collect();
    let near: Vec<usize> = (0..FEATURES).filter(|j| j % 3 != 1).collect();
    let rows: Vec<usize> = (0..30).map(|i| (i * 7 + 2) % SAMPLES).collect();
    for chosen in [far, near, (100..140).collect()] {
        let part = |t: &Table| t.data.subset(&chosen).expect("in range");
        same(&part(&found), &part(&expected));
        let part = |t: &Table| part(t).samples(&rows, &Silent).expect("in range");
        same(&part(&found), &part(&expected));
    }
}

#[test]
fn a_file_that_shrinks_changes_or_was_never_whole_is_told_in_a_sentence() {
    let (_folder, path) = scene();
    let name = path.display().to_string();
    ROWS.write(&path, &numbers());
    let data = on_disk(&path, &ReadOptions::default()).data;
    let whole = fs::read(&path).expect("there");
    fs::write(&path, &whole[..whole.len() - 1]).expect("cut");
    let error = data.column(FEATURES - 1).expect_err("shorter").to_string();
    let told = format!("reading columns failed: {name}: it became shorter while it was read; start again");
    assert!(error.starts_with(&told), "{error}");
    let error = tight(&path, &ReadOptions::default()).expect_err("cut");
    assert_eq!(error, format!("{name}: not a whole NPY file: it ends before its 60 × 330 numbers do"));
    fs::write(&path, [&whole[..], b"more"].concat()).expect("written");
    let data = on_disk(&path, &ReadOptions::default()).data;
    fs::write(&path, [&whole[..], b"even more"].concat()).expect("written");
    let error = data.column(3).expect_err("changed").to_string();
    assert!(error.contains("it was changed while it was read"), "{error}");
    let few = Limited { monitor: &Silent, limits: Limits::of(Bytes(20_000)) };
    let error = read(&path, &ReadOptions::default(), &few).expect_err("no room for a column").to_string();
    let told = "takes more than 20 kB of memory, for it is read some columns at a time, and these take 65 kB; allow that much";
    assert!(error.contains(told), "{error}");
    let enough = Limited { monitor: &Silent, limits: Limits::of(Bytes(65_000)) };
    read(&path, &ReadOptions::default(), &enough).expect("with what was told");
}
