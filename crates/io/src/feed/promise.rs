//! The promise of a feed's servers to senders: acknowledged records are not lost.

use kleroterion_core::problem::Problem;

/// The findings about a server's promise not to lose the records that it acknowledged to senders.
#[derive(Debug, Default)]
pub struct ServerPromise {
    /// The reasons why the server breaks the promise that the config demands.
    pub broken: Vec<Problem>,
    /// The servers that do not answer.
    pub silent: Vec<Problem>,
    /// The reasons why the promise can't be checked, even if all servers answer.
    pub unknown: Vec<Problem>,
    /// The losses that remain possible, each with its cause.
    pub notes: Vec<String>,
}
