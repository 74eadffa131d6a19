//! Values to places on the paper, and round numbers along them.

use crate::text;

/// A range of values and the places it is drawn at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
    whole: bool,
}

impl Scale {
    /// Equal steps. A range without a width gets one.
    pub(crate) fn linear((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        Scale { low, high, from, to, log: false, whole: false }
    }

    /// Equal factors; for values above 0.
    pub(crate) fn log((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let high = if high > low { high } else { low * 10.0 };
        Scale { low, high, from, to, log: true, whole: false }
    }

    /// For counts and ranks: no ticks between them.
    pub(crate) fn whole(self) -> Self {
        Scale { whole: true, ..self }
    }

    /// The place of a value.
    pub(crate) fn at(&self, v: f64) -> f64 {
        let share = if self.log {
            (v.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (v - self.low) / (self.high - self.low)
        };
        self.from + share * (self.to - self.from)
    }

    /// Where the first value is.
    pub(crate) fn start(&self) -> f64 {
        self.from
    }

    /// Round values inside the range, about `wanted` of them.
    pub(crate) fn ticks(&self, wanted: usize) -> Vec<f64> {
        if self.log {
            return self.powers(wanted);
        }
        let step = round_step((self.high - self.low) / wanted.max(1) as f64);
        let step = if self.whole { step.max(1.0) } else { step };
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }

    fn powers(&self, wanted: usize) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let decades = (last - first).max(1) as usize;
        let within = |v: &f64| *v >= self.low * 0.999 && *v <= self.high * 1.001;
        let few: &[f64] = if decades * 3 <= wanted + 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let stride = decades.div_ceil(wanted.max(1)).max(1);
        let powers = (first..=last).step_by(stride);
        powers.flat_map(|p| few.iter().map(move |f| f * 10f64.powi(p))).filter(within).collect()
    }
}

/// 1, 2 or 5 times a power of ten, at least `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= least * 0.999);
    factor.unwrap_or(10.0) * power
}

/// The label of a tick among others: as many digits as tell it from its neighbors.
pub(crate) fn label(v: f64, ticks: &[f64]) -> String {
    let step = ticks.windows(2).map(|w| (w[1] - w[0]).abs()).fold(f64::INFINITY, f64::min);
    if v == 0.0 || !step.is_finite() || v.abs() >= 1e5 || v.abs() < 1e-4 {
        return text::number(v);
    }
    let digits = (-step.log10()).ceil().clamp(0.0, 6.0) as usize;
    if digits == 0 && v.abs() >= 1000.0 {
        return text::number(v);
    }
    format!("{v:.digits$}").replacen('-', "−", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(
            Scale::linear((0.0, 1.0), (0.0, 100.0)).ticks(5),
            [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
        );
        assert_eq!(Scale::linear((-3.0, 12.0), (0.0, 1.0)).ticks(3), [0.0, 5.0, 10.0]);
        assert_eq!(Scale::log((1.0, 10_000.0), (0.0, 1.0)).ticks(5), [1.0, 10.0, 100.0, 1000.0, 10_000.0]);
        assert_eq!(label(0.6000000000000001, &[0.4, 0.6, 0.8]), "0.6");
        assert_eq!(label(20_000.0, &[10_000.0, 20_000.0]), "20,000");
    }

    #[test]
    fn a_range_of_one_value_has_a_place_for_it() {
        assert_eq!(Scale::linear((2.0, 2.0), (0.0, 10.0)).at(2.0), 5.0);
        assert_eq!(Scale::log((1.0, 1.0), (0.0, 10.0)).at(1.0), 0.0);
    }
}
