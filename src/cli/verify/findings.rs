//! The checks of a lottery, and what they found.

use std::collections::BTreeMap;

use kleroterion::panel::{PanelBreach, PanelQuestion};
use kleroterion::protocol::{Schema, Side};

use super::file::{LotteryFile, Member};

/// A lottery that was examined.
pub(super) struct Examined {
    /// All that is wrong with it, a sentence each.
    pub(super) wrong: Vec<String>,
    /// The chance of each respondent.
    pub(super) chances: Vec<f64>,
    pub(super) least: f64,
    panels: usize,
}

impl Examined {
    pub(super) fn of(
        question: &PanelQuestion,
        lottery: &LotteryFile,
        schema: &Schema,
        tolerance: f64,
    ) -> Self {
        let mut wrong = Vec::new();
        let mut chances = vec![0.0; question.respondents.len()];
        let mut sum = 0.0;
        for (panel, number) in lottery.panels.iter().zip(1..) {
            let mut say =
                |what: String| wrong.push(format!("line {}, panel {number}: {what}", panel.line));
            let mut members = Vec::new();
            for member in &panel.members {
                match member {
                    Member::Known(one) => members.push(*one),
                    Member::Stranger(line, field) => {
                        say(format!(
                            "no respondent has the id of line {line}, field {field}"
                        ));
                    }
                }
            }
            match panel.probability {
                None => {
                    say("the probability is no number, or not the same in each of its rows".into())
                }
                Some(p) if p < 0.0 => say(format!("the probability {p} is below 0")),
                Some(p) => {
                    sum += p;
                    let mut once = members.clone();
                    once.sort_unstable();
                    once.dedup();
                    once.iter().for_each(|&one| chances[one as usize] += p);
                }
            }
            let strangers = panel.members.len() - members.len();
            for breach in question.breaches(&members) {
                if let Some(what) = broken(question, schema, &breach, strangers) {
                    say(what);
                }
            }
        }
        if (sum - 1.0_f64).abs() > tolerance {
            wrong.push(format!("the probabilities sum to {sum}, not to 1"));
        }
        Self {
            wrong,
            least: chances.iter().copied().fold(1.0, f64::min),
            chances,
            panels: lottery.panels.len(),
        }
    }

    /// Compares the chances with those that are claimed.
    pub(super) fn compare(
        &mut self,
        claimed: &BTreeMap<u32, f64>,
        names: &[Box<str>],
        tolerance: f64,
    ) {
        for (one, claim) in claimed {
            let chance = self.chances[*one as usize];
            if (chance - claim).abs() > tolerance {
                let name = &names[*one as usize];
                self.wrong
                    .push(format!("{name} has the chance {chance:.9}, not {claim}"));
            }
        }
        let missing = names.len() - claimed.len();
        if missing > 0 {
            self.wrong.push(format!(
                "the file of chances leaves out {missing} respondents"
            ));
        }
    }

    pub(super) fn text(&self, claim: Vec<String>) -> String {
        let mut lines: Vec<String> = self
            .wrong
            .iter()
            .map(|wrong| format!("wrong: {wrong}"))
            .collect();
        lines.push(format!(
            "{} panels, {} respondents, the least chance is {:.9}",
            self.panels,
            self.chances.len(),
            self.least
        ));
        lines.extend(claim);
        lines.push(match self.wrong.len() {
            0 => "nothing is wrong with this lottery".into(),
            1 => "the lottery is refuted, for 1 reason".into(),
            many => format!("the lottery is refuted, for {many} reasons"),
        });
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// The words of a breach; `strangers` are counted as members already.
fn broken(
    question: &PanelQuestion,
    schema: &Schema,
    breach: &PanelBreach,
    strangers: usize,
) -> Option<String> {
    let names = question.respondents.names();
    Some(match breach {
        PanelBreach::Size { members } => {
            let members = members + strangers;
            if members == question.members as usize {
                return None;
            }
            format!("it has {members} members, not {}", question.members)
        }
        PanelBreach::Stranger { .. } => return None,
        PanelBreach::Twice { respondent } => {
            format!("{} sits twice", names[*respondent as usize])
        }
        PanelBreach::Household { members } => {
            let [one, other] = members.map(|one| &names[one as usize]);
            format!("{one} and {other} live in one household")
        }
        PanelBreach::Quota {
            attribute,
            value,
            side,
            members,
        } => {
            let named = &schema.attributes()[*attribute];
            let quota = question.quotas[*attribute][*value];
            let (name, value) = (&named.name, &named.values[*value]);
            let (side, bound) = match side {
                Side::Min => ("at least", quota.min),
                Side::Max => ("at most", quota.max),
            };
            format!("{name} = {value}: {members} members, {side} {bound} are wanted")
        }
    })
}
