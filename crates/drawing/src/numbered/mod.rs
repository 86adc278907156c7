//! Numbered panels: a published list of panels by codes, and the number that is drawn.
//!
//! [`NumberedStage`] makes the list from a draw's inputs. Its hash goes into the commitment, so that
//! [`DrawnNumber`], drawn afterwards, decides the panel: by a rule from public randomness (see
//! [`hashed_number`]), or by hand.

mod chances;
mod drawn;
mod groups;
mod list;
mod listing;
mod number;
mod outcome;
mod page;
mod record;
mod stage;
mod verify;

pub use drawn::DrawnNumber;
pub use list::{PANEL_CHANCES, PANELS};
pub use number::{HashedNumber, hashed_number};
pub use outcome::{NumberFacts, NumberRecord};
pub use record::{NUMBERED, NumberedRecord};
pub use stage::{CODES, NumberedStage};
pub use verify::verify_numbered;
