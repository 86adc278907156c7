//! Do, Atif, Lang, Usunier: Online Selection of Diverse Committees (IJCAI 2021), Table 1, Examples
//! 1 and 2, Figures 1 and 2.

mod example1;
mod example2;
mod fig1;
mod fig2;
mod instance;
mod table1;
mod thm1;
pub(super) mod wait;

use super::study::Study;

/// The studies of the paper.
pub(super) const STUDIES: &[Study] = &[
    table1::STUDY,
    example1::STUDY,
    example2::STUDY,
    fig1::STUDY,
    fig2::STUDY,
    thm1::STUDY,
];
