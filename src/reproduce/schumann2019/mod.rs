//! Schumann, Counts, Foster, Dickerson: The Diverse Cohort Selection Problem (AAMAS 2019): all figures and tables, Example 6.1 and
//! the sensitivity study of Section 7.3. Tables 1, 2 and 5 and Figures 5, 6 and 9 are played on a generated season of
//! admissions, since theirs is private; Table 4 can't be played.

mod applicants;
mod example61;
mod fig1;
mod fig2;
mod fig3a;
mod fig3b;
mod fig4;
mod fig4a;
mod fig4b;
mod fig5;
mod fig6;
mod fig7;
mod fig8;
mod fig9;
mod grid;
mod instances;
mod mix;
mod season;
mod sensitivity;
mod steps;
mod table1;
mod table2;
mod table4;
mod versus;

use super::claim::{Told, above, claim};
use super::numbers::Estimate;
use super::{Part, Played, Study, StudyError};
use crate::score::Cohort;

/// The labels of the presets' lanes.
const SWAP: &str = "SWAP";
const STRONG: &str = "strong";
const WEAK: &str = "weak";

/// What the looks cost, in weak looks.
const COST: &str = "cost";
/// w of the chosen cohort, and whether it is the best one: each by one of the run's objectives, see [`own`].
const VALUE: &str = "cohort_value";
const OPTIMAL: &str = "optimal";

/// The name of a metric by a policy's own objective: runs here score all cohorts by all objectives of their policies.
fn own(run: &Played, label: &str, metric: &str) -> String {
    let mut lanes = run.plan.lanes.iter();
    let lane = lanes.find(|lane| lane.label == label);
    let place = |name: &str| {
        let mut objectives = run.plan.objectives.iter();
        objectives.position(|one| *one.name == *name)
    };
    let objective = lane.and_then(|lane| lane.objective.as_ref());
    let placed = objective.and_then(|one| Some((place(&one.name)?, &one.name)));
    placed.map_or_else(
        || metric.to_owned(),
        |(place, name)| Cohort::metric(metric, place, name),
    )
}

/// Whether a share of runs is at least as great as is promised.
fn is_promised(share: Estimate, promised: f64) -> Told {
    match share.se {
        // All of them, or none: no chance is left over.
        Some(0.0) => (share.mean >= promised).into(),
        _ => above(share, promised),
    }
}

/// The studies of the paper.
pub(super) const STUDIES: &[Study] = &[
    Study {
        name: "schumann2019-fig1",
        about: "Figure 1 of Schumann et al. 2019: a state of SWAP on three applicants, and the Example beside it",
        presets: &[Part {
            preset: "schumann2019-fig1",
            quick: 100,
        }],
        needs: None,
        find: fig1::find,
    },
    Study {
        name: "schumann2019-fig2",
        about: "Figure 2 of Schumann et al. 2019: what interviews cost against how hard the instance is, and the bound of Theorem 4.4",
        presets: &[Part {
            preset: "schumann2019-fig2",
            quick: 40,
        }],
        needs: None,
        find: fig2::find,
    },
    Study {
        name: "schumann2019-fig3a",
        about: "Figure 3(a) of Schumann et al. 2019: where strong interviews alone cost less than weak ones alone",
        presets: &[
            Part {
                preset: "schumann2019-fig3a",
                quick: 15,
            },
            Part {
                preset: "schumann2019-fig3-weak",
                quick: 15,
            },
        ],
        needs: None,
        find: fig3a::find,
    },
    Study {
        name: "schumann2019-fig3b",
        about: "Figure 3(b) of Schumann et al. 2019: where SWAP costs less than weak and than strong interviews alone",
        presets: &[
            Part {
                preset: "schumann2019-fig3b",
                quick: 15,
            },
            Part {
                preset: "schumann2019-fig3-weak",
                quick: 15,
            },
        ],
        needs: None,
        find: fig3b::find,
    },
    Study {
        name: "schumann2019-fig4a",
        about: "Figure 4(a) of Schumann et al. 2019: what interviews cost with w_div against how hard the instance is",
        presets: &[Part {
            preset: "schumann2019-fig4a",
            quick: 60,
        }],
        needs: None,
        find: fig4a::find,
    },
    Study {
        name: "schumann2019-fig4b",
        about: "Figure 4(b) of Schumann et al. 2019: the same where SWAP stops within 0.01 of the best (PAC)",
        presets: &[
            Part {
                preset: "schumann2019-fig4b",
                quick: 60,
            },
            Part {
                preset: "schumann2019-fig4a",
                quick: 60,
            },
        ],
        needs: None,
        find: fig4b::find,
    },
    Study {
        name: "schumann2019-fig5",
        about: "Figure 5 of Schumann et al. 2019: who is in the cohorts (a generated season)",
        presets: &[Part {
            preset: "schumann2019-season",
            quick: 40,
        }],
        needs: None,
        find: fig5::find,
    },
    Study {
        name: "schumann2019-fig6",
        about: "Figure 6 of Schumann et al. 2019: cost against utility and diversity (a generated season)",
        presets: &[
            Part {
                preset: "schumann2019-season",
                quick: 40,
            },
            Part {
                preset: "schumann2019-fig6",
                quick: 40,
            },
            Part {
                preset: "schumann2019-fig6-noise",
                quick: 20,
            },
        ],
        needs: None,
        find: fig6::find,
    },
    Study {
        name: "schumann2019-fig7",
        about: "Figure 7 of Schumann et al. 2019: where SWAP costs less than strong interviews alone",
        presets: &[
            Part {
                preset: "schumann2019-fig3b",
                quick: 15,
            },
            Part {
                preset: "schumann2019-fig3-weak",
                quick: 15,
            },
        ],
        needs: None,
        find: fig7::find,
    },
    Study {
        name: "schumann2019-fig8",
        about: "Figure 8 of Schumann et al. 2019: where SWAP costs less than weak interviews alone",
        presets: &[
            Part {
                preset: "schumann2019-fig3b",
                quick: 15,
            },
            Part {
                preset: "schumann2019-fig3-weak",
                quick: 15,
            },
        ],
        needs: None,
        find: fig8::find,
    },
    Study {
        name: "schumann2019-fig9",
        about: "Figure 9 of Schumann et al. 2019: cost over s by programme (a generated season)",
        presets: &[
            Part {
                preset: "schumann2019-fig9-masters",
                quick: 15,
            },
            Part {
                preset: "schumann2019-fig9-phd",
                quick: 15,
            },
        ],
        needs: None,
        find: fig9::find,
    },
    Study {
        name: "schumann2019-table1",
        about: "Table 1 of Schumann et al. 2019: SWAP against the actual admissions (a generated season)",
        presets: &[
            Part {
                preset: "schumann2019-season",
                quick: 40,
            },
            Part {
                preset: "schumann2019-season-noise",
                quick: 2,
            },
        ],
        needs: None,
        find: table1::find,
    },
    Study {
        name: "schumann2019-table2",
        about: "Table 2 of Schumann et al. 2019: diversity by gender and region (a generated season)",
        presets: &[Part {
            preset: "schumann2019-season",
            quick: 40,
        }],
        needs: None,
        find: table2::table2,
    },
    Study {
        name: "schumann2019-table4",
        about: "Table 4 of Schumann et al. 2019: the classifier of admissions, which rests on private data",
        presets: &[],
        needs: None,
        find: table4::find,
    },
    Study {
        name: "schumann2019-table5",
        about: "Table 5 of Schumann et al. 2019: diversity by research area (a generated season)",
        presets: &[Part {
            preset: "schumann2019-season",
            quick: 40,
        }],
        needs: None,
        find: table2::table5,
    },
    Study {
        name: "schumann2019-example61",
        about: "Example 6.1 of Schumann et al. 2019: the best cohort by the sum of utilities and by w_div",
        presets: &[Part {
            preset: "schumann2019-example61",
            quick: 200,
        }],
        needs: None,
        find: example61::find,
    },
    Study {
        name: "schumann2019-sensitivity",
        about: "Section 7.3 of Schumann et al. 2019: what interviews cost and what is risked, by delta and epsilon",
        presets: &[Part {
            preset: "schumann2019-sensitivity",
            quick: 250,
        }],
        needs: None,
        find: sensitivity::find,
    },
];
