//! One arena = one source and its lanes = one replication: independent tasks joined by bounded channels.
//!
//! ```text
//! source --Arc<Batch>--> [feedback seals] --Arc<Batch>--> lane 1 --(Arc<Batch>, Ledger)--> scorer 1
//!                                                    \--> lane 2 --(Arc<Batch>, Ledger)--> scorer 2
//!                                                         lane p <--told, mustered--> pool p
//!                                                         lane p <--asked, answered--> outside seat p
//! ```
//! Every channel is bounded and lossless; the slowest lane holds the source back. A lane is a sans-I/O state machine
//! ([`Play`]); its task only fetches what it needs.

mod desk;
mod lane;
mod referee;
mod run;
mod seat;
mod seated;
mod tasks;

pub use desk::{Desk, Told};
pub use lane::{Lane, Need, Play, Prototype};
pub use run::{Arena, ArenaError, LaneSpec, Played};
pub use seat::{
    Act, Asked, AskedPerson, Blind, FORFEITS, NOT_LEARNT, Outside, OutsideMaker, Remote, Replied,
    Reply, Seat, Sighted,
};
pub use tasks::Watcher;
