//! Grazzi, Akhavan, Falk, Cella, Pontil: Group Meritocratic Fairness in Linear Contextual Bandits (NeurIPS 2022): Figures 1 and 2,
//! Proposition 3.1, Theorem 1, the gender experiment.

mod courses;
mod fig1;
mod fig2;
mod gender;
mod prop31;
mod ranks;
mod regrets;
mod thm1;

use super::claim::claim;
use super::{Claim, Estimate, Number, Part, Played, Runs, Study, StudyError};
use courses::{Spread, course, courses};
use regrets::{growths, linear, regrets, slow, standard};

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

/// Where, and what, the paper says of the census.
const SUBLINEAR: [&str; 2] = [
    "Abstract: the census",
    "“… experiments on the US census data to show that our policy achieves sub-linear fair pseudo-regret also in practice.”",
];

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
