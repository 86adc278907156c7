//! Draws: the one real panel, drawn once, so that anyone can check it.
//!
//! A draw is decided by its [`Inputs`] (a config of one policy and copies of its files) and by public
//! [`Randomness`]. The [`Commitment`] is the hash of the first, made before the second is known. The
//! [`DrawSeed`] is a hash of both. [`FinishedDraw::make`] plays one replication by it, and [`outputs`] are
//! all files that follow: the same bytes on every machine, which [`verify_drawn`] holds against those of a
//! folder.

mod again;
mod alternates;
mod begin;
mod by_code;
mod chances;
mod checks;
mod code;
mod columns;
mod commitment;
mod draw;
mod earlier;
mod files;
mod folder;
mod hash;
mod held;
mod hidden;
mod inputs;
mod keyed;
mod leave;
mod left;
mod less;
pub mod limits;
mod lists;
mod lottery;
mod numbered;
mod original;
mod outputs;
mod page;
mod play;
mod question;
mod reasons;
mod record;
mod rows;
mod seed;
mod spread;
mod stand_ins;
mod story;
mod tables;
mod taken;
mod values;
mod verify;

pub use again::after;
pub use checks::{DrawCheck, Held};
pub use code::Codes;
pub use commitment::{COMMITMENT, Commitment, CommittedPanels};
pub use draw::{CheckedInputs, FinishedDraw};
pub use earlier::Earlier;
pub use files::{DRAW_FILES, DrawFile, FileAudience, draw_file};
pub use folder::{DrawFolder, HeldDraw, RANDOMNESS, RECORD, REDUCED};
pub use hash::{sha256, sha256_of};
pub use inputs::{CONFIG, EARLIER, INPUTS, Inputs, KEEP, WITHOUT};
pub use leave::{Leaving, Left, ListedMember, StepsIn, leave};
pub use less::first;
pub use lottery::{GroupChance, LotteryRecord};
pub use numbered::{
    CODES, DrawnNumber, HashedNumber, NUMBERED, NumberFacts, NumberRecord, NumberedRecord,
    NumberedStage, PANEL_CHANCES, PANELS, hashed_number, verify_numbered,
};
pub use outputs::outputs;
pub use page::{PAGE, lead};
pub use record::{Publish, QuotaRow, Record};
pub use seed::{DrawSeed, Randomness, SeedOrigin};
pub use story::rule;
pub use tables::{ALTERNATES, PANEL, PASSED};
pub use taken::CommittedPeople;
pub use verify::verify_drawn;

#[cfg(test)]
mod simulated;
