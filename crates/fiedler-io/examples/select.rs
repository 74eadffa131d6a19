//! Reads a table of any format, keeps the ten features that carry its structure best, and writes it again:
//! `cargo run --release -p fiedler-io --example select -- IN.csv OUT.csv`.

use std::path::Path;
use std::process::ExitCode;

use fiedler::{Analysis, Silent, Wanted};
use fiedler_io::{ReadOptions, read, write};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = &arguments[..] else {
        eprintln!("give the file to read and the file to write");
        return ExitCode::from(2);
    };
    match select(Path::new(input), Path::new(output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn select(input: &Path, output: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let table = read(input, &ReadOptions::default(), &Silent)?;
    let question = Analysis { count: Wanted::Count(10), ..Analysis::default() };
    let found = question.run(&table.data, &input.display().to_string(), &Silent)?;
    let best: Vec<usize> = found.rankings[0].places.iter().map(|place| place.index).collect();
    write(output, &table, &best)?.iter().for_each(|note| eprintln!("{note}"));
    best.iter().for_each(|&j| println!("{}", found.features.of(j)));
    Ok(())
}
