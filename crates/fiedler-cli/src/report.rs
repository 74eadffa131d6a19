//! The report of a command: where it goes, and what it is told beside the findings.

use std::path::{Path, PathBuf};

use fiedler::Findings;
use fiedler_io::shown;
use fiedler_report::{Context, Story};

use crate::args::{ImageShape, ReportArgs, ReportFile};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output::{csv, layout::plural};

impl ReportFile {
    /// Whether one is wanted.
    pub(crate) fn is_wanted(&self) -> bool {
        self.report.is_some() || self.findings.is_some()
    }

    /// Refuses what cannot be written, before any work is done.
    ///
    /// # Errors
    /// It is no file that can be made.
    pub(crate) fn check(&self) -> Outcome {
        let Some(path) = &self.report else { return Ok(()) };
        if path.as_os_str() == "-" {
            return Err(Failure::usage(
                "--report needs a file, such as report.html; standard output has the answer",
            ));
        }
        let known = |e: &std::ffi::OsStr| e.eq_ignore_ascii_case("html") || e.eq_ignore_ascii_case("htm");
        if !path.extension().is_some_and(known) {
            return Err(Failure::usage(format!("--report {}: name a file that ends in .html", shown(path))));
        }
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(Failure::Data(format!(
                "--report {}: there is no folder {}",
                shown(path),
                shown(folder)
            )));
        }
        Ok(())
    }

    /// Writes the report, where one is wanted. Where it leaves features out, all of them go into a CSV file beside it.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(crate) fn write(&self, found: &Findings, image_shape: Option<(usize, usize)>) -> Outcome {
        if !self.is_wanted() {
            return Ok(());
        }
        let listed = found.rankings.first().map_or(0, |r| r.places.len());
        let all = (listed == found.card.data.n_features).then(|| csv::rankings(found, usize::MAX));
        self.tell(Story { image_shape, ..Story::of(found) }, all.as_deref())
    }

    /// The same for a story; `all` is the CSV of all features.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub(crate) fn tell(&self, mut story: Story, all: Option<&str>) -> Outcome {
        story.command = Some(self.command.clone());
        if crate::interrupt::requested() {
            return Err(Failure::Interrupted);
        }
        if let Some(findings) = &self.findings {
            fiedler_io::write_whole(findings, |out| out.write_all(story.to_json().as_bytes()))?;
        }
        let Some(path) = &self.report else { return Ok(()) };
        let mut full = None;
        if let Some(all) = all.filter(|_| story.leaves_features_out()) {
            let beside = path.with_extension("csv");
            fiedler_io::write_whole(&beside, |out| out.write_all(all.as_bytes()))?;
            full = Some(beside);
        }
        let name = |full: PathBuf| full.file_name().map(|n| n.to_string_lossy().into_owned());
        let context = Context { full_table: full.and_then(name) };
        let html = fiedler_report::html(&story, &context);
        Ok(fiedler_io::write_whole(path, |out| out.write_all(html.as_bytes()))?)
    }
}

impl ReportArgs {
    /// The shape of the images that the features are the pixels of, where they are some; asked before any work is done.
    ///
    /// # Errors
    /// The features are not as many, or nobody would see it.
    pub(crate) fn shape(&self, loaded: &Loaded) -> Outcome<Option<(usize, usize)>> {
        let features = loaded.data.n_features();
        match self.image_shape {
            Some(_) if !self.file.is_wanted() => {
                Err(Failure::usage("--image-shape is for the report; name one with --report FILE.html"))
            }
            Some(ImageShape(height, width)) if height.checked_mul(width) != Some(features) => {
                let pixels = plural(features, "feature");
                Err(Failure::Data(format!(
                    "--image-shape {height}x{width}: that is another number of pixels than the {pixels} of the data"
                )))
            }
            Some(ImageShape(height, width)) => Ok(Some((height, width))),
            None if loaded.name == "demo:digits" && features == 64 => Ok(Some((8, 8))),
            None => Ok(None),
        }
    }
}
