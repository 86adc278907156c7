//! Lotteries over panels: panels of named respondents with probabilities, as fair as can be, and
//! the certificate by which anybody can check that none is fairer.
//!
//! All three rules work over kinds of respondents, by column generation: a master program weighs the
//! panels found so far, and [the heaviest panel](super::heaviest) under its weights is added until
//! there is none. The weights and the bound on the heaviest panel are the certificate.
//!
//! Leximin over many kinds goes another way first: [levels] computes the chances that quotas and
//! households leave, whole panels or not, and [mixture] looks for panels that give them.

mod answer;
mod awaited;
mod certificate;
mod columns;
mod levels;
mod master;
mod mixture;
mod named;
mod nash;
mod people;
mod polish;
mod projection;
mod stages;
#[cfg(test)]
mod tests;
mod vertex;
mod watch;
mod weighted;

use super::{PanelKinds, PanelQuestion};
pub use answer::LotteryAnswer;
pub use awaited::AwaitedLottery;
pub use certificate::{LotteryCertificate, LotteryStage};
pub use columns::NoLottery;
pub use watch::{LotteryProgress, LotteryWatch};

/// The nodes of branch and bound allowed to a search for a heaviest panel.
pub const NODES: u64 = 200_000;

/// What a lottery makes as large as can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LotteryRule {
    /// The least chance of a respondent.
    Maximin,
    /// The least chance, then the next least, and so on.
    Leximin,
    /// The product of the chances.
    Nash,
}

/// A lottery over panels.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelLottery {
    /// The panels, each of respondents in increasing order.
    pub panels: Vec<LotteryPanel>,
    /// The chance of each respondent.
    pub chances: Vec<f64>,
    /// Those who can be on no panel.
    pub impossible: Vec<u32>,
    /// Why no lottery is fairer.
    pub certificate: LotteryCertificate,
}

/// A panel of a lottery.
#[derive(Clone, Debug, PartialEq)]
pub struct LotteryPanel {
    /// Its probability.
    pub probability: f64,
    /// Its members, in increasing order.
    pub members: Vec<u32>,
}

impl LotteryRule {
    /// The rules.
    pub const ALL: [Self; 3] = [Self::Maximin, Self::Leximin, Self::Nash];

    /// Its name in configs, options and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Maximin => "maximin",
            Self::Leximin => "leximin",
            Self::Nash => "nash",
        }
    }

    /// The lottery over the panels of a question, with `nodes` allowed to each search (see
    /// [`NODES`]).
    ///
    /// # Errors
    /// Where there is no panel, or where it was not decided in the nodes allowed who can be on one.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use kleroterion::panel::PanelQuestion;
    /// use kleroterion::panel::lottery::{LotteryRule, NODES};
    /// use kleroterion::protocol::{Quota, Respondents};
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
    /// # Ok::<(), kleroterion::panel::lottery::NoLottery>(())
    /// ```
    pub fn lottery(self, question: &PanelQuestion, nodes: u64) -> Result<PanelLottery, NoLottery> {
        let kinds = PanelKinds::new(question);
        let answer = LotteryAnswer::of(self, &kinds, nodes, &LotteryWatch::patient())?;
        Ok(answer.lottery(self, &kinds))
    }
}

impl PanelLottery {
    /// The least chance of those who can be on a panel.
    #[must_use]
    pub fn least(&self) -> f64 {
        let possible = (0..).zip(&self.chances);
        let possible = possible.filter(|(one, _)| self.impossible.binary_search(one).is_err());
        possible.map(|(_, chance)| *chance).fold(1.0, f64::min)
    }
}
