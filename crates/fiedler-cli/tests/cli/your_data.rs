//! The commands of `docs/your-data.md`, each on a small file that its own program wrote.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Folder, fiedler, finish};

const CARS: &str = "\
mpg,maker,doors,turbo,built,price
18,audi,4,yes,2020-01-31,100
?,bmw,2,no,2020-02-01,200
21,audi,4,no,2020-03-05,NA
30,fiat,2,YES,2020-04-01,50
25,bmw,4,no,2020-05-01,70
";

const FLOWERS: &str = "\
length,width,species
5.1,3.5,setosa
4.9,3.1,setosa
7.0,3.2,versicolor
6.4,3.3,versicolor
6.3,2.9,virginica
5.8,2.7,virginica
";

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fiedler-io/tests/fixtures")
}

/// The files that the page speaks of.
fn prepare(folder: &Folder) {
    let files = [
        ("expression.tsv", "expression.tsv"),
        ("snappy.parquet", "table.parquet"),
        ("one.libsvm", "words.libsvm"),
        ("little_f8.npy", "X.npy"),
        ("vector.npy", "y.npy"),
        ("csr.npz", "documents.npz"),
        ("double.mat", "faces.mat"),
        ("other.h5", "measured.h5"),
        ("csr.h5ad.gz", "cells.h5ad"),
        ("plain.mtx", "counts.mtx"),
    ];
    for (from, to) in files {
        folder.file(to, std::fs::read(fixtures().join(from)).expect(from));
    }
    let cells = folder.path("filtered_feature_bc_matrix");
    std::fs::create_dir(&cells).expect("a folder");
    for name in ["matrix.mtx.gz", "features.tsv.gz", "barcodes.tsv.gz"] {
        std::fs::copy(fixtures().join("genomics").join(name), Path::new(&cells).join(name)).expect(name);
    }
    let genotypes = [0x6c, 0x1b, 1, 0b11_10_00_11, 0b00_01_11_10, 0b11_00_10_10];
    folder.file("cohort.bed", genotypes);
    folder.file("cohort.bim", "1 rs1 0 10 A G\n1 rs2 0 20 C T\n2 . 0 30 A T\n");
    folder.file("cohort.fam", "f a 0 0 1 1\nf b 0 0 2 2\ng c 0 0 1 1\ng d 0 0 2 2\n");
    folder.file("cars.csv", CARS);
    folder.file("flowers.csv", FLOWERS);
    folder.file("names.txt", "alpha\nbeta\ngamma\n");
    folder.file("classes.csv", "s0,no\ns1,yes\ns2,no\ns3,yes\ns4,yes\n");
    std::fs::create_dir_all(folder.path("examples/fuse")).expect("a folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fuse");
    for entry in std::fs::read_dir(examples).expect("the examples").flatten() {
        let to = folder.path("examples/fuse").join(entry.file_name());
        std::fs::copy(entry.path(), to).expect("a copy");
    }
}

/// The commands of the page, with numbers and names that small files have.
fn commands() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/your-data.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let changes = [
        ("--top 200", "--top 2"),
        ("--top 50", "--top 2"),
        ("--min-samples 20", "--min-samples 2"),
        ("--sample 5000", "--sample 4"),
        ("group/table", "a/x"),
        ("cell_type", "class"),
    ];
    let small = |line: &str| changes.iter().fold(line.to_owned(), |line, (from, to)| line.replace(from, to));
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(""));
    blocks.flat_map(str::lines).map(small).collect()
}

#[test]
fn every_command_of_the_page_works() {
    let folder = Folder::new();
    prepare(&folder);
    let program = PathBuf::from(fiedler(&[]).get_program());
    let path = format!(
        "{}:{}",
        program.parent().expect("a folder").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let commands = commands();
    assert!(commands.len() >= 14, "{commands:?}");
    for line in commands {
        let mut command = Command::new("sh");
        command.args(["-c", &line]).env("PATH", &path).current_dir(folder.path(""));
        let run = finish(&mut command);
        assert_eq!(run.code, Some(0), "{line}\n{}", run.stderr);
    }
}

#[test]
fn a_table_of_cars_takes_two_tries() {
    let folder = Folder::new();
    prepare(&folder);
    let first = folder.run(&["rank", "cars.csv"]);
    assert_eq!(first.code, Some(1));
    assert!(
        first.stderr.ends_with(
            "(for missing values --missing mean|median|drop-rows|drop-columns or for text --categories onehot|drop \
             or for dates --dates ordinal or --numeric-only or --label COLUMN or --exclude NAME)\n"
        ),
        "{}",
        first.stderr
    );
    let second = folder.run(&["rank", "cars.csv", "--missing", "mean", "--categories", "drop"]);
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    let dated = ["rank", "cars.csv", "--missing", "mean", "--categories", "onehot", "--dates", "ordinal"];
    let dated = folder.run(&dated);
    assert!(dated.code == Some(0) && dated.stdout.contains("built"), "{}{}", dated.stdout, dated.stderr);
    let numeric = folder.run(&["rank", "cars.csv", "--missing", "drop-columns", "--numeric-only"]);
    assert_eq!(numeric.code, Some(0), "{}", numeric.stderr);
}

/// Where everything lacks something, what is advised is what works.
#[test]
fn gaps_everywhere_are_filled() {
    let folder = Folder::new();
    folder.file("gaps.csv", "a,b\n1,\n,2\n3,\n,5\n,6\n");
    folder.file("one.csv", "a,b\n,1\n,2\n,3\n");
    for (file, policy, words) in [
        (
            "gaps.csv",
            "drop-rows",
            "every sample has a missing value, most of them in `a` and some in 1 other feature; fill",
        ),
        ("gaps.csv", "drop-columns", "every feature has a missing value; fill the values (mean, median)"),
        (
            "one.csv",
            "drop-rows",
            "every sample has a missing value, most of them in `a`; leave that feature out, or fill",
        ),
    ] {
        let refused = folder.run(&["rank", file, "--missing", policy]);
        assert_eq!((refused.code, refused.stderr.contains(words)), (Some(1), true), "{}", refused.stderr);
    }
    assert_eq!(folder.run(&["rank", "gaps.csv", "--missing", "mean"]).code, Some(0));
    assert_eq!(folder.run(&["rank", "one.csv", "--missing", "drop-rows", "--exclude", "a"]).code, Some(0));
}
