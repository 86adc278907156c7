//! Figure 8: the pairs at which SWAP costs less than weak interviews alone.

use super::grid::GainGrid;
use super::versus::{self, GainPair, PRESET, Rival, counted, map, same, where_better};
use crate::reproduce::prelude::*;

const WEAK: Rival = Rival {
    name: "weak",
    gap: |pair| pair.weak,
};

pub(super) const STUDY: Study = Study::new(
    "schumann2019-fig8",
    "Figure 8 of Schumann et al. 2019: where SWAP costs less than weak interviews alone",
    &[("schumann2019-fig3b", 15), ("schumann2019-fig3-weak", 15)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let grid = GainGrid::of(runs, PRESET)?;
    let pairs = GainPair::all(&grid)?;
    let dear: Vec<&GainPair> = pairs.iter().filter(|pair| pair.j >= pair.s).collect();
    let better = where_better(
        &pairs,
        &WEAK,
        (
            "Appendix E.1, Figure 8: where SWAP is better than weak looks alone",
            "“[…] and where it is better than SWAP with only weak pulls […]”",
        ),
    )?;
    let as_weak = same(
        &dear,
        &WEAK,
        (
            "Section 4, the weak only pull problem: SWAP where j ≥ s",
            "“Notice that if we use strong pull policy spp(s, j) = 0, then we only perform weak \
             arm pulls, and SWAP reduces to Chen et al.’s CLUCB.”",
        ),
        "where j ≥ s (Eq. 3 gives 0 at j = s, and beyond it is taken to be 0) SWAP and weak looks \
         alone cost the same in every run",
    )?;
    Ok(StudyFindings {
        statements: vec![grid.instance()?, counted(&pairs, &WEAK)],
        claims: vec![better, as_weak, optimal(&pairs)],
        figures: vec![versus::figure(
            "Figure 8 of Schumann et al. 2019",
            &pairs,
            &WEAK,
        )],
        tables: vec![map(&pairs, &WEAK)],
    })
}

/// The two maps laid over each other.
fn optimal(pairs: &[GainPair]) -> StudyClaim {
    let sure = pairs.iter().filter(|pair| pair.best() == Holds::Yes);
    let row = sure.min_by_key(|pair| pair.s);
    let ours = row.into_iter().flat_map(|pair| {
        let at = format!("at s = {}, j = {}:", pair.s, pair.j);
        [
            Number::measured(format!("SWAP less weak {at}"), pair.weak),
            Number::measured(format!("SWAP less strong {at}"), pair.strong),
        ]
    });
    let mut claim = StudyClaim::at("Appendix E.1: both maps together")
        .says(
            "“We then noticed that there should be an optimal zone where the general version of \
             SWAP would perform better than both of the trivial cases.”",
        )
        .rule(format!(
            "{}; shown is the least s at which it surely does",
            versus::ZONE_RULE
        ));
    claim.numbers(ours);
    versus::zoned(&mut claim, pairs)
}
