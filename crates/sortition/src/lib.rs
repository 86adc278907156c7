//! Panels: whole committees chosen from respondents who are known beforehand.
//!
//! - [`PanelQuestion`] states the respondents, the quotas and the size of a panel.
//! - [`feasibility`] decides whether any panel exists, and which quotas clash if none does.
//! - [`lottery`] computes fair lotteries over panels, [`numbered`] lists of equally likely panels,
//!   and [`claim`] checks a stated lottery. [`legacy`] is the usual greedy method.
//! - [`completion`] keeps a committee completable while it is filled, person by person.
//! - [`alternates`], [`dropout`] and [`letters`] plan for those who leave or don't answer.
//!
//! The crate must never know a policy, a config, a file or a stream: everything is computed from
//! its arguments and addressed random numbers.

pub mod alternates;
pub mod claim;
pub mod completion;
pub mod dropout;
pub mod feasibility;
pub mod heaviest;
mod kinds;
pub mod legacy;
pub mod letters;
pub mod limits;
pub mod lottery;
pub mod numbered;
mod question;

pub use kinds::{AlikeHomes, PanelKind, PanelKinds, SeatBound};
pub use question::{PanelBreach, PanelQuestion};
