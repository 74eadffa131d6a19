//! The linear model of a method.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::values::is_csv;
use crate::failure::Outcome;

/// Where the model goes.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// Write the linear model of mrsf to a CSV file: a line of intercepts, then one a selected feature, in the units of the
    /// data, as the penalty shrinks them (`--set targets=pca`, `lda` and `svm` make sparse PCA, LDA and SVM of it)
    #[arg(long, value_name = "FILE.csv", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) coefficients: Option<PathBuf>,
}

impl ModelArgs {
    /// Checks the name of the file.
    ///
    /// # Errors
    /// It promises another format.
    pub(crate) fn check(&self) -> Outcome {
        self.coefficients.as_deref().map_or(Ok(()), |file| is_csv("coefficients", file))
    }
}
