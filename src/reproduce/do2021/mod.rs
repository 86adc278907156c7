//! Do, Atif, Lang, Usunier: Online Selection of Diverse Committees (IJCAI 2021), Table 1, Examples 1 and 2, Figures 1 and 2.

mod example1;
mod example2;
mod fig1;
mod fig2;
mod table1;
pub(super) mod wait;

use super::claim::claim;
use super::{Claim, Estimate, Part, Played, Study, StudyError};
use crate::protocol::Law;
use crate::report::figure::Point;

/// What stands on every output that shows the instance of Section 6.
const CALIBRATED: &str = "The instance is calibrated (\"brexit-like\"), NOT the Citizens' Assembly on Brexit's own table, which is \
    not available: targets from the 2011 census (ethnicity), NRS 2016 (social class), the 2016 electorates (region) and the 2016 \
    result (vote), those of age and gender without a source; volunteering weights of our choice. So the paper's sentences are \
    judged on an instance like theirs, not on theirs.";

/// The studies of the paper.
pub(super) const STUDIES: &[Study] = &[
    Study {
        name: "do2021-table1",
        about: "Table 1 of Do et al. 2021, and the calibrated instance of its experiments",
        presets: &[
            Part {
                preset: "do2021-table1",
                quick: 20,
            },
            Part {
                preset: "committee-brexit-like",
                quick: 50,
            },
        ],
        needs: None,
        find: table1::find,
    },
    Study {
        name: "do2021-example1",
        about: "Example 1 of Do et al. 2021: greedy waits for the rare",
        presets: &[Part {
            preset: "do2021-example1",
            quick: 2000,
        }],
        needs: None,
        find: example1::find,
    },
    Study {
        name: "do2021-example2",
        about: "Example 2 of Do et al. 2021: the best stationary policy",
        presets: &[Part {
            preset: "do2021-example2",
            quick: 400,
        }],
        needs: None,
        find: example2::find,
    },
    Study {
        name: "do2021-fig1",
        about: "Figure 1 of Do et al. 2021: committees of 50 to 1000, p known",
        presets: &[Part {
            preset: "do2021-fig1",
            quick: 50,
        }],
        needs: None,
        find: fig1::find,
    },
    Study {
        name: "do2021-fig2",
        about: "Figure 2 of Do et al. 2021: committees to 2000, p unknown",
        presets: &[
            Part {
                preset: "do2021-fig2",
                quick: 20,
            },
            Part {
                preset: "do2021-fig2-five",
                quick: 10,
            },
            Part {
                preset: "do2021-fig2-greedy",
                quick: 20,
            },
            Part {
                preset: "do2021-fig2-five-greedy",
                quick: 20,
            },
        ],
        needs: None,
        find: fig2::find,
    },
];

/// The law of a run's candidates, a type at a time: its values by name, and its share. Types that never come are among them.
fn types(run: &Played) -> Result<Vec<(Vec<&str>, f64)>, StudyError> {
    let schema = &run.plan.world.schema;
    let Law::Cells(cells) = run.law()? else {
        return Err(run.lacks("a joint law"));
    };
    let all = (0..schema.cells()).map(|cell| {
        let values = schema.values(cell);
        let named = schema.attributes().iter().zip(values);
        let named = named.map(|(a, v)| a.values[usize::from(v)].as_str());
        let share = cells.iter().find(|(known, _)| *known == cell);
        (named.collect(), share.map_or(0.0, |(_, p)| *p))
    });
    Ok(all.collect())
}

/// The share of a type.
fn share_of(types: &[(Vec<&str>, f64)], wanted: &[&str; 2]) -> f64 {
    let found = types.iter().find(|(values, _)| values.iter().eq(wanted));
    found.map_or(0.0, |(_, p)| *p)
}

/// A mean at a committee's size or another place, with its span of two standard errors to either side.
fn point(x: f64, mean: Estimate) -> Point {
    let spread = 2.0 * mean.se.unwrap_or(0.0);
    Point::new(x, mean.mean).y_from(mean.mean - spread, mean.mean + spread)
}
