//! The way from a config's text to a plan: raw -> check -> plan.
//!
//! *Raw* is a [`Document`]. *Check* walks it with a [`Reader`](crate::document::Reader), which
//! collects every problem rather than stop at the first. Whatever passes is a plan and is trusted
//! from then on.

mod about;
pub(crate) mod answer_kinds;
mod applicants;
mod attributes;
mod builder;
mod by_value;
mod check;
pub(crate) mod context;
mod contexts;
mod deciding;
mod direction;
mod dropout;
mod facts;
pub(crate) mod families;
mod feasible;
pub(crate) mod feedback;
mod goal;
mod handed;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod inputs;
mod joint;
mod json_schema;
mod keep;
pub mod keys;
mod layout;
mod letters;
mod live;
mod located;
mod meant;
mod memory;
mod moments;
mod nats;
mod objective;
mod offers;
mod organiser;
mod origins;
mod others;
pub(crate) mod outcomes;
mod own;
mod plan;
pub(crate) mod pool;
pub(crate) mod pool_kinds;
mod program;
mod quota;
mod reference;
mod report;
mod resolve;
mod resolved;
mod rules;
mod seconds;
mod shares;
pub(crate) mod sources;
mod target;
mod unfilled;
mod values;

pub use crate::document::Document;
pub use builder::{Keys, PlanBuilder};
pub use check::check;
pub use deciding::WrittenPeople;
pub use families::scorers;
pub use inputs::ConfigInputs;
pub use json_schema::json_schema;
pub use keep::Keep;
pub use located::DATA;
pub use located::{alike, alike_among, located};
pub use own::CUSTOM;
pub use plan::{
    ALL_ACCEPT, InterviewerSpec, KnownRules, LanePlan, LetterPopulation, LivePlan, Merits,
    NatsPlan, OrganiserFiles, OutcomePlan, Pace, PeopleFile, Plan, PlanFacts, RecordedOutcomes,
    Recruitment, ScorerMaker, SlateTime, Slow, World,
};
pub use reference::reference;
pub use resolved::NamedFile;
