//! The methods, one file each, and the registry.
//!
//! To add one: a file with a struct, its [`INFO`](crate::Method::INFO), `build` and
//! `scorer` or `rank_view`, and one line in [`all`].

mod arom_svm;
mod correlation;
mod elsewhere;
mod entropy;
mod evsc;
mod fisher;
mod hsic;
mod laplacian;
mod mcfs;
mod mrmr;
mod mrsf;
mod path_spca;
mod relief_spec;
mod relieff;
mod spec;
mod sselect;
mod trace_ratio;
mod variance;

pub use arom_svm::AromSvm;
pub use correlation::Correlation;
pub use entropy::Entropy;
pub use evsc::{Evsc, Kernel, Rest, Sigma};
pub use fisher::Fisher;
pub use hsic::{Hsic, HsicSearch};
pub use laplacian::{Laplacian, Normalization};
pub use mcfs::Mcfs;
pub use mrmr::{Mrmr, MrmrCriterion};
pub use mrsf::{Mrsf, Penalty, TargetMatrix, Targets};
pub use path_spca::PathSpca;
pub use relief_spec::ReliefSpec;
pub use relieff::ReliefF;
pub use spec::{Phi, Spec};
pub use sselect::{Cut, Discretize, Lambda, SSelect};
pub use trace_ratio::{Scatter, TraceRatio};
pub use variance::Variance;

use crate::selector::Registered;
use crate::{Error, Result};

/// The method that ranks where the user names none: the plainest of the family.
pub const DEFAULT_RANKING: &str = "laplacian";

/// The method that selects where the user names none. It weighs features together, where a ranking alone piles up
/// features that say the same.
pub const DEFAULT_SELECTION: &str = "mrsf";

/// Every method, in the order in which they are shown.
pub fn all() -> &'static [Registered] {
    const ALL: &[Registered] = &[
        Registered::of::<Variance>(),
        Registered::of::<Laplacian>(),
        Registered::of::<Spec>(),
        Registered::of::<Fisher>(),
        Registered::of::<Correlation>(),
        Registered::of::<ReliefF>(),
        Registered::of::<ReliefSpec>(),
        Registered::of::<TraceRatio>(),
        Registered::of::<Hsic>(),
        Registered::of::<SSelect>(),
        Registered::of::<Evsc>(),
        Registered::of::<Mrsf>(),
        Registered::of::<Mrmr>(),
        Registered::of::<AromSvm>(),
        Registered::of::<Entropy>(),
        Registered::of::<PathSpca>(),
        Registered::of::<Mcfs>(),
    ];
    ALL
}

/// The method of that name.
///
/// ```
/// use fiedler::{dataset::demo, methods};
///
/// let laplacian = methods::find("laplacian")?.usual()?;
/// let ranking = laplacian.rank(&demo::iris()?)?;
/// assert_eq!(ranking.order(), [2, 3, 0, 1]); // petals before sepals
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// [`Error::UnknownMethod`], with the nearest name.
pub fn find(name: &str) -> Result<Registered> {
    all().iter().find(|e| e.info.name == name).copied().ok_or_else(|| {
        let names: Vec<&str> = all().iter().map(|e| e.info.name).collect();
        let hint = match elsewhere::meant(name) {
            Some((method, "")) => format!(" (did you mean `{method}`?)"),
            Some((method, common)) => format!("; nearest is `{method}`: {common}"),
            None => nearest(name, &names).map_or(String::new(), |n| format!(" (did you mean `{n}`?)")),
        };
        Error::UnknownMethod { name: name.to_owned(), hint, known: names.join(", ") }
    })
}

/// The name that is at most two typing errors away, if one is.
fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let distance = |other: &str| {
        let (a, b): (Vec<char>, Vec<char>) = (name.chars().collect(), other.chars().collect());
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for i in 1..=a.len() {
            let mut diagonal = std::mem::replace(&mut row[0], i);
            for j in 1..=b.len() {
                let substituted = diagonal + usize::from(a[i - 1] != b[j - 1]);
                diagonal = row[j];
                row[j] = substituted.min(row[j] + 1).min(row[j - 1] + 1);
            }
        }
        row[b.len()]
    };
    names.iter().copied().map(|n| (distance(n), n)).filter(|(d, _)| *d <= 2).min().map(|(_, n)| n)
}
