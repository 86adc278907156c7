//! Kleroterion
pub mod arena;
pub mod draw;
pub mod feedback;
pub mod policy;
pub mod pool;
pub mod problem;
pub mod protocol;
pub mod score;
pub mod source;
