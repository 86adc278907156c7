//! Lotteries over panels: panels of named respondents with probabilities, as fair as can be, and
//! the certificate by which anybody can check that none is fairer.
//!
//! All three rules work over kinds of respondents, by column generation: a master program weighs
//! the panels found so far, and [the heaviest panel](super::heaviest) under its weights is added
//! until there is none. The weights and the bound on the heaviest panel are the certificate.
//!
//! Leximin over many kinds goes another way first: `levels` computes the chances that quotas and
//! households leave, whole panels or not, and `mixture` looks for panels that give them.

mod answer;
mod awaited;
mod certificate;
mod columns;
mod levels;
mod master;
mod mixture;
mod named;
mod nash;
mod polish;
mod projection;
mod proof;
mod stages;
#[cfg(test)]
mod tests;
mod vertex;
mod watch;

use super::{PanelKinds, PanelQuestion};
pub use answer::LotteryAnswer;
pub use awaited::AwaitedLottery;
pub use certificate::{
    LotteryCertificate, LotteryPanel, LotteryRule, LotteryStage, NODES, PanelLottery,
};
pub use columns::{NoLottery, impossible};
pub use watch::{LotteryProgress, LotteryWatch};

impl LotteryRule {
    /// Computes the lottery over the panels of a question, with `nodes` allowed to each search (see
    /// [`NODES`]).
    ///
    /// # Errors
    /// Returns an error if there is no panel, or if it was not decided in the nodes allowed who can
    /// be on one.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use kleroterion_sortition::PanelQuestion;
    /// use kleroterion_sortition::lottery::{LotteryRule, NODES};
    /// use kleroterion_core::protocol::{Quota, Respondents};
    ///
    /// // One of three women and one of two men.
    /// let names = ["a", "b", "c", "d", "e"].map(Box::from).into();
    /// let respondents = Respondents::new(1, vec![0, 0, 0, 1, 1], None, names);
    /// let one = Quota { min: 1, max: 1 };
    /// let question = PanelQuestion {
    ///     respondents: Arc::new(respondents),
    ///     quotas: vec![vec![one, one]],
    ///     members: 2,
    /// };
    /// let lottery = LotteryRule::Leximin.lottery(&question, NODES)?;
    /// assert!((lottery.chances[0] - 1.0 / 3.0).abs() < 1e-9);
    /// assert!((lottery.chances[4] - 1.0 / 2.0).abs() < 1e-9);
    /// # Ok::<(), kleroterion_sortition::lottery::NoLottery>(())
    /// ```
    pub fn lottery(self, question: &PanelQuestion, nodes: u64) -> Result<PanelLottery, NoLottery> {
        let kinds = PanelKinds::new(question);
        let answer = LotteryAnswer::of(self, &kinds, nodes, &LotteryWatch::patient())?;
        Ok(answer.lottery(self, &kinds))
    }
}
