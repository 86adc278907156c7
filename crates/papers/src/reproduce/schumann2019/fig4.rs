//! Figure 4: the cost of SWAP's interviews with w_div against the hardness of drawn instances; the
//! parts that both halves share.

use super::applicants::{groups, members};
use super::instances::{DrawnInstance, panel, series};
use super::lanes::{COST, OPTIMAL, own};
use crate::reproduce::prelude::*;
use kleroterion_core::protocol::Ending;
use kleroterion_policies::cohort::CohortShape;
use kleroterion_policies::cohort::theory::{diverse_gaps, hardness_of};

/// The preset of the exact stop, and that of the stop at epsilon; on the same applicants and draws.
pub(super) const EXACT: &str = "schumann2019-fig4a";
pub(super) const WITHIN: &str = "schumann2019-fig4b";

/// The label of the lane that also interviews members of both cohorts.
pub(super) const HYBRID: &str = "hybrid";

/// The factor by which H must be greater for an instance to count as harder than another.
pub(super) const HARDER: f64 = 2.0;

/// Returns H with the gaps of w_div, for each instance.
pub(super) fn diverse_hardness(run: &StudyRun, instances: &[DrawnInstance]) -> Result<Vec<f64>> {
    let shape = CohortShape {
        members: members(run)?,
        groups: groups(run)?,
    };
    let hardness = |one: &DrawnInstance| hardness_of(&diverse_gaps(&shape, &one.utilities));
    Ok(instances.iter().map(hardness).collect())
}

/// The misordered pairs: of two instances, the less hard one costs more.
pub(super) struct Misordered {
    /// The number of pairs of each instance, and the number of those in the wrong order.
    pairs: Vec<[f64; 2]>,
}

impl Misordered {
    /// Counts the pairs by an H of each instance. The true cost of an instance ended by the cap is
    /// unknown but no less: it counts as more than any completed lower cost.
    pub(super) fn of(hardness: &[f64], instances: &[DrawnInstance]) -> Self {
        let mut pairs = vec![[0.0; 2]; instances.len()];
        for (a, easy) in instances.iter().enumerate() {
            for (b, hard) in instances.iter().enumerate() {
                if hardness[b] >= HARDER * hardness[a] {
                    let wrong = !hard.capped && easy.cost > hard.cost;
                    for at in [a, b] {
                        pairs[at][0] += 1.0;
                        pairs[at][1] += f64::from(u8::from(wrong));
                    }
                }
            }
        }
        Self { pairs }
    }

    /// Returns the share of misordered pairs, over all instances or all but one.
    fn share(&self, left_out: Option<usize>) -> Option<f64> {
        let sum = |which: usize| {
            let all: f64 = self.pairs.iter().map(|pairs| pairs[which]).sum();
            // Each pair is counted with both of its instances.
            all / 2.0 - left_out.map_or(0.0, |at| self.pairs[at][which])
        };
        (sum(0) > 0.0).then(|| sum(1) / sum(0))
    }

    /// Estimates the share of misordered pairs, with the jackknife's error over instances. There is
    /// no error if all pairs are alike, as few may be.
    pub(super) fn estimate(&self) -> Option<StudyEstimate> {
        let found = StudyEstimate::jackknife(self.pairs.len(), |left_out| self.share(left_out))?;
        let se = found.se.filter(|se| *se > 0.0);
        Some(StudyEstimate { se, ..found })
    }

    /// Estimates by how much the share exceeds that of other costs of the same instances.
    pub(super) fn beyond(&self, other: &Self) -> Option<StudyEstimate> {
        StudyEstimate::jackknife(self.pairs.len(), |left_out| {
            Some(self.share(left_out)? - other.share(left_out)?)
        })
    }
}

/// Returns the share of instances for which something holds.
pub(super) fn share(
    run: &StudyRun,
    instances: &[DrawnInstance],
    holds: impl Fn(usize, &DrawnInstance) -> bool,
) -> Result<StudyShare> {
    let instances = instances.iter().enumerate();
    run.share(instances.map(|(at, one)| holds(at, one)))
}

/// Returns true if SWAP ended before the interview cap, and cost no more than the bound.
pub(super) fn is_cheap(one: &DrawnInstance) -> bool {
    !one.capped && one.cost <= one.bound
}

/// Returns the statement on the parameters that are ours.
pub(super) fn setting(run: &StudyRun) -> String {
    format!(
        "The paper gives neither n, K, δ, σ, the law of the drawn utilities nor how the groups are \
         made; ours are those of Figure 2 (n = 20, K = 5, u ~ N(10, 1), σ = 0.2, δ = 0.1, s = 10, \
         j = 5) in three groups, every third applicant in each. The hardness H of the figure and \
         the bound are those of the linear model, w_top. SWAP stops by w at ũ, as CLUCB's line 12 \
         has it; a cap of {} interviews ends what is not decided by then, and what they had cost \
         is shown. “hybrid” is ours: it also looks at members of both M and M̃ whose radius is \
         more than three times that of all contested ones.",
        run.plan.rules.interview_cap
    )
}

pub(super) fn figure(title: &str, what: &str, instances: &[DrawnInstance]) -> Figure {
    let (capped, decided): (Vec<_>, Vec<_>) = instances.iter().partition(|one| one.capped);
    Figure {
        title: title.into(),
        caption: format!(
            "What SWAP's interviews cost with w_div until {what}, on {} drawn instances (n = 20, K \
             = 5, three groups, u ~ N(10, 1): our choice), one run each, and the bound of Theorem \
             4.4 for the linear model. On {} the interview cap came first.",
            instances.len(),
            capped.len()
        ),
        panels: vec![panel(vec![
            series("SWAP", SeriesKind::Scatter, decided, |one| one.cost),
            series(
                "SWAP, ended by the cap",
                SeriesKind::Scatter,
                capped,
                |one| one.cost,
            ),
            series(
                "the linear model's bound",
                SeriesKind::Line,
                instances,
                |one| one.bound,
            ),
        ])],
    }
}

/// Tabulates one row per policy, given as preset, label and words. It shows the instances done
/// before the cap, the cost of interviews, and the choices.
pub(super) fn table(
    runs: &StudyRuns,
    policies: &[(&'static str, &str, &str)],
) -> Result<FigureTable> {
    let row = |(preset, label, words): &(&'static str, &str, &str)| {
        let run = runs.one(preset)?;
        let mut costs = run.values(label, COST, None)?;
        costs.sort_by(f64::total_cmp);
        let (capped, all) = run.ended(label, Ending::Capped)?;
        let (cost, optimal) = (
            run.mean(label, COST, None)?,
            run.mean(label, &own(run, label, OPTIMAL), None)?,
        );
        Ok(vec![
            text(*words),
            Cell::number((all - capped) as f64 / all as f64),
            Cell::number(costs[costs.len() / 2]),
            Cell::number(cost.mean),
            Cell::number(cost.se.unwrap_or(f64::NAN)),
            Cell::number(optimal.mean),
        ])
    };
    let headers = [
        "",
        "done before the cap (share)",
        "median cost",
        "mean cost",
        "± s.e.",
        "best cohort (share)",
    ];
    Ok(FigureTable {
        headers: headers.map(str::to_owned).into(),
        rows: policies.iter().map(row).collect::<Result<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(cost: f64, capped: bool) -> DrawnInstance {
        DrawnInstance {
            utilities: vec![],
            hardness: 1.0,
            cost,
            bound: 9.0,
            capped,
        }
    }

    #[test]
    fn pairs_in_the_wrong_order_are_those_of_which_the_easy_one_costs_more() {
        let costs = [(5.0, false), (3.0, false), (4.0, false)];
        let instances = costs.map(|(cost, capped)| instance(cost, capped));
        // 1 against 2 and 3: both wrong; 2 against 3 are about as hard.
        let found = Misordered::of(&[1.0, 2.0, 3.0], &instances);
        assert_eq!(found.share(None), Some(1.0));
        // 1, 2, 4: three pairs, two wrong; without the first none of one.
        let found = Misordered::of(&[1.0, 2.0, 4.0], &instances);
        assert_eq!(found.share(None), Some(2.0 / 3.0));
        assert_eq!(
            (found.share(Some(0)), found.share(Some(2))),
            (Some(0.0), Some(1.0))
        );
        assert_eq!(Misordered::of(&[1.0; 3], &instances).estimate(), None);
    }

    #[test]
    fn what_the_cap_ended_is_only_known_to_cost_no_less() {
        let pair = |easy, hard| Misordered::of(&[1.0, 2.0], &[easy, hard]).share(None);
        assert_eq!(pair(instance(5.0, true), instance(3.0, false)), Some(1.0));
        assert_eq!(pair(instance(5.0, false), instance(3.0, true)), Some(0.0));
        assert_eq!(pair(instance(5.0, true), instance(3.0, true)), Some(0.0));
    }
}
