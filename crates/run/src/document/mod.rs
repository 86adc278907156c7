//! A config's text as a tree: every key and value with the place at which it is written.
//!
//! A [`Document`] is the TOML as written, changed by `--set` and by sweeps, and written out again
//! as resolved. A [`Reader`] walks it and collects every problem rather than stop at the first.
//!
//! ```
//! use kleroterion_run::document::{Document, ConfigKey, Later, Reader, read};
//! use kleroterion_run::keys;
//!
//! const SLATE: ConfigKey<u64> = ConfigKey::whole("slate", 1, 100)
//!     .about("how many a round shows")
//!     .needed()
//!     .like("slate = 1");
//! const MAX_ROUNDS: ConfigKey<u64> = ConfigKey::whole("max_rounds", 1, u64::MAX).or(1000);
//! const RULES: ConfigKey<Later> = ConfigKey::table("rules", keys![SLATE, MAX_ROUNDS]);
//!
//! fn rules(mut table: Reader<'_>) -> Option<(u64, u64)> {
//!     let (slate, max_rounds) = (SLATE.value(&mut table), MAX_ROUNDS.value(&mut table));
//!     table.finish();
//!     Some((slate?, max_rounds?))
//! }
//!
//! let plan = |document: &Document| {
//!     read(document, |mut top| {
//!         let rules = RULES.section(&mut top, rules);
//!         top.finish();
//!         rules.is()
//!     })
//! };
//! let mut document = Document::parse("[rules]\nslate = 10\n")?;
//! assert_eq!(plan(&document)?, (10, 1000));
//! document.set("rules.max_rounds=10_000")?;
//! assert_eq!(plan(&document)?, (10, 10_000));
//!
//! let wrong = Document::parse("[rules]\nslate = 0\nmax_round = 5\n")?;
//! assert_eq!(plan(&wrong).unwrap_err().0.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A program needs no TOML: [`Document::of`] takes a tree of values, whose places are paths of keys.

mod assign;
mod depth;
mod field;
mod form;
mod key;
pub mod kind_list;
mod lines;
mod literal;
mod made;
mod node;
pub mod param;
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
pub use key::{Case, ConfigKey, Later};
pub use literal::Literal;
pub use node::{Node, PlacedKey, Refused, Table, Value};
pub use reader::{Reader, read};
pub use root::{Document, read_text};
pub use sweep::{Point, SWEEP_HELP};
pub use words::meant;
pub use write::inline as inline_toml;
