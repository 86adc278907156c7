//! Interviews that people answer while a run goes on.

mod broken;
mod courses;
pub mod kit;
mod offers;
mod refused;
mod same;
mod walk;
