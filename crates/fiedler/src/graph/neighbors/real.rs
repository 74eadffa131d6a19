//! Single or double precision, for code that is the same in both.

use std::ops::{Add, AddAssign, Mul, Sub};

use faer::traits::ComplexField;

use super::strips::{self, Product};
use super::whole;
use crate::dataset::Narrow;

/// `f32` or `f64`.
pub(super) trait Real:
    ComplexField
    + Narrow
    + PartialOrd
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Send
    + Sync
{
    /// The largest relative error of one rounding.
    const ROUNDING: f64;
    /// The smallest number above 0: what an underflow may lose.
    const SMALLEST: f64;
    const ZERO: Self;
    /// Whether this is double precision.
    const DOUBLE: bool = size_of::<Self>() == size_of::<f64>();
    const INFINITY: Self;
    const NEG_INFINITY: Self;

    /// A product of blocks of samples that is faster than faer's, where there is one for this machine.
    fn product() -> Option<Product<Self>>;
    /// The same of whole numbers.
    fn whole_product() -> Option<Product<Self>>;
    fn magnitude(self) -> Self;
    /// The same number in double precision.
    fn wide(self) -> f64;
    /// A little more, so that whoever ties with a bound (see [`TIE`](super::ties::TIE)) is within it.
    fn widened(self) -> Self;
}

macro_rules! real {
    ($type:ident, $product:expr, $whole:expr) => {
        impl Real for $type {
            const ROUNDING: f64 = $type::EPSILON as f64 / 2.0;
            const SMALLEST: f64 = ($type::MIN_POSITIVE * $type::EPSILON) as f64;
            const ZERO: Self = 0.0;
            const INFINITY: Self = $type::INFINITY;
            const NEG_INFINITY: Self = $type::NEG_INFINITY;

            fn product() -> Option<Product<Self>> {
                $product
            }

            fn whole_product() -> Option<Product<Self>> {
                $whole
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                self.abs()
            }

            #[inline(always)]
            fn wide(self) -> f64 {
                self.into()
            }

            #[inline(always)]
            fn widened(self) -> Self {
                self + self.abs() * (2.0 * super::ties::TIE) as $type
            }
        }
    };
}

real!(f32, strips::product(), whole::product());
real!(f64, None, None);
