//! `--checkpoint`: unfinished work is kept in a folder, and the same command goes on from there.

use std::path::Path;

use fiedler::checkpoint::Checkpointed;
use fiedler::{Analysis, Findings};
use fiedler_io::{CheckpointFolder, TakenFolder, shown};

use super::answered_with;
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;

/// A folder, where the user names one.
pub(super) struct Keeping(Option<CheckpointFolder>);

impl Keeping {
    /// Opens the folder for this question on these data.
    ///
    /// # Errors
    /// It is in use, or keeps something else; the data cannot be read.
    pub(super) fn open(
        folder: Option<&Path>,
        analysis: &Analysis,
        loaded: &Loaded,
        progress: &Progress,
    ) -> Outcome<Self> {
        let Some(folder) = folder else { return Ok(Keeping(None)) };
        let refused = |error| Failure::from(error).at("--checkpoint");
        let taken = TakenFolder::take(folder).map_err(refused)?;
        let opened = taken.work_on(analysis.fingerprint(&loaded.data, progress)?);
        opened.map(|folder| Keeping(Some(folder))).map_err(refused)
    }

    /// The answer, with what is in the folder, and kept there as it is found.
    ///
    /// # Errors
    /// As [`super::answered`].
    pub(super) fn answered(
        &self,
        analysis: &Analysis,
        loaded: &Loaded,
        progress: &Progress,
    ) -> Outcome<Findings> {
        let Some(folder) = &self.0 else {
            return answered_with(analysis, loaded, (progress, progress), Failure::answer);
        };
        let monitor = Checkpointed { monitor: progress, checkpoint: folder };
        let mut found = answered_with(analysis, loaded, (progress, &monitor), Failure::answer)?;
        if folder.resumed() > 0 {
            found.note(format!("went on from the unfinished work in {}", shown(folder.folder())));
        }
        Ok(found)
    }

    /// The answer is out: what was kept of the work goes.
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn finish(self) -> Outcome {
        self.0
            .map_or(Ok(()), CheckpointFolder::finish)
            .map_err(|error| Failure::from(error).at("--checkpoint"))
    }
}
