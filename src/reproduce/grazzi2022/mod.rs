//! Grazzi, Akhavan, Falk, Cella, Pontil: Group Meritocratic Fairness in Linear Contextual Bandits (NeurIPS 2022): Figures 1 and 2,
//! Proposition 3.1, Theorem 1, the gender experiment.

mod fig1;
mod fig2;
mod gender;
mod prop31;
mod ranks;
mod thm1;

use super::claim::{Told, below, claim, inside};
use super::{Claim, Estimate, Number, Part, Played, Runs, Study, StudyError};
use crate::report::figure::{Cell, Kind, Point, Series, Table};

/// The labels of the presets' lanes.
const FAIR: &str = "fair greedy";
const OFUL: &str = "OFUL";
const GREEDY: &str = "ridge greedy";
const UNIFORM: &str = "uniform";
const ORACLE: &str = "fair oracle";
const BEST: &str = "best reward";
const KNOWS_MU: &str = "oracle of mu";
const KNOWS_CDFS: &str = "oracle of the CDFs";

/// The measures.
const FAIR_REGRET: &str = "fair_regret";
const STANDARD: &str = "reward_regret";

/// The respondents of the 2018 American Community Survey.
const PEOPLE: &str = "acs-national2018.csv";

/// Of how often a group is chosen when it comes, its name follows.
const SELECTED: &str = "selected_of_received.";

/// The studies of the paper.
pub(super) const STUDIES: &[Study] = &[
    Study {
        name: "grazzi2022-fig1",
        about: "Figure 1 of Grazzi et al. 2022: four groups on different scales (Section 6)",
        presets: &[
            Part {
                preset: "grazzi2022-fig1",
                quick: 10,
            },
            Part {
                preset: "grazzi2022-released",
                quick: 10,
            },
        ],
        needs: None,
        find: fig1::find,
    },
    Study {
        name: "grazzi2022-prop31",
        about: "Proposition 3.1 of Grazzi et al. 2022: relative ranks are uniform, and a fair policy chooses all groups alike",
        presets: &[
            Part {
                preset: "grazzi2022-prop31",
                quick: 20,
            },
            Part {
                preset: "grazzi2022-groups",
                quick: 4,
            },
        ],
        needs: None,
        find: prop31::find,
    },
    Study {
        name: "grazzi2022-thm1",
        about: "Theorem 1 of Grazzi et al. 2022: how fair regret grows, and what it costs to hear late",
        presets: &[
            Part {
                preset: "grazzi2022-thm1",
                quick: 3,
            },
            Part {
                preset: "grazzi2022-delay",
                quick: 10,
            },
        ],
        needs: None,
        find: thm1::find,
    },
    Study {
        name: "grazzi2022-fig2",
        about: "Figure 2 of Grazzi et al. 2022 on other people: ethnicity in the American Community Survey (Section 7)",
        presets: &[Part {
            preset: "grazzi2022-acs",
            quick: 4,
        }],
        needs: Some(PEOPLE),
        find: fig2::find,
    },
    Study {
        name: "grazzi2022-gender",
        about: "The gender experiment of Grazzi et al. 2022 on other people: one woman and one man a round",
        presets: &[Part {
            preset: "grazzi2022-gender",
            quick: 4,
        }],
        needs: Some(PEOPLE),
        find: gender::find,
    },
];

/// As the paper calls who has a label.
fn name(label: &str) -> &str {
    match label {
        FAIR => "Fair-greedy",
        GREEDY => "Greedy",
        UNIFORM => "Uniform Random",
        ORACLE => "fair oracle",
        KNOWS_MU => "oracle of μ",
        KNOWS_CDFS => "oracle of the CDFs",
        other => other,
    }
}

/// The exponents that are called linear.
const LINEAR: [f64; 2] = [0.8, 1.2];

/// Whether a growth is that of a straight line.
fn linear(growth: Estimate) -> Told {
    inside(growth, LINEAR[0], LINEAR[1])
}

/// Whether a growth is surely less than any that is called linear.
fn sublinear(growth: Estimate) -> Told {
    below(growth, LINEAR[0])
}

/// The growth of a measure of some lanes, as numbers.
fn growths(
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

/// How far a mean's span reaches to either side.
#[derive(Clone, Copy, PartialEq)]
enum Spread {
    None,
    /// One standard deviation of the runs, as the paper draws it.
    Deviation,
    /// Two standard errors of the mean.
    Errors,
}

impl Spread {
    fn around(self, x: f64, mean: Estimate) -> Point {
        let point = Point::new(x, mean.mean);
        let se = mean.se.unwrap_or(0.0);
        let reach = match self {
            Self::None => return point,
            Self::Deviation => se * (mean.n as f64).sqrt(),
            Self::Errors => 2.0 * se,
        };
        point.y_from(mean.mean - reach, mean.mean + reach)
    }
}

/// A line of means over the run.
fn course(run: &Played, label: &str, metric: &str, spread: Spread) -> Result<Series, StudyError> {
    let moments = run.moments(label, metric)?;
    let point = |at: &u64| {
        let mean = run.mean(label, metric, Some(*at))?;
        Ok(spread.around(*at as f64, mean))
    };
    let points: Result<Vec<Point>, StudyError> = moments.iter().map(point).collect();
    Ok(Series::new(name(label), Kind::Line, points?))
}

/// The courses of some lanes.
fn courses(
    run: &Played,
    labels: &[&str],
    metric: &str,
    spread: Spread,
) -> Result<Vec<Series>, StudyError> {
    let course = |label: &&str| course(run, label, metric, spread);
    labels.iter().map(course).collect()
}

/// The groups by which ranks are taken.
fn groups(run: &Played) -> Result<&[String], StudyError> {
    let truth = run.plan.world.truth.as_ref();
    let attribute = truth.and_then(|truth| {
        let attributes = run.plan.world.schema.attributes();
        attributes.get(truth.attribute)
    });
    attribute
        .map(|attribute| attribute.values.as_slice())
        .ok_or_else(|| run.lacks("groups"))
}

/// What the run says of its people and of the fit.
fn notes(run: &Played) -> String {
    format!("Of the run: {}.", run.plan.notes.join("; "))
}

/// How often a policy chose whom it received of each group.
fn selected(run: &Played, label: &str) -> Result<Vec<Estimate>, StudyError> {
    let at = run.moments(label, FAIR_REGRET)?.last().copied();
    let truth = run.plan.world.truth.as_ref();
    let attributes = run.plan.world.schema.attributes();
    // With several attributes a group is told with its own.
    let prefix = match truth {
        Some(truth) if attributes.len() > 1 => format!("{}:", attributes[truth.attribute].name),
        _ => String::new(),
    };
    let each = groups(run)?.iter();
    each.map(|group| run.mean(label, &format!("{SELECTED}{prefix}{group}"), at))
        .collect()
}

/// Fair and standard regret of some lanes at two moments, and how fast they grow between them.
fn regrets(run: &Played, labels: &[&str], window: [u64; 2]) -> Result<Table, StudyError> {
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
