//! Reports: what a run leaves on the terminal and in its folder. Nothing here writes back to a run.

pub mod csv;
pub mod files;
mod grid;
pub mod json;
mod number;
pub mod read;
mod sentence;
pub mod sweep;
pub mod table;
