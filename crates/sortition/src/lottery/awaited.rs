//! A lottery that is computed where it is needed, and once.

use std::sync::{Arc, OnceLock};

use super::answer::LotteryAnswer;
use super::columns::NoLottery;
use super::found::PanelLottery;
use super::rule::{LotteryRule, NODES};
use super::watch::LotteryWatch;
use crate::{PanelKinds, PanelQuestion};

/// A rule and its question. Its lottery takes up to minutes, so it is computed on first use, or
/// made of an answer that was kept.
#[derive(Debug)]
pub struct AwaitedLottery {
    rule: LotteryRule,
    question: PanelQuestion,
    /// The answer, where it is proved, and the lottery.
    found: OnceLock<(Option<LotteryAnswer>, Arc<PanelLottery>)>,
}

impl AwaitedLottery {
    /// A question whose lottery is not known.
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

    /// The kinds of the question's respondents: with the rule they decide the answer.
    #[must_use]
    pub fn kinds(&self) -> PanelKinds {
        PanelKinds::new(&self.question)
    }

    /// The lottery, where it is known.
    #[must_use]
    pub fn lottery(&self) -> Option<&Arc<PanelLottery>> {
        self.found.get().map(|(_, lottery)| lottery)
    }

    /// The answer by kinds, where it is known and proved.
    #[must_use]
    pub fn answer(&self) -> Option<&LotteryAnswer> {
        self.found.get().and_then(|(answer, _)| answer.as_ref())
    }

    /// Takes an answer that was kept, if it holds: its panels keep the quotas, and no panel is
    /// heavier than its bounds. Says whether it does.
    pub fn take(&self, answer: LotteryAnswer, watch: &LotteryWatch<'_>) -> bool {
        let kinds = self.kinds();
        let holds = answer.holds(self.rule, &kinds, watch);
        if holds {
            let lottery = Arc::new(answer.lottery(self.rule, &kinds));
            self.found.get_or_init(|| (Some(answer), lottery));
        }
        holds
    }

    /// The lottery, computed where it was not known.
    ///
    /// # Errors
    /// As [`LotteryRule::lottery`].
    pub fn work_out(&self) -> Result<&Arc<PanelLottery>, NoLottery> {
        self.work_out_unless(&LotteryWatch::patient())
    }

    /// The same for one who may stop it.
    ///
    /// # Errors
    /// As [`LotteryRule::lottery`], and where it is stopped.
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
