//! Opening files of tables. Whatever the format of a file, its readers get rows as UTF-8 text.
//!
//! A file is text in UTF-8, UTF-16 or Windows-1252, separated by any mark or a JSON record a line,
//! a JSON array of records, or a sheet of a workbook. All commands open tables here alone, so that
//! a file that one of them reads is read by all, in the same way.

mod array;
mod encoding;
mod grid;
mod held;
mod how;
mod lines;
mod load_error;
mod memory;
mod rows;
mod separator;
mod table_file;
#[cfg(test)]
mod tests;
mod workbook;

pub use encoding::Encoding;
pub use grid::Grid;
pub use held::MemoryTable;
pub use how::{Form, How, ReadAs};
pub use load_error::LoadError;
pub use memory::MemoryCell;
pub use rows::GridRow;
pub use table_file::TableFile;
