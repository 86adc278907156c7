//! Schumann, Counts, Foster, Dickerson: The Diverse Cohort Selection Problem (AAMAS 2019): all
//! figures and tables, Example 6.1 and the sensitivity study of Section 7.3. Tables 1, 2 and 5 and
//! Figures 5, 6 and 9 are played on a generated season of admissions, since theirs is private;
//! Table 4 can't be played.

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
mod lanes;
mod mix;
mod season;
mod sensitivity;
mod steps;
mod table1;
mod table2;
mod table4;
mod thm42;
mod versus;

use super::study::Study;

/// The studies of the paper.
pub(super) const STUDIES: &[Study] = &[
    fig1::STUDY,
    fig2::STUDY,
    thm42::STUDY,
    fig3a::STUDY,
    fig3b::STUDY,
    fig4a::STUDY,
    fig4b::STUDY,
    fig5::STUDY,
    fig6::STUDY,
    fig7::STUDY,
    fig8::STUDY,
    fig9::STUDY,
    table1::STUDY,
    table2::TABLE_2,
    table4::STUDY,
    table2::TABLE_5,
    example61::STUDY,
    sensitivity::STUDY,
];
