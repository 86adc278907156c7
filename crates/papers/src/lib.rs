//! The papers' figures, tables and theorems, played again and judged.
//!
//! - [`reproduce`]: studies. A [`Study`](reproduce::Study) plays configs that come with the
//!   program. It compares the paper's sentences with our numbers, and judges each by a stated rule.
//! - [`fit`]: parameters of a config from recorded data: the score laws of applicants, and the cost
//!   and gain of strong reviews against weak ones.
//!
//! This is the highest crate: only the command line and the facade use it. It never holds a result:
//! every number of ours is measured by a run, or computed from a law or a policy. No other crate
//! knows the papers' figures or their sentences.

pub mod fit;
pub mod reproduce;
