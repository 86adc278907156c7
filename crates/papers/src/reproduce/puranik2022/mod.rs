//! Puranik, Madhow, Pedarsani: Dynamic Positive Reinforcement for Long-Term Fairness (2022):
//! Figures 1 to 4, Table 1; and two sentences of the authors' follow-up (2024).

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
mod institutions;
mod likeness;
mod limits;
mod measures;
mod people;
mod printed;
mod setting;
mod table1;
mod theorem;
mod unaware;
mod weights;

use super::study::Study;

/// The studies of the paper.
pub(super) const STUDIES: &[Study] = &[
    fig1a::STUDY,
    fig1b::STUDY,
    fig1c::STUDY,
    fig1d::STUDY,
    fig1e::STUDY,
    fig1f::STUDY,
    fig2::STUDY,
    fig3::STUDY,
    fig4::STUDY,
    table1::STUDY,
    institutions::STUDY,
];
