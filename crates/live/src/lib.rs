//! TODO

pub mod acting;
pub mod live;
pub mod looks;
pub mod outcomes;
pub mod watch;
pub mod web;
