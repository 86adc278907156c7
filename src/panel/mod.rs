//! Panels: whole committees chosen from respondents who are known beforehand.
//!
//! Everything here is computed from a [`PanelQuestion`]; nothing is drawn from a stream and nothing
//! is read or written.

pub mod completion;
pub mod feasibility;
mod question;

pub use question::{PanelBreach, PanelQuestion};
