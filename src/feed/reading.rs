//! What a record must be, and how one is read.

use std::sync::Arc;

use super::Candidate;
use crate::protocol::Schema;

/// Reads records against the attributes, features and score that a run declares.
#[derive(Clone, Debug)]
pub struct Reading {
    schema: Arc<Schema>,
}

/// A record that could be read.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// A person.
    Candidate(Candidate),
    /// One that `where` leaves out.
    LeftOut,
}

impl Reading {
    /// The columns of the persons read.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Reads one JSON record; `number`: which record of its feed it is, from 1, its name where it has none of its own.
    ///
    /// # Errors
    /// All that is wrong with it, with places.
    pub fn json(&self, text: &str, number: u64) -> Result<Read, String> {
        let _ = (text, number);
        Err("not built yet".into())
    }
}
