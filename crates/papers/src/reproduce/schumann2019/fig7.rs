//! Figure 7: the pairs at which SWAP costs less than strong interviews alone.

use super::grid::GainGrid;
use super::versus::{self, GainPair, PRESET, Rival, counted, map, same, where_better};
use crate::reproduce::prelude::*;

const STRONG: Rival = Rival {
    name: "strong",
    gap: |pair| pair.strong,
};

pub(super) const STUDY: Study = Study::new(
    "schumann2019-fig7",
    "Figure 7 of Schumann et al. 2019: where SWAP costs less than strong interviews alone",
    &[("schumann2019-fig3b", 15), ("schumann2019-fig3-weak", 15)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let grid = GainGrid::of(runs, PRESET)?;
    let pairs = GainPair::all(&grid)?;
    let ones: Vec<&GainPair> = pairs.iter().filter(|pair| pair.j == 1).collect();
    let better = where_better(
        &pairs,
        &STRONG,
        (
            "Appendix E.1, Figure 7: where SWAP is better than strong looks alone",
            "“[…] we first compare where the general, varied-cost version of SWAP is better than \
             SWAP with strong pulls only […]”",
        ),
    )?;
    let at_one = same(
        &ones,
        &STRONG,
        (
            "Section 4, the strong only pull problem: SWAP at j = 1",
            "“Similarly, if we set spp(s, j) = 1 then we only perform strong arm pulls.”",
        ),
        "at j = 1, where Eq. 3 gives 1, SWAP and strong looks alone cost the same in every run, at \
         every s",
    )?;
    Ok(StudyFindings {
        statements: vec![grid.instance()?, counted(&pairs, &STRONG)],
        claims: vec![better, at_one],
        figures: vec![versus::figure(
            "Figure 7 of Schumann et al. 2019",
            &pairs,
            &STRONG,
        )],
        tables: vec![map(&pairs, &STRONG)],
    })
}
