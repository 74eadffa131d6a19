//! The report of a command: where it goes, and what it is told beside the findings.

use std::path::{Path, PathBuf};

use fiedler::Findings;
use fiedler_io::shown;
use fiedler_report::{Story, csv};

use crate::args::{ImageShape, ReportArgs, ReportFile};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output::layout::plural;
use crate::overwriting::Output;

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

    /// The files that are written, each with what the user knows it by.
    pub(crate) fn outputs(&self) -> Vec<Output> {
        let named = [("report", &self.report), ("findings", &self.findings)];
        let mut outputs: Vec<Output> = named
            .iter()
            .filter_map(|(option, path)| path.as_ref().map(|path| Output::of(option, path)))
            .collect();
        outputs.extend(self.full_table().map(|file| {
            let what = outputs.first().map_or(String::new(), |first| first.what.clone());
            Output { what: format!("{}, where {what} lists very many features,", shown(&file)), file }
        }));
        outputs
    }

    /// Where all features go if the report leaves some out: beside it, under a name that no table of the user has by
    /// chance.
    fn full_table(&self) -> Option<PathBuf> {
        self.report.as_ref().or(self.findings.as_ref()).map(|path| path.with_extension("features.csv"))
    }

    /// Writes the report, where one is wanted. Where it leaves features out, all of them go into a CSV file beside it.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(crate) fn write(&self, found: &Findings, image_shape: Option<(usize, usize)>) -> Outcome {
        let Some(beside) = self.full_table() else { return Ok(()) };
        if crate::interrupt::requested() {
            return Err(Failure::Interrupted);
        }
        let mut story = Story { image_shape, command: Some(self.command.clone()), ..Story::of(found) };
        if let Some(all) = csv::every_feature(found) {
            fiedler_io::write_whole(&beside, |out| out.write_all(all.as_bytes()))?;
            story.full_table = beside.file_name().map(|name| name.to_string_lossy().into_owned());
        }
        if let Some(findings) = &self.findings {
            fiedler_io::write_whole(findings, |out| out.write_all(story.to_json().as_bytes()))?;
        }
        let Some(path) = &self.report else { return Ok(()) };
        let html = fiedler_report::html(&story);
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
