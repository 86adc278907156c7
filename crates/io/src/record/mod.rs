//! People as text: rows of CSV and JSON records, their cells, and the values that cells give.
//!
//! Files ([`people::table`](crate::people::table)) and feeds ([`feed`](crate::feed)) both read
//! people by this module, so the same bytes give the same people. Bytes become frames (`framing`),
//! a row of separated text becomes cells (`row`), and a line of JSON becomes a record (`json`).
//!
//! ```
//! use kleroterion_io::record::{Filter, Levels};
//!
//! let bands = vec![("young".into(), 18.0, 40.0), ("old".into(), 40.0, f64::INFINITY)];
//! let levels = Levels::bands(bands).map_err(|errors| errors[0].clone())?;
//! assert_eq!(levels.names().unwrap(), ["young", "old"]);
//! let filter = Filter::parse("AGEP >= 18 and SEX != 'N'")?;
//! assert!(filter.holds(|clause| ["41", "2"][clause]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod alike;
mod attributes;
pub mod cell;
mod codec;
pub(crate) mod coder;
mod condition;
pub(crate) mod counted;
pub mod decimal;
pub mod fault;
pub mod file;
mod filter;
mod fold;
pub(crate) mod framing;
mod grammar;
pub mod interval;
pub mod json;
mod legible;
pub mod look;
mod met;
pub(crate) mod object;
pub mod outside;
mod own;
pub mod plain;
pub(crate) mod quotes;
pub mod row;
mod sheet;
mod span;
mod whole;
pub mod words;

pub use crate::limits::MOST_WHOLE;
pub use attributes::{AttributeSpec, Bands, LevelError, Levels, Values};
pub use cell::{is_zero, shortest};
pub use codec::Codec;
pub use condition::{Clause, FilterError};
pub use filter::Filter;
pub(crate) use fold::compared;
pub use fold::{fold, tidy, unseen};
pub use json::CompactRecord;
pub use legible::{beginning, is_legible, legible, marks_spelt};
pub use own::{own_file, own_file_as_it_is, own_new_file, without_links};
pub use sheet::{SheetWriter, read as read_cell, read_row, written as written_cell};
pub use span::{Span, Spans};
pub use whole::{read_given, read_whole};
