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

pub mod arena;
pub mod catalog;
pub mod compare;
pub mod config;
pub mod document;
pub mod draw;
pub mod drawing;
pub mod examine;
pub mod feed;
pub mod feedback;
pub mod fit;
#[cfg(any(test, fuzzing))]
pub mod hostile;
pub mod init;
pub mod journal;
pub mod json_schema;
pub mod live;
pub mod looks;
#[cfg(feature = "nats")]
pub mod nats;
pub mod nearest;
pub mod panel;
pub mod policy;
pub mod pool;
pub mod presets;
pub mod problem;
pub mod protocol;
pub mod record;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod score;
pub mod seat;
pub mod source;
pub mod trace;
pub mod units;
pub mod watch;
pub mod web;
