//! Options of the graph as the library takes them.

use std::path::Path;
use std::sync::Arc;

use fiedler::graph::{kinds, parameters};
use fiedler::{Dataset, Graph, GraphOptions, Kind, Monitor, ParameterValue};

use crate::args::GraphArgs;
use crate::failure::{Failure, Outcome};
use crate::graph_file::{self, GraphFile};

/// The help of `--graph`: every kind there is.
pub(crate) fn kinds_help() -> String {
    let names: Vec<&str> = kinds().iter().map(|info| info.name).collect();
    format!(
        "Who is similar to whom: {}, file:PATH (similarities, n × n or edges i,j,weight from 0), \
         distances:PATH or, of an AnnData file, obsp:NAME; `fiedler graph --list` tells more \
         [default: that of the method, mostly knn]",
        names.join(", ")
    )
}

/// The help of an option of graphs, as the kinds that have it describe it.
pub(crate) fn option_help(name: &str) -> String {
    let Some(parameter) = parameters().into_iter().find(|p| p.name == name) else { return String::new() };
    let mut help = parameter.help.to_owned();
    if let Some(first) = help.get(..1) {
        help = format!("{}{}", first.to_uppercase(), &help[1..]);
    }
    match parameter.kind {
        Kind::Bool => help,
        Kind::Choice(words) => format!("{help}: {} [default: {}]", words.join(", "), parameter.default),
        _ => format!("{help} [default: {}]", parameter.default),
    }
}

impl GraphArgs {
    /// What the user said, by name; a graph in a file is for [`given`](Self::given).
    ///
    /// # Errors
    /// An option does not apply to a graph in a file, or there is no such file.
    pub(crate) fn options(&self) -> Outcome<GraphOptions> {
        let Some(file) = self.file() else {
            return Ok(GraphOptions { kind: self.graph.clone(), set: self.set(), given: None });
        };
        let takes: &[&str] = if file.distances { &["bandwidth"] } else { &[] };
        if let Some((name, _)) = self.set().into_iter().find(|(name, _)| !takes.contains(&name.as_str())) {
            let takes = if file.distances { "--bandwidth" } else { "no options" };
            return Err(Failure::usage(format!(
                "--{name} does not apply to a graph in a file, which takes {takes}"
            )));
        }
        if file.path.exists() {
            return Ok(GraphOptions::default());
        }
        Err(Failure::Data(format!("{}: there is no such file", file.path.display())))
    }

    /// The graph of the file that `--graph` names, if it names one, for these data.
    ///
    /// # Errors
    /// The file cannot be read, is no graph, or is one of other samples.
    pub(crate) fn given(&self, data: &Dataset, monitor: &dyn Monitor) -> Outcome<Option<Arc<Graph>>> {
        let width = self.bandwidth.as_deref();
        let read = |file: GraphFile<'_>| graph_file::read(file, width, data.n_samples(), monitor);
        self.file().map(read).transpose()
    }

    /// Whether `--graph` names a file.
    pub(crate) fn is_in_a_file(&self) -> bool {
        self.file().is_some()
    }

    fn file(&self) -> Option<GraphFile<'_>> {
        let (kind, path) = self.graph.as_deref()?.split_once(':')?;
        match kind {
            "file" => Some(GraphFile { path: Path::new(path), distances: false, stored: None }),
            "distances" => Some(GraphFile { path: Path::new(path), distances: true, stored: None }),
            "obsp" => Some(GraphFile { path: &self.data, distances: false, stored: Some(path) }),
            _ => None,
        }
    }

    /// The options besides `--graph` that were given.
    fn set(&self) -> Vec<(String, ParameterValue)> {
        let texts = [
            ("k", &self.k),
            ("landmarks", &self.landmarks),
            ("weight", &self.weight),
            ("bandwidth", &self.bandwidth),
            ("metric", &self.metric),
            ("recall", &self.recall),
            ("beta", &self.beta),
        ];
        let flags = [
            ("mutual", self.mutual, true),
            ("approximate", self.approximate, true),
            ("approximate", self.exact, false),
        ];
        let texts =
            texts.into_iter().filter_map(|(name, text)| Some((name, ParameterValue::from(text.as_deref()?))));
        let flags = flags.into_iter().filter(|(_, given, _)| *given);
        let flags = flags.map(|(name, _, value)| (name, ParameterValue::Bool(value)));
        texts.chain(flags).map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
