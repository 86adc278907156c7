//! Draws: the one real panel, once, so that anybody can check it.
//!
//! A draw is decided by its [`Inputs`] (a config of one policy and copies of its files) and by public
//! [`Randomness`]. The [`Commitment`] is the hash of the first, made before the second is known. The
//! [`DrawSeed`] is a hash of both. [`Drawn::make`] plays one replication by it, and [`outputs`] are
//! all files that follow: the same bytes on every machine, which [`verify`] holds against those of a
//! folder.

mod again;
mod alternates;
mod chances;
mod code;
mod commitment;
mod draw;
mod earlier;
mod folder;
mod hash;
mod inputs;
mod left;
mod less;
mod lists;
mod outputs;
mod page;
mod play;
mod question;
mod record;
mod rows;
mod seed;
mod stand_ins;
mod tables;
mod verify;

pub use again::after;
pub use alternates::alternates;
pub use commitment::{COMMITMENT, Commitment};
pub use draw::{Drawn, Stage};
pub use earlier::{EARLIER, Earlier, KEEP, WITHOUT};
pub use folder::{DrawFolder, RANDOMNESS, RECORD, REDUCED};
pub use hash::sha256;
pub use inputs::{CONFIG, INPUTS, Inputs};
pub use less::first;
pub use outputs::outputs;
pub use page::{PAGE, lead};
pub use record::{Publish, Record};
pub use seed::{DrawSeed, Origin, Randomness};
pub use tables::{ALTERNATES, PANEL, PASSED};
pub use verify::{Finding, Held, verify, verify_unless};
