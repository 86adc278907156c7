//! Interviews that people answer while a run goes on.

mod courses;
mod kit;
mod offers;
mod refused;
mod same;
mod walk;
