//! Policies in programs of their own.

mod answering;
mod check;
mod configs;
mod faults;
mod floods;
mod forfeits;
#[cfg(target_os = "linux")]
mod interrupts;
mod orphans;
mod page;
mod same;
mod silent;
mod worth;

use crate::support::programs::{exec, model, python};
use crate::support::worlds::SEATED;
