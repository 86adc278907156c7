//! The core of Kleroterion: the protocol of online selection and the arena in which policies play.
//!
//! - [`protocol`] has the types that sources, policies, pools and scorers exchange: `Batch`, `View`,
//!   `Move`, `Rules`, `Ledger` and the [`Policy`](protocol::Policy) trait.
//! - [`draw`] has random numbers by address: seed, replication, purpose, who and nth.
//! - [`source`], [`feedback`] and [`pool`] generate candidates, answers and applicants.
//! - [`arena`] plays one source with its lanes, and [`score`] measures the lanes.
//! - [`brief`] is the knowledge that a policy is set up with, and [`problem`] a fault of a config.
//! - [`number`] formats numbers for people.
//! - [`watch`] shows the progress of long work, and stops it.
//!
//! This crate must never know a policy, how configs and files are read, or the network.

pub mod arena;
pub mod bisect;
pub mod brief;
pub mod draw;
pub mod feedback;
pub mod limits;
pub mod lock;
pub mod nearest;
pub mod number;
pub mod pool;
pub mod problem;
pub mod protocol;
pub mod score;
pub mod source;
pub mod watch;
