//! The vocabulary of one round, in which sources, pools, policies, feedback and scorers speak to
//! each other.
//!
//! A round: a slate of candidates appears; the policy may buy interviews; it selects; it may learn
//! what came of it, now or some rounds later; the pool may react. A setting is a row of [`Rules`],
//! not code.
//!
//! Nothing a policy is handed leads to the truth. A policy gets a [`View`] and [`Outcome`]s, which
//! show [`Shown`] persons; the truth is behind [`Person`] and [`Truth`], which are made from a
//! `&Batch`, and a policy never holds one:
//!
//! ```
//! use kleroterion_core::protocol::{Batch, Outcome, Person, Shown, Truth, View};
//! // Who holds the batch, as the arena does, has the truth of a slate and of a person.
//! fn oracles(batch: &Batch, view: &View<'_>) -> Option<f64> {
//!     Truth::new(batch, view.slate()).merit(0)
//! }
//! fn feedback(batch: &Batch) -> Option<f64> {
//!     Person::new(batch, 0).merit()
//! }
//! // Who does not has what is shown.
//! fn policies(view: &mut View<'_>, outcome: &Outcome<'_>) -> (Option<f64>, f64, u64) {
//!     let (here, before): (Shown<'_>, Shown<'_>) = (view.candidate(0), outcome.person());
//!     assert_eq!(here.score(), before.score());
//!     (here.score(), outcome.value(), view.draw().word())
//! }
//! fn print(view: &View<'_>) -> String {
//!     format!("{:?} {}", view.money_left(), serde_json::to_string(&view.round()).unwrap())
//! }
//! ```
//! No slate can take the place of the batch, and no person, view or outcome leads to one:
//! ```compile_fail,E0308
//! use kleroterion_core::protocol::{Truth, View};
//! fn peek(view: &View<'_>) -> Option<f64> {
//!     Truth::new(view.slate(), view.slate()).merit(0)
//! }
//! ```
//! ```compile_fail,E0616
//! use kleroterion_core::protocol::{Person, View};
//! fn peek(view: &View<'_>) -> Option<f64> {
//!     Person::new(view.slate().persons, 0).merit()
//! }
//! ```
//! ```compile_fail,E0277
//! use kleroterion_core::protocol::{Person, Shown};
//! fn peek(shown: Shown<'_>) -> Option<f64> {
//!     Person::from(shown).merit()
//! }
//! ```
//! ```compile_fail,E0599
//! use kleroterion_core::protocol::Outcome;
//! fn peek(outcome: &Outcome<'_>) -> Option<f64> {
//!     outcome.person().merit()
//! }
//! ```
//! Answers that are drawn ahead are [`Seal`]s. No one can read or open one, or make a view lead to
//! it, but the arena, which has the person:
//! ```compile_fail,E0624
//! use kleroterion_core::protocol::{Person, Seal};
//! fn peek(seal: Seal, person: Person<'_>) -> f64 {
//!     seal.open(person)
//! }
//! ```
//! ```compile_fail,E0616
//! use kleroterion_core::protocol::Seal;
//! fn peek(seal: &Seal) -> f64 {
//!     seal.0
//! }
//! ```
//! ```compile_fail,E0277
//! use kleroterion_core::protocol::Seal;
//! fn print(seal: &Seal) -> String {
//!     format!("{seal:?}")
//! }
//! ```
//! The seed, with which outcomes could be computed, stays in the draw; and a view is not printed or
//! written:
//! ```compile_fail,E0616
//! use kleroterion_core::protocol::View;
//! fn peek(view: &mut View<'_>) -> u64 {
//!     view.draw().key[0]
//! }
//! ```
//! ```compile_fail,E0277
//! use kleroterion_core::protocol::View;
//! fn print(view: &View<'_>) -> String {
//!     format!("{view:?}")
//! }
//! ```
//! ```compile_fail,E0277
//! use kleroterion_core::protocol::View;
//! fn write(view: &View<'_>) -> String {
//!     serde_json::to_string(view).unwrap()
//! }
//! ```

mod batch;
mod ending;
mod gain;
mod known;
mod ledger;
mod moves;
mod persons;
mod policy;
mod respondents;
mod round_entry;
mod rules;
mod schema;
mod seal;
mod sealed;
mod target;
mod trail;
mod truth;
mod view;
mod yields;

pub use batch::{Batch, Correction, Report};
pub use ending::{Ending, Stop};
pub use gain::Gain;
pub use known::{Fact, Known, Law, ScoreLaw, density, density_at, upper_quantile};
pub use ledger::Ledger;
pub use moves::{Chosen, Move, Pull, Pulls, Selection};
pub use persons::{Id, Persons, Shown};
pub use policy::{Oracle, Policy};
pub use respondents::Respondents;
pub use round_entry::RoundEntry;
pub use rules::{
    Choose, CohortObjective, CohortSums, CohortWorth, Delay, InterviewKind, Judged, OFFER, Places,
    Quota, Role, Rules, Side, Until, YARDSTICK,
};
pub use schema::{Attribute, Schema, TooManyCells};
pub use seal::Seal;
pub use sealed::{Drawn, Feedback, Probe, Sealed, SealedAnswers, SealedOutcomes};
pub use target::Target;
pub(crate) use trail::LookSales;
pub use trail::{HeardOutcome, LookReason, OfferedPlace, SoldLook};
pub use truth::{GroupCdf, GroupTruth, Person, Truth};
pub use view::{LookAnswer, LookStats, Outcome, Slate, View, ViewNotes, ViewParts};
pub use yields::Yields;
