//! Schumann, Counts, Foster, Dickerson: The Diverse Cohort Selection Problem (AAMAS 2019): Figures 2, 3, 7
//! and 8, Example 6.1.

mod applicants;
mod example61;
mod fig2;
mod fig3a;
mod fig3b;
mod fig7;
mod fig8;
mod grid;
mod versus;

use super::claim::claim;
use super::{Part, Played, Study, StudyError};

/// The labels of the presets' lanes.
const SWAP: &str = "SWAP";
const STRONG: &str = "strong";
const WEAK: &str = "weak";

/// What the looks cost, in weak looks.
const COST: &str = "cost";

/// The studies of the paper.
pub(super) const STUDIES: &[Study] = &[
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
        name: "schumann2019-example61",
        about: "Example 6.1 of Schumann et al. 2019: the best cohort by the sum of utilities and by w_div",
        presets: &[Part {
            preset: "schumann2019-example61",
            quick: 200,
        }],
        needs: None,
        find: example61::find,
    },
];
