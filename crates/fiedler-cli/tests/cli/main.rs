//! The real command, as a user meets it.

mod by_products;
mod checkpoint;
mod command;
mod config;
mod errors;
mod evaluate;
mod evaluate_beside;
mod evaluate_grid;
mod few_samples;
mod files;
mod full_disk;
mod fuse;
mod fuse_each;
mod fuse_files;
mod fuse_knowledge;
mod graph;
mod hints;
mod hostile;
mod json_page;
mod limits;
mod methods;
mod mutants;
mod numbers;
mod outputs;
mod rank;
mod readme;
mod report;
mod reproduce;
mod reproduce_claims;
mod scale;
mod select;
#[cfg(unix)]
mod signals;
mod stability;
mod target;
#[cfg(unix)]
mod terminal;
mod text_of_data;
mod widths;
mod wording;
#[cfg(unix)]
mod your_data;
