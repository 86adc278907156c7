//! TODO

pub mod fit;
pub mod reproduce;
