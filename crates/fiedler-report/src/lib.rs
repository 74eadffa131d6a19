//! [`Findings`](fiedler::Findings) in, one self-contained HTML text out.
//!
//! ```text
//!  Findings ──► Story ──► panels ──► page        a panel: a sentence with the numbers of these data, a chart, the numbers as a table
//!                    └─► chart  ──► figure      the same drawing as a file of its own, for papers: SVG, PNG, PDF
//! ```
//! No mathematics of the field is in here: what a panel shows is in the findings, most of it in their
//! [`Portrait`](fiedler::Portrait). Charts are drawn here as SVG. A script of our own adds tooltips, sorting, search, and a
//! choice of feature that all panels follow; without it the page is complete. The page asks nobody for anything: its
//! content security policy allows the one script and the one style sheet inside it, by their hashes, and nothing else.

pub mod csv;
#[cfg(feature = "figures")]
mod figure;
mod look;
mod page;
mod panels;
mod panels_said;
mod payload;
mod picture;
mod scale;
mod sentences;
mod story;
mod svg;
mod text;
mod view;

pub use look::Look;
pub use story::{
    Answer, DataStory, FORMAT, Known, LabelStory, Line, Measured, RankingStory, Spot, Story, Sure, Swept,
    SweptLine, TargetStory, Trended,
};
pub use svg::Chart;

use view::View;

/// The report, an HTML document.
pub fn html(found: &Story) -> String {
    page::document(&View::new(found))
}

/// The charts that there are, by name: `scores`, `why`, `samples`, ….
pub const CHARTS: [&str; 20] = [
    "scores",
    "why",
    "samples",
    "samples-kept",
    "distributions",
    "pixels",
    "sources",
    "redundancy",
    "path",
    "accuracy",
    "information",
    "hits",
    "labels",
    "parameter",
    "sweep",
    "sweep-hits",
    "stability",
    "methods",
    "spectrum",
    "degrees",
];

/// One chart of the report; `None` where these findings have nothing to show in it.
pub fn chart(found: &Story, name: &str) -> Option<Chart> {
    panels::chart(&View::new(found), name)
}
