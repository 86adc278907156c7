//! Fair and standard regret: how fast they grow, and what the paper says of both wherever it measures them.

use super::super::claim::{Told, below, inside, verdict};
use super::{
    Claim, Estimate, FAIR, FAIR_REGRET, GREEDY, Number, OFUL, Played, STANDARD, StudyError,
    UNIFORM, claim, name,
};
use crate::report::figure::{Cell, Table};

/// The exponents that are called linear.
const LINEAR: [f64; 2] = [0.8, 1.2];

/// Whether a growth is that of a straight line.
pub(super) fn linear(growth: Estimate) -> Told {
    inside(growth, LINEAR[0], LINEAR[1])
}

/// Whether a growth is surely less than any that is called linear.
fn sublinear(growth: Estimate) -> Told {
    below(growth, LINEAR[0])
}

/// The growth of a measure of some lanes, as numbers.
pub(super) fn growths(
    run: &Played,
    labels: &[&str],
    metric: &str,
    window: [u64; 2],
) -> Result<Vec<(Number, Estimate)>, StudyError> {
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

/// Fair and standard regret of some lanes at two moments, and how fast they grow between them.
pub(super) fn regrets(
    run: &Played,
    labels: &[&str],
    window: [u64; 2],
) -> Result<Table, StudyError> {
    let [from, to] = window;
    let mut headers = vec!["policy".to_owned()];
    for metric in [FAIR_REGRET, STANDARD] {
        for at in window {
            headers.push(format!("{} at {at}", words(metric)));
            headers.push("± s.e.".into());
        }
        headers.push(format!("exponent {from} to {to}"));
        headers.push("± s.e.".into());
    }
    let cells = |estimate: Option<Estimate>| {
        let number = |x: Option<f64>| x.map_or(Cell::Empty, Cell::number);
        [
            number(estimate.map(|e| e.mean)),
            number(estimate.and_then(|e| e.se)),
        ]
    };
    let row = |label: &&str| {
        let mut row = vec![Cell::Text(name(label).into())];
        for metric in [FAIR_REGRET, STANDARD] {
            for at in window {
                row.extend(cells(Some(run.mean(label, metric, Some(at))?)));
            }
            // Who gives nothing away has no growth.
            row.extend(cells(run.growth(label, metric, window).ok()));
        }
        Ok(row)
    };
    let rows: Result<Vec<_>, StudyError> = labels.iter().map(row).collect();
    Ok(Table {
        headers,
        rows: rows?,
    })
}

/// That Fair-greedy's fair regret is sub-linear, in the words of some place of the paper; growth over a window that ends with the run.
pub(super) fn slow(
    run: &Played,
    [place, paper]: [&str; 2],
    window: [u64; 2],
) -> Result<Claim, StudyError> {
    let [from, to] = window;
    let growths = growths(run, &[FAIR, OFUL, GREEDY, UNIFORM], FAIR_REGRET, window)?;
    let fair = growths[0].1;
    let mut ours: Vec<Number> = growths.into_iter().map(|(number, _)| number).collect();
    let mut least = Told::Yes;
    for label in [OFUL, GREEDY, UNIFORM] {
        let gap = run.difference([FAIR, label], FAIR_REGRET, Some(to))?;
        least = least.and(below(gap, 0.0));
        let what = format!("fair regret at {to} less that of {}:", name(label));
        ours.push(Number::measured(what, gap));
    }
    let rule = format!(
        "Fair-greedy's exponent between {from} and {to} rounds is below 1/2, and its fair regret below that of all others; in shape \
         where the exponent is below .8, less than what is called linear"
    );
    let why = "sub-linear, but not surely as √T or not the least";
    let finding = verdict(below(fair, 0.5).and(least), sublinear(fair), why);
    Ok(claim(place, paper, &rule, ours, finding))
}

/// That Fair-greedy's standard regret is linear, and less than that of random choice.
pub(super) fn standard(run: &Played, place: &str, window: [u64; 2]) -> Result<Claim, StudyError> {
    let to = window[1];
    let growth = run.growth(FAIR, STANDARD, window)?;
    let gap = run.difference([FAIR, UNIFORM], STANDARD, Some(to))?;
    let better = below(gap, 0.0);
    Ok(claim(
        place,
        "“… while also having better-than random, although linear, standard regret.”",
        &format!(
            "Fair-greedy's standard regret at {to} is below that of Uniform Random, and its exponent between .8 and 1.2; in shape without \
             the latter"
        ),
        vec![
            Number::measured("standard regret less that of Uniform Random:", gap),
            Number::measured("exponent of standard regret:", growth),
        ],
        verdict(
            better.and(linear(growth)),
            better,
            "better than random, but not linear",
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearly_linear_is_not_sublinear() {
        let near = |mean| Estimate {
            mean,
            se: Some(0.01),
            n: 100,
        };
        let told = |mean| (sublinear(near(mean)), linear(near(mean)));
        assert_eq!(told(0.2), (Told::Yes, Told::No));
        assert_eq!(told(0.79), (Told::Unsure, Told::Unsure));
        assert_eq!(told(0.97), (Told::No, Told::Yes));
        assert_eq!(told(1.3), (Told::No, Told::No));
    }
}
