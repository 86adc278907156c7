//! Panels: whole committees chosen from respondents who are known beforehand.
//!
//! Everything here is computed from a [`PanelQuestion`]; nothing is drawn from a stream and nothing
//! is read or written.

pub mod alternates;
pub mod claim;
pub mod completion;
pub mod dropout;
pub mod feasibility;
pub mod heaviest;
mod kinds;
pub mod legacy;
pub mod letters;
pub mod lottery;
pub mod numbered;
mod question;

pub use kinds::{AlikeHomes, PanelKind, PanelKinds, SeatBound};
pub use question::{PanelBreach, PanelQuestion};
