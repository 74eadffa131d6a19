//! The products of this machine: sums of a tall strip and a flat one, kept in registers.
//!
//! | | registers | a tall strip | a flat one | sums | beside them |
//! |---|---|---|---|---|---|
//! | AVX2 | 16 of 8 words | 16 rows, 2 registers | 6 | 12 registers | 3 |
//! | AVX-512 | 32 of 16 words | 48 rows, 3 registers | 8 | 24 registers | 4 |
//!
//! Of [whole numbers](super::whole) two products and their sum are one instruction, and to add that is another; where the machine has
//! VNNI both are one, which the compiler sees. After every run of features the sums become numbers in single precision.

use pulp::x86::{V3, V4};
use pulp::{cast, f32x8, f32x16, i32x8, i32x16};

use super::strips::{Product, put};
use super::whole::{self, PAIRS};

/// Products of numbers in single precision, the fastest first.
pub(super) fn of_singles() -> Vec<Product<f32>> {
    let product = |put, multiply| Product { features: 1, exact: 1, put, multiply };
    let wide = avx512::is_here().then(|| product(put::<f32, 48, 8>, avx512::multiply));
    let usual = avx2::is_here().then(|| product(put::<f32, 16, 6>, avx2::multiply));
    wide.into_iter().chain(usual).collect()
}

/// Products of whole numbers, the fastest first.
pub(super) fn of_whole_numbers() -> Vec<Product<f32>> {
    let product = |put, multiply| Product { features: 2, exact: 2 * PAIRS, put, multiply };
    let fused = vnni::is_here().then(|| product(whole::put::<48, 8>, vnni::multiply));
    let wide = avx512_whole::is_here().then(|| product(whole::put::<48, 8>, avx512_whole::multiply));
    let usual = avx2_whole::is_here().then(|| product(whole::put::<16, 6>, avx2_whole::multiply));
    fused.into_iter().chain(wide).chain(usual).collect()
}

/// A product by the registers of a kind of machine: the name of the module, the machine that it is compiled for and the one whose
/// operations it takes, its sums, rows of a tall strip and of a flat one.
macro_rules! product {
    ($module:ident, $target:ident, $machine:ident, $sums:ident, $tall:literal, $flat:literal) => {
        mod $module {
            use pulp::NullaryFnOnce;

            use super::super::strips::{Strips, Task, strip_by_strip};
            use super::super::whole::units;
            use super::{$machine, $sums};

            /// Whether the machine has the instructions.
            pub(super) fn is_here() -> bool {
                super::$target::try_new().is_some()
            }

            /// Nothing where the machine lacks the instructions.
            pub(super) fn multiply(left: &Strips, right: &Strips, task: Task, out: &mut [f32]) {
                if let (Some(target), Some(simd)) = (super::$target::try_new(), $machine::try_new()) {
                    target.vectorize(Multiply { simd, sides: (left, right), task, out });
                }
            }

            struct Multiply<'a> {
                simd: $machine,
                sides: (&'a Strips, &'a Strips),
                task: Task,
                out: &'a mut [f32],
            }

            impl NullaryFnOnce for Multiply<'_> {
                type Output = ();

                #[inline(always)]
                fn call(self) {
                    let Multiply { simd, sides, task, out } = self;
                    let units = units(sides);
                    strip_by_strip::<$tall, $flat>(
                        sides,
                        task,
                        out,
                        #[inline(always)]
                        |left, right| $sums(simd, &units, left, right),
                    );
                }
            }
        }
    };
}

/// Sums of products in single precision: their name, the machine, its register with the operations on it, rows of a tall strip,
/// registers of these, rows of a flat strip.
macro_rules! singles {
    ($sums:ident, $machine:ident, $register:ident, $splat:ident, $mul_add:ident, $tall:literal, $registers:literal, $flat:literal) => {
        #[inline(always)]
        fn $sums(
            simd: $machine,
            _: &[f32],
            left: &[[u32; $tall]],
            right: &[[u32; $flat]],
        ) -> [[f32; $tall]; $flat] {
            let mut sums = [[simd.$splat(0.0); $registers]; $flat];
            for (rows, columns) in left.iter().zip(right) {
                let rows: [$register; $registers] = cast(*rows);
                for c in 0..$flat {
                    let column = simd.$splat(f32::from_bits(columns[c]));
                    for r in 0..$registers {
                        sums[c][r] = simd.$mul_add(rows[r], column, sums[c][r]);
                    }
                }
            }
            sums.map(|sums| cast(sums))
        }
    };
}

/// Sums of products of whole numbers, run after run. As [`singles`], and the register of whole numbers with the operations on it.
macro_rules! whole_numbers {
    ($sums:ident, $machine:ident, ($register:ident, $splat:ident, $mul_add:ident), ($whole:ident, $splat_whole:ident, $pairs:ident, $add:ident, $single:ident), $tall:literal, $registers:literal, $flat:literal) => {
        #[inline(always)]
        fn $sums(
            simd: $machine,
            units: &[f32],
            left: &[[u32; $tall]],
            right: &[[u32; $flat]],
        ) -> [[f32; $tall]; $flat] {
            let mut totals = [[simd.$splat(0.0); $registers]; $flat];
            for ((left, right), &unit) in left.chunks(PAIRS).zip(right.chunks(PAIRS)).zip(units) {
                let mut sums = [[simd.$splat_whole(0); $registers]; $flat];
                for (rows, columns) in left.iter().zip(right) {
                    let rows: [$whole; $registers] = cast(*rows);
                    for c in 0..$flat {
                        let column = simd.$splat_whole(columns[c] as i32);
                        for r in 0..$registers {
                            sums[c][r] = simd.$add(sums[c][r], $pairs(simd, rows[r], column));
                        }
                    }
                }
                let unit = simd.$splat(unit);
                for c in 0..$flat {
                    for r in 0..$registers {
                        totals[c][r] = simd.$mul_add($single(simd, sums[c][r]), unit, totals[c][r]);
                    }
                }
            }
            totals.map(|totals: [$register; $registers]| cast(totals))
        }
    };
}

// Products of the halves of words, added up in pairs.
#[inline(always)]
fn pairs_of_eight(simd: V3, a: i32x8, b: i32x8) -> i32x8 {
    cast(simd.avx2._mm256_madd_epi16(cast(a), cast(b)))
}

#[inline(always)]
fn pairs_of_sixteen(simd: V4, a: i32x16, b: i32x16) -> i32x16 {
    cast(simd.avx512bw._mm512_madd_epi16(cast(a), cast(b)))
}

#[inline(always)]
fn eight_singles(simd: V3, whole: i32x8) -> f32x8 {
    cast(simd.avx._mm256_cvtepi32_ps(cast(whole)))
}

#[inline(always)]
fn sixteen_singles(simd: V4, whole: i32x16) -> f32x16 {
    cast(simd.avx512f._mm512_cvtepi32_ps(cast(whole)))
}

singles!(eights, V3, f32x8, splat_f32x8, mul_add_f32x8, 16, 2, 6);
singles!(sixteens, V4, f32x16, splat_f32x16, mul_add_f32x16, 48, 3, 8);
whole_numbers!(
    whole_eights,
    V3,
    (f32x8, splat_f32x8, mul_add_f32x8),
    (i32x8, splat_i32x8, pairs_of_eight, wrapping_add_i32x8, eight_singles),
    16,
    2,
    6
);
whole_numbers!(
    whole_sixteens,
    V4,
    (f32x16, splat_f32x16, mul_add_f32x16),
    (i32x16, splat_i32x16, pairs_of_sixteen, wrapping_add_i32x16, sixteen_singles),
    48,
    3,
    8
);

product!(avx2, V3, V3, eights, 16, 6);
product!(avx512, V4, V4, sixteens, 48, 8);
product!(avx2_whole, V3, V3, whole_eights, 16, 6);
product!(avx512_whole, V4, V4, whole_sixteens, 48, 8);
product!(vnni, Vnni, V4, whole_sixteens, 48, 8);

// The library has no name for a machine with VNNI, but makes one. What it makes for that asks the machine first.
#[allow(unsafe_code)]
mod named {
    pulp::simd_type!({
        /// AVX-512 with VNNI.
        pub(super) struct Vnni {
            pub sse: f!("sse"),
            pub sse2: f!("sse2"),
            pub fxsr: f!("fxsr"),
            pub sse3: f!("sse3"),
            pub ssse3: f!("ssse3"),
            pub sse4_1: f!("sse4.1"),
            pub sse4_2: f!("sse4.2"),
            pub popcnt: f!("popcnt"),
            pub avx: f!("avx"),
            pub avx2: f!("avx2"),
            pub bmi1: f!("bmi1"),
            pub bmi2: f!("bmi2"),
            pub fma: f!("fma"),
            pub lzcnt: f!("lzcnt"),
            pub avx512f: f!("avx512f"),
            pub avx512bw: f!("avx512bw"),
            pub avx512cd: f!("avx512cd"),
            pub avx512dq: f!("avx512dq"),
            pub avx512vl: f!("avx512vl"),
            pub avx512vnni: f!("avx512vnni"),
        }
    });
}
use named::Vnni;
