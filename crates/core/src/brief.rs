//! Knowledge of policies when they are set up.

use std::sync::Arc;

use crate::pool::Dynamics;
use crate::problem::Given;
use crate::protocol::{Known, Quota, Rules, Schema, Target, Yields};

/// The knowledge of a policy when it is set up. Where the config is wrong some of it is unknown
/// (`None`, [`Given::Bad`]): the policy's own keys are read first, then it asks for what it needs,
/// and what is unknown makes no problem of its own.
pub struct Brief<'a> {
    /// The candidates' columns.
    pub schema: Option<&'a Schema>,
    /// The rules.
    pub rules: Option<&'a Rules>,
    /// The shares that are wanted.
    pub target: Given<&'a Target>,
    /// Quotas of an organiser's file, where the target is one: a row an attribute of the schema, an
    /// empty row sets none.
    pub quotas: Option<&'a [Vec<Quota>]>,
    /// All quotas that the committee is to keep, those of the file and those of the rules, in the
    /// same shape; none where the config gives none.
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
