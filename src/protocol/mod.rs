//! One round, told once: the words in which sources, pools, policies, feedback and scorers speak to each other.
//!
//! A round: a slate of candidates appears; the policy may buy interviews; it selects; it may learn what came of it,
//! now or some rounds later; the pool may react. A setting is a row of [`Rules`], not code.
//!
//! Nothing a policy is handed leads to the truth. A policy gets a [`View`] and [`Outcome`]s, which show [`Shown`]
//! persons; the truth is behind [`Person`] and [`Truth`], which are made from a `&Batch`, and a policy never holds one:
//!
//! ```compile_fail
//! use kleroterion::protocol::{Truth, View};
//! fn peek(view: &View<'_>) -> Option<f64> {
//!     Truth::new(view.slate().batch(), view.slate()).merit(0)
//! }
//! ```
//! ```compile_fail
//! use kleroterion::protocol::{Person, Shown};
//! fn peek(shown: Shown<'_>) -> Option<f64> {
//!     Person::from(shown).merit()
//! }
//! ```
//! ```compile_fail
//! use kleroterion::protocol::Outcome;
//! fn peek(outcome: &Outcome<'_>) -> Option<f64> {
//!     outcome.person().merit()
//! }
//! ```
//! ```compile_fail
//! use kleroterion::protocol::View;
//! fn print(view: &View<'_>) -> String {
//!     format!("{view:?}")
//! }
//! ```

mod batch;
mod ending;
mod known;
mod ledger;
mod moves;
mod persons;
mod quota;
mod rules;
mod schema;
mod target;
mod truth;
mod view;

pub use batch::{Batch, Feedback, Probe, Sealed};
pub use ending::Ending;
pub use known::{Fact, Known, Law};
pub use ledger::{Ledger, Verdict};
pub use moves::{Chosen, Move, Pull, Pulls, Selection};
pub use persons::{Id, Persons, Shown};
pub use quota::Quota;
pub use rules::{Choose, Delay, Kind, Places, Rules, Until};
pub use schema::{Attribute, Schema, TooManyCells};
pub use target::Target;
pub use truth::{Person, Truth};
pub(crate) use view::Notes;
pub use view::{Answer, File, Outcome, Slate, View};
