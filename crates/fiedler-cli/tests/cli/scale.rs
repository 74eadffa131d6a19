//! Data larger than the memory they may take: the command needs to be told nothing but the amount.

use crate::command::{FLOWERS, Folder};

const SAMPLES: usize = 50;
const FEATURES: usize = 2000;

/// An array of single precision, row after row, as NumPy writes it.
pub(crate) fn array(folder: &Folder, name: &str) -> Vec<u8> {
    let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({SAMPLES}, {FEATURES}), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.bytes());
    for p in 0..SAMPLES * FEATURES {
        let (i, j) = (p / FEATURES, p % FEATURES);
        let value = (i % 4 * (j % 7)) as f32 + ((i * 7919 + j * 104_729) % 1009) as f32 / 500.0;
        bytes.extend(value.to_le_bytes());
    }
    folder.file(name, &bytes);
    bytes
}

/// Too little for the 400 kB of the array, and enough for all the rest.
const TIGHT: &str = "300kB";

#[test]
fn a_missing_value_of_an_array_is_told_with_the_options_that_help_and_they_do() {
    let folder = Folder::new();
    let mut bytes = array(&folder, "gap.npy");
    let last = bytes.len() - 4;
    bytes[last..].copy_from_slice(&f32::NAN.to_le_bytes());
    folder.file("gap.npy", &bytes);
    for memory in ["1GB", TIGHT] {
        let told = folder.run(&["rank", "gap.npy", "--memory", memory]);
        assert_eq!(told.code, Some(1));
        let options = "(for missing values --missing mean|median|drop-rows|drop-columns or --exclude NAME)\n";
        assert!(told.stderr.ends_with(options), "{}", told.stderr);
        let last = format!("x{}", FEATURES - 1);
        for advice in [
            ["--missing", "mean"],
            ["--missing", "drop-rows"],
            ["--missing", "drop-columns"],
            ["--exclude", &last],
        ] {
            let arguments = [&["rank", "gap.npy", "--memory", memory], &advice[..]].concat();
            let followed = folder.run(&arguments);
            assert_eq!(followed.code, Some(0), "{advice:?}: {}", followed.stderr);
        }
    }
}

#[test]
fn a_file_larger_than_memory_needs_nothing_but_the_amount() {
    let folder = Folder::new();
    array(&folder, "wide.npy");
    for question in [&["laplacian"][..], &["variance"], &["mrsf", "--set", "count=5"]] {
        let method = question[0];
        let ask = |memory: &str| {
            let asked =
                [&["rank", "wide.npy", "--memory", memory, "--format", "csv", "-m"], question].concat();
            folder.run(&asked)
        };
        let (tight, ample) = (ask(TIGHT), ask("1GB"));
        assert_eq!((tight.code, ample.code), (Some(0), Some(0)), "{} {}", tight.stderr, ample.stderr);
        assert_eq!(tight.stdout, ample.stdout, "{method}");
        let told = "note: wide.npy is larger than half of the memory that may be taken, and is read from the disk as it is needed";
        assert!(tight.stderr.contains(told) && !ample.stderr.contains(told), "{}", tight.stderr);
    }
}

#[test]
fn blocks_are_written_once_and_read_by_every_command() {
    let folder = Folder::new();
    folder.file("flowers.csv", FLOWERS);
    let made = folder.run(&["blocks", "flowers.csv", "flowers.blocks", "--label", "species"]);
    assert_eq!(made.stdout, "12 samples × 3 features in 1 block in flowers.blocks\n", "{}", made.stderr);
    for command in [&["rank", "-m", "fisher"][..], &["graph"]] {
        let ask = |data: &str| {
            let run = folder.run(
                &[&command[..1], &[data, "--label", "species"], &command[1..], &["--format", "json"]]
                    .concat(),
            );
            assert_eq!(run.code, Some(0), "{}", run.stderr);
            let same = run.stdout.replace("flowers.blocks", "flowers.csv");
            same.lines()
                .filter(|line| !line.contains("elapsed_seconds"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(ask("flowers.blocks"), ask("flowers.csv"));
    }
    let again = folder.run(&["blocks", "flowers.csv", "flowers.blocks", "--label", "species"]);
    assert_eq!(again.code, Some(1));
    assert!(again.stderr.contains("name another one, or remove it first"), "{}", again.stderr);
    let scaled = folder.run(&["blocks", "flowers.csv", "other", "--scale", "range"]);
    assert_eq!(scaled.code, Some(2));
    assert!(scaled.stderr.contains("--scale: blocks hold the numbers as they are"), "{}", scaled.stderr);
    assert_eq!(folder.list(), ["flowers.blocks", "flowers.csv"]);
}

#[test]
fn what_is_selected_from_disk_is_what_is_selected_from_memory() {
    let folder = Folder::new();
    array(&folder, "wide.npy");
    for (memory, out) in [(TIGHT, "a.npy"), ("1GB", "b.npy"), (TIGHT, "a.blocks")] {
        let run = folder
            .run(&["select", "wide.npy", "-m", "variance", "--top", "300", "--memory", memory, "-o", out]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let read = |name: &str| std::fs::read(folder.path(name)).expect("written");
    assert_eq!(read("a.npy"), read("b.npy"));
    let rank = |data: &str| folder.run(&["rank", data, "-m", "variance", "--format", "csv"]).stdout;
    let scores =
        |text: String| text.lines().map(|l| l.rsplit(',').next().map(str::to_owned)).collect::<Vec<_>>();
    assert_eq!(scores(rank("a.npy")), scores(rank("a.blocks")));
}

#[test]
fn text_that_is_too_large_says_what_to_do() {
    let folder = Folder::new();
    folder.file("big.csv", FLOWERS.repeat(200));
    let run = folder.run(&["rank", "big.csv", "--memory", "10kB"]);
    assert_eq!(run.code, Some(1));
    let told = "big.csv: reading it takes more than 10 kB of memory, for text is held while it is read; make a NumPy array of it";
    assert!(run.stderr.contains(told) && run.stderr.contains("`fiedler blocks --help`"), "{}", run.stderr);
    // The advice is followed word for word.
    let help = folder.run(&["blocks", "--help"]).stdout;
    let lines = help.lines().skip_while(|line| !line.ends_with("lines of Python:")).skip(1);
    let code: Vec<&str> = lines.take_while(|line| line.starts_with("  ")).map(|line| &line[2..]).collect();
    assert!(code.len() > 8, "{help}");
    let python = |code: &str| {
        let run =
            std::process::Command::new("python3").args(["-c", code]).current_dir(folder.path("")).output();
        run.map_or(Err("there is no python3".to_owned()), |run| {
            if run.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&run.stderr).into_owned()) }
        })
    };
    folder.file("big.csv", FLOWERS);
    if let Err(error) = python("import numpy") {
        eprintln!("the lines of Python were not tried: {}", error.trim());
        return;
    }
    python(&code.join("\n")).expect("the lines run");
    let from_text = folder.run(&["rank", "big.csv", "--label", "species", "-m", "fisher", "--format", "csv"]);
    let names = ["--feature-names", "names.txt", "--labels", "labels.txt", "--memory", "1GB"];
    let from_array =
        folder.run(&[&["rank", "big.npy", "-m", "fisher", "--format", "csv"][..], &names].concat());
    let order = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.split(',').nth(1).map(str::to_owned)).collect()
    };
    assert_eq!(order(&from_array.stdout), order(&from_text.stdout), "{}", from_array.stderr);
    assert_eq!(order(&from_text.stdout).len(), 4);
}
