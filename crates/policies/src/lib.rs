//! The selection policies, one file per algorithm, by setting: [`cohort`], [`committee`],
//! [`meritocratic`] and [`pool`].
//!
//! A policy is a type with [`Policy::act`]: a plain state machine without a runtime, which can be
//! tested as a table. An [`Oracle`] is given the truth too, for comparison. Parameters are checked
//! when a policy is made; their faults are [`BadParameters`].
//!
//! The crate must never know configs, files or the runs in which policies play. The catalog of
//! `kleroterion-run` reads a policy's parameters from a config and makes it.

pub mod cohort;
pub mod committee;
pub mod limits;
pub mod meritocratic;
mod parameters;
pub mod pool;

pub use parameters::{BadParameter, BadParameters};

use kleroterion_core::protocol::{Move, View};
pub use kleroterion_core::protocol::{Oracle, Policy};

/// Returns an empty choice with its reason: there is no place.
pub fn no_place(view: &mut View<'_>) -> Move {
    view.reason(|| [("places", 0.0)]);
    Move::pass()
}

/// Returns the numbers on which a choice depended, for a trace: the lowest of those taken and the
/// highest of those passed over.
#[must_use]
pub fn margin(numbers: &[f64], taken: &[u32]) -> [(&'static str, f64); 2] {
    let mut passed = vec![true; numbers.len()];
    let mut lowest = f64::INFINITY;
    for &slot in taken {
        passed[slot as usize] = false;
        lowest = lowest.min(numbers[slot as usize]);
    }
    let passed = numbers.iter().zip(passed).filter(|(_, passed)| *passed);
    let highest = passed.fold(f64::NEG_INFINITY, |highest, (number, _)| {
        highest.max(*number)
    });
    [("lowest_taken", lowest), ("highest_passed", highest)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_the_lowest_taken_and_the_highest_passed_over() {
        let margin = |taken: &[u32]| margin(&[3.0, 1.0, 4.0, 1.5], taken);
        let (taken, passed) = ("lowest_taken", "highest_passed");
        assert_eq!(margin(&[0, 2]), [(taken, 3.0), (passed, 1.5)]);
        assert_eq!(margin(&[1]), [(taken, 1.0), (passed, 4.0)]);
        assert_eq!(margin(&[]), [(taken, f64::INFINITY), (passed, 4.0)]);
        let all = margin(&[0, 1, 2, 3]);
        assert_eq!(all, [(taken, 1.0), (passed, f64::NEG_INFINITY)]);
    }
}
