//! Directories of blocks and PLINK files: what was written is read, and what is wrong with a file is said.

use std::fs;
use std::path::{Path, PathBuf};

use fiedler::limits::Bytes;
use fiedler::{Dataset, Limited, Limits, Silent};
use fiedler_io::{Missing, ReadOptions, Table, read, read_from, write, write_blocks};

/// A table with names, classes and more features than a block of the smallest size has.
fn table() -> Table {
    let mut text: String = (0..300).map(|j| format!("g{j},")).collect();
    text = format!("sample,{text}class\n");
    for i in 0..40 {
        let row: String = (0..300).map(|j| format!("{},", ((i * 31 + j * 17) % 101) as f64 / 8.0)).collect();
        text += &format!("s{i},{row}{}\n", ["no", "yes"][i % 2]);
    }
    let options = ReadOptions { label: Some("class".into()), ..ReadOptions::default() };
    read_from(text.as_bytes(), "t.csv", &options, &Silent).expect("read")
}

fn columns(data: &Dataset) -> Vec<Vec<u64>> {
    let column = |j| data.column(j).expect("there").into_iter().map(f64::to_bits).collect();
    (0..data.n_features()).map(column).collect()
}

fn same(found: &Dataset, expected: &Dataset) {
    assert_eq!(columns(found), columns(expected));
    assert_eq!(found.stats(), expected.stats());
    assert_eq!(found.sample_names(), expected.sample_names());
    assert_eq!(
        found.labels().map(|l| (l.codes(), l.classes())),
        expected.labels().map(|l| (l.codes(), l.classes()))
    );
    let names = |d: &Dataset| (0..d.n_features()).map(|j| d.feature_name(j).into_owned()).collect::<Vec<_>>();
    assert_eq!(names(found), names(expected));
}

/// As little memory as makes the data stay on disk.
fn tight(path: &Path, memory: u64, options: &ReadOptions) -> Result<Table, String> {
    let monitor = Limited { monitor: &Silent, limits: Limits::of(Bytes(memory)) };
    read(path, options, &monitor).map_err(|error| error.to_string())
}

fn written(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("t.blocks");
    write_blocks(&path, &table(), &Silent).expect("written");
    path
}

/// Cuts the one block of a small table into blocks of 100 columns, as a program in Python would.
fn cut(path: &Path) {
    let whole = fs::read(path.join("00000.npy")).expect("a block");
    let start = whole.len() - 300 * 40 * 8;
    let mut blocks = Vec::new();
    for b in 0..3 {
        let text = "{'descr': '<f8', 'fortran_order': True, 'shape': (40, 100), }\n";
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.bytes());
        bytes.extend(&whole[start + b * 32_000..start + (b + 1) * 32_000]);
        let mut crc = flate2::Crc::new();
        crc.update(&bytes);
        let file = format!("part{b}.npy");
        blocks.push(format!(
            "{{\"file\":\"{file}\",\"features\":100,\"bytes\":{},\"crc32\":\"{:08x}\"}}",
            bytes.len(),
            crc.sum()
        ));
        fs::write(path.join(file), bytes).expect("written");
    }
    fs::remove_file(path.join("00000.npy")).expect("removed");
    let manifest = fs::read_to_string(path.join("manifest.json")).expect("a manifest");
    let (before, rest) = manifest.split_once("\"blocks\":[").expect("blocks");
    let (_, after) = rest.split_once(']').expect("an end");
    fs::write(path.join("manifest.json"), format!("{before}\"blocks\":[{}]{after}", blocks.join(",")))
        .expect("written");
}

#[test]
fn blocks_come_back_from_memory_and_from_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(&folder);
    let expected = table().data;
    same(&tight(&path, 1 << 30, &ReadOptions::default()).expect("read").data, &expected);
    cut(&path);
    let table = tight(&path, 150_000, &ReadOptions::default()).expect("read");
    assert!(table.notes[0].contains("read from the disk as it is needed"), "{:?}", table.notes);
    same(&table.data, &expected);
    // What was read from disk can be written again: some columns as blocks and as an array.
    let again = folder.path().join("again.blocks");
    let chosen = [299, 5, 100];
    write(&again, &table, &chosen).expect("written");
    same(
        &tight(&again, 1 << 30, &ReadOptions::default()).expect("read").data,
        &expected.subset(&chosen).expect("in range"),
    );
}

#[test]
fn a_folder_is_made_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(&folder);
    let error = write_blocks(&path, &table(), &Silent).expect_err("there already").to_string();
    assert!(
        error
            .ends_with("a folder with something in it is not replaced; name another one, or remove it first"),
        "{error}"
    );
    let stop = |_: &'static str, _: usize, _: usize| std::ops::ControlFlow::Break(());
    assert!(write_blocks(&folder.path().join("other"), &table(), &stop).is_err());
    let missing =
        write_blocks(&folder.path().join("no/such"), &table(), &Silent).expect_err("no folder").to_string();
    assert!(missing.contains("there is no folder"), "{missing}");
    // Who died while writing left a folder that nobody has locked.
    let stale = folder.path().join(".late.blocks.4000000000-0.tmp");
    fs::create_dir(&stale).expect("made");
    fs::write(stale.join(".lock"), "").expect("written");
    write_blocks(&folder.path().join("late.blocks"), &table(), &Silent).expect("written");
    let mut left: Vec<_> =
        fs::read_dir(folder.path()).expect("listed").flatten().map(|e| e.file_name()).collect();
    left.sort();
    assert_eq!(left, ["late.blocks", "t.blocks"]);
}

#[test]
fn what_is_wrong_with_a_block_is_said() {
    let damage: [(&str, Harm, &str); 8] = [
        (
            "part1.npy",
            |p| fs::remove_file(p.join("part1.npy")).expect("removed"),
            "it is not there; write the blocks again",
        ),
        (
            "part1.npy",
            |p| edit(&p.join("part1.npy"), |b| b[5000] ^= 1),
            "its checksum is not that of the manifest",
        ),
        (
            "part1.npy",
            |p| edit(&p.join("part1.npy"), |b| b.truncate(5000)),
            "it has 5000 bytes and the manifest says 32072",
        ),
        (
            "features.json",
            |p| edit(&p.join("features.json"), |b| b[3] = b'x'),
            "its checksum is not that of the manifest",
        ),
        (
            "manifest.json",
            |p| replace(p, "fiedler-blocks", "zarr"),
            "its format is `zarr` and should be `fiedler-blocks`",
        ),
        (
            "manifest.json",
            |p| replace(p, "\"version\":1", "\"version\":9"),
            "blocks of version 9, and this fiedler reads up to 1",
        ),
        (
            "manifest.json",
            |p| replace(p, "\"features\":300", "\"features\":301"),
            "its blocks do not add up to 301 features",
        ),
        (
            "manifest.json",
            |p| replace(p, "part1.npy", "../part1.npy"),
            "`../part1.npy` is not the name of a file beside it",
        ),
    ];
    for (file, harm, expected) in damage {
        let folder = tempfile::tempdir().expect("a folder");
        let path = written(&folder);
        cut(&path);
        harm(&path);
        for memory in [150_000, 1 << 30] {
            let error = tight(&path, memory, &ReadOptions::default()).expect_err(expected);
            let named = error.starts_with(&path.join(file).display().to_string());
            assert!(named && error.contains(expected) && !error.contains('\n'), "{error}");
        }
    }
}

/// To open a pipe would be to wait for somebody who writes to it.
#[cfg(unix)]
#[test]
fn pipes_and_folders_are_no_blocks() {
    for file in ["part1.npy", "features.json"] {
        for other in ["mkfifo", "mkdir"] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = written(&folder);
            cut(&path);
            fs::remove_file(path.join(file)).expect("removed");
            let made = std::process::Command::new(other).arg(path.join(file)).status().expect("a command");
            assert!(made.success());
            let error = tight(&path, 150_000, &ReadOptions::default()).expect_err("no file");
            assert!(error.contains(file) && error.contains("it is not a file"), "{error}");
        }
    }
}

#[test]
fn a_block_that_is_lost_while_the_data_are_used_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(&folder);
    cut(&path);
    let data = tight(&path, 150_000, &ReadOptions::default()).expect("read").data;
    fs::remove_file(path.join("part2.npy")).expect("removed");
    let error = data.column(250).expect_err("lost").to_string();
    assert!(error.contains("part2.npy: the manifest names it and it is not there"), "{error}");
}

/// What is done to files that were right.
type Harm = fn(&Path);

fn edit(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).expect("there");
    change(&mut bytes);
    fs::write(path, bytes).expect("written");
}

fn replace(path: &Path, from: &str, to: &str) {
    let path = path.join("manifest.json");
    let text = fs::read_to_string(&path).expect("there");
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).expect("written");
}

/// 99 samples and 200 variants; the genotype of sample i in variant j is (i·j + j) mod 4, of which 3 is missing.
fn genotypes(folder: &Path) -> PathBuf {
    let bits = [0b11_u8, 0b10, 0b00, 0b01];
    let mut bed = vec![0x6c, 0x1b, 1];
    for j in 0..200 {
        let samples: Vec<usize> = (0..99).collect();
        bed.extend(samples.chunks(4).map(|four| {
            four.iter().enumerate().map(|(at, i)| bits[(i * j + j) % 4] << (2 * at)).sum::<u8>()
        }));
    }
    let fam: String =
        (0..99).map(|i| format!("f{} s{i} 0 0 1 {}\n", i / 2, ["1", "2", "-9"][i % 3])).collect();
    let id = |j: usize| if j == 7 { ".".to_owned() } else { format!("rs{j}") };
    let bim: String = (0..200).map(|j| format!("1\t{}\t0\t{}\tA\tG\n", id(j), j + 1000)).collect();
    fs::write(folder.join("g.fam"), fam).expect("written");
    fs::write(folder.join("g.bim"), bim).expect("written");
    let path = folder.join("g.bed");
    fs::write(&path, bed).expect("written");
    path
}

/// What is named as the label and is not there is told with the labels that are.
#[test]
fn a_wrong_label_is_told_with_the_name_of_the_stored_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.blocks");
    write_blocks(&path, &table(), &Silent).expect("written");
    let named = |label: &str| {
        let options = ReadOptions { label: Some(label.into()), ..ReadOptions::default() };
        read(&path, &options, &Silent).map(|table| table.data)
    };
    let told = named("clas").expect_err("no such column").to_string();
    let part =
        "no column is called `clas`; the stored labels are called `class`; the 300 columns are `g0`, `g1`";
    assert!(told.contains(part), "{told}");
    assert_eq!(named("class").expect("stored").labels().expect("labels").classes(), ["no", "yes"]);
    assert_eq!(named("g7").expect("a feature").n_features(), 299);
    assert_eq!(named("-1").expect("the last").n_features(), 299);
}

#[test]
fn genotypes_are_counts_of_the_first_allele() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = genotypes(folder.path());
    let filled = ReadOptions { missing: Missing::Mean, ..ReadOptions::default() };
    let memory = tight(&path, 1 << 30, &filled).expect("read");
    let disk = tight(&path, 150_000, &filled).expect("read");
    same(&disk.data, &memory.data);
    assert!(disk.notes[0].contains("read from the disk"), "{:?}", disk.notes);
    let data = memory.data.scaled(fiedler::Scaling::None);
    assert_eq!((data.n_samples(), data.n_features()), (99, 200));
    // (i + 1) mod 4 for the second variant. Of 99 samples 25 each have 1, 2 and 3, and 24 have 0.
    let column = data.column(1).expect("there");
    assert_eq!(column[..6], [1.0, 2.0, f64::from((75.0 / 74.0) as f32), 0.0, 1.0, 2.0]);
    assert_eq!((data.feature_name(1).as_ref(), data.feature_name(7).as_ref()), ("rs1", "1:1007"));
    assert_eq!(data.sample_names().expect("names")[98], "s98");
    let labels = data.labels().expect("phenotypes");
    assert_eq!(
        (labels.classes().to_vec(), labels.codes()[2]),
        (vec!["case".to_owned(), "control".to_owned()], None)
    );
    assert!(!data.labels_are_named());
    let error = tight(&path, 1 << 30, &ReadOptions::default()).expect_err("missing genotypes");
    assert!(error.contains("rs1"), "{error}");
}

#[test]
fn what_is_wrong_with_a_bed_file_is_said() {
    let damage: [(Harm, &str); 6] = [
        (
            |p| fs::remove_file(p.with_extension("bim")).expect("removed"),
            "a .bed file needs its .bim file beside it",
        ),
        (
            |p| fs::write(p.with_extension("fam"), "one two\n").expect("written"),
            "line 1: 2 fields where 6 are expected",
        ),
        (|p| fs::write(p.with_extension("fam"), "").expect("written"), "an empty file"),
        (|p| edit(p, |b| b.truncate(100)), "it has 100 bytes, and 99 samples and 200 variants take 5003"),
        (|p| edit(p, |b| b[2] = 0), "write it again with PLINK, one variant after the other"),
        (
            |p| fs::write(p, "chr1 100 200\n").expect("written"),
            "a BED file of genome intervals holds no table",
        ),
    ];
    for (harm, expected) in damage {
        let folder = tempfile::tempdir().expect("a folder");
        let path = genotypes(folder.path());
        harm(&path);
        let error = tight(&path, 150_000, &ReadOptions::default()).expect_err(expected);
        assert!(error.contains(expected), "{error}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let error = write(&folder.path().join("out.bed"), &table(), &[0]).expect_err("only read").to_string();
    assert!(error.contains("PLINK files are only read"), "{error}");
}
