//! Schumann, Counts, Foster, Dickerson: The Diverse Cohort Selection Problem (AAMAS 2019): Figures 1 to 4, 7 and 8, Example 6.1,
//! the sensitivity study of Section 7.3, and Table 4, which can't be played.

mod applicants;
mod example61;
mod fig1;
mod fig2;
mod fig3a;
mod fig3b;
mod fig4;
mod fig4a;
mod fig4b;
mod fig7;
mod fig8;
mod grid;
mod instances;
mod mix;
mod sensitivity;
mod steps;
mod table4;
mod versus;

use super::claim::{Told, above, claim};
use super::numbers::Estimate;
use super::{Part, Played, Study, StudyError};

/// The labels of the presets' lanes.
const SWAP: &str = "SWAP";
const STRONG: &str = "strong";
const WEAK: &str = "weak";

/// What the looks cost, in weak looks.
const COST: &str = "cost";

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
        name: "schumann2019-sensitivity",
        about: "Section 7.3 of Schumann et al. 2019: what interviews cost and what is risked, by delta and epsilon",
        presets: &[Part {
            preset: "schumann2019-sensitivity",
            quick: 250,
        }],
        needs: None,
        find: sensitivity::find,
    },
    Study {
        name: "schumann2019-table4",
        about: "Table 4 of Schumann et al. 2019: the classifier of admissions, which rests on private data",
        presets: &[],
        needs: None,
        find: table4::find,
    },
];
