//! Figure 4(a): the cost of SWAP with w_div until it is certain, against hardness.

use super::fig4::{
    EXACT, HYBRID, Misordered, diverse_hardness, figure, is_cheap, setting, share, table,
};
use super::instances::{DrawnInstance, instances};
use super::lanes::SWAP;
use crate::reproduce::prelude::*;

/// The label of the lane that maximises the sum of utilities.
const TOP: &str = "top K";

/// A cost is very large from this many times that of w_top on the same applicants.
const LARGE: f64 = 10.0;

pub(super) const STUDY: Study = Study::new(
    "schumann2019-fig4a",
    "Figure 4(a) of Schumann et al. 2019: what interviews cost with w_div against how hard the \
     instance is",
    &[("schumann2019-fig4a", 60)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(EXACT)?;
    let diverse = instances(run, EXACT, SWAP)?;
    let top = instances(run, EXACT, TOP)?;
    Ok(StudyFindings {
        statements: vec![setting(run)],
        claims: vec![
            majority(run, &diverse)?,
            some(run, &diverse, &top)?,
            order(run, &diverse, &top)?,
        ],
        figures: vec![figure(
            "Figure 4(a) of Schumann et al. 2019",
            "the cohort is certain",
            &diverse,
        )],
        tables: vec![(
            "The policies on the same instances".into(),
            table(
                runs,
                &[
                    (EXACT, SWAP, "w_div, SWAP"),
                    (EXACT, HYBRID, "w_div, hybrid (ours)"),
                    (EXACT, TOP, "w_top, SWAP"),
                ],
            )?,
        )],
    })
}

fn majority(run: &StudyRun, diverse: &[DrawnInstance]) -> Result<StudyClaim> {
    let cheap = share(run, diverse, |_, one| is_cheap(one))?;
    let done = share(run, diverse, |_, one| !one.capped)?;
    Ok(StudyClaim::at("Section 6.2, Figure 4(a): the majority")
        .says("“The results show that SWAP performs well for the majority of cases.”")
        .rule(
            "on more than half of the instances SWAP is certain before the interview cap and costs \
             at most the linear model's bound",
        )
        .share("share certain before the cap, below the bound:", cheap)
        .share("share certain before the cap:", done)
        .holds(cheap.above(0.5), "it is on no more than half"))
}

fn some(run: &StudyRun, diverse: &[DrawnInstance], top: &[DrawnInstance]) -> Result<StudyClaim> {
    let large = share(run, diverse, |at, one| one.cost > LARGE * top[at].cost)?;
    let capped = share(run, diverse, |_, one| one.capped)?;
    let over = share(run, diverse, |_, one| one.cost > one.bound)?;
    Ok(StudyClaim::at("Section 6.2, Figure 4(a): some cases")
        .says("“However, for some cases, the cost becomes very large.”")
        .rule(
            "on some instances the cost is more than ten times that of w_top on the same \
             applicants",
        )
        .share("share of more than ten times w_top's cost:", large)
        .share("share that the cap ended:", capped)
        .share("share above the linear model's bound:", over)
        .holds(large.above(0.0), "on none is it"))
}

fn order(run: &StudyRun, diverse: &[DrawnInstance], top: &[DrawnInstance]) -> Result<StudyClaim> {
    let hardness: Vec<f64> = diverse.iter().map(|one| one.hardness).collect();
    let own = diverse_hardness(run, diverse)?;
    let by_top = Misordered::of(&hardness, diverse);
    let linear = Misordered::of(&hardness, top);
    let lacks = || run.lacks("instances of which one is twice as hard as another");
    let found = by_top.estimate().ok_or_else(lacks)?;
    let beyond = by_top.beyond(&linear).ok_or_else(lacks)?;
    let by_own = Misordered::of(&own, diverse);
    Ok(
        StudyClaim::at("Section 6.2, Figure 4: H does not quite fit")
            .says(
                "“Note that the definition of hardness found in Equation 2 does not quite fit this \
             situation since the graphs in Figure 4 have higher costs for some lower hardness \
             problems while having lower cost for some higher hardness problems.”",
            )
            .rule(
                "of the pairs of instances of which one's H is at least twice the other's (both by \
             w_top) in more than with w_top's own costs the easier one costs more; in shape where \
             it does in some. With H by w_div's gaps: for comparison",
            )
            .measured("share of pairs in the wrong order:", found)
            .measured(
                "of w_top's own costs:",
                linear.estimate().ok_or_else(lacks)?,
            )
            .measured("more than that:", beyond)
            .measured(
                "share of pairs in the wrong order by the H of w_div:",
                by_own.estimate().ok_or_else(lacks)?,
            )
            .judged(
                beyond.above(0.0),
                found.above(0.0),
                "there are such pairs, but surely no more than with w_top",
            ),
    )
}
