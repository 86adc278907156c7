//! Panels: whole committees chosen from respondents who are known beforehand.
//!
//! Everything here is computed from a [`PanelQuestion`]; nothing is drawn from a stream and nothing
//! is read or written.

pub mod alternates;
pub mod completion;
pub mod dropout;
pub mod feasibility;
pub mod letters;
mod question;

pub use question::{PanelBreach, PanelQuestion};
