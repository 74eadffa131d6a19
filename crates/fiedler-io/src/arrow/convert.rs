//! Arrow arrays to numbers and texts.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal128Type, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, BooleanArray};
use arrow_schema::{DataType, TimeUnit};

use super::readable;
use crate::memory::Budget;
use crate::{Result, dates};

/// What the library stores.
pub(super) trait Store: Copy + Send + Default {
    fn store(value: f64) -> Self;
}

impl Store for f64 {
    #[inline(always)]
    fn store(value: f64) -> Self {
        value
    }
}

impl Store for f32 {
    /// Exact for every type that the plan reads into single precision.
    #[inline(always)]
    fn store(value: f64) -> Self {
        value as f32
    }
}

/// Copies an array of numbers. A value that is missing becomes NaN.
pub(super) fn copy<T: Store>(array: &dyn Array, out: &mut [T]) {
    numbers(array, out);
    let missing = if array.null_count() > 0 { 0..array.len() } else { 0..0 };
    missing.filter(|&i| array.is_null(i)).for_each(|i| out[i] = T::store(f64::NAN));
}

fn numbers<T: Store>(array: &dyn Array, out: &mut [T]) {
    macro_rules! plain {
        ($kind:ty) => {{
            let values = array.as_primitive::<$kind>().values();
            out.iter_mut().zip(values).for_each(|(o, &v)| *o = T::store(v as f64));
        }};
    }
    match array.data_type() {
        DataType::Float64 => plain!(Float64Type),
        DataType::Float32 => plain!(Float32Type),
        DataType::Int8 => plain!(Int8Type),
        DataType::Int16 => plain!(Int16Type),
        DataType::Int32 => plain!(Int32Type),
        DataType::Int64 => plain!(Int64Type),
        DataType::UInt8 => plain!(UInt8Type),
        DataType::UInt16 => plain!(UInt16Type),
        DataType::UInt32 => plain!(UInt32Type),
        DataType::UInt64 => plain!(UInt64Type),
        DataType::Float16 => {
            let values = array.as_primitive::<Float16Type>().values();
            out.iter_mut().zip(values).for_each(|(o, v)| *o = T::store(v.to_f64()));
        }
        DataType::Decimal128(_, scale) => {
            let unit = 10_f64.powi(i32::from(*scale));
            let values = array.as_primitive::<Decimal128Type>().values();
            out.iter_mut().zip(values).for_each(|(o, &v)| *o = T::store(v as f64 / unit));
        }
        _ => {
            let values: &BooleanArray = array.as_boolean();
            out.iter_mut().zip(values.values()).for_each(|(o, v)| *o = T::store(f64::from(u8::from(v))));
        }
    }
}

/// Appends the texts of an array that [`readable::is_readable`]; numbers are written as the shortest digits.
pub(super) fn texts(array: &dyn Array, budget: &Budget, out: &mut Vec<Option<String>>) -> Result<()> {
    // Many rows can point to one long text of the file, and each gets its own copy: that is counted before.
    macro_rules! owned {
        ($texts:expr) => {{
            budget.take($texts.iter().flatten().map(|t| t.len() as u64).sum())?;
            out.extend($texts.iter().map(|t| t.map(str::to_owned)));
        }};
    }
    macro_rules! display {
        ($kind:ty) => {
            out.extend(array.as_primitive::<$kind>().iter().map(|v| v.map(|v| v.to_string())))
        };
    }
    // Dates and moments count from 1970-01-01; `day` is how far they count in one.
    macro_rules! moments {
        ($kind:ty, $day:expr) => {
            out.extend(array.as_primitive::<$kind>().iter().map(|v| v.map(|v| dates::text(v as f64 / $day))))
        };
    }
    budget.take_items(array.len(), size_of::<Option<String>>())?;
    match array.data_type() {
        DataType::Dictionary(..) => return dictionary(array, budget, out),
        DataType::Utf8 => owned!(array.as_string::<i32>()),
        DataType::LargeUtf8 => owned!(array.as_string::<i64>()),
        DataType::Utf8View => owned!(array.as_string_view()),
        DataType::Date32 => moments!(Date32Type, 1.0),
        DataType::Date64 => moments!(Date64Type, 86_400e3),
        DataType::Timestamp(TimeUnit::Second, _) => moments!(TimestampSecondType, 86_400.0),
        DataType::Timestamp(TimeUnit::Millisecond, _) => moments!(TimestampMillisecondType, 86_400e3),
        DataType::Timestamp(TimeUnit::Microsecond, _) => moments!(TimestampMicrosecondType, 86_400e6),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => moments!(TimestampNanosecondType, 86_400e9),
        DataType::Int64 => display!(Int64Type),
        DataType::UInt64 => display!(UInt64Type),
        _ => match readable::times(array) {
            Some(texts) => out.extend(texts),
            None => numbers_as_texts(array, out),
        },
    }
    Ok(())
}

/// A long text that many keys stand for is copied as often: that is counted before.
fn dictionary(array: &dyn Array, budget: &Budget, out: &mut Vec<Option<String>>) -> Result<()> {
    let dictionary = array.as_any_dictionary();
    if dictionary.values().is_empty() {
        out.extend((0..array.len()).map(|_| None));
        return Ok(());
    }
    let mut values = Vec::new();
    texts(dictionary.values(), budget, &mut values)?;
    let keys = dictionary.normalized_keys();
    let length = |&k: &usize| values[k].as_ref().map_or(0, String::len) as u64;
    budget.take(keys.iter().map(length).fold(0, u64::saturating_add))?;
    let text = |(i, &k): (usize, &usize)| if array.is_null(i) { None } else { values[k].clone() };
    out.extend(keys.iter().enumerate().map(text));
    Ok(())
}

fn numbers_as_texts(array: &dyn Array, out: &mut Vec<Option<String>>) {
    let mut value = [0.0_f64];
    for i in 0..array.len() {
        copy(&array.slice(i, 1), &mut value);
        out.push(Some(value[0]).filter(|v| !v.is_nan()).map(|v| v.to_string()));
    }
}
