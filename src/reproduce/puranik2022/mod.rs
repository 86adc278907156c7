//! Puranik, Madhow, Pedarsani: Dynamic Positive Reinforcement for Long-Term Fairness (2022): Figures 1 to 4, Table 1.

mod courses;
mod fig1a;
mod fig1b;
mod fig1c;
mod fig1d;
mod fig1e;
mod fig1f;
mod fig2;
mod fig3;
mod fig4;
mod likeness;
mod limits;
mod people;
mod printed;
mod setting;
mod table1;
mod theorem;
mod unaware;
mod weights;

use super::claim::{Told, claim, inside};
use super::{Claim, Estimate, Number, Part, Played, Runs, Study, StudyError};

/// The measures: theta, s and a of group u.
const POOL: &str = "pool_share.u";
const APPLICANTS: &str = "applicant_share.u";
const ADMITTED: &str = "admitted_share.u";

/// After how many rounds theta is taken for where it comes to rest.
const LAST: u64 = 500;

/// After how many rounds the paper's Figures 1(a), 1(c) and 1(f) end.
const SHORT: u64 = 300;

/// A share is at a target where it is so near; the paper does not say how near.
const NEAR: f64 = 0.01;

/// Where theta after so many rounds is read: the applicants of the next round come of it.
const fn after(rounds: u64) -> u64 {
    rounds + 1
}

/// A weight of fairness, as the paper writes it.
fn lambda(lambda: f64) -> String {
    format!("λ = {lambda}")
}

/// Whether a share is surely at a target.
fn near(share: Estimate, target: f64) -> Told {
    inside(share, target - NEAR, target + NEAR)
}

/// The mean of a measure over the moments after so many rounds, of each replication.
fn level(run: &Played, label: &str, metric: &str, from: u64) -> Result<Estimate, StudyError> {
    let mut moments = run.moments(label, metric)?;
    moments.retain(|at| *at > from);
    let columns: Result<Vec<_>, StudyError> = moments
        .iter()
        .map(|at| run.values(label, metric, Some(*at)))
        .collect();
    let columns = columns?;
    let replications = columns.first().map_or(0, Vec::len);
    let mean = |at: usize| {
        let sum: f64 = columns.iter().map(|column| column[at]).sum();
        sum / columns.len() as f64
    };
    let means: Vec<f64> = (0..replications).map(mean).collect();
    Estimate::of(&means).ok_or_else(|| run.lacks(&format!("{metric} after {from} rounds")))
}

const fn part(preset: &'static str) -> Part {
    Part { preset, quick: 40 }
}

/// The studies of the paper.
pub(super) const STUDIES: &[Study] = &[
    Study {
        name: "puranik2022-fig1a",
        about: "Figure 1(a) of Puranik et al. 2022: identical scores, a pool that starts at .1 and at .9",
        presets: &[
            part(fig1a::PRESET),
            Part {
                preset: theorem::PRESET,
                quick: 5,
            },
        ],
        needs: None,
        find: fig1a::find,
    },
    Study {
        name: "puranik2022-fig1b",
        about: "Figure 1(b) of Puranik et al. 2022: identical scores, how fast the target is reached by the weight of fairness",
        presets: &[part(fig1b::PRESET)],
        needs: None,
        find: fig1b::find,
    },
    Study {
        name: "puranik2022-fig1c",
        about: "Figure 1(c) of Puranik et al. 2022: few places, a group of larger variance, from .1 and from .9",
        presets: &[part(fig1c::PRESET)],
        needs: None,
        find: fig1c::find,
    },
    Study {
        name: "puranik2022-fig1d",
        about: "Figure 1(d) of Puranik et al. 2022: few places, a group of larger variance, by the weight of fairness",
        presets: &[part(fig1d::PRESET)],
        needs: None,
        find: fig1d::find,
    },
    Study {
        name: "puranik2022-fig1e",
        about: "Figure 1(e) of Puranik et al. 2022: scores of the law school by group, and the Gaussians fitted to them",
        presets: &[],
        needs: Some(people::LAW.file),
        find: fig1e::find,
    },
    Study {
        name: "puranik2022-fig1f",
        about: "Figure 1(f) of Puranik et al. 2022: law school, by the weight of fairness",
        presets: &[part(fig1f::PRESET)],
        needs: None,
        find: fig1f::find,
    },
    Study {
        name: "puranik2022-fig2",
        about: "Figure 2 of Puranik et al. 2022: looking ahead by s, as printed, and by theta, beside Fair-Greedy",
        presets: &[Part {
            preset: fig2::PRESET,
            quick: 100,
        }],
        needs: None,
        find: fig2::find,
    },
    Study {
        name: "puranik2022-fig3",
        about: "Figure 3 of Puranik et al. 2022: scores of German credit by group, and the Gaussians fitted to them",
        presets: &[],
        needs: Some(people::GERMAN.file),
        find: fig3::find,
    },
    Study {
        name: "puranik2022-fig4",
        about: "Figure 4 of Puranik et al. 2022: German credit, by the weight of fairness",
        presets: &[part(fig4::PRESET)],
        needs: None,
        find: fig4::find,
    },
    Study {
        name: "puranik2022-table1",
        about: "Table 1 of Puranik et al. 2022: scores with and without the sensitive attribute, and the pool of either",
        presets: &[
            part(fig1f::PRESET),
            part(table1::LAW),
            part(fig4::PRESET),
            part(table1::GERMAN),
        ],
        needs: None,
        find: table1::find,
    },
];
