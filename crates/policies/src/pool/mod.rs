//! Policies for pools that answer to admissions (Puranik, Madhow, Pedarsani: Dynamic Positive
//! Reinforcement for Long-Term Fairness, 2022), and what theory says of them.
//!
//! Each round a slate of N applicants in groups, with scores; a share abar of them is admitted. Who
//! is admitted changes who applies next: theta, the share of the first group among those who would
//! apply, moves by eta (a - s). [`FairGreedyPool`] weighs scores against the distance of a from a
//! target; [`Institutions`] are several that do; [`ProportionalPool`], [`TargetShare`] and `lambda`
//! = 0 are its baselines; [`Optimal`] looks ahead. [`theory`] has the fixed points and rates.
//!
//! All policies here admit the best-scored of each group and differ in how many of each. Groups are
//! the values of one attribute. Places that are equally well given to two groups go to the later
//! one; of equal scores in a group the lower slot comes first.

pub mod allocation;
mod applicants;
mod fair_greedy;
mod head_count;
mod institutions;
pub mod optimal;
pub mod order_statistics;
pub mod prospect;
mod shares;
#[cfg(test)]
mod tests;
pub mod theory;
mod weighing;

pub use fair_greedy::FairGreedyPool;
pub use head_count::HeadCountLaw;
pub use institutions::{Coordination, Institutions};
pub use kleroterion_core::protocol::{ScoreLaw, density, density_at, upper_quantile};
pub use optimal::Optimal;
pub use prospect::{PoolSetting, Prospect};
pub use shares::{ProportionalPool, TargetShare};
pub use weighing::{AdmittedSeats, GreedyTerm, Infeasible, Weighing};

use kleroterion_core::protocol::{Chosen, Move, Selection};

/// Admits these slots, and declares the nominal shares where they are not those of the head-count.
fn declared(chosen: Vec<u32>, seats: &AdmittedSeats, places: u32) -> Move {
    let mut selection = Selection::of(Chosen::Many(chosen));
    selection.declared = seats.nominal().map(|k| {
        let share = f64::from(k) / f64::from(places);
        Box::from([share, 1.0 - share])
    });
    Move::Select(selection)
}
