//! Lemma 3: the confidence sets hold the law, checked over the streams that the policies met.

use crate::reproduce::prelude::*;
use crate::reproduce::redraw::Redraw;
use kleroterion_core::protocol::Law;
use kleroterion_policies::committee::learning::{ConfidenceSet, Counts};

/// Streams a replication of the run: the first of them are those that its policies met.
const STREAMS: u64 = 3;

/// Candidates of each stream.
const LAST: u64 = 20_000;

/// The shares of the radius at which the sets are tried too.
const LESS: [f64; 2] = [0.5, 0.25];

/// Makes the claim that no set leaves out the law, for learners by name.
pub(super) fn lemma_3(
    run: &StudyRun,
    learners: &[(&str, ConfidenceSet)],
    delta: f64,
) -> Result<StudyClaim> {
    let law = law(run)?;
    let mut missed: Vec<Vec<bool>> = vec![Vec::new(); learners.len() * (1 + LESS.len())];
    for replication in 0..STREAMS * run.result.replications {
        let stream = stream(run, replication)?;
        let tried = learners
            .iter()
            .flat_map(|(_, set)| [1.0].into_iter().chain(LESS).map(|scale| (*set, scale)));
        for (missed, (set, scale)) in missed.iter_mut().zip(tried) {
            missed.push(misses(&stream, &law, (set, scale), delta));
        }
    }
    let mut claim = StudyClaim::at("Lemma 3")
        .says("“With probability ≥ 1 − δ/3, ‖p̂_l − p‖₁ ≤ √(2|X| log(6|X|τ_l(τ_l − 1)/δ)/(τ_l − 1)) := β_l”")
        .rule(
            "in at most δ/3 of the drawn streams p is outside the set at any t up to 20,000, for \
             equation (3) and for Weissman's radius and Bernstein's intervals, which the paper only \
             names",
        );
    let mut holds = Holds::Yes;
    let mut shares = missed.into_iter();
    for (label, _) in learners {
        let whole = run.share(shares.next().unwrap_or_default())?;
        holds &= whole.at_most(delta / 3.0);
        claim.share(format!("{label}: share of streams that leave it"), whole);
        for scale in LESS {
            let share = run.share(shares.next().unwrap_or_default())?;
            claim.share(format!("at {scale} of its distance:"), share);
        }
    }
    Ok(claim.holds(holds, "it is left more often"))
}

/// p by cell.
fn law(run: &StudyRun) -> Result<Vec<f64>> {
    let mut law = vec![0.0; run.plan.world.schema.cells() as usize];
    match run.law()? {
        Law::Cells(cells) => cells.iter().for_each(|(cell, p)| law[*cell as usize] = *p),
        Law::Product(_) => return Err(run.lacks("a joint law")),
    }
    Ok(law)
}

/// The types of the candidates of a replication.
fn stream(run: &StudyRun, replication: u64) -> Result<Vec<u32>> {
    let mut redraw = Redraw::of(run, replication)?;
    let mut cells = Vec::new();
    while (cells.len() as u64) < LAST {
        cells.extend_from_slice(redraw.next(1024)?.persons().cells());
    }
    cells.truncate(LAST as usize);
    Ok(cells)
}

/// Returns true if the confidence set leaves out the law at some t.
fn misses(stream: &[u32], law: &[f64], (set, scale): (ConfidenceSet, f64), delta: f64) -> bool {
    let mut counts = Counts::new(law.len());
    stream.iter().any(|cell| {
        counts.observe(*cell);
        let reach = set.reach(&counts, delta, scale);
        !reach.holds(law, &counts.shares(), 0.0)
    })
}
