//! Numbers of every type that an array may hold, as the types that are wanted of them.

use half::f16;
use zarrs::array::ElementOwned;

/// A number or a truth value as it is stored.
pub(super) trait Value: ElementOwned {
    fn single(self) -> f32;
    fn double(self) -> f64;
    fn whole(self) -> i64;
}

macro_rules! values {
    ($($stored:ty),*) => {$(
        impl Value for $stored {
            fn single(self) -> f32 {
                self as f32
            }

            fn double(self) -> f64 {
                self as f64
            }

            // What is too large becomes negative, which is no index either.
            fn whole(self) -> i64 {
                self as i64
            }
        }
    )*};
}

values!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

impl Value for bool {
    fn single(self) -> f32 {
        f32::from(u8::from(self))
    }

    fn double(self) -> f64 {
        f64::from(u8::from(self))
    }

    fn whole(self) -> i64 {
        i64::from(self)
    }
}

impl Value for f16 {
    fn single(self) -> f32 {
        self.to_f32()
    }

    fn double(self) -> f64 {
        self.to_f64()
    }

    fn whole(self) -> i64 {
        self.to_f64() as i64
    }
}

/// A type that is wanted of stored numbers.
pub(super) trait Wanted {
    fn of(value: impl Value) -> Self;
}

impl Wanted for f32 {
    fn of(value: impl Value) -> Self {
        value.single()
    }
}

impl Wanted for f64 {
    fn of(value: impl Value) -> Self {
        value.double()
    }
}

impl Wanted for i64 {
    fn of(value: impl Value) -> Self {
        value.whole()
    }
}

/// An index; what is none becomes one that nothing has.
impl Wanted for u32 {
    fn of(value: impl Value) -> Self {
        u32::try_from(value.whole()).unwrap_or(u32::MAX)
    }
}
