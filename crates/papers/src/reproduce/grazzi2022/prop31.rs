//! Proposition 3.1: relative ranks are uniform and independent, and a fair policy chooses all
//! alike.

use super::lanes::{BEST, ORACLE};
use super::ranks::{PARTS, RankCounts, ranks};
use crate::reproduce::chance::{of_counts, of_uniforms};
use crate::reproduce::prelude::*;
use kleroterion_core::protocol::Law;

/// A test rejects below this, over the number of tests of the claim.
const LEVEL: f64 = 0.001;

pub(super) const STUDY: Study = Study::new(
    "grazzi2022-prop31",
    "Proposition 3.1 of Grazzi et al. 2022: relative ranks are uniform, and a fair policy chooses \
     all groups alike",
    &[("grazzi2022-prop31", 20), ("grazzi2022-groups", 4)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let arms = RankedRun::of(runs.one("grazzi2022-prop31")?)?;
    let drawn = RankedRun::of(runs.one("grazzi2022-groups")?)?;
    Ok(StudyFindings {
        statements: vec![
            format!(
                "Two instances: the four groups of Section 6, one candidate of each a round ({} \
                 rounds in all), and ten candidates a round whose groups are drawn, one group rare \
                 ({} rounds; the setting of Section 7, the instance is ours). Ranks are by the \
                 exact CDFs.",
                arms.ranks.rounds, drawn.ranks.rounds
            ),
            "A p-value is how likely chance alone would be as far off. A claim of the proposition \
             stands where no test rejects at .001 over the number of its tests: Kolmogorov's for a \
             uniform law, Pearson's chi-square for counts of known probability. That no test \
             rejects is no proof; with so many rounds a share off by a hundredth would be seen."
                .into(),
        ],
        claims: vec![
            uniform(&arms),
            alike(&arms)?,
            drawn_groups(&drawn)?,
            best_reward(&arms)?,
        ],
        figures: vec![figure(&arms, &drawn)?],
        tables: vec![],
    })
}

/// A run and the ranks of its candidates.
struct RankedRun<'a> {
    run: &'a StudyRun,
    names: Vec<String>,
    ranks: RankCounts,
    /// The p-value of the uniform law for each group's ranks, and the largest gap from that law.
    uniform: Vec<(f64, f64)>,
}

impl<'a> RankedRun<'a> {
    fn of(run: &'a StudyRun) -> Result<Self> {
        let mut ranks = ranks(run)?;
        let names = run.plan.world.schema.attributes().iter();
        let names = names.flat_map(|attribute| attribute.values.clone());
        let uniform = ranks.groups.iter_mut().map(|group| of_uniforms(group));
        Ok(Self {
            run,
            names: names.collect(),
            uniform: uniform.collect(),
            ranks,
        })
    }

    /// The tests of the ranks: of each group, and of four candidates together.
    fn tests(&self) -> (Vec<Number>, Vec<f64>) {
        let mut ours = Vec::new();
        let mut all = Vec::new();
        for ((name, group), (p, gap)) in
            self.names.iter().zip(&self.ranks.groups).zip(&self.uniform)
        {
            let what = format!("{name}, uniform (largest gap of the CDF {gap:.5}):");
            ours.push(Number::tested(what, *p, group.len() as u64));
            all.push(*p);
        }
        let cells = self.ranks.together.len();
        let p = of_counts(&self.ranks.together, &vec![1.0 / cells as f64; cells], 1);
        let what = format!("four candidates together, {cells} cells of {PARTS} parts each:");
        ours.push(Number::tested(what, p, self.ranks.rounds));
        all.push(p);
        (ours, all)
    }

    /// The tests of who has the highest rank: of each slot, and of each slot after each.
    fn chosen(&self) -> (Vec<Number>, Vec<f64>) {
        let ranks = &self.ranks;
        let k = ranks.slots.len();
        let slots = of_counts(&ranks.slots, &vec![1.0 / k as f64; k], 1);
        let after: Vec<u64> = ranks.after.concat();
        // Each row by its own total: what is tested is the choice, whatever came before.
        let before: Vec<u64> = ranks.after.iter().map(|row| row.iter().sum()).collect();
        let all: u64 = before.iter().sum();
        let share = |before: &u64| vec![*before as f64 / all as f64 / k as f64; k];
        let shares: Vec<f64> = before.iter().flat_map(share).collect();
        let chained = of_counts(&after, &shares, k);
        let ours = vec![
            Number::tested(
                format!("each of {k} candidates chosen alike:"),
                slots,
                ranks.rounds,
            ),
            Number::tested("so after each choice of the round before:", chained, all),
            Number::computed("rounds with two highest ranks:", ranks.ties as f64),
        ];
        (ours, vec![slots, chained])
    }

    /// Returns the largest gap between the shares of the run's own oracle and those counted here.
    fn oracle_gap(&self) -> Result<f64> {
        let mut gap: f64 = 0.0;
        for (name, count) in self.names.iter().zip(&self.ranks.fair) {
            let share = self.run.mean(ORACLE, &format!("share.{name}"), None)?;
            let counted = *count as f64 / self.ranks.rounds as f64;
            gap = gap.max((share.mean - counted).abs());
        }
        // Means of shares and shares of sums differ by rounding.
        Ok((gap * 1e9).round() / 1e9)
    }
}

/// Judges that no test rejects, at the common level divided among the tests.
fn stands(all: &[f64]) -> Holds {
    let level = LEVEL / all.len() as f64;
    all.iter().all(|p| *p > level).into()
}

fn uniform(arms: &RankedRun<'_>) -> StudyClaim {
    let (ours, all) = arms.tests();
    StudyClaim::at("Proposition 3.1: relative ranks")
        .says("“Then for every t ∈ N, {F_a(⟨μ*, X_{t,a}⟩)} are i.i.d. uniform on [0, 1] …”")
        .rule(
            "no test rejects: each group's ranks are uniform, and the four of a round fall into \
             all cells alike",
        )
        .numbers(ours)
        .holds(stands(&all), "a test rejects")
}

fn alike(arms: &RankedRun<'_>) -> Result<StudyClaim> {
    let (mut ours, all) = arms.chosen();
    let gap = arms.oracle_gap()?;
    ours.push(Number::computed(
        "largest gap to the shares of the run's own oracle:",
        gap,
    ));
    let holds = stands(&all) & (arms.ranks.ties == 0) & (gap == 0.0);
    Ok(
        StudyClaim::at("Proposition 3.1: history-agnostic demographic parity")
            .says(
                "“… and P(a*_t = a | H⁻_{t−1}) = 1/K, ∀a ∈ [K], for any GMF policy”, as ties have \
                 probability 0",
            )
            .rule(
                "no test rejects: each group has the highest rank equally often, and equally often \
                 after each choice of the round before; no two share it; the run's own oracle \
                 chooses the same",
            )
            .numbers(ours)
            .holds(holds, "a test rejects, or the oracle chooses otherwise"),
    )
}

fn drawn_groups(drawn: &RankedRun<'_>) -> Result<StudyClaim> {
    let (mut ours, mut all) = drawn.tests();
    let (more, tests) = drawn.chosen();
    ours.extend(more);
    all.extend(tests);
    let shares = shares(drawn.run)?;
    let p = of_counts(&drawn.ranks.fair, &shares, 1);
    let what = "each group chosen as often as it comes:";
    ours.push(Number::tested(what, p, drawn.ranks.rounds));
    all.push(p);
    let gap = drawn.oracle_gap()?;
    let what = "largest gap to the shares of the run's own oracle:";
    ours.push(Number::computed(what, gap));
    let holds = stands(&all) & (gap == 0.0);
    Ok(StudyClaim::at("Section 7: the same where groups are drawn")
        .says(
            "“… contexts from a given arm do not necessarily belong to the same group … By \
             naturally adapting the definition of fair-regret …”",
        )
        .rule(
            "no test rejects: ranks uniform, candidates chosen alike, groups as often as they \
             come; the run's own oracle chooses the same",
        )
        .numbers(ours)
        .holds(holds, "a test rejects, or the oracle chooses otherwise"))
}

/// The probability of each group.
fn shares(run: &StudyRun) -> Result<Vec<f64>> {
    match run.law()? {
        Law::Product(marginals) => marginals.first().cloned(),
        Law::Cells(_) => None,
    }
    .ok_or_else(|| run.lacks("the groups' probabilities"))
}

fn best_reward(arms: &RankedRun<'_>) -> Result<StudyClaim> {
    let (best, k) = (&arms.ranks.best, arms.ranks.best.len());
    let p = of_counts(best, &vec![1.0 / k as f64; k], 1);
    let n = arms.ranks.rounds;
    let mut claim = StudyClaim::at("Remark 3.2: the best reward is no such policy")
        .says(
            "“Note that in the standard linear contextual bandit setting, the optimal policy \
             {a_t^opt} does not necessarily satisfy (2) …”",
        )
        .rule("the test of equal shares rejects at .001 for who always takes the highest reward");
    claim.tested("each group chosen alike:", p, n);
    for name in &arms.names {
        let share = arms.run.mean(BEST, &format!("share.{name}"), None)?;
        claim.measured(format!("{name}:"), share);
    }
    Ok(claim.holds(p < LEVEL, "it chooses all alike"))
}

fn figure(arms: &RankedRun<'_>, drawn: &RankedRun<'_>) -> Result<Figure> {
    let names =
        |ranked: &RankedRun<'_>| Axis::names("group", ranked.names.iter().map(String::as_str));
    let bars = |name: &str, shares: Vec<f64>| {
        let points = shares.into_iter().enumerate();
        let points = points.map(|(at, share)| FigurePoint::new(at as f64, share));
        Series::new(name, SeriesKind::Bars, points)
    };
    let highest = |ranked: &RankedRun<'_>| {
        let rounds = ranked.ranks.rounds as f64;
        let shares = |counts: &[u64]| counts.iter().map(|n| *n as f64 / rounds).collect();
        [
            bars("highest rank", shares(&ranked.ranks.fair)),
            bars("highest reward", shares(&ranked.ranks.best)),
        ]
    };
    let share = || Axis::linear("share of the rounds");
    let of_group = bars("probability of the group", shares(drawn.run)?);
    Ok(Figure {
        title: "Relative ranks, and who has the highest".into(),
        caption: format!(
            "Proposition 3.1 of Grazzi et al. 2022. Left: the share of each group's ranks in each \
             tenth of [0, 1] with its exact limits (as of 2 standard errors), Section 6. Middle: of whom the highest rank and \
             the highest reward of a round are, there. Right: the same with drawn groups. {} and \
             {} rounds.",
            arms.ranks.rounds, drawn.ranks.rounds
        ),
        panels: vec![
            Panel {
                marks: vec![level(0.1, "")],
                ..plot(
                    "ranks by tenths",
                    Axis::linear("true relative rank").spanning(0.0, 1.0),
                    Axis::linear("share of the group's ranks").spanning(0.095, 0.105),
                    tenths(arms),
                )
            },
            Panel {
                marks: vec![level(0.25, "1/K")],
                ..plot("one of each group", names(arms), share(), highest(arms))
            },
            plot(
                "drawn groups",
                names(drawn),
                share(),
                highest(drawn).into_iter().chain([of_group]),
            ),
        ],
    })
}

/// The share of each group's ranks in each tenth of [0, 1].
fn tenths(ranked: &RankedRun<'_>) -> Vec<Series> {
    const TENTHS: usize = 10;
    let groups = ranked.names.iter().zip(&ranked.ranks.groups).enumerate();
    let series = groups.map(|(at, (name, group))| {
        let n = group.len() as u64;
        // The ranks are sorted.
        let below = |u: f64| group.partition_point(|rank| *rank < u);
        let point = |part: usize| {
            let edges = [part, part + 1].map(|edge| edge as f64 / TENTHS as f64);
            let hits = (below(edges[1]) - below(edges[0])) as u64;
            let found = StudyShare { hits, n };
            let [low, high] = found.limits(2.0);
            // Side by side within their tenth.
            let x = edges[0] + (at as f64 + 1.0) * 0.02;
            FigurePoint::new(x, found.share()).y_from(low, high)
        };
        Series::new(name.as_str(), SeriesKind::Scatter, (0..TENTHS).map(point))
    });
    series.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_test_that_rejects_is_enough_and_their_number_counts() {
        assert_eq!(stands(&[0.5, 0.02]), Holds::Yes);
        assert_eq!(stands(&[0.5, 0.0006]), Holds::Yes);
        assert_eq!(stands(&[0.0006]), Holds::No);
        assert_eq!(stands(&[0.5, 0.0004]), Holds::No);
    }
}
