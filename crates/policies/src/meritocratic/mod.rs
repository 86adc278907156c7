//! Group-meritocratic bandits (Grazzi, Akhavan, Falk, Cella, Pontil: Group Meritocratic Fairness in
//! Linear Contextual Bandits, NeurIPS 2022).
//!
//! Each round K candidates with context vectors, one is chosen, its noisy linear reward may be
//! learned. Fair is to choose the highest relative rank: the CDF of the reward within the
//! candidate's own group (Definition 3.1).
//!
//! A candidate's context are its features, its group is one attribute ([`Contexts`]). What all
//! policies here share: ties are broken uniformly at random by the round's own draw, as Lemma 4.1
//! needs; a candidate who can't be ranked (a number in the context is not finite) is chosen only
//! where no one can, and no policy remembers it.

mod choice;
mod contexts;
mod fair_greedy;
mod fair_greedy_all;
mod latest;
mod oful;
mod oracles;
mod ranks;
mod ridge;
mod ridge_greedy;
#[cfg(test)]
mod tests;

pub use super::parameters::{BadParameter, BadParameters};
pub use choice::UniformChoice;
pub use contexts::Contexts;
pub use fair_greedy::{FairGreedy, FairGreedyParameters};
pub use fair_greedy_all::FairGreedyAll;
pub use oful::{Bonus, Oful};
pub use oracles::{BestReward, GmfOracle, OracleCdf, OracleMu};
pub use ranks::{Ranks, dot};
pub use ridge::Ridge;
pub use ridge_greedy::RidgeGreedy;
