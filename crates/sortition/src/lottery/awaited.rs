//! A lottery that is computed where it is needed, and once.

use std::sync::{Arc, OnceLock};

use super::answer::LotteryAnswer;
use super::certificate::{LotteryRule, NODES, PanelLottery};
use super::columns::NoLottery;
use super::watch::LotteryWatch;
use crate::{PanelKinds, PanelQuestion};

/// A rule and its question, with the lottery once it is known. It takes up to minutes, so it is
/// computed on first use or made from a stored answer.
#[derive(Debug)]
pub struct AwaitedLottery {
    rule: LotteryRule,
    question: PanelQuestion,
    /// The answer, where it is proved, and the lottery.
    found: OnceLock<(Option<LotteryAnswer>, Arc<PanelLottery>)>,
}

impl AwaitedLottery {
    /// Makes a question whose lottery is not yet known.
    #[must_use]
    pub fn new(rule: LotteryRule, question: PanelQuestion) -> Self {
        Self {
            rule,
            question,
            found: OnceLock::new(),
        }
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> LotteryRule {
        self.rule
    }

    /// The conditions on a panel.
    #[must_use]
    pub fn question(&self) -> &PanelQuestion {
        &self.question
    }

    /// The kinds of the question's respondents. Together with the rule they determine the answer.
    #[must_use]
    pub fn kinds(&self) -> PanelKinds {
        PanelKinds::new(&self.question)
    }

    /// The lottery, if it is known.
    #[must_use]
    pub fn lottery(&self) -> Option<&Arc<PanelLottery>> {
        self.found.get().map(|(_, lottery)| lottery)
    }

    /// The answer by kinds, if it is known and proved.
    #[must_use]
    pub fn answer(&self) -> Option<&LotteryAnswer> {
        self.found.get().and_then(|(answer, _)| answer.as_ref())
    }

    /// Takes a stored answer if it holds: its panels keep the quotas, and no panel is heavier than
    /// its bounds. Returns true if it does.
    pub fn take(&self, answer: LotteryAnswer, watch: &LotteryWatch<'_>) -> bool {
        let kinds = self.kinds();
        let holds = answer.holds(self.rule, &kinds, watch);
        if holds {
            let lottery = Arc::new(answer.lottery(self.rule, &kinds));
            self.found.get_or_init(|| (Some(answer), lottery));
        }
        holds
    }

    /// Returns the lottery, computing it if necessary.
    ///
    /// # Errors
    /// The errors of [`LotteryRule::lottery`].
    pub fn work_out(&self) -> Result<&Arc<PanelLottery>, NoLottery> {
        self.work_out_unless(&LotteryWatch::patient())
    }

    /// Returns the lottery as [`AwaitedLottery::work_out`] does; the computation can be watched and
    /// stopped.
    ///
    /// # Errors
    /// The errors of [`LotteryRule::lottery`]. Also an error if it is stopped.
    pub fn work_out_unless(
        &self,
        watch: &LotteryWatch<'_>,
    ) -> Result<&Arc<PanelLottery>, NoLottery> {
        if let Some((_, lottery)) = self.found.get() {
            return Ok(lottery);
        }
        let kinds = self.kinds();
        let answer = LotteryAnswer::of(self.rule, &kinds, NODES, watch)?;
        let lottery = Arc::new(answer.lottery(self.rule, &kinds));
        let proved = answer.is_decided().then_some(answer);
        Ok(&self.found.get_or_init(|| (proved, lottery)).1)
    }
}
