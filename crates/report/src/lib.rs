//! TODO

pub mod drawing;
pub mod report;
