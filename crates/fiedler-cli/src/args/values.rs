//! The values that options take.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use fiedler::dataset::Transform;
use fiedler::{Scaling, Wanted};

use crate::failure::{Failure, Outcome};
use crate::output::Styling;

/// How a ranking is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Csv,
    Json,
}

impl Format {
    /// As the user says, or else as the extension of the file says; a table where neither tells.
    ///
    /// # Errors
    /// The extension is that of a format that is not written.
    pub(crate) fn chosen(given: Option<Format>, output: Option<&Path>) -> Outcome<Format> {
        written_as(given, output, &[("csv", Format::Csv), ("json", Format::Json), ("txt", Format::Table)])
    }
}

impl Format {
    /// What an answer of this format has besides its words.
    pub(crate) fn styling(self) -> Styling {
        if self == Format::Table { Styling::Ours } else { Styling::None }
    }
}

/// How a description is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableOrJson {
    Table,
    Json,
}

impl TableOrJson {
    /// As [`Format::styling`].
    pub(crate) fn styling(self) -> Styling {
        if self == TableOrJson::Table { Styling::Ours } else { Styling::None }
    }

    /// As [`Format::chosen`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn chosen(given: Option<TableOrJson>, output: Option<&Path>) -> Outcome<TableOrJson> {
        written_as(given, output, &[("json", TableOrJson::Json), ("txt", TableOrJson::Table)])
    }
}

/// What is given, or what the extension of the file says; the last of `formats`, a table, where there is none. Who says
/// `--format` may call the file what they like.
fn written_as<T: Copy>(given: Option<T>, output: Option<&Path>, formats: &[(&str, T)]) -> Outcome<T> {
    let extension = output.and_then(Path::extension).unwrap_or_default().to_string_lossy().to_lowercase();
    let table = ["", "text", "md", "log"].contains(&extension.as_str());
    let wanted = if table { "txt" } else { extension.as_str() };
    let known = formats.iter().find(|(name, _)| *name == wanted).map(|(_, format)| *format);
    given.or(known).ok_or_else(|| {
        let names: Vec<String> = formats.iter().map(|(name, _)| format!(".{name}")).collect();
        Failure::usage(format!(
            "--output {}: an answer cannot be written as .{extension}; name a file that ends in {} (a table), or say \
             which format you want with --format",
            output.map(fiedler_io::shown).unwrap_or_default(),
            names.join(", ").replace(", .txt", " or .txt")
        ))
    })
}

/// Refuses a file whose name promises another format than CSV, for what is written as CSV alone.
///
/// # Errors
/// It does.
pub(crate) fn is_csv(option: &str, file: &Path) -> Outcome {
    let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ["", "csv", "txt"].contains(&extension.as_str()) {
        return Ok(());
    }
    let shown = fiedler_io::shown(file);
    Err(Failure::usage(format!(
        "--{option} {shown}: it is written as CSV, not as .{extension}; name a file that ends in .csv"
    )))
}

/// DATA: the name of a file, whatever bytes it has, of standard input or of embedded data.
#[derive(Debug, Clone)]
pub(crate) struct DataName(OsString);

impl From<OsString> for DataName {
    fn from(name: OsString) -> Self {
        DataName(name)
    }
}

impl DataName {
    /// The name of embedded data.
    pub(crate) fn demo(&self) -> Option<&str> {
        self.0.to_str()?.strip_prefix("demo:")
    }

    /// Whether this is standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.0 == "-"
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl fmt::Display for DataName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&fiedler_io::shown(self.path()))
    }
}

/// Where the features are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Features {
    Columns,
    Rows,
}

/// Whether the first line of a text file holds names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Header {
    Yes,
    No,
}

/// What `fiedler evaluate` measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MetricName {
    #[value(name = "1nn")]
    Nearest,
    Knn,
    Svm,
    Kmeans,
    Jaccard,
    Redundancy,
    Hits,
}

/// Which samples selection sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelectOn {
    Training,
    All,
}

/// The most points that a curve can have.
const MOST_COUNTS: usize = 10_000;

/// Numbers of features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counts(pub(crate) Vec<usize>);

impl FromStr for Counts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "it must be whole numbers from 1, or FROM-TO/STEP such as 10-200/10".to_owned();
        let number = |t: &str| t.trim().parse().ok().filter(|&n: &usize| n > 0).ok_or_else(wrong);
        let Some((from, rest)) = text.split_once('-') else { return Ok(Counts(vec![number(text)?])) };
        let (to, step) = rest.split_once('/').unwrap_or((rest, "1"));
        let (from, to, step) = (number(from)?, number(to)?, number(step)?);
        if from > to {
            return Err(wrong());
        }
        if (to - from) / step >= MOST_COUNTS {
            return Err(format!("it must be at most {MOST_COUNTS} numbers; take a larger step"));
        }
        Ok(Counts((from..=to).step_by(step).collect()))
    }
}

/// How many features are wanted, as an option says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Top(Wanted);

impl From<Top> for Wanted {
    fn from(top: Top) -> Self {
        top.0
    }
}

impl FromStr for Top {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(count @ 1..) => Ok(Top(Wanted::Count(count))),
            _ if text == "auto" => Ok(Top(Wanted::Auto)),
            _ => Err("it must be a whole number from 1, or `auto`".to_owned()),
        }
    }
}

/// `name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The parameter.
    pub(crate) name: String,
    /// Its value, as written.
    pub(crate) value: String,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("it must be written name=value")?;
        Ok(Setting { name: name.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// `name=value`, or several separated by commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings(pub(crate) Vec<Setting>);

impl FromStr for Settings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A comma is part of a value (a list of numbers) unless the next setting begins there.
        let mut parts: Vec<String> = Vec::new();
        for part in text.split(',') {
            match parts.last_mut() {
                Some(last) if !part.contains('=') => *last = format!("{last},{part}"),
                _ => parts.push(part.to_owned()),
            }
        }
        Ok(Settings(parts.iter().map(|part| part.parse()).collect::<Result<_, _>>()?))
    }
}

/// `name=value,value,…`: a parameter with several values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Varied {
    /// The parameter.
    pub(crate) name: String,
    /// Its values, as written.
    pub(crate) values: Vec<String>,
}

impl FromStr for Varied {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            "it must be written name=value,value,… with one parameter; say --vary again for another one";
        let (name, values) = text.split_once('=').ok_or(wrong)?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        if values.iter().any(|value| value.is_empty() || value.contains('=')) {
            return Err(wrong.to_owned());
        }
        Ok(Varied { name: name.trim().to_owned(), values })
    }
}

/// What is done to every value; none where it is to be found by looking at the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TransformChoice(pub(crate) Option<Transform>);

/// `auto`, `none`, `ranks` or `log`.
pub(super) fn transform() -> impl TypedValueParser<Value = TransformChoice> {
    PossibleValuesParser::new(["auto", "none", "ranks", "log"]).try_map(|text| {
        let given = (text != "auto").then(|| text.parse::<Transform>()).transpose()?;
        Ok::<_, fiedler::Error>(TransformChoice(given))
    })
}

/// `standard`, `range` or `none`.
pub(super) fn scaling() -> impl TypedValueParser<Value = Scaling> {
    PossibleValuesParser::new(["standard", "range", "none"]).try_map(|text| text.parse::<Scaling>())
}

/// A whole number; the parser's own words ("invalid digit found in string") tell nobody the rule.
pub(super) fn whole_from<T: FromStr + PartialOrd + fmt::Display>(text: &str, least: T) -> Result<T, String> {
    let found = text.trim().parse().ok().filter(|number| *number >= least);
    found.ok_or_else(|| format!("it must be a whole number from {least}"))
}

/// A number, likewise.
pub(super) fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "it must be a number".to_owned())
}

/// Any text. Shells complete the names of methods; whether a name is one the library tells, with
/// the nearest name.
#[derive(Debug, Clone)]
pub(super) struct MethodName;

impl TypedValueParser for MethodName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(fiedler::methods::all().iter().map(|entry| PossibleValue::new(entry.info.name))))
    }
}
