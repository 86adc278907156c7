//! Interviews that people answer while a run goes on.

mod courses;
mod kit;
mod refused;
mod same;
mod walk;
