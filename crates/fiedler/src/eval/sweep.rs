//! The coefficient of one source against another, from 0 to 1 (DIS, figure 5.5c).

use super::result::{Curve, Table};

/// Which candidates are one fusion with different coefficients.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The source whose coefficient it is.
    pub of: String,
    /// The source that has the rest.
    pub against: String,
    /// The other sources of the fusion, which take no part: theirs is 0 at every step.
    pub left_out: Vec<String>,
    /// The coefficients, ascending, and the names of their candidates.
    pub steps: Vec<(f64, String)>,
}

impl Sweep {
    /// The curves of a table by their coefficient.
    pub fn curves<'t>(&self, table: &'t Table) -> Vec<(f64, &'t Curve)> {
        let curve = |name: &str| table.curves.iter().find(|curve| curve.name == name);
        self.steps.iter().filter_map(|(coefficient, name)| Some((*coefficient, curve(name)?))).collect()
    }

    /// `1NN accuracy by the coefficient of miRNA, the rest is Function`, and who takes no part.
    pub fn in_words(&self, table: &Table) -> String {
        let rest =
            format!("{} by the coefficient of {}, the rest is {}", table.measure, self.of, self.against);
        match &self.left_out[..] {
            [] => rest,
            others => format!("{rest}; without {}", others.join(", ")),
        }
    }
}
