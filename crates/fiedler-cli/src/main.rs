//! The `fiedler` command.

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use fiedler::{dataset::demo, methods};

/// Spectral feature selection: which features carry the structure of the data.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Rank the features of a data set, best first.
    Rank {
        /// `demo:NAME`.
        data: String,
        /// The method.
        #[arg(long, default_value = "laplacian")]
        method: String,
    },
}

fn main() -> Result<()> {
    let Command::Rank { data, method } = Cli::parse().command;
    let Some(name) = data.strip_prefix("demo:") else { bail!("`{data}`: only demo:NAME can be read so far") };
    let data = demo::load(name)?;
    let ranking = methods::find(&method)?.build([], None)?.rank(&data)?;
    println!("{} ({})", ranking.method, ranking.goal().in_words());
    for (rank, &j) in ranking.order().iter().enumerate() {
        let score = ranking.score(j).map_or(String::new(), |s| format!("{s:.6}"));
        println!("{:>5}  {:<16} {score}", rank + 1, data.feature_name(j));
    }
    Ok(())
}
