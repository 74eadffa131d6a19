//! Ranks the features of the irises and writes what was found as a page to look at:
//! `cargo run --release -p fiedler-report --example page -- iris.html`.

use std::process::ExitCode;

use fiedler::dataset::demo;
use fiedler::{Analysis, Silent};
use fiedler_report::{Story, html};

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("give the file to write");
        return ExitCode::from(2);
    };
    match page().and_then(|page| Ok(std::fs::write(file, page)?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn page() -> Result<String, Box<dyn std::error::Error>> {
    // What a report draws is computed where it is asked for.
    let question = Analysis { portrait: true, ..Analysis::default() };
    let found = question.run(&demo::iris()?, "iris", &Silent)?;
    Ok(html(&Story::of(&found)))
}
