//! Everything that comes into a run from outside, and everything that is kept of it.
//!
//! - [`record`]: people as text; rows of CSV and JSON records become attribute values and numbers.
//! - [`people`]: files of people, such as tables, organisers' quotas and lists, as a stream.
//! - [`feed`]: people who come while the run goes on, over TCP, HTTP, NATS or a growing file.
//! - [`seat`]: policies that are programs of their own, and the protocol with them.
//! - [`secrets`]: the secrets of servers and connections.
//! - [`journal`]: the SQLite file that holds everything a live run took from outside.
//! - [`trace`]: decisions and lists of people, as files that the program writes and reads.
//! - [`json_schema`]: JSON Schemas of the formats that the program writes.
//! - [`limits`]: the bounds of all of these.
//! - `nats` (with the feature `nats`): connections to NATS servers.
//!
//! This crate never knows which policies exist, how a config is spelt, how results are compared, or
//! what the command line looks like. Higher crates give it specs (for example
//! [`FeedSpec`](feed::FeedSpec)), and it returns people, deliveries and events.

pub mod feed;
pub mod journal;
pub mod json_schema;
pub mod limits;
#[cfg(feature = "nats")]
pub mod nats;
pub mod people;
pub mod record;
pub mod seat;
pub mod secrets;
pub mod trace;
