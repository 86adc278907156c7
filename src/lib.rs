//! Kleroterion: which selection policy is better, on the same people, and how sure is that?
//!
//! Several policies that choose people consume the same stream of candidates at the same time, each
//! in its own lane, and what they do is compared person by person.
//!
//! ```text
//! source --Arc<Batch>--> lane[p]:  pool musters -> Slate -> policy.act <-> feedback  (Interview, 0..n times)
//!                                                  policy.act -> Select -> referee -> feedback (outcome) -> policy.learn -> pool reacts
//!                                  lane --Ledger--> scorer[p]
//! ```
//!
//! This package re-exports the modules of the workspace's crates under one name. It adds only the
//! command line `klero`. The crates, lowest first; each depends only on earlier ones:
//!
//! - `kleroterion-core`, one replication: [`protocol`] has the words of a round, and a setting is a
//!   row of its rules. [`draw`] has addressed random numbers, the reason why all policies meet the
//!   same people and the same luck. [`source`], [`pool`] and [`feedback`] make candidates,
//!   applications and answers; [`arena`] has the tasks and channels; [`score`] measures.
//!   [`brief`] is the knowledge that policies get when they are set up. [`problem`] and
//!   [`nearest`] say what is wrong with a request.
//! - `kleroterion-sortition`, here as [`panel`]: quotas, lotteries over panels, alternates.
//! - `kleroterion-policies`, here as [`policy`]: the algorithms that decide. Write your own with
//!   [`policy::Policy`].
//! - `kleroterion-stats`, here as [`compare`]: paired differences, intervals, verdicts, the answer.
//! - `kleroterion-io`: [`record`] and [`people`] read people as text, [`feed`] receives them,
//!   [`journal`] keeps them. [`secrets`] are of its servers. [`trace`] has decisions as events, [`seat`] policies in any language
//!   over standard input and output, [`json_schema`] the schemas of types.
//! - `kleroterion-run`: [`document`] and [`config`] go from a text to a [`config::Plan`], and name
//!   each problem at its place. [`catalog`] has the built-in kinds of policies, and [`Registry`] takes
//!   kinds and metrics of your own. [`run`] plays many
//!   replications, folded in order. [`examine`] checks a policy's program; [`init`] and [`presets`]
//!   make first configs.
//! - `kleroterion-report`: [`report`] writes results.
//! - `kleroterion-drawing`, here as [`drawing`]: the one real panel, drawn by public randomness.
//! - `kleroterion-live`: [`live`] runs with real people, their interviews ([`looks`]), all that can
//!   be seen of them ([`watch`]), and the HTTP server ([`web`]).
//! - `kleroterion-sweep`, here as [`units`]: sweeps in units, played on many machines.
//! - `kleroterion-jobs`, here as [`jobs`]: what the commands do, without a terminal: a config
//!   loaded, played, written into a folder, resumed and reported.
//! - `kleroterion-papers`: [`fit`] finds the parameters of a config from past records;
//!   [`reproduce`] has the papers' own figures, their sentences and our numbers.
//!
//! A run from a config's text to a verdict. [`config::Plan::builder`] makes one without a text:
//!
//! ```
//! use std::path::Path;
//!
//! use kleroterion::compare::Summary;
//! use kleroterion::config::{Document, check};
//! use kleroterion::run::{Settings, run};
//!
//! let document = Document::parse(
//!     r#"
//!     name = "two policies"
//!     seed = 1
//!     replications = 200
//!     [source]
//!     type = "categorical"
//!     shares = { gender = { M = 0.6, F = 0.4 } }
//!     [target]
//!     gender = { M = 0.5, F = 0.5 }
//!     [rules]
//!     choose = "at_most_one"
//!     until = { accepted = 50 }
//!     [[policy]]
//!     label = "everybody"
//!     kind = "accept_all"
//!     [[policy]]
//!     label = "queue"
//!     kind = "virtual_queue"
//!     [report]
//!     judge = ["representation_loss"]
//!     baseline = "everybody"
//!     "#,
//! )?;
//! let plan = check(&document, Path::new("."))?;
//! let result = run(&plan, &Settings::default(), |_| Ok(()))?;
//! let summary = Summary::of(&result, &plan.judge);
//! assert_eq!(summary.pairs[0].verdict.word(), "better");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// So that the command line names the library as other programs do.
extern crate self as kleroterion;

pub mod cli;

/// The names that most programs of one's own need.
///
/// ```
/// use kleroterion::prelude::*;
///
/// /// Accepts a share of all, by lot.
/// #[derive(Clone)]
/// struct Lot(f64);
///
/// impl Policy for Lot {
///     fn act(&mut self, view: &mut View<'_>) -> Move {
///         Move::decide(view.draw().uniform() < self.0)
///     }
/// }
///
/// let half = PolicyKind::new("lot", "accepts one in two, by lot", |_, _| Some(Lot(0.5)));
/// let registry = Registry::default().policy(half)?;
/// let request = JobRequest::of("my.toml").with_registry(registry);
/// # Ok::<(), NameTaken>(())
/// ```
pub mod prelude {
    pub use kleroterion_core::arena::{Blind, Sighted};
    pub use kleroterion_core::brief::Brief;
    pub use kleroterion_core::draw::{Draw, Key, Purpose};
    pub use kleroterion_core::problem::{Problem, Problems};
    pub use kleroterion_core::protocol::{
        Attribute, Batch, Fact, Feedback, Known, Move, Oracle, Person, Policy, Probe, RoundEntry,
        Rules, Schema, Truth, View,
    };
    pub use kleroterion_core::score::{MetricInfo, Readings, Scorer};
    pub use kleroterion_core::source::{FeedError, Source};
    pub use kleroterion_jobs::{FinishedJob, Job, JobError, JobRequest, JobWatch};
    pub use kleroterion_report::report::medium::Medium;
    pub use kleroterion_run::config::{ConfigInputs, Document, Merits, Plan, World, check};
    pub use kleroterion_run::registry::{
        DrawnInterviews, DrawnOutcomes, InterviewsKind, MetricFamily, NameTaken, OutcomesKind,
        PolicyKind, PoolKind, Registry, SourceKind,
    };
    pub use kleroterion_run::run::{Settings, run};
    pub use kleroterion_stats::Summary;
}

pub use kleroterion_core::{
    arena, brief, draw, feedback, nearest, pool, problem, protocol, score, source,
};
pub use kleroterion_drawing as drawing;
#[cfg(feature = "nats")]
pub use kleroterion_io::nats;
pub use kleroterion_io::{feed, journal, json_schema, people, record, seat, secrets, trace};
pub use kleroterion_jobs as jobs;
pub use kleroterion_live::{live, looks, watch, web};
pub use kleroterion_papers::{fit, reproduce};
pub use kleroterion_policies as policy;
pub use kleroterion_report::report;
pub use kleroterion_run::{
    Registry, case, catalog, config, document, examine, init, keys, presets, registry, run,
};
pub use kleroterion_sortition as panel;
pub use kleroterion_stats as compare;
pub use kleroterion_sweep as units;

/// The guide of `docs/rust.md`, whose blocks are tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/rust.md")]
struct Guide;
