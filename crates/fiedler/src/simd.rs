//! Plain loops, compiled for the widest vectors of the machine they run on.

/// Something to consume.
pub(crate) struct Once;

/// Evaluates an expression as compiled for the widest vector instructions of this machine.
///
/// Inside, plain loops over fixed-size arrays of lanes become vector instructions; functions
/// called must be `#[inline(always)]`. Products and sums are never fused, so every machine gives
/// the same bits.
///
/// A closure that only borrows reaches [`pulp`] through a call that is not inlined, and is then
/// compiled for the oldest machine (measured: half the speed). A closure that consumes what it
/// captures has no such call in between: hence the `Once`.
macro_rules! vectorized {
    ($body:expr) => {{
        let once = $crate::simd::Once;
        ::pulp::Arch::new().dispatch(
            #[inline(always)]
            || {
                let _consumed = once;
                $body
            },
        )
    }};
}

pub(crate) use vectorized;
