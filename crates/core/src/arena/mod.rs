//! One arena = one source and its lanes = one replication: independent tasks joined by bounded
//! channels.
//!
//! ```text
//! source --Arc<Batch>--> [feedback seals] --Arc<Batch>--> lane 1 --(Arc<Batch>, Ledger)--> scorer 1
//!                                                    \--> lane 2 --(Arc<Batch>, Ledger)--> scorer 2
//!                                                         lane p <--played, mustered--> pool p
//!                                                         lane p <--mail, reply--> outside seat p
//!                                                         lane p <--questions, sealed blocks--> feedback p
//! ```
//! Every channel is bounded and lossless; the slowest lane holds the source back. A lane is a
//! sans-I/O state machine ([`Play`]); its task only fetches what it needs.

mod answering;
mod applicants;
mod batches;
#[cfg(test)]
mod by_hand;
mod elsewhere;
mod flow;
mod lane;
mod lane_task;
mod mail;
mod offers;
mod outcomes;
mod prototype;
mod questions;
mod referee;
mod reports;
mod run;
mod seat;
mod seated;
mod state;
mod stepper;
mod tasks;

pub use batches::{Batches, batches};
pub use elsewhere::{Ear, Elsewhere, Overhearing};
pub use flow::{Ahead, Watcher};
pub use lane::{Lane, Need, Play};
pub use mail::{
    AnswerFailure, Answerer, AnswererMaker, Asking, Outside, OutsideMaker, Question, SeatCandidate,
    SeatMove, SeatReply, SeatRequest,
};
pub use prototype::{CannotBegin, Prototype};
pub use questions::Carrier;
pub use run::{Arena, ArenaError, LaneSpec, PlayedArena};
pub use seat::{Act, Blind, FORFEITS, LOOKS_UNANSWERED, NOT_LEARNT, Remote, Seat, Sighted};
pub use state::{LaneState, PlayedRound};
pub use stepper::{Follows, KeptOutcome, LaneNews, Step, Stepper};
