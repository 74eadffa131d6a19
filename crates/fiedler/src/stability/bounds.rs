//! What noise did to the spectrum and to scores, beside what theorems 5 and 6 of the dissertation let it do.
//!
//! The theorems bound the change of Σ_j α_j² λ_j^r, the φ1 of SPEC with γ(λ) = λ^r, when N becomes Ñ and a feature f̂ = D^½f/‖D^½f‖
//! becomes another one ([`Perturbation`]). Here both come from one version of the data with noise: Ñ and f̃ are of the
//! graph that the method makes of it. Theorem 5 is r = 1; of theorem 6, r = 3 is told, the power of the papers. The sum is
//! over all pairs, for which a bound without gaps holds too.

use crate::dataset::Dataset;
use crate::detail::{Cells, Detail};
use crate::graph::Graph;
use crate::monitor::Monitor;
use crate::ranking::Ranking;
use crate::selector::Selector;
use crate::spectrum::{Perturbation, ScoreChange};
use crate::{Error, Result};

/// The power of theorem 6.
const POWER: u32 = 3;

/// A version of the data: as the method sees it, and the graph that it made.
struct Version {
    view: Dataset,
    ranking: Ranking,
}

impl Version {
    fn graph(&self) -> Result<&Graph> {
        let rule = "asked of a method with a graph: the theorems are about its spectrum";
        let missing =
            || Error::parameter("bounds", rule, format!("`{}`, which has none", self.ranking.method));
        self.ranking.graph.as_deref().ok_or_else(missing)
    }

    /// D^½f.
    fn feature(&self, j: usize) -> Result<Vec<f64>> {
        let degrees = self.graph()?.degrees();
        Ok(self.view.column(j)?.iter().zip(degrees).map(|(f, d)| f * d.max(0.0).sqrt()).collect())
    }
}

/// The changes of the best `count` features of `ranking`, which is of `data`, between them and a noisy version.
pub(super) fn bounds(
    selector: &dyn Selector,
    (data, ranking): (&Dataset, &Ranking),
    noisy: &Dataset,
    count: usize,
    monitor: &dyn Monitor,
) -> Result<Detail> {
    let exact = Version { view: selector.view(data, monitor)?, ranking: ranking.clone() };
    let noisy =
        Version { view: selector.view(noisy, monitor)?, ranking: selector.rank_with(noisy, monitor)? };
    let change = Perturbation::of_graphs(exact.graph()?, noisy.graph()?, monitor)?;
    let n = data.n_samples();
    let mut lines: Vec<(usize, [ScoreChange; 2])> = Vec::new();
    for &j in ranking.top(count.min(ranking.n_scored())) {
        let (before, after) = (exact.feature(j)?, noisy.feature(j)?);
        let at = |power| change.score_change(&before, &after, n, power);
        lines.push((j, [at(1)?, at(POWER)?]));
    }
    let moved = change.pairs().iter().map(|p| (p.perturbed - p.value).abs()).fold(0.0, f64::max);
    let sentence = format!(
        "one version with noise: N = D^-½(D-S)D^-½ of the graph S changed by {:.3} (spectral norm), no eigenvalue λ of it by \
         more than {moved:.3}; of every feature φ1 = Σ α²λ, and Σ α²λ³, with two limits of its change each: the bound holds \
         whatever the gaps between eigenvalues are, theorems 5 and 6 count them. A change is never above its limits, and limits \
         far above it say little",
        change.size()
    );
    Ok(table(&sentence, &lines))
}

fn table(sentence: &str, lines: &[(usize, [ScoreChange; 2])]) -> Detail {
    let of = |which: usize, value: fn(&ScoreChange) -> f64| {
        lines.iter().map(move |(_, changes)| value(&changes[which])).collect::<Vec<f64>>()
    };
    let direct = |change: &ScoreChange| change.direct.unwrap_or(f64::INFINITY);
    Detail::new("bounds", "What noise can do", sentence)
        .column("feature", "feature", Cells::Features(lines.iter().map(|l| l.0).collect()))
        .numbers("before", "φ1", of(0, |c| c.before))
        .numbers("after", "with noise", of(0, |c| c.after))
        .numbers("change", "change", of(0, ScoreChange::observed))
        .numbers("without_gaps", "bound", of(0, direct))
        .numbers("theorem_5", "theorem 5", of(0, |c| c.bound))
        .numbers("change_cubed", "change of λ³", of(1, ScoreChange::observed))
        .numbers("without_gaps_cubed", "bound of λ³", of(1, direct))
        .numbers("theorem_6", "theorem 6", of(1, |c| c.bound))
}
