//! Numbered panels: a list that is published by codes and hashed, and the number that is drawn.
//!
//! [`NumberedStage`] makes the list from a draw's inputs. Its hash goes into the commitment, so that
//! [`DrawnNumber`], drawn afterwards, decides the panel: by a rule from public randomness (see
//! [`hashed_number`]), or by hand.

mod drawn;
mod groups;
mod list;
mod number;
mod page;
mod record;
mod stage;
mod verify;

pub use drawn::{DrawnNumber, NumberRecord};
pub use list::PANELS;
pub use number::{HashedNumber, hashed_number};
pub use record::{NUMBERED, NumberedRecord};
pub use stage::{CODES, NumberedStage, PANEL_CHANCES};
pub use verify::verify_numbered;
