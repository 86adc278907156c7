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
//! Where to start:
//! - [`protocol`]: the words of a round; a setting is a row of rules.
//! - [`draw`]: addressed random numbers, the reason why all policies meet the same people and the
//!   same luck.
//! - [`policy`]: what decides; write your own with [`policy::Policy`].
//! - [`record`]: people as text, read alike from files and feeds.
//! - [`source`], [`feedback`], [`pool`]: where candidates come from, what they answer, who applies.
//! - [`arena`]: the tasks and channels of one replication; [`run`]: many of them, folded in order.
//! - [`score`], [`compare`], [`report`]: what was measured, who is better, how it is reported.
//! - [`seat`]: policies in any language, over standard input and output.
//! - [`fit`]: parameters of a config from what was recorded before.
//! - [`reproduce`]: the papers' own figures, their sentences and our numbers.
//! - [`config`]: from a text to a [`config::Plan`], with every problem named at its place.
//!
//! A run from a config's text to a verdict:
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

pub use kleroterion_core::{
    arena, brief, draw, feedback, nearest, pool, problem, protocol, score, source,
};
#[cfg(feature = "nats")]
pub use kleroterion_io::nats;
pub use kleroterion_io::{feed, journal, json_schema, people, record, seat, trace};
pub use kleroterion_live::{live, looks, watch, web};
pub use kleroterion_papers::{fit, reproduce};
pub use kleroterion_policies as policy;
pub use kleroterion_report::{drawing, report};
pub use kleroterion_run::{catalog, config, document, examine, init, presets, run};
pub use kleroterion_sortition as panel;
pub use kleroterion_stats as compare;
pub use kleroterion_sweep as units;
