//! Damaged configuration files, the same ones on every run: an answer or a sentence.

use std::process::Command;

use crate::command::{Folder, fiedler, finish};

/// Runs of the command for each kind of file, unless `MUTANTS` says otherwise: each is a process of its own.
const COUNT: usize = 1000;

/// Small numbers that look random.
fn draw(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// A text with a few changes: characters taken out, doubled or replaced, words of TOML put in, lines moved.
fn mutant(text: &str, state: &mut u64) -> String {
    const WORDS: [&str; 14] = [
        "\"",
        "'''",
        "[",
        "]]",
        "=",
        "\n",
        "nan",
        "-1",
        "99999999999999999999",
        "1e999",
        "true",
        "[]",
        "{}",
        "\u{202e}",
    ];
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..1 + draw(state) % 3 {
        let at = draw(state) % letters.len().max(1);
        let end = (at + draw(state) % 12).min(letters.len());
        match draw(state) % 5 {
            0 => drop(letters.drain(at..end)),
            1 => drop(letters.splice(at..at, WORDS[draw(state) % WORDS.len()].chars())),
            2 => letters.truncate(at),
            3 => {
                let piece = letters[at..end].to_vec();
                let place = draw(state) % letters.len().max(1);
                letters.splice(place..place, piece);
            }
            _ => drop(letters.splice(at..end, WORDS[draw(state) % WORDS.len()].chars())),
        }
    }
    letters.into_iter().collect()
}

/// The command with at most two gigabytes of addresses, where the system can be told so.
fn limited(arguments: &[&str]) -> Command {
    let command = fiedler(arguments);
    if cfg!(not(target_os = "linux")) {
        return command;
    }
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args());
    shell
}

fn run(seed: &str, folder: &Folder, arguments: &[&str]) {
    let mut state = 7;
    let count = std::env::var("MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(COUNT);
    for _ in 0..count {
        let text = mutant(seed, &mut state);
        folder.file("f.toml", &text);
        let mut command = limited(arguments);
        let run = finish(command.arg("f.toml").current_dir(folder.path("")));
        assert!(matches!(run.code, Some(0..=2)), "{:?} {}\n{text}", run.code, run.stderr);
        assert_eq!(run.code == Some(0), !run.stderr.contains("error"), "{}\n{text}", run.stderr);
        assert!(!run.stderr.contains("panicked") && !run.stderr.contains("defect"), "{}\n{text}", run.stderr);
    }
}

#[test]
fn fuse_files() {
    let folder = Folder::new();
    folder.file("x.csv", "sample,f,g,h\np,1,2,3\nq,2,1,5\nr,4,4,1\ns,3,7,2\nt,9,1,4\n");
    folder.file("c.tsv", "p\ta\nq\ta\nr\tb\ns\tb\nt\tb\n");
    folder.file("n.sif", "f pp g\ng pp h\n");
    let seed = "method = \"laplacian\"\nweights = \"equal\"\n\n[target]\nfile = \"x.csv\"\nfeatures = \"columns\"\n\n\
                [[source]]\nname = \"own\"\nkind = \"target\"\nk = 2\n\n\
                [[source]]\nname = \"c\"\nkind = \"labels\"\nfile = \"c.tsv\"\nweight = 1.5\n\n\
                [[source]]\nname = \"n\"\nkind = \"network\"\nfile = \"n.sif\"\n";
    run(seed, &folder, &["fuse"]);
}

#[test]
fn option_files() {
    let seed = "top = 10\nquiet = true\nseed = 3\nthreads = 2\n\n[rank]\nmethod = [\"laplacian\", \"variance\"]\n\
                format = \"csv\"\nset = { k = 3 }\n\n[evaluate]\ncounts = \"1-3\"\n";
    run(seed, &Folder::new(), &["methods", "laplacian", "--config"]);
}
