//! Every option that takes a number, of every command: what it cannot be is refused before any work.

use crate::command::{Folder, Run, run};

/// What the help calls numbers.
const NUMBERS: [&str; 13] =
    ["N", "N|auto", "N,…", "C,…", "P", "PART", "LEVEL", "SHARE", "NUMBER", "WIDTH", "AMOUNT", "MM", "HxW"];

/// The options of a command that take numbers, as its help has them.
fn options(command: &str) -> Vec<String> {
    let help = run(&[command, "--help"]).stdout;
    let option = |line: &str| {
        let at = line.find("--")?;
        let (name, rest) = line[at..].split_once(" <")?;
        let (value, _) = rest.split_once('>')?;
        (!name.contains(' ') && NUMBERS.contains(&value)).then(|| name.to_owned())
    };
    help.lines().filter_map(option).collect()
}

/// Runs a command on a small table with one option more.
fn with(folder: &Folder, command: &str, option: &str) -> Run {
    let table = "a,b,c\n1,2,x\n2,1,y\n4,4,x\n3,7,y\n";
    let data = folder.file("d.csv", table);
    let output = folder.text("out.csv");
    let mut arguments = vec![command, option];
    match command {
        "reproduce" => arguments.push("no-such-recipe.toml"),
        "fuse" => arguments.push("no-such-file.toml"),
        "plot" => arguments.extend(["scores", "no-such-file.json", "-o", "out.svg"]),
        _ => arguments.extend([data.as_str(), "--label", "c"]),
    }
    if command == "select" {
        arguments.extend(["-o", &output]);
        if !option.starts_with("--top") {
            arguments.extend(["--top", "1"]);
        }
    }
    folder.run(&arguments)
}

#[test]
fn what_is_no_number_or_none_in_range_is_wrong_usage() {
    let folder = Folder::new();
    let mut seen = 0;
    for command in ["rank", "select", "evaluate", "stability", "graph", "fuse", "reproduce", "plot"] {
        let options = options(command);
        let always = if command == "plot" { "--width" } else { "--threads" };
        assert!(options.contains(&always.to_owned()), "{command}: {options:?}");
        for option in &options {
            for value in ["-1", "nan", "1e999", "some"] {
                let found = with(&folder, command, &format!("{option}={value}"));
                let told = format!("{command} {option}={value}: {}", found.stderr);
                assert_eq!((found.code, found.stdout.as_str()), (Some(2), ""), "{told}");
                assert!(found.stderr.contains(option.as_str()), "{told}");
                assert!(found.stderr.lines().next().is_some_and(|l| l.len() < 300), "{told}");
            }
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen} options");
}

#[test]
fn nothing_is_no_number_of_things() {
    let folder = Folder::new();
    for (command, option) in [
        ("rank", "--sample=0"),
        ("rank", "--top=0"),
        ("rank", "--k=0"),
        ("rank", "--threads=0"),
        ("rank", "--memory=0"),
        ("rank", "--bandwidth=0"),
        ("stability", "--top=0"),
        ("stability", "--repeats=1"),
        ("stability", "--fraction=0"),
        ("evaluate", "--folds=1"),
        ("evaluate", "--draws=0"),
        ("evaluate", "--repeats=0"),
        ("evaluate", "--counts=0"),
        ("evaluate", "--clusters=0"),
        ("evaluate", "--neighbors=0"),
        ("fuse", "--top=0"),
        ("fuse", "--threads=0"),
        ("plot", "--width=0"),
        ("plot", "--dpi=0"),
        ("rank", "--image-shape=0x2"),
        ("stability", "--noise=1e308"),
        ("stability", "--top=9999999"),
    ] {
        let found = with(&folder, command, option);
        assert_eq!(found.code, Some(2), "{command} {option}: {}", found.stderr);
        let name = option.split('=').next().expect("a name");
        assert!(found.stderr.contains(name), "{command} {option}: {}", found.stderr);
    }
}
