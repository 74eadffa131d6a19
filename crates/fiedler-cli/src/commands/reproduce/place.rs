//! Where a recipe says what a sentence is about: its file and line come before the sentence.

use fiedler::Dataset;
use fiedler_io::Remedy;

use super::recipe::{Data, Evaluate, Recipe};
use super::values::{line, line_and_depth};
use crate::failure::Failure;

/// A remedy as a key of a recipe.
fn in_keys(remedy: Remedy) -> Option<&'static str> {
    match remedy {
        Remedy::Label => Some("label = \"COLUMN\" in its [[data]]"),
        _ => None,
    }
}

/// The file of a recipe and its text, for the lines of its keys.
#[derive(Debug, Clone, Default)]
pub(super) struct Origin {
    pub(super) file: String,
    pub(super) text: String,
}

impl Origin {
    /// `FILE, line 3`, or the file where there is no such line.
    pub(super) fn at(&self, line: Option<usize>) -> String {
        line.map_or_else(|| self.file.clone(), |line| format!("{}, line {line}", self.file))
    }

    /// The line of the first word in backticks that is a key of one of these tables, of a graph of theirs or of parameters.
    fn line_of(&self, sentence: &str, tables: &[(&str, usize)]) -> Option<usize> {
        let words = sentence.split('`').skip(1).step_by(2);
        let within = |table: (&str, usize), keys: &[&str]| {
            line_and_depth(&self.text, table, keys)
                .filter(|(_, depth)| *depth == keys.len())
                .map(|(at, _)| at)
        };
        let line = |word: &str| {
            let ways = [vec![word], vec!["graph", word], vec!["set", word]];
            tables.iter().find_map(|&table| ways.iter().find_map(|keys| within(table, keys)))
        };
        words.into_iter().find_map(line)
    }
}

impl Recipe {
    /// Where a row says which data it is about.
    pub(super) fn row(&self, data: &Data) -> String {
        self.origin.at(line(&self.origin.text, ("data", self.index(data)), &["file"]))
    }

    /// That a row has fewer features than some of the numbers that `table` asks for, with the line that does.
    pub(super) fn counts_left_out(
        &self,
        table: &str,
        question: &Evaluate,
        data: &Data,
        numbers: &Dataset,
    ) -> Option<String> {
        let left_out = question.counts.left_out(numbers.n_samples(), numbers.n_features())?;
        let place = self.origin.at(line(&self.origin.text, (table, 0), &["counts"]));
        Some(format!("{place}: {}: {left_out}", data.name))
    }

    fn index(&self, data: &Data) -> usize {
        self.data.iter().position(|other| std::ptr::eq(other, data)).unwrap_or_default()
    }

    /// What went wrong with a row in a setting, with the line of the key that it is about, or else of the row.
    pub(super) fn placed(&self, failure: Failure, data: &Data, setting: usize) -> Failure {
        let failure = failure.worded(in_keys);
        // Recipes have another name for what the library calls a protocol.
        let renamed = |sentence: String| sentence.replace("`protocol`", "`metric`");
        let failure = match failure {
            Failure::Usage(sentence) => Failure::Usage(renamed(sentence)),
            Failure::Data(sentence) => Failure::Data(renamed(sentence)),
            other => other,
        };
        let Some(sentence) = failure.sentence() else { return failure };
        let mut tables = vec![("data", self.index(data)), ("setting", setting)];
        tables.extend((0..self.method.len()).map(|at| ("method", at)));
        tables.extend((0..self.ranking.len()).map(|at| ("ranking", at)));
        tables.extend([("evaluate", 0), ("labels", 0), ("race", 0)]);
        let found = self.origin.line_of(&sentence, &tables);
        let place = found.map_or_else(|| self.row(data), |line| self.origin.at(Some(line)));
        match failure {
            Failure::Usage(sentence) => Failure::Usage(format!("{place}: {sentence}")),
            other => other.at(&place),
        }
    }
}
