//! `fiedler._core`: the library as Python calls it.
//!
//! A shim and nothing else: arrays are read where they lie ([`data`]), questions become an
//! [`Analysis`](fiedler::Analysis) ([`question`]), the interpreter is free for others while the work runs and Ctrl-C
//! stops it ([`work`]), answers become dictionaries and arrays ([`answer`]), and errors become exceptions with the same
//! sentences in Python's words ([`errors`], [`words`]). What a method sees or does is decided in the library, and how
//! things look to a user in `python/fiedler`.

mod answer;
mod arrays;
mod data;
mod describe;
mod elsewhere;
mod errors;
mod functions;
mod fusion;
mod graph;
mod judging;
mod knowledge;
mod question;
mod report;
mod shares;
mod values;
mod words;
mod work;

/// The extension module.
#[pyo3::pymodule]
mod _core {
    use std::ffi::OsString;

    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::answer::run;
    #[pymodule_export]
    use crate::data::Data;
    #[pymodule_export]
    use crate::describe::describe;
    #[pymodule_export]
    use crate::functions::{l21_path, l21_solve, spectrum};
    #[pymodule_export]
    use crate::fusion::{
        aggregate, annotation_graph, combine, hierarchy_graph, label_graph, match_names, network_graph,
        set_graph,
    };
    #[pymodule_export]
    use crate::graph::{Graph, build_graph};
    #[pymodule_export]
    use crate::judging::{made_of_labels, training_parts, usual_metric, usual_selection};
    #[pymodule_export]
    use crate::knowledge::{read_annotations, read_network, read_sequences, read_sets, sequence_graph};
    #[pymodule_export]
    use crate::report::{ReportSource, run_and_tell, tell_of_sources};
    #[pymodule_export]
    use crate::shares::{ShareWork, shared_data};
    #[pymodule_export]
    use crate::words::in_python;

    /// The command line, with the name of the program first. The interpreter is free meanwhile.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| fiedler_cli::main(&arguments))
    }
}
