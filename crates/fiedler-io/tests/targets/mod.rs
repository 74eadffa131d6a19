//! What every reader promises about any bytes: an answer or a sentence, never a panic of its own, in little
//! memory. Shared by the run of mutants in the tests and by the fuzzers in `fuzz/`.

use std::path::{Path, PathBuf};

use fiedler::limits::Bytes;
use fiedler::{Limited, Limits, Silent};
use fiedler_io::{Error, Format, Orientation, ReadOptions, Result};

/// A reader under test.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// Its name, and that of its fuzzer.
    pub(crate) name: &'static str,
    /// How the names of its files end: those among fixtures and seeds are where mutants come from.
    pub(crate) endings: &'static [&'static str],
    /// Reads bytes, through a file in a folder where the reader wants one.
    pub(crate) run: fn(&[u8], &Path) -> Result<()>,
    /// Whether a library reads the format, whose panics are told as sentences.
    pub(crate) foreign: bool,
}

/// All readers.
pub(crate) const TARGETS: [Target; 25] = [
    Target { name: "csv", endings: &[".csv", ".tsv"], run: csv, foreign: false },
    Target { name: "csv_rows", endings: &[".csv", ".tsv"], run: csv_rows, foreign: false },
    Target { name: "labels", endings: &[".txt", ".csv"], run: labels, foreign: false },
    Target { name: "npy", endings: &[".npy"], run: npy, foreign: false },
    Target { name: "npy_gz", endings: &[".npy"], run: npy_gz, foreign: false },
    Target { name: "npy_disk", endings: &["wide.npy"], run: npy_disk, foreign: false },
    Target { name: "blocks", endings: &["manifest.json"], run: blocks, foreign: false },
    Target { name: "bed", endings: &[".bed"], run: bed, foreign: false },
    Target { name: "fam", endings: &[".fam"], run: fam, foreign: false },
    Target { name: "mat", endings: &[".mat"], run: mat, foreign: false },
    Target { name: "libsvm", endings: &[".libsvm"], run: libsvm, foreign: false },
    Target { name: "arrow", endings: &[".arrow", ".arrows", ".feather"], run: arrow, foreign: true },
    Target { name: "parquet", endings: &[".parquet"], run: parquet, foreign: true },
    Target { name: "npz", endings: &[".npz"], run: npz, foreign: false },
    Target { name: "mtx", endings: &[".mtx"], run: mtx, foreign: false },
    Target { name: "hdf5", endings: &[".h5", "7_3.mat", ".h5ad.gz"], run: hdf5, foreign: true },
    Target { name: "edges", endings: &[".edges.csv", ".edges.tsv"], run: edges, foreign: false },
    Target { name: "gmt", endings: &[".gmt"], run: gmt, foreign: false },
    Target { name: "sif", endings: &[".sif"], run: sif, foreign: false },
    Target { name: "interactions", endings: &[".tab.txt"], run: interactions, foreign: false },
    Target { name: "kgml", endings: &[".kgml"], run: kgml, foreign: false },
    Target { name: "gaf", endings: &[".gaf"], run: gaf, foreign: false },
    Target { name: "obo", endings: &[".obo"], run: obo, foreign: false },
    Target { name: "fasta", endings: &[".fasta"], run: fasta, foreign: false },
    Target { name: "lists", endings: &[".txt", "lists.csv", ".tsv"], run: lists, foreign: false },
];

/// Memory that reading a small file may take.
pub(crate) const MEMORY: u64 = 64 << 20;

/// Runs a target and panics where a promise is broken. Where the library that reads the format panicked, and the reader
/// told so, what it said.
pub(crate) fn check(target: &Target, bytes: &[u8], folder: &Path) -> Option<String> {
    match (target.run)(bytes, folder) {
        Ok(()) => None,
        // Panics of our own are none of a library.
        Err(Error::Defect { what, .. }) if target.foreign && !what.contains("fiedler-io/src/") => Some(what),
        Err(Error::Defect { what, .. }) => panic!("{}: {what}", target.name),
        Err(error) => {
            let sentence = error.to_string();
            assert!(sentence.len() > 10, "{}: no sentence: {sentence}", target.name);
            None
        }
    }
}

fn limited() -> Limited<'static> {
    Limited { monitor: &Silent, limits: Limits::of(Bytes(MEMORY)) }
}

/// Reads a table, without labels and with its last column as labels.
fn table(bytes: &[u8], format: Format, features: Orientation) -> Result<()> {
    let options = ReadOptions { format: Some(format), features, ..ReadOptions::default() };
    let plain = fiedler_io::read_from(bytes, "f", &options, &limited());
    let label = ReadOptions { label: Some("-1".into()), ..options };
    let labeled = fiedler_io::read_from(bytes, "f", &label, &limited());
    for found in [plain, labeled] {
        let data = match found {
            Ok(table) => table.data,
            Err(error @ Error::Defect { .. }) => return Err(error),
            Err(_) => continue,
        };
        assert!(data.n_samples() > 0 && data.n_features() > 0);
        assert_eq!(data.column(data.n_features() - 1).map(|c| c.len()).ok(), Some(data.n_samples()));
    }
    Ok(())
}

fn file(bytes: &[u8], folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("the file can be written");
    path
}

fn csv(bytes: &[u8], _: &Path) -> Result<()> {
    table(bytes, Format::Csv, Orientation::Columns)?;
    table(bytes, Format::Tsv, Orientation::Columns)
}

fn csv_rows(bytes: &[u8], _: &Path) -> Result<()> {
    table(bytes, Format::Csv, Orientation::Rows)
}

fn labels(bytes: &[u8], folder: &Path) -> Result<()> {
    let options =
        ReadOptions { labels_file: Some(file(bytes, folder, "labels.txt")), ..ReadOptions::default() };
    fiedler_io::read_from("name,x\np,1\nq,2\nr,4\n".as_bytes(), "f", &options, &limited()).map(drop)
}

fn npy(bytes: &[u8], folder: &Path) -> Result<()> {
    table(bytes, Format::Npy, Orientation::Columns)?;
    fiedler_io::read(&file(bytes, folder, "f.npy"), &ReadOptions::default(), &limited()).map(drop)
}

/// An array that is larger than the memory it may take.
fn npy_disk(bytes: &[u8], folder: &Path) -> Result<()> {
    let path = file(bytes, folder, "f.npy");
    for features in [Orientation::Columns, Orientation::Rows] {
        let tight = Limited { monitor: &Silent, limits: Limits::of(Bytes(6000)) };
        let options = ReadOptions { features, missing: fiedler_io::Missing::Mean, ..ReadOptions::default() };
        fiedler_io::read(&path, &options, &tight)?;
    }
    Ok(())
}

/// A manifest beside the files of the one among the seeds.
fn blocks(bytes: &[u8], folder: &Path) -> Result<()> {
    let path = folder.join("b.blocks");
    std::fs::create_dir_all(&path).expect("a folder");
    file(include_bytes!("../seeds/small.block.npy"), &path, "00000.npy");
    file(b"[\"a\",\"b\"]", &path, "features.json");
    file(bytes, &path, "manifest.json");
    fiedler_io::read(&path, &ReadOptions::default(), &limited()).map(drop)
}

/// Four samples and two hundred variants.
fn genotypes(bed: &[u8], fam: &[u8], folder: &Path) -> Result<()> {
    let variants: String = (0..200).map(|j| format!("1 rs{j} 0 {j} A G\n")).collect();
    file(variants.as_bytes(), folder, "g.bim");
    file(fam, folder, "g.fam");
    let options = ReadOptions { missing: fiedler_io::Missing::Median, ..ReadOptions::default() };
    fiedler_io::read(&file(bed, folder, "g.bed"), &options, &limited()).map(drop)
}

fn bed(bytes: &[u8], folder: &Path) -> Result<()> {
    genotypes(bytes, include_bytes!("../seeds/four.fam"), folder)
}

fn fam(bytes: &[u8], folder: &Path) -> Result<()> {
    genotypes(include_bytes!("../seeds/four.bed"), bytes, folder)
}

fn npy_gz(bytes: &[u8], _: &Path) -> Result<()> {
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut packed = packed.write_all(bytes).and_then(|()| packed.finish()).expect("memory");
    // Damage that was done before the compression, and then damage to the compressed bytes too: a bit, and the end.
    table(&packed, Format::Npy, Orientation::Columns)?;
    let place = bytes.iter().fold(7_usize, |n, &b| n.wrapping_mul(31).wrapping_add(b.into()));
    let at = place % packed.len();
    packed[at] ^= 1 << (place / packed.len() % 8);
    table(&packed, Format::Npy, Orientation::Columns)?;
    packed.truncate(at);
    table(&packed, Format::Npy, Orientation::Columns)
}

fn mat(bytes: &[u8], _: &Path) -> Result<()> {
    table(bytes, Format::Mat, Orientation::Columns)?;
    table(bytes, Format::Mat, Orientation::Rows)
}

fn libsvm(bytes: &[u8], _: &Path) -> Result<()> {
    table(bytes, Format::Libsvm, Orientation::Columns)
}

fn arrow(bytes: &[u8], folder: &Path) -> Result<()> {
    table(bytes, Format::Arrow, Orientation::Columns)?;
    fiedler_io::read(&file(bytes, folder, "f.arrow"), &ReadOptions::default(), &limited()).map(drop)
}

fn parquet(bytes: &[u8], folder: &Path) -> Result<()> {
    table(bytes, Format::Parquet, Orientation::Columns)?;
    fiedler_io::read(&file(bytes, folder, "f.parquet"), &ReadOptions::default(), &limited()).map(drop)
}

fn npz(bytes: &[u8], _: &Path) -> Result<()> {
    table(bytes, Format::Npz, Orientation::Columns)
}

fn mtx(bytes: &[u8], _: &Path) -> Result<()> {
    table(bytes, Format::Mtx, Orientation::Columns)?;
    table(bytes, Format::Mtx, Orientation::Rows)
}

fn hdf5(bytes: &[u8], folder: &Path) -> Result<()> {
    table(bytes, Format::H5, Orientation::Columns)?;
    let path = file(bytes, folder, "f.h5ad");
    let _ = fiedler_io::read_stored_graph(&path, "connectivities", &limited());
    fiedler_io::read(&path, &ReadOptions::default(), &limited()).map(drop)
}

fn edges(bytes: &[u8], folder: &Path) -> Result<()> {
    let path = file(bytes, folder, "f.csv");
    fiedler_io::read_similarity(&path, &|name| name == "a", &limited()).map(drop)
}

fn gmt(bytes: &[u8], folder: &Path) -> Result<()> {
    fiedler_io::read_sets(&file(bytes, folder, "f.gmt"), &limited()).map(drop)
}

fn sif(bytes: &[u8], folder: &Path) -> Result<()> {
    fiedler_io::read_similarity(&file(bytes, folder, "f.sif"), &|_| false, &limited()).map(drop)
}

fn interactions(bytes: &[u8], folder: &Path) -> Result<()> {
    let path = file(bytes, folder, "f.txt");
    fiedler_io::read_interactions(&path, &["physical".to_owned()], &|name| name == "TP53", &limited())
        .map(drop)?;
    fiedler_io::read_interactions(&path, &[], &|_| false, &limited()).map(drop)
}

fn kgml(bytes: &[u8], folder: &Path) -> Result<()> {
    fiedler_io::read_pathway(&file(bytes, folder, "f.kgml"), &[], &|name| name == "TP53", &limited())
        .map(drop)
}

/// With the ontology that the seeds have, so that terms go all the way.
fn gaf(bytes: &[u8], folder: &Path) -> Result<()> {
    let path = file(bytes, folder, "f.gaf");
    let told = fiedler_io::read_gaf(&path, &fiedler_io::AnnotationFilter::default(), &|_| false, &limited())?;
    let ontology = file(include_bytes!("../seeds/cycle.obo"), folder, "f.obo");
    let ontology = fiedler_io::read_ontology(&ontology, &limited())?.found;
    let (all, _) =
        fiedler::fusion::Annotations::new(&told.found).with_ancestors(&ontology).expect("a small file");
    assert!(all.information().iter().all(|content| content.is_finite() && *content >= 0.0));
    Ok(())
}

fn obo(bytes: &[u8], folder: &Path) -> Result<()> {
    fiedler_io::read_ontology(&file(bytes, folder, "f.obo"), &limited()).map(drop)
}

fn fasta(bytes: &[u8], folder: &Path) -> Result<()> {
    let path = file(bytes, folder, "f.fasta");
    let told = fiedler_io::read_sequences(&path, &|name| name == "TP53", &limited())?;
    let sequences: Vec<(usize, &[u8])> =
        told.found.iter().map(|s| s.letters.as_slice()).enumerate().collect();
    let _ = fiedler::fusion::KmerSimilarity::default().network(sequences.len(), &sequences, &limited());
    Ok(())
}

fn lists(bytes: &[u8], folder: &Path) -> Result<()> {
    let path = file(bytes, folder, "f.txt");
    for goal in [None, Some(fiedler::Goal::Maximize)] {
        let _ = fiedler_io::read_ranking(&path, goal, &limited());
    }
    let _ = fiedler_io::read_annotations(&path, &|_| false, &limited());
    let _ = fiedler_io::read_categories(&path, &|_| false, &limited());
    fiedler_io::read_names(&path, &limited()).map(drop)
}
