//! The extension module of the Python package `kleroterion`.
//!
//! It is private: users import the typed facade in `kleroterion/`, which documents each function.
//! Everything here goes through the public API of the crate `kleroterion`.
//!
//! | to change | go to |
//! |---|---|
//! | the arguments of a run | `request.rs`, `kleroterion/_request.py` |
//! | the checks of arguments | `kleroterion/_arguments.py` |
//! | a mapping as a config | `tree.rs` |
//! | the thread of a run, signals, progress | `play.rs` |
//! | live runs, servers | `live.rs`, `records.rs`, `fates.rs`, `wait.rs`, `kleroterion/_live.py` |
//! | a policy of the program: its kind, its lane, its errors | `host.rs`, `kleroterion/_policies.py` |
//! | what a policy sees | `view.rs` |
//! | what a policy may answer | `moves.rs` |
//! | verdicts on numbers of the program | `compare.rs`, `kleroterion/_compare.py` |
//! | lotteries, clashes of quotas | `lottery.rs`, `kleroterion/_people.py` |
//! | draws, numbered panels, their checks | `draw.rs`, `kleroterion/_draw.py`, `_drawn.py` |
//! | letters | `draw.rs`, `kleroterion/_letters.py` |
//! | first configs | `init.rs`, `kleroterion/_init.py` |
//! | environments of Gymnasium | `gym.rs`, `kleroterion/_gym.py` |
//! | tables, opened folders | `table.rs`, `kleroterion/_table.py` |
//! | exceptions | `errors.rs`, `kleroterion/_errors.py` |

mod compare;
mod draw;
mod errors;
mod fates;
mod gym;
mod host;
mod init;
mod live;
mod lottery;
mod moves;
mod play;
mod records;
mod request;
mod table;
mod tree;
mod view;
mod wait;

use pyo3::prelude::*;

#[pymodule]
mod _klero {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::compare::{Compared, Comparing, compare};
    #[pymodule_export]
    use super::draw::{commit, draw, letters, numbered, verify};
    #[pymodule_export]
    use super::gym::Stepped;
    #[pymodule_export]
    use super::init::first_config;
    #[pymodule_export]
    use super::live::Live;
    #[pymodule_export]
    use super::lottery::{Lottery, feasible, lottery};
    #[pymodule_export]
    use super::moves::{Interview, Select, Stall};
    #[pymodule_export]
    use super::play::{Played, check, play, resolve};
    #[pymodule_export]
    use super::table::{Columns, page_of, story_of, tables_of};
    #[pymodule_export]
    use super::view::{Answer, Candidate, File, Outcome, View};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
