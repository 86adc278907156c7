//! TODO

pub mod feed;
pub mod journal;
pub mod json_schema;
#[cfg(feature = "nats")]
pub mod nats;
pub mod people;
pub mod record;
pub mod seat;
pub mod trace;
