//! Univariate criteria as data: table 3.1 of the dissertation.
//!
//! Every univariate method of the papers scores a feature by a ratio of two quadratic forms,
//! f̂ᵀŜf̂. A [`Criterion`] names the two forms and the goal; a method is then a recipe of a few
//! lines on a [`Graph`].
//!
//! | method | graph | numerator | denominator | better |
//! |---|---|---|---|---|
//! | Laplacian score = SPEC φ2 | any | fᵀLf | gᵀDg | small |
//! | Laplacian score, plain variance | any | fᵀLf | Σ(f_i - f̄)² | small |
//! | SPEC φ1 | any | fᵀLf | fᵀDf | small |
//! | Fisher | labels | gᵀSg = Σ n_l(μ_l-μ)² | fᵀLf = Σ n_lσ_l² | large |
//! | ReliefF as SPEC | Relief | fᵀLf | fᵀf | small |
//! | HSIC, linear | any | HSIC | 1 | large |

use std::sync::Arc;

use crate::Result;
use crate::afar::Remade;
use crate::dataset::Dataset;
use crate::graph::Graph;
use crate::moments::{Moments, moments};
use crate::monitor::Monitor;
use crate::parameters::Parameters;
use crate::ranking::Goal;
use crate::selector::Scorer;

/// A quadratic form of a feature that its [`Moments`] determine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Form {
    /// fᵀLf.
    Laplacian,
    /// fᵀDf.
    Degree,
    /// gᵀDg, g = f less its mean under the degrees.
    CenteredDegree,
    /// fᵀf.
    Norm,
    /// Σ(f_i - f̄)², the plain variance times the number of samples.
    Variance,
    /// gᵀSg, g as above.
    CenteredSimilarity,
    /// The unbiased HSIC of ffᵀ and S, for a graph without diagonal.
    Hsic,
    /// 1.
    One,
}

impl Form {
    /// The value of the form.
    pub fn of(self, m: &Moments) -> f64 {
        match self {
            Form::Laplacian => m.laplacian,
            Form::Degree => m.degree_form(),
            Form::CenteredDegree => m.centered_degree(),
            Form::Norm => m.norm(),
            Form::Variance => m.variance(),
            Form::CenteredSimilarity => m.centered_similarity(),
            Form::Hsic => m.hsic(),
            Form::One => 1.0,
        }
    }
}

/// A ratio of two forms, and which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Criterion {
    /// Above the line.
    pub numerator: Form,
    /// Below the line.
    pub denominator: Form,
    /// Which way is better.
    pub goal: Goal,
}

impl Criterion {
    /// The score of a feature; NaN (none) where the denominator vanishes. A feature that is to be
    /// maximized and perfect, like one that is constant inside every class, would score infinity:
    /// it scores 1/ε ≈ 4.5·10¹⁵, which is still first and can be written to a file.
    pub fn score(&self, m: &Moments) -> f64 {
        let (above, below) = (self.numerator.of(m), self.denominator.of(m));
        let below = match self.goal {
            Goal::Maximize => below.max(f64::EPSILON * above),
            Goal::Minimize => below,
        };
        if below > 0.0 { above / below } else { f64::NAN }
    }

    /// The criterion on a graph, ready for any features.
    pub fn scorer(self, graph: &Arc<Graph>, parameters: Parameters) -> Scorer {
        let shared = Arc::clone(graph);
        let scorer = Scorer::on(graph, self.goal, parameters, move |columns, monitor| {
            self.scores(columns, &shared, monitor)
        });
        scorer.remade_as(Remade::Criterion(self))
    }

    /// The scores of all features on a graph, in one pass over the data.
    ///
    /// # Errors
    /// The columns cannot be read, or the monitor says stop.
    pub fn scores(&self, data: &Dataset, graph: &Graph, monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let moments = moments(data, graph, monitor)?;
        let score = |(j, m): (usize, &Moments)| match self.goal {
            _ if data.constant(j) => f64::NAN,
            Goal::Minimize => data.by_spread(j, self.score(m)),
            Goal::Maximize => self.score(m),
        };
        Ok(moments.iter().enumerate().map(score).collect())
    }
}
