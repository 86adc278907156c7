//! TODO

pub mod catalog;
pub mod config;
pub mod document;
pub mod examine;
pub mod init;
pub mod presets;
pub mod run;
