//! Kleroterion
pub mod arena;
pub mod compare;
pub mod config;
pub mod draw;
pub mod feedback;
pub mod policy;
pub mod pool;
pub mod presets;
pub mod problem;
pub mod protocol;
pub mod report;
pub mod run;
pub mod score;
pub mod source;
pub mod trace;
