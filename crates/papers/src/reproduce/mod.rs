//! Studies of the papers' figures, tables and examples. A study plays the configs that come with
//! the program, compares the paper's sentences with our numbers and judges each by a rule.
//!
//! The code holds no number of ours: a run measures it (with its standard error), or it is computed
//! from a law or a policy. A verdict is the strongest that the numbers establish at [`SURE`]
//! standard errors; where they establish nothing it is
//! *undecided*, never *reproduced*.

mod chance;
mod claim;
mod do2021;
mod drawing;
mod error;
mod estimate;
mod filenames;
mod findings;
mod grazzi2022;
mod ground;
mod growth;
mod holds;
mod number;
mod output;
mod pages;
mod papers;
mod played;
mod prelude;
mod puranik2022;
mod redraw;
mod schumann2019;
mod share;
mod study;

pub use claim::StudyClaim;
pub use do2021::wait::{Wait, wait};
pub use error::StudyError;
pub use estimate::StudyEstimate;
pub use filenames::{file_of, page_of};
pub use findings::StudyFindings;
pub use ground::ClaimGround;
pub use holds::SURE;
pub use number::{Number, NumberSource};
pub use output::{csv, json, text};
pub use pages::pages;
pub use papers::{studies, study};
pub use played::{StudyRun, StudyRuns};
pub use share::StudyShare;
pub use study::{Study, StudyOptions, StudyProgress, StudyResult};
