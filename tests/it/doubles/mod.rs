//! Scripted doubles of everything that sits around the arena, and a slow, plain telling of what an
//! arena does.
//!
//! ```text
//! Scripted (source) -> Arena: a Mind on a seat (blind, sighted, outside)
//!                             -> Recorder (witness) = Account
//!                             Sway (pool), Answers (feedback)
//! plain_account: the same world and parts in one loop   = Account
//! ```
//! A test writes a [`Show`] and asks that every staging of it [`holds`](Show::holds): that it gives
//! the accounts of the plain telling.

mod feedback;
mod lawful;
mod mind;
mod minds;
mod outside;
mod plainly;
mod pool;
mod recount;
mod seats;
mod show;
mod stage;
mod table;
mod whim;
mod witness;
mod world;

pub use feedback::{Answers, Asks, look_noise, outcome};
pub use mind::{Deed, Event, Sight};
pub use minds::{Learner, look, look_at_all, reflex};
pub use outside::GAINS;
pub use plainly::Account;
pub use pool::{PoolEvent, PoolPanic, Sway};
pub use seats::Seating;
pub use show::{Part, Show, answered_by};
pub use stage::{BATCHES, STAGES, Stage};
pub use whim::{Temper, Whim};
pub use witness::{Passed, Recording, number, taken};
pub use world::{People, Scripted, Then, World, merit, recorded};
