//! Which features of iris carry its structure, by two methods on one graph:
//! `cargo run --release -p fiedler --example rank`.

use fiedler::dataset::demo;
use fiedler::{Analysis, Silent};

fn main() -> fiedler::Result<()> {
    let question = Analysis { methods: vec!["laplacian".into(), "mrsf".into()], ..Analysis::default() };
    let found = question.run(&demo::iris()?, "iris", &Silent)?;
    for ranking in &found.rankings {
        println!("{}, {}", ranking.method.title, ranking.goal.in_words());
        for place in &ranking.places {
            let score = place.score.map_or("no score".to_owned(), |score| format!("{score:.4}"));
            println!("  {}. {:<14} {score}", place.rank, found.features.of(place.index));
        }
    }
    found.warnings.iter().for_each(|warning| eprintln!("{warning}"));
    Ok(())
}
