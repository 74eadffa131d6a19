//! Which types of a column can be read as texts, as classes and names of samples are; dates among them.

use std::fmt::Display;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{as_date, as_datetime, as_time};
use arrow_array::types::{
    Date32Type, Date64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
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

/// Dates and times as `2020-01-31`, `2020-01-31 12:30:00` and `12:30:00`; a time stamp with a zone is told in UTC, as it
/// is stored. A date that no calendar has is missing. `None` for other types.
pub(super) fn texts(array: &dyn Array) -> Option<Vec<Option<String>>> {
    use DataType as T;
    use TimeUnit as U;
    Some(match array.data_type() {
        T::Date32 => each::<Date32Type, _>(array, as_date::<Date32Type>),
        T::Date64 => each::<Date64Type, _>(array, as_date::<Date64Type>),
        T::Timestamp(U::Second, _) => {
            each::<TimestampSecondType, _>(array, as_datetime::<TimestampSecondType>)
        }
        T::Timestamp(U::Millisecond, _) => {
            each::<TimestampMillisecondType, _>(array, as_datetime::<TimestampMillisecondType>)
        }
        T::Timestamp(U::Microsecond, _) => {
            each::<TimestampMicrosecondType, _>(array, as_datetime::<TimestampMicrosecondType>)
        }
        T::Timestamp(U::Nanosecond, _) => {
            each::<TimestampNanosecondType, _>(array, as_datetime::<TimestampNanosecondType>)
        }
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
