//! A config's text as a tree: every key and value with the place at which it is written.
//!
//! A [`Document`] is the TOML as written, changed by `--set` and by sweeps, and written out again
//! as resolved. A [`Reader`] walks it and collects every problem rather than stop at the first.
//!
//! ```
//! use kleroterion_run::document::{Document, Reader, read};
//!
//! struct Rules { slate: u64, max_rounds: Option<u64> }
//!
//! fn rules(mut table: Reader<'_>) -> Option<Rules> {
//!     let slate = table.need("slate", "slate = 1").whole_in(1..);
//!     let max_rounds = table.get("max_rounds").whole_in(1..);
//!     table.finish();
//!     Some(Rules { slate: slate?, max_rounds })
//! }
//!
//! let mut document = Document::parse("[rules]\nslate = 10\n")?;
//! document.set("rules.max_rounds=10_000")?;
//! let plan = read(&document, |mut top| {
//!     let rules = top.need("rules", "[rules]").table().and_then(rules);
//!     top.finish();
//!     rules
//! })?;
//! assert_eq!((plan.slate, plan.max_rounds), (10, Some(10_000)));
//!
//! let wrong = Document::parse("[rules]\nslate = 0\nmax_round = 5\n")?;
//! let problems = read(&wrong, |mut top| top.get("rules").table().and_then(rules)).err().unwrap();
//! assert_eq!(problems.0.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A program needs no TOML: [`Document::of`] takes a tree of values, whose places are paths of keys.

mod assign;
mod depth;
mod field;
mod form;
mod lines;
mod made;
mod node;
mod parse;
mod path;
pub mod range;
mod reader;
mod root;
mod sweep;
mod syntax;
#[cfg(test)]
mod tests;
mod values;
mod words;
mod write;

pub use field::Field;
pub(crate) use field::all_read;
pub use node::{Node, PlacedKey, Refused, Table, Value};
pub use reader::{Reader, read};
pub use root::{Document, read_text};
pub use sweep::{Point, SWEEP_HELP};
pub use words::meant;
pub use write::inline as inline_toml;
