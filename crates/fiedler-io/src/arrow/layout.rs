//! Where the columns of an Arrow table are described: how many nodes, buffers and counts of buffers every type has.

use arrow_ipc::{MetadataVersion, RecordBatch};
use arrow_schema::{DataType, Fields, UnionMode};

/// Where the description of a column begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) node: usize,
    pub(super) buffer: usize,
    pub(super) variadic: usize,
}

/// The place of every column, and the end of the last. Counts that are missing count as none: the end tells.
pub(super) fn places(fields: &Fields, batch: RecordBatch<'_>, version: MetadataVersion) -> Vec<Place> {
    let counts = batch.variadicBufferCounts().map(|v| v.iter().collect()).unwrap_or_default();
    let mut walk = Walk { at: Place::default(), counts, version };
    let mut places = vec![walk.at];
    for field in fields {
        walk.pass(field.data_type());
        places.push(walk.at);
    }
    places
}

struct Walk {
    at: Place,
    counts: Vec<i64>,
    version: MetadataVersion,
}

impl Walk {
    fn pass(&mut self, data_type: &DataType) {
        use DataType as T;
        self.at.node += 1;
        self.at.buffer += match data_type {
            T::Null | T::RunEndEncoded(..) => 0,
            T::FixedSizeList(..) | T::Struct(_) => 1,
            T::Utf8 | T::LargeUtf8 | T::Binary | T::LargeBinary => 3,
            T::ListView(_) | T::LargeListView(_) => 3,
            T::Utf8View | T::BinaryView => 2 + self.views(),
            T::Union(_, mode) => {
                1 + usize::from(self.version < MetadataVersion::V5) + usize::from(*mode == UnionMode::Dense)
            }
            _ => 2,
        };
        match data_type {
            T::List(inner) | T::LargeList(inner) | T::Map(inner, _) | T::FixedSizeList(inner, _) => {
                self.pass(inner.data_type());
            }
            T::ListView(inner) | T::LargeListView(inner) => self.pass(inner.data_type()),
            T::Struct(fields) => fields.iter().for_each(|f| self.pass(f.data_type())),
            T::Union(fields, _) => fields.iter().for_each(|(_, f)| self.pass(f.data_type())),
            T::RunEndEncoded(ends, values) => {
                self.pass(ends.data_type());
                self.pass(values.data_type());
            }
            _ => {}
        }
    }

    /// The buffers of texts that the next column of views has.
    fn views(&mut self) -> usize {
        let count = self.counts.get(self.at.variadic).copied().unwrap_or(0);
        self.at.variadic += 1;
        usize::try_from(count).unwrap_or(0)
    }
}
