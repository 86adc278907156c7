//! Applicants drawn anew in each replication: their hardness, the cost of SWAP's interviews, and
//! the bound of Theorem 4.4.

use super::applicants::{delta, members, noise, utilities};
use super::lanes::COST;
use crate::reproduce::prelude::*;
use kleroterion_core::protocol::Ending;
use kleroterion_policies::cohort::theory::{cost_bound, hardness, mean_look, scaled_hardness};
use kleroterion_policies::cohort::{Strong, Tiers};

/// A drawn instance, with the cost of a policy's interviews on it.
pub(super) struct DrawnInstance {
    /// The utilities u, by slot.
    pub utilities: Vec<f64>,
    /// The hardness H for w_top (Eq. 2).
    pub hardness: f64,
    /// The cost, in weak interviews.
    pub cost: f64,
    /// The bound of Theorem 4.4 for w_top and the strong interviews of Eq. 3.
    pub bound: f64,
    /// True if the interview cap ended the interviews; then `cost` is the cost up to that point.
    pub capped: bool,
}

/// Returns the instances of a preset's run, one per replication, with the costs of the policy with
/// this label.
pub(super) fn instances(run: &StudyRun, preset: &str, label: &str) -> Result<Vec<DrawnInstance>> {
    let tiers = Tiers::of(&run.plan.rules.interviews);
    let tiers = tiers.map_err(|_| run.lacks("two kinds of interview"))?;
    let (sigma, delta, members) = (noise(run)?, delta(preset)?, members(run)?);
    let (s, j) = (tiers.s(), tiers.j());
    let look = mean_look(Strong::Paper.probability(s, j), s, j);
    let costs = run.values(label, COST, None)?;
    let endings = run.policy(label)?.endings();
    let each = utilities(run)?.into_iter().zip(costs).zip(endings);
    let instance = |((utilities, cost), ending): ((Vec<f64>, f64), &Ending)| {
        let hardness = hardness(&utilities, members);
        let scaled = scaled_hardness(sigma, hardness);
        DrawnInstance {
            hardness,
            cost,
            bound: cost_bound(utilities.len(), scaled, delta, look),
            capped: *ending == Ending::Capped,
            utilities,
        }
    };
    Ok(each.map(instance).collect())
}

/// A panel of costs against hardness.
pub(super) fn panel(series: Vec<Series>) -> Panel {
    plot(
        "",
        Axis::log("hardness H"),
        Axis::log("cost, in weak interviews"),
        series,
    )
}

/// Draws a number of each instance, by hardness.
pub(super) fn series<'a>(
    name: &str,
    kind: SeriesKind,
    instances: impl IntoIterator<Item = &'a DrawnInstance>,
    y: fn(&DrawnInstance) -> f64,
) -> Series {
    let mut order: Vec<&DrawnInstance> = instances.into_iter().collect();
    order.sort_by(|a, b| a.hardness.total_cmp(&b.hardness));
    let points = order
        .iter()
        .map(|one| FigurePoint::new(one.hardness, y(one)));
    Series::new(name, kind, points)
}
