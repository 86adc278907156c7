//! Demographic parity: the test that groups are chosen as often as they come.
//!
//! Rounds of one run are not independent of each other (what is learned in one shapes the next),
//! replications are. So Pearson's chi-square of the chosen against what the groups' shares of the
//! slates foretell is corrected for what the counts vary between replications (Rao and Scott 1981,
//! second order; as an F, Thomas and Rao 1987), as for a sample in clusters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statrs::function::beta::checked_beta_reg;

use kleroterion_core::score::PolicyRun;

/// The name of the test in `summary.json`.
pub const PARITY_METHOD: &str =
    "Pearson chi-square over groups, Rao-Scott corrected over replications";

/// The test that groups are chosen in proportion to their shares of the slates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Parity {
    /// The number of replications.
    pub n: u64,
    /// The number of groups that came.
    pub groups: u64,
    /// Pearson's statistic, uncorrected.
    pub chi_square: f64,
    /// The excess variation of the counts over independent choices: the mean of the generalised
    /// design effects. Null for a single replication.
    pub design_effect: Option<f64>,
    /// The probability of so large a statistic under parity. Null for a single replication.
    pub p: Option<f64>,
    /// [`PARITY_METHOD`].
    #[serde(skip_deserializing, default = "method")]
    #[schemars(description = "The name of the test.")]
    pub method: &'static str,
}

fn method() -> &'static str {
    PARITY_METHOD
}

const SHARE: &str = "share.";
const RECEIVED: &str = "received_share.";

/// The metrics, and families of them, whose final values of each replication the test needs.
pub const PARITY_NEEDS: [&str; 3] = ["accepted", SHARE, RECEIVED];

impl Parity {
    /// Tests the replications of a policy in which someone was chosen. `None` if the run doesn't
    /// measure `received_share`, or if fewer than two groups came.
    pub fn of(policy: &PolicyRun) -> Option<Self> {
        let received = policy.columns().filter(|(place, _)| place.at.is_none());
        let groups = received.filter_map(|(place, _)| place.metric.strip_prefix(RECEIVED));
        let groups: Vec<&str> = groups.collect();
        let ends = |family: &str, group: &str| policy.column(&format!("{family}{group}"), None);
        let mut groups: Vec<_> = groups
            .iter()
            .map(|group| ends(SHARE, group).zip(ends(RECEIVED, group)))
            .collect();
        let mut lanes = Vec::new();
        for accepted in policy.column("accepted", None) {
            let cells = groups.iter_mut().map(|group| {
                let (share, received) = group.next()?;
                let accepted = accepted.filter(|accepted| *accepted > 0.0)?;
                Some((accepted * share?, accepted * received?))
            });
            let cells: Vec<Option<(f64, f64)>> = cells.collect();
            if cells.iter().any(Option::is_some) {
                lanes.push(cells);
            }
        }
        // The groups are those of the first replication, and so are those of all others.
        let first = lanes.first()?.clone();
        let is_like = |lane: &Vec<Option<_>>| {
            lane.iter()
                .zip(&first)
                .all(|(a, b)| a.is_some() == b.is_some())
        };
        lanes.retain(is_like);
        let table = lanes
            .into_iter()
            .map(|lane| lane.into_iter().flatten().collect());
        test(&table.collect::<Vec<_>>())
    }
}

/// A row a replication, of (chosen, foretold) a group.
fn test(table: &[Vec<(f64, f64)>]) -> Option<Parity> {
    let n = table.len() as f64;
    let width = table.first()?.len();
    let mean = |at: usize, of: fn(&(f64, f64)) -> f64| {
        table.iter().map(|row| of(&row[at])).sum::<f64>() / n
    };
    // A group that never came foretells nothing.
    let came: Vec<usize> = (0..width)
        .filter(|&g| mean(g, |cell| cell.1) > 0.0)
        .collect();
    if came.len() < 2 {
        return None;
    }
    let foretold: Vec<f64> = came.iter().map(|&g| mean(g, |cell| cell.1)).collect();
    let gaps: Vec<f64> = came
        .iter()
        .map(|&g| mean(g, |cell| cell.0 - cell.1))
        .collect();
    let chi_square: f64 = gaps.iter().zip(&foretold).map(|(d, e)| n * d * d / e).sum();
    // W V: the covariance of the gaps between replications, each row over what is foretold.
    let covariance = |i: usize, j: usize| {
        let rest = |row: &Vec<(f64, f64)>, k: usize| row[came[k]].0 - row[came[k]].1 - gaps[k];
        let sum: f64 = table.iter().map(|row| rest(row, i) * rest(row, j)).sum();
        sum / (n - 1.0) / foretold[i]
    };
    let many = came.len();
    let trace: f64 = (0..many).map(|i| covariance(i, i)).sum();
    let cells = (0..many).flat_map(|i| (0..many).map(move |j| (i, j)));
    let squares: f64 = cells
        .map(|(i, j)| covariance(i, j) * covariance(j, i))
        .sum();
    let p = (table.len() > 1).then(|| {
        if chi_square == 0.0 {
            1.0
        } else if trace <= 0.0 {
            let chosen: f64 = came.iter().map(|&g| mean(g, |cell| cell.0)).sum();
            let cells = gaps.iter().zip(&foretold);
            alike(
                cells.map(|(gap, foretold)| (foretold + gap, *foretold)),
                chosen,
                n,
            )
        } else {
            let freedom = trace * trace / squares;
            f_tail(chi_square / trace, freedom, freedom * (n - 1.0))
        }
    });
    Some(Parity {
        n: table.len() as u64,
        groups: many as u64,
        chi_square,
        design_effect: (table.len() > 1).then(|| trace / (many as f64 - 1.0)),
        p,
        method: PARITY_METHOD,
    })
}

/// A bound on how likely `n` replications that chose as many of each group are under parity, of
/// (chosen, foretold) a group: counts that do not vary say nothing of how much they may. By
/// Markov's inequality a count whose mean is what was foretold is as high as this with a
/// probability of at most foretold over chosen, and as low by the same of all others; of the groups
/// the least, times their number.
fn alike(cells: impl Iterator<Item = (f64, f64)> + Clone, all: f64, n: f64) -> f64 {
    let each = cells
        .clone()
        .map(|(chosen, foretold)| match chosen > foretold {
            true => foretold / chosen,
            false => (all - foretold) / (all - chosen),
        });
    let least = each.fold(1.0, f64::min);
    (cells.count() as f64 * libm::pow(least, n)).min(1.0)
}

/// P(F > f) with `a` and `b` degrees of freedom.
fn f_tail(f: f64, a: f64, b: f64) -> f64 {
    // 0 where it is beyond the range of the function: far out in the tail.
    checked_beta_reg(b / 2.0, a / 2.0, b / (b + a * f)).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::draw::{Key, Purpose};
    use kleroterion_core::protocol::Ending;
    use kleroterion_core::score::{LaneResult, MetricRow};

    /// Replications in which each of `rounds` rounds chooses a group by these chances; `sticky`:
    /// how likely a round repeats the choice of the one before.
    fn runs(
        seed: u64,
        many: u64,
        rounds: u32,
        chances: &[f64],
        sticky: f64,
    ) -> Vec<Vec<(f64, f64)>> {
        let groups = chances.len();
        let one = |replication: u64| {
            let mut draw = Key::new(seed, replication).draw(Purpose::World, 0, 0);
            let mut row = vec![(0.0, f64::from(rounds) / groups as f64); groups];
            let mut chosen = None;
            for _ in 0..rounds {
                let stays = draw.uniform() < sticky;
                let mut u = draw.uniform();
                let fresh = chances.iter().position(|p| {
                    u -= p;
                    u < 0.0
                });
                let pick = chosen.filter(|_| stays).or(fresh).unwrap_or(groups - 1);
                row[pick].0 += 1.0;
                chosen = Some(pick);
            }
            row
        };
        (0..many).map(one).collect()
    }

    fn rejected(of: u64, level: f64, runs: impl Fn(u64) -> Vec<Vec<(f64, f64)>>) -> f64 {
        let low = (0..of).filter(|&seed| test(&runs(seed)).unwrap().p.unwrap() < level);
        low.count() as f64 / of as f64
    }

    #[test]
    fn under_parity_p_is_as_often_small_as_it_says() {
        let fair = [0.25; 4];
        for sticky in [0.0, 0.9] {
            for many in [10, 40] {
                let share = rejected(1000, 0.05, |seed| runs(seed, many, 60, &fair, sticky));
                println!("sticky {sticky}, {many} replications: {share}");
                // Four standard errors of .05 over 1,000, and what is left of the approximation at
                // 10.
                assert!((share - 0.05).abs() < 0.028 + if many == 10 { 0.02 } else { 0.0 });
            }
        }
    }

    #[test]
    fn counts_that_hang_together_are_not_taken_for_disparity() {
        let one = test(&runs(3, 40, 400, &[0.25; 4], 0.95)).unwrap();
        // Uncorrected, the statistic of 3 degrees would be beyond any doubt: its mean is 3 (1 +
        // .95)/(1 - .95) = 117.
        assert!(
            one.chi_square > 30.0 && one.design_effect.unwrap() > 10.0,
            "{one:?}"
        );
        assert!(one.p.unwrap() > 0.01, "{one:?}");
    }

    #[test]
    fn disparity_is_seen() {
        let share = rejected(200, 0.05, |seed| {
            runs(seed, 20, 200, &[0.3, 0.25, 0.25, 0.2], 0.0)
        });
        assert!(share > 0.95, "{share}");
    }

    /// Two groups: F with 1 and n - 1 degrees is the square of Student's t.
    #[test]
    fn with_two_groups_it_is_the_t_test() {
        let gaps = [3.0, -1.0, 4.0, 1.0, -2.0, 6.0];
        let table: Vec<_> = gaps
            .iter()
            .map(|d| vec![(50.0 + d, 50.0), (50.0 - d, 50.0)])
            .collect();
        let ours = test(&table).unwrap();
        let stats = crate::Stats::of(&gaps).unwrap();
        let t = stats.mean / stats.se.unwrap();
        // The t whose two tails are p.
        let known = crate::t::t_quantile(ours.p.unwrap() / 2.0, 5.0);
        assert!((known - t).abs() < 1e-9, "{known} {t}");
    }

    /// Two of three groups change places: the variance of their gaps over the expected one.
    #[test]
    fn the_design_effect_is_the_trace_over_the_degrees_of_freedom() {
        let gaps = [3.0, -1.0, 4.0, 1.0, -2.0, 6.0];
        let table: Vec<_> = gaps
            .iter()
            .map(|d| vec![(50.0 + d, 50.0), (50.0 - d, 50.0), (20.0, 20.0)])
            .collect();
        let ours = test(&table).unwrap();
        let se = crate::Stats::of(&gaps).unwrap().se.unwrap();
        let known = se * se * 6.0 / 50.0;
        assert!((ours.design_effect.unwrap() - known).abs() < 1e-12);
        assert_eq!((ours.n, ours.groups), (6, 3));
    }

    /// A replication in which none was chosen says nothing of whom a policy prefers.
    #[test]
    fn replications_without_a_choice_do_not_count() {
        let lane = |accepted: f64, share: f64| {
            let values = [
                ("accepted", accepted),
                ("share.f", share),
                ("received_share.f", 0.5),
                ("share.m", 1.0 - share),
                ("received_share.m", 0.5),
            ];
            let rows = values.map(|(metric, value)| MetricRow {
                metric: metric.into(),
                at: None,
                value,
            });
            LaneResult::new(Ending::Filled, None, rows)
        };
        let lanes = [lane(10.0, 0.6), lane(0.0, 0.0), lane(10.0, 0.5)];
        let parity = Parity::of(&PolicyRun::new("a", "k").with(lanes)).expect("two groups");
        assert_eq!((parity.n, parity.groups), (2, 2));
        // Gaps of 0.5 on average, of 5 foretold: 2 replications x 0.25 / 5, of two groups.
        assert!((parity.chi_square - 0.2).abs() < 1e-12, "{parity:?}");
    }

    #[test]
    fn counts_that_never_vary_are_no_certainty() {
        // Whole replications may go one way by chance: 2 x .5^n.
        for (n, known) in [(2, 0.5), (3, 0.25), (12, 2.0 / 4096.0)] {
            let always = vec![vec![(10.0, 5.0), (0.0, 5.0)]; n];
            let p = test(&always).unwrap().p.unwrap();
            assert!((p - known).abs() < 1e-12, "{n}: {p}");
        }
        // 6 of 10 where 5 were foretold: (5/6)^n at most.
        let slight = vec![vec![(6.0, 5.0), (4.0, 5.0)]; 60];
        let p = test(&slight).unwrap().p.unwrap();
        assert!((p - 2.0 * libm::pow(5.0 / 6.0, 60.0)).abs() < 1e-12, "{p}");
        let exact = vec![vec![(5.0, 5.0), (5.0, 5.0)]; 3];
        assert_eq!(test(&exact).unwrap().p, Some(1.0));
    }

    #[test]
    fn of_one_replication_or_one_group_there_is_no_p() {
        let one = test(&[vec![(6.0, 5.0), (4.0, 5.0)]]).unwrap();
        assert_eq!((one.p, one.design_effect, one.n), (None, None, 1));
        assert_eq!(one.chi_square, 0.4);
        assert_eq!(test(&[vec![(10.0, 10.0), (0.0, 0.0)]]), None);
        assert_eq!(test(&[]), None);
    }

    /// The name of the test is not read: there is one alone.
    #[test]
    fn a_test_that_was_written_is_read_back() {
        let one = test(&runs(3, 4, 20, &[0.5, 0.5], 0.0)).expect("two groups");
        let text = serde_json::to_string(&one).expect("JSON");
        assert!(text.contains(PARITY_METHOD), "{text}");
        let back: Parity = serde_json::from_str(&text).expect("a test");
        assert_eq!((back.n, back.groups, back.method), (4, 2, PARITY_METHOD));
        assert_eq!((back.chi_square, back.p), (one.chi_square, one.p));
    }
}
