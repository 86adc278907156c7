//! TODO

pub mod arena;
pub mod bisect;
pub mod brief;
pub mod draw;
pub mod feedback;
pub mod lock;
pub mod nearest;
pub mod pool;
pub mod problem;
pub mod protocol;
pub mod score;
pub mod source;
