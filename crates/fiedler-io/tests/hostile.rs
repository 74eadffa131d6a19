//! Files that lie about their sizes, never end, or unpack to more than they hold: one sentence each, and no
//! memory for what is not there.

use std::io::{Read, Write};

use fiedler::limits::Bytes;
use fiedler::{Limited, Limits, Monitor, Silent};
use fiedler_io::{Error, Format, ReadOptions, Table, read_from};
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

/// Ten megabytes are enough for every file here that is read.
fn small() -> Limited<'static> {
    Limited { monitor: &Silent, limits: Limits::of(Bytes(10_000_000)) }
}

fn attempt(bytes: &[u8], name: &str, monitor: &dyn Monitor) -> fiedler_io::Result<Table> {
    read_from(bytes, name, &ReadOptions::default(), monitor)
}

fn refusal(bytes: &[u8], name: &str) -> String {
    for monitor in [&small() as &dyn Monitor, &Silent] {
        let found = attempt(bytes, name, monitor).expect_err(name);
        assert!(!matches!(found, Error::Defect { .. }), "{found}");
    }
    attempt(bytes, name, &small()).expect_err(name).to_string()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).and_then(|()| out.finish()).expect("memory")
}

fn npy(shape: &str, kind: &str, values: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(values);
    bytes
}

#[test]
fn an_array_is_as_large_as_its_bytes_not_as_its_shape() {
    for kind in ["<f8", "<f4", "|u1", "<i8", ">f8"] {
        for shape in ["(1000000000000, 1000000)", "(18446744073709551615, 2)", "(100000000, 100)", "(3, 3)"] {
            let lying = npy(shape, kind, &[0; 8]);
            for bytes in [lying.clone(), gzip(&lying)] {
                let found = refusal(&bytes, "a.npy");
                let told = found.contains("it ends before its") || found.contains("its shape is too large");
                assert!(told || found.contains("memory"), "{kind} {shape}: {found}");
            }
        }
        let found = refusal(&npy("(0, 1152921504606846976)", kind, &[]), "a.npy");
        assert!(found.contains("a table of 0 × 1152921504606846976"), "{found}");
    }
    let values: Vec<u8> = (0..6_i16).flat_map(|v| f64::from(v).to_le_bytes()).collect();
    let table = attempt(&gzip(&npy("(3, 2)", "<f8", &values)), "a.npy.gz", &small()).expect("an array");
    assert_eq!(table.data.column(1).map(|c| c.len()).ok(), Some(3));
}

/// A zip archive with one member, deflated.
fn archive(name: &str, content: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = packed.write_all(content).and_then(|()| packed.finish()).expect("memory");
    let mut crc = flate2::Crc::new();
    crc.update(content);
    let mut about = 20_u16.to_le_bytes().to_vec();
    about.extend_from_slice(&[0, 0, 8, 0, 0, 0, 0, 0]);
    for number in [crc.sum(), packed.len() as u32, content.len() as u32] {
        about.extend_from_slice(&number.to_le_bytes());
    }
    about.extend_from_slice(&(name.len() as u16).to_le_bytes());
    about.extend_from_slice(&[0; 2]);
    let member = [&b"PK\x03\x04"[..], &about, name.as_bytes(), &packed].concat();
    let listed = [&b"PK\x01\x02\x14\0"[..], &about, &[0; 14], name.as_bytes()].concat();
    let mut end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0".to_vec();
    end.extend_from_slice(&(listed.len() as u32).to_le_bytes());
    end.extend_from_slice(&(member.len() as u32).to_le_bytes());
    end.extend_from_slice(&[0; 2]);
    [member, listed, end].concat()
}

/// A MAT file of these elements.
fn mat(variables: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = format!("{:<124}", "MATLAB 5.0 MAT-file").into_bytes();
    bytes.extend_from_slice(&[0, 1, b'I', b'M']);
    variables.iter().for_each(|v| bytes.extend_from_slice(v));
    bytes
}

fn element(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = kind.to_le_bytes().to_vec();
    bytes.extend_from_slice(&(data.len() as u32).to_le_bytes());
    bytes.extend_from_slice(data);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// A variable of a class, with dimensions that need not be true.
fn variable(name: &str, class: u32, dimensions: [i32; 2], content: &[Vec<u8>]) -> Vec<u8> {
    let mut flags = class.to_le_bytes().to_vec();
    flags.extend_from_slice(&[0; 4]);
    let mut parts = element(6, &flags);
    parts.extend(element(5, &dimensions.iter().flat_map(|d| d.to_le_bytes()).collect::<Vec<u8>>()));
    parts.extend(element(1, name.as_bytes()));
    content.iter().for_each(|c| parts.extend_from_slice(c));
    element(14, &parts)
}

fn doubles(values: &[f64]) -> Vec<u8> {
    element(9, &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())
}

fn integers(values: &[i32]) -> Vec<u8> {
    element(5, &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())
}

#[test]
fn the_dimensions_of_a_mat_file_are_not_believed() {
    let x = variable("X", 6, [2, 1], &[doubles(&[1.0, 2.0])]);
    assert_eq!(attempt(&mat(std::slice::from_ref(&x)), "a.mat", &small()).expect("data").data.n_samples(), 2);
    let huge = i32::MAX;
    // Text of 2³¹ rows, of which none has a letter; a cell with such a text.
    let text = variable("Y", 4, [huge, 1], &[element(16, b"ab")]);
    let table = attempt(&mat(&[x.clone(), text]), "a.mat", &small()).expect("data without labels");
    assert!(table.notes[0].contains("variable `Y` is 2147483647 × 1, not one label"), "{:?}", table.notes);
    let cells =
        [variable("", 4, [huge, 1], &[element(16, b"a")]), variable("", 4, [1, 1], &[element(16, b"b")])];
    let table =
        attempt(&mat(&[x.clone(), variable("Y", 1, [2, 1], &cells)]), "a.mat", &small()).expect("labels");
    assert_eq!(table.data.labels().map(|l| l.classes().to_vec()), Some(vec!["a".to_owned(), "b".to_owned()]));
    // Sparse rows take no bytes in the file.
    let content = [integers(&[0, 1]), integers(&[0, 2]), doubles(&[1.0, 2.0])];
    let found = refusal(&mat(&[variable("X", 5, [huge, 1], &content)]), "a.mat");
    assert!(found.contains("memory") || found.contains("samples"), "{found}");
    let found = refusal(&mat(&[variable("X", 6, [huge, huge], &[doubles(&[1.0])])]), "a.mat");
    assert!(found.contains("shorter or longer than its dimensions say"), "{found}");
}

#[test]
fn a_compressed_variable_takes_no_more_than_it_may() {
    let zeros = variable("X", 6, [4_000_000, 1], &[doubles(&vec![0.0; 4_000_000])]);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = packed.write_all(&zeros).and_then(|()| packed.finish()).expect("memory");
    let mut bytes = 15_u32.to_le_bytes().to_vec();
    bytes.extend_from_slice(&(packed.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&packed);
    let found = attempt(&mat(&[bytes]), "a.mat", &small()).expect_err("too large").to_string();
    assert!(found.starts_with("a.mat: reading it takes more than 10 MB of memory"), "{found}");
}

#[test]
fn a_giant_index_costs_nothing() {
    let table = attempt(b"1 1:2 49999999:3\n-1 3:1 4294967294:1\n", "a.svm", &small()).expect("read");
    let names: Vec<String> = (0..4).map(|j| table.data.feature_name(j).into_owned()).collect();
    assert_eq!(names, ["x1", "x3", "x49999999", "x4294967294"]);
    assert_eq!(table.data.clone().scaled(fiedler::Scaling::None).column(3).ok(), Some(vec![0.0, 1.0]));
    assert_eq!(
        table.notes,
        ["4294967290 features that no line names are left out: they are zero throughout"]
    );
    for index in ["4294967295", "99999999999999999999999"] {
        let found = refusal(format!("1 {index}:1\n").as_bytes(), "a.svm");
        assert!(found.contains("is above 4294967294; number the features without gaps"), "{found}");
    }
    // Few features are all kept.
    let table = attempt(b"1 1:2\n-1 4:1\n", "a.svm", &small()).expect("read");
    assert_eq!((table.data.n_features(), table.notes.len()), (4, 0));
}

#[test]
fn input_without_end_ends_with_a_sentence() {
    let endless = |byte: u8, format: Option<Format>| {
        let options = ReadOptions { format, ..ReadOptions::default() };
        read_from(std::io::repeat(byte), "endless", &options, &small()).expect_err("endless").to_string()
    };
    for format in [None, Some(Format::Csv), Some(Format::Libsvm)] {
        assert!(endless(0, format).contains("not text"), "{}", endless(0, format));
        assert!(
            endless(b'1', format).contains("takes more than 10 MB of memory"),
            "{}",
            endless(b'1', format)
        );
    }
    for format in [Format::Mat, Format::Arrow, Format::Parquet] {
        assert!(endless(7, Some(format)).contains("takes more than 10 MB of memory"));
    }
    let lines = std::io::repeat(b'\n').take(2_000_000);
    let found =
        read_from(lines, "lines.csv", &ReadOptions::default(), &small()).expect_err("too many").to_string();
    assert!(found.contains("memory"), "{found}");
    let commas = attempt(&vec![b','; 1_000_000], "commas.csv", &small()).expect_err("too wide").to_string();
    assert!(commas.contains("memory"), "{commas}");
}

#[test]
fn what_unpacks_to_far_more_than_it_holds_is_refused() {
    let bomb = gzip(&vec![b'1'; 200 << 20]);
    assert!(bomb.len() < 1 << 20);
    let found = attempt(&bomb, "bomb.csv.gz", &Silent).expect_err("a bomb").to_string();
    assert!(found.starts_with("bomb.csv.gz: it unpacks to more than 500 times its size"), "{found}");
    // A member of an archive is no better.
    let content = npy("(10000, 1000)", "<f8", &vec![0; 80_000_000]);
    let found = attempt(&archive("X.npy", &content), "bomb.npz", &Silent).expect_err("a bomb").to_string();
    assert!(found.starts_with("bomb.npz: it unpacks to more than 500 times its size"), "{found}");
    let content = npy("(10, 2)", "<f8", &[0; 160]);
    assert_eq!(attempt(&archive("X.npy", &content), "a.npz", &Silent).expect("read").data.n_samples(), 10);
    // Zeros and ones at random are no bomb, and a small file may unpack as it likes.
    let zeros = gzip("0,0,0,0,0,0,0,0,0,0\n".repeat(10_000).as_bytes());
    assert_eq!(attempt(&zeros, "zeros.csv.gz", &Silent).expect("read").data.n_samples(), 10_000);
}

/// What cannot stay on the disk is told with what can.
#[test]
fn files_that_are_held_as_a_whole_are_told_what_to_become() {
    let packed = gzip(&npy("(2000, 1000)", "<f8", &vec![0x3f; 16_000_000]));
    let found = attempt(&packed, "a.npy.gz", &small()).expect_err("too large").to_string();
    assert_eq!(
        found,
        "a.npy.gz: reading it takes more than 10 MB of memory, for what is compressed as a whole is unpacked into it; unpack it \
         first (gunzip), or allow more where the machine has it"
    );
    let text = "1 1:2\n".repeat(3_000_000);
    let found = attempt(text.as_bytes(), "a.svm", &small()).expect_err("too large").to_string();
    let told = "for files of this kind are held as a whole; write it as .npy or, if it is sparse, as .h5ad, which stay on the disk";
    assert!(found.contains(told), "{found}");
}
