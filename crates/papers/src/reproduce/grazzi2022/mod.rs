//! Grazzi, Akhavan, Falk, Cella, Pontil: Group Meritocratic Fairness in Linear Contextual Bandits
//! (NeurIPS 2022): Figures 1 and 2, Propositions 3.1 and 5.1, Theorem 1, Corollary E.1, Appendix F,
//! the gender experiment.

mod appf;
mod core1;
mod courses;
mod fig1;
mod fig2;
mod gender;
mod lanes;
mod prop31;
mod prop51;
mod ranks;
mod regrets;
mod thm1;

use super::study::Study;

/// The studies of the paper.
pub(super) const STUDIES: &[Study] = &[
    fig1::STUDY,
    prop31::STUDY,
    thm1::STUDY,
    core1::STUDY,
    appf::STUDY,
    fig2::STUDY,
    gender::STUDY,
];
