//! From a config's text to what is asked for: raw -> check -> plan.
//!
//! *Raw* is a [`Document`]: the TOML as written, every key and value with its [`Place`](crate::problem::Place),
//! changed by `--set` and by sweeps, and written out again as resolved. *Check* walks it with a [`Reader`], which
//! collects every problem rather than stop at the first. Whatever passes is a plan and is trusted from then on.
//!
//! ```
//! use kleroterion::config::{Document, Reader, read};
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

mod admissions;
mod applicants;
mod arms;
mod assign;
mod attributes;
mod check;
mod contexts;
mod document;
mod feasible;
mod feed;
mod feedback;
mod field;
mod file;
mod gaussian_groups;
mod goal;
mod joint;
mod layout;
mod linear_groups;
mod lines;
mod live;
mod located;
mod node;
mod objective;
mod parse;
mod path;
mod plan;
mod pool;
mod quota;
mod reader;
mod report;
mod resolved;
mod respondents;
mod rules;
mod sweep;
mod syntax;
mod target;
mod unfilled;
mod world;
mod write;

#[cfg(test)]
mod tests;

pub use crate::nearest::nearest;
pub use check::check;
pub use document::{Document, read_text};
pub use field::Field;
pub(crate) use located::DATA;
pub use located::{alike, located};
pub use node::{Key, Node, Refused, Table, Value};
pub use plan::{LanePlan, LivePlan, Merits, Plan, World};
pub(crate) use pool::shares as group_shares;
pub use reader::{Reader, read};
pub use sweep::Point;
pub(crate) use write::inline as inline_toml;
