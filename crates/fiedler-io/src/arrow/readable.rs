//! Which types of a column can be read as texts, as classes and names of samples are; times of day among them.

use std::fmt::Display;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::as_time;
use arrow_array::types::{
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
};
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_schema::{DataType, TimeUnit};

/// Whether the values of a column can be written as texts.
pub(super) fn is_readable(data_type: &DataType) -> bool {
    use DataType as T;
    match data_type {
        T::Utf8 | T::LargeUtf8 | T::Utf8View | T::Boolean | T::Decimal128(..) => true,
        T::Date32 | T::Date64 | T::Timestamp(..) | T::Time32(_) | T::Time64(_) => true,
        T::Dictionary(_, values) => is_readable(values),
        other => other.is_integer() || other.is_floating(),
    }
}

/// Times of day as `12:30:00`. A time that no day has is missing. `None` for other types.
pub(super) fn times(array: &dyn Array) -> Option<Vec<Option<String>>> {
    use DataType as T;
    use TimeUnit as U;
    Some(match array.data_type() {
        T::Time32(U::Second) => each::<Time32SecondType, _>(array, as_time::<Time32SecondType>),
        T::Time32(_) => each::<Time32MillisecondType, _>(array, as_time::<Time32MillisecondType>),
        T::Time64(U::Microsecond) => {
            each::<Time64MicrosecondType, _>(array, as_time::<Time64MicrosecondType>)
        }
        T::Time64(_) => each::<Time64NanosecondType, _>(array, as_time::<Time64NanosecondType>),
        _ => return None,
    })
}

fn each<K: ArrowPrimitiveType<Native: Into<i64>>, D: Display>(
    array: &dyn Array,
    read: impl Fn(i64) -> Option<D>,
) -> Vec<Option<String>> {
    let text = |value: Option<K::Native>| Some(read(value?.into())?.to_string());
    array.as_primitive::<K>().iter().map(text).collect()
}
