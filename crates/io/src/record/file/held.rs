//! A table that a program hands in, as it is held.

use std::sync::Arc;

/// A table in the memory of a program. It is read as a file of the same rows is.
///
/// ```
/// use kleroterion_io::record::file::MemoryTable;
///
/// let file = MemoryTable::of_file("age,sex\n20,F\n69,M\n".as_bytes());
/// let columns = MemoryTable::of_columns([
///     ("age", MemoryTable::cells([20, 69])),
///     ("sex", MemoryTable::cells(["F", "M"])),
/// ])?;
/// let records = [[("age", 20.into()), ("sex", "F".into())], [("age", 69.into()), ("sex", "M".into())]];
/// assert_eq!(columns, MemoryTable::of_records(records));
/// assert_ne!(columns, file);
/// # Ok::<(), kleroterion_core::problem::Problem>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct MemoryTable {
    pub(super) bytes: Arc<[u8]>,
    /// True if the rows were handed in as such. Otherwise the bytes are those of a file.
    pub(super) is_rows: bool,
}
