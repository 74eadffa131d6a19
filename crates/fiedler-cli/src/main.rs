//! The `fiedler` command; all of it is in the library of this package, so that Python has the same.

use std::process::ExitCode;

fn main() -> ExitCode {
    fiedler_cli::begin_with_one_pool();
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(fiedler_cli::main(&arguments))
}
