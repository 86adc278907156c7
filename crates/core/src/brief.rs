//! Knowledge of policies when they are set up.

use std::sync::Arc;

use crate::pool::Dynamics;
use crate::problem::Given;
use crate::protocol::{Known, Quota, Rules, Schema, Target, Yields};

/// The knowledge of a policy when it is set up.
///
/// If the config is wrong, some of it is unknown (`None`, [`Given::Bad`]). The policy reads its own
/// keys first and then asks for the knowledge it needs. Unknown knowledge makes no problem of its
/// own.
pub struct Brief<'a> {
    /// The schema of the candidates.
    pub schema: Option<&'a Schema>,
    /// The rules.
    pub rules: Option<&'a Rules>,
    /// The target shares of the selected.
    pub target: Given<&'a Target>,
    /// The quotas of an organiser's file, if it gives some: a row per attribute of the schema. An
    /// empty row sets none.
    pub quotas: Option<&'a [Vec<Quota>]>,
    /// All quotas that the committee must keep, from the file and from the rules, in the same
    /// shape. `None` if the config gives none.
    pub kept: Option<&'a [Vec<Quota>]>,
    /// The quotas of each round's choice, in the same shape.
    pub round_quotas: Given<&'a [Vec<Quota>]>,
    /// The facts known about the stream's population, if any.
    pub known: Option<&'a Known>,
    /// The dynamics of the pool, that is, how applicants react to admissions.
    pub pool: Given<&'a Dynamics>,
    /// The number of candidates on a slate, if all slates have the same size.
    pub slate: Option<u32>,
    /// The probability that each person takes an offered place, if the config gives it.
    pub yields: Option<&'a Arc<Yields>>,
    /// True if choices have outcomes that a policy may learn.
    pub outcomes: bool,
}
