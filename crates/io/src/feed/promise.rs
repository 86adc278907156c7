//! What the servers of a feed promise to those who send it records.

use kleroterion_core::problem::Problem;

/// What is known of whether a server may lose what it acknowledged to senders.
#[derive(Debug, Default)]
pub struct Promise {
    /// Why it may, against what the config demands.
    pub broken: Vec<Problem>,
    /// Servers that do not say.
    pub silent: Vec<Problem>,
    /// Why it can't be known, whoever answers.
    pub unknown: Vec<Problem>,
    /// What can be lost, and by what.
    pub notes: Vec<String>,
}
