//! Corollary E.1: fair regret where groups are drawn, against K, G and q_min.

use super::lanes::{FAIR, FAIR_REGRET, KNOWS_MU, UNIFORM};
use crate::reproduce::prelude::*;
use kleroterion_core::protocol::Law;

const SIZES: &str = "grazzi2022-core1";
const RARE: &str = "grazzi2022-core1-rare";

/// The rounds between which growth is measured, to the last round.
const WINDOW: [u64; 2] = [500, LAST];
const LAST: u64 = 2500;

/// G.
const GROUPS: f64 = 3.0;

pub(super) const STUDY: Study = Study::new(
    "grazzi2022-core1",
    "Corollary E.1 of Grazzi et al. 2022: fair regret where groups are drawn",
    &[(SIZES, 20), (RARE, 20)],
    find,
);

/// A run, and the number that its sweep changes.
type Case<'a> = (f64, &'a StudyRun);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let sizes = runs.of(SIZES)?.iter();
    let sizes = sizes.map(|run| Ok((run.swept("rules.slate")?, run)));
    let sizes: Vec<Case<'_>> = sizes.collect::<Result<_>>()?;
    let rare = runs.of(RARE)?.iter().map(|run| Ok((rarest(run)?, run)));
    let rare: Vec<Case<'_>> = rare.collect::<Result<_>>()?;
    Ok(StudyFindings {
        statements: vec![
            "The paper gives no instance for it. Ours is that of grazzi2022-groups with three \
             groups equally likely and K = 3 to 48, and with K = 6 and a group that is ever rarer. \
             The bound (4) has no constants that our copy shows; what is judged is how fair regret \
             changes with T, K and q_min = G min P(s = i)."
                .into(),
        ],
        claims: vec![
            rounds(&sizes, &rare)?,
            candidates(&sizes)?,
            minority(&rare)?,
        ],
        figures: vec![],
        tables: vec![
            ("Candidates a round".into(), table("K", &sizes)?),
            ("The rarest group".into(), table("q_min", &rare)?),
        ],
    })
}

/// q_min of a run.
fn rarest(run: &StudyRun) -> Result<f64> {
    let shares = match run.law()? {
        Law::Product(marginals) => marginals.first(),
        Law::Cells(_) => None,
    };
    let shares = shares.ok_or_else(|| run.lacks("the groups' probabilities"))?;
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    Ok((GROUPS * least * 1000.0).round() / 1000.0)
}

fn rounds(sizes: &[Case<'_>], rare: &[Case<'_>]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Corollary E.1: T")
        .says("“(4) is similar to Thm. 1, having the same dependency on δ and T …”")
        .rule(format!(
            "Fair-greedy's exponent from {} to {LAST} rounds is below 1/2 at every K and q_min; in \
             shape where it is below .8",
            WINDOW[0]
        ));
    let (mut root, mut slow) = (Holds::Yes, Holds::Yes);
    for (name, cases) in [("K", sizes), ("q_min", rare)] {
        for (at, run) in cases {
            let growth = run.growth(FAIR, FAIR_REGRET, WINDOW)?;
            root &= growth.below(0.5);
            slow &= growth.below(0.8);
            claim.measured(format!("{name} = {at}:"), growth);
        }
    }
    Ok(claim.judged(root, slow, "slower than T, not surely than √T"))
}

fn candidates(sizes: &[Case<'_>]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Corollary E.1: K against G")
        .says(
            "“… but an improved dependency on the number of arms K when K > G, since contexts from \
             all arms can be used to estimate the CDF of each group.”",
        )
        .rule(
            "from each K to the next the fair regret of who knows μ* and estimates the CDFs alone \
             surely falls, and Fair-greedy's at K = 48 is below 1.5 times that at K = 3 (Theorem 1 \
             has K³); in shape without the falling",
        );
    let mut falls = Holds::Yes;
    for pair in sizes.windows(2) {
        let [before, after] = [pair[0].1, pair[1].1].map(|run| at_last(run, KNOWS_MU));
        falls &= after?.less(before?).below(0.0);
    }
    for (size, run) in sizes {
        claim.measured(format!("K = {size}, knowing μ*:"), at_last(run, KNOWS_MU)?);
        claim.measured("Fair-greedy:", at_last(run, FAIR)?);
    }
    let (first, last) = ends(sizes)?;
    let flat = at_last(last.1, FAIR)?
        .less(at_last(first.1, FAIR)?.times(1.5))
        .below(0.0);
    Ok(claim.judged(
        falls & flat,
        flat,
        "what is saved on the CDFs is not surely seen at each K",
    ))
}

fn minority(rare: &[Case<'_>]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Corollary E.1: q_min")
        .says(
            "“The first term in (4) comes from the application of the Chernoff bound to lower bound \
             the number of candidates in each group received by the agent, which is now random”: G \
             log(GT/δ)/(K q_min)",
        )
        .rule(
            "fair regret grows no faster than 1/q_min: at the least q_min it is below that at q_min \
             = 1 times their ratio",
        );
    for (q, run) in rare {
        claim.measured(format!("fair regret at q_min = {q}:"), at_last(run, FAIR)?);
    }
    let (first, last) = ends(rare)?;
    let most = at_last(first.1, FAIR)?.times(first.0 / last.0);
    claim.computed("the ratio of the q_min:", first.0 / last.0);
    let within = at_last(last.1, FAIR)?.less(most).below(0.0);
    Ok(claim.holds(within, "a rare group costs more"))
}

/// Fair regret after the last round.
fn at_last(run: &StudyRun, label: &str) -> Result<StudyEstimate> {
    run.mean(label, FAIR_REGRET, Some(LAST))
}

fn ends<'a, 'r>(cases: &'a [Case<'r>]) -> Result<(&'a Case<'r>, &'a Case<'r>)> {
    let ends = cases.first().zip(cases.last());
    ends.ok_or_else(|| StudyError::Missing("two points of a sweep".into()))
}

fn table(name: &str, cases: &[Case<'_>]) -> Result<FigureTable> {
    let columns = ["Fair-greedy", "knowing μ*", "Uniform Random"].map(str::to_owned);
    let row = |(at, run): &Case<'_>| {
        let regrets = [FAIR, KNOWS_MU, UNIFORM].map(|label| at_last(run, label).ok());
        Ok((Cell::number(*at), regrets.into()))
    };
    let rows: Result<Vec<_>> = cases.iter().map(row).collect();
    Ok(tabulate_estimates(name, columns, rows?))
}
