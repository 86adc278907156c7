//! Stand-ins for lanes that play elsewhere, in a program built without NATS: there are no such
//! lanes.

use tokio::runtime::Runtime as Tokio;

use super::Hosted;
use kleroterion_core::arena::OutsideMaker;
use kleroterion_core::problem::Problem;
use kleroterion_run::config::LivePlan;

/// The lanes that play elsewhere: none.
pub(in crate::live) struct Elsewheres;

/// A connection, which can't exist.
pub(in crate::live) struct Reached;

impl Elsewheres {
    /// Fails, since there can be no connection.
    ///
    /// # Errors
    /// Always fails.
    pub(in crate::live) fn reach(_: &LivePlan, _: &Tokio) -> Result<Reached, Problem> {
        let what = "this klero was built without NATS";
        let help = "install it with: cargo install kleroterion --features nats";
        Err(Problem::of_request(what).help(help))
    }

    pub(in crate::live) fn start(_: &Hosted<'_>, _: Reached) -> Self {
        Self
    }

    pub(in crate::live) fn lanes(&self) -> Vec<Option<OutsideMaker>> {
        Vec::new()
    }

    pub(in crate::live) fn close(self, _: &Tokio) {}
}
