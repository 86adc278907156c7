//! The extension module of the Python package `kleroterion`.
//!
//! It is private: users import the typed facade in `kleroterion/`, which documents each function.
//! Everything here goes through the public API of the crate `kleroterion`.

mod errors;
mod host;
mod lottery;
mod moves;
mod play;
mod request;
mod table;
mod tree;
mod view;

use pyo3::prelude::*;

#[pymodule]
mod _klero {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::lottery::{Lottery, explain, lottery};
    #[pymodule_export]
    use super::moves::{Interview, Select, Stall};
    #[pymodule_export]
    use super::play::{Played, check, play, resolve};
    #[pymodule_export]
    use super::table::{Columns, page_of, tables_of};
    #[pymodule_export]
    use super::view::{Answer, Candidate, File, Outcome, View};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
