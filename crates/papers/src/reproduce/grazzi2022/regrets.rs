//! Fair and standard regret: their growth, and the paper's sentences on both wherever it measures
//! them.

use super::lanes::{FAIR, FAIR_REGRET, GREEDY, OFUL, STANDARD, UNIFORM, name};
use crate::reproduce::prelude::*;

/// The exponents that are called linear.
const LINEAR: [f64; 2] = [0.8, 1.2];

/// Judges that a curve grows like a straight line.
pub(super) fn linear(growth: StudyEstimate) -> Holds {
    growth.inside(LINEAR[0], LINEAR[1])
}

/// Judges that a curve grows more slowly than any that counts as linear.
fn sublinear(growth: StudyEstimate) -> Holds {
    growth.below(LINEAR[0])
}

/// The growth of a measure of some lanes, as numbers.
pub(super) fn growths(
    run: &StudyRun,
    labels: &[&str],
    metric: &str,
    window: [u64; 2],
) -> Result<Vec<(Number, StudyEstimate)>> {
    let growth = |label: &&str| {
        let growth = run.growth(label, metric, window)?;
        let what = format!("exponent of {}, {}:", words(metric), name(label));
        Ok((Number::measured(what, growth), growth))
    };
    labels.iter().map(growth).collect()
}

fn words(metric: &str) -> &str {
    match metric {
        FAIR_REGRET => "fair regret",
        STANDARD => "standard regret",
        other => other,
    }
}

/// Tabulates the fair and standard regret of some lanes at two moments, and its growth between
/// them.
pub(super) fn regrets(run: &StudyRun, labels: &[&str], window: [u64; 2]) -> Result<FigureTable> {
    let [from, to] = window;
    let columns = [FAIR_REGRET, STANDARD].into_iter().flat_map(|metric| {
        let what = words(metric);
        [
            format!("{what} at {from}"),
            format!("{what} at {to}"),
            format!("exponent {from} to {to}"),
        ]
    });
    let row = |label: &&str| {
        let mut estimates = Vec::new();
        for metric in [FAIR_REGRET, STANDARD] {
            for at in window {
                estimates.push(Some(run.mean(label, metric, Some(at))?));
            }
            // A regret of 0 has no growth.
            estimates.push(run.growth(label, metric, window).ok());
        }
        Ok((text(name(label)), estimates))
    };
    let rows: Result<Vec<_>> = labels.iter().map(row).collect();
    Ok(tabulate_estimates("policy", columns, rows?))
}

/// Makes the claim that Fair-greedy's fair regret is sub-linear, in the words of a place of the
/// paper. Growth is measured over a window that ends with the run.
pub(super) fn slow(
    run: &StudyRun,
    [place, paper]: [&str; 2],
    window: [u64; 2],
) -> Result<StudyClaim> {
    let [from, to] = window;
    let growths = growths(run, &[FAIR, OFUL, GREEDY, UNIFORM], FAIR_REGRET, window)?;
    let fair = growths[0].1;
    let mut claim = StudyClaim::at(place).says(paper).rule(format!(
        "Fair-greedy's exponent between {from} and {to} rounds is below 1/2, and its fair regret \
         below that of all others; in shape where the exponent is below .8, less than what is \
         called linear"
    ));
    claim.numbers(growths.into_iter().map(|(number, _)| number));
    let mut least = Holds::Yes;
    for label in [OFUL, GREEDY, UNIFORM] {
        let gap = run.difference([FAIR, label], FAIR_REGRET, Some(to))?;
        least &= gap.below(0.0);
        let what = format!("fair regret at {to} less that of {}:", name(label));
        claim.measured(what, gap);
    }
    let why = "sub-linear, but not surely as √T or not the least";
    Ok(claim.judged(fair.below(0.5) & least, sublinear(fair), why))
}

/// Makes the claim that Fair-greedy's standard regret is linear, and less than that of random
/// choice.
pub(super) fn standard(run: &StudyRun, place: &str, window: [u64; 2]) -> Result<StudyClaim> {
    let to = window[1];
    let growth = run.growth(FAIR, STANDARD, window)?;
    let gap = run.difference([FAIR, UNIFORM], STANDARD, Some(to))?;
    let better = gap.below(0.0);
    Ok(StudyClaim::at(place)
        .says("“… while also having better-than random, although linear, standard regret.”")
        .rule(format!(
            "Fair-greedy's standard regret at {to} is below that of Uniform Random, and its \
             exponent between .8 and 1.2; in shape without the latter"
        ))
        .measured("standard regret less that of Uniform Random:", gap)
        .measured("exponent of standard regret:", growth)
        .judged(
            better & linear(growth),
            better,
            "better than random, but not linear",
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearly_linear_is_not_sublinear() {
        let near = |mean| StudyEstimate {
            mean,
            se: Some(0.01),
            n: 100,
        };
        let found = |mean| (sublinear(near(mean)), linear(near(mean)));
        assert_eq!(found(0.2), (Holds::Yes, Holds::No));
        assert_eq!(found(0.79), (Holds::Unsure, Holds::Unsure));
        assert_eq!(found(0.97), (Holds::No, Holds::Yes));
        assert_eq!(found(1.3), (Holds::No, Holds::No));
    }
}
