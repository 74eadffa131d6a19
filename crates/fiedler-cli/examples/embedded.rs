//! The command inside another program, as the Python package has it:
//! `cargo run --release -p fiedler-cli --example embedded`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = ["fiedler", "rank", "demo:iris"].map(Into::into);
    ExitCode::from(fiedler_cli::main(&arguments))
}
