//! The linear model of a method.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Where the model goes.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// Write the linear model of mrsf to a CSV file: a line of intercepts, then one a selected feature, in the units of the
    /// data (`--set targets=pca`, `lda` and `svm` make sparse PCA, LDA and SVM of it)
    #[arg(long, value_name = "FILE.csv", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) coefficients: Option<PathBuf>,
}
