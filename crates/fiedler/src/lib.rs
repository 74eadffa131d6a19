//! Spectral feature selection: which features carry the structure of the data.
//!
//! ```text
//!  array ──► Dataset ──► Graph ──► Spectrum ──► Ranking
//!            columns,    who is    eigenpairs   scores, goal,
//!            labels      similar   of N (when   order
//!            names       to whom   needed)
//! ```
//!
//! ```
//! use fiedler::{Selector, dataset::demo, methods::Laplacian};
//!
//! let data = demo::iris()?;
//! let ranking = Laplacian::default().rank(&data)?;
//! for &j in ranking.top(2) {
//!     println!("{} {:.3} ({})", data.feature_name(j), ranking.scores()[j], ranking.goal().in_words());
//! }
//! assert_eq!(data.feature_name(ranking.order()[0]), "petal length");
//! # Ok::<(), fiedler::Error>(())
//! ```

pub mod criterion;
pub mod dataset;
mod error;
pub mod graph;
pub mod methods;
pub mod moments;
mod monitor;
mod ranking;
mod selector;
mod simd;
pub mod spectrum;

pub use dataset::{Dataset, Labels, Scaling};
pub use error::{Error, Result};
pub use graph::{Graph, GraphRecipe};
pub use monitor::{Monitor, Silent};
pub use ranking::{Details, Goal, Ranking};
pub use selector::{
    Entry, GraphUse, Kind, Method, MethodInfo, ParameterInfo, Parameters, Selector, Supervision, Value,
};
