//! A lottery whose members are named, held against its config and its claims.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::findings::LotteryFindings;
use kleroterion_core::protocol::{Schema, Side};
use kleroterion_io::people::organisers::{ClaimedChance, ListedPanel};
use kleroterion_sortition::claim::{ClaimVerdict, JudgedClaim, judge_against};
use kleroterion_sortition::lottery::{LotteryCertificate, LotteryRule, NoLottery, PanelLottery};
use kleroterion_sortition::{PanelBreach, PanelQuestion};

/// A lottery whose members are named, and the question that it answers.
pub(crate) struct NamedLottery<'a> {
    question: &'a PanelQuestion,
    schema: &'a Schema,
    panels: &'a [ListedPanel],
    /// The numbers of the respondents, by name.
    numbers: BTreeMap<&'a str, u32>,
}

/// The fairest lottery by a rule, or why there is none.
pub(crate) type Fairest = Result<Arc<PanelLottery>, NoLottery>;

/// The claims about a lottery.
pub(crate) struct Claimed<'a> {
    pub(crate) chances: Option<&'a [ClaimedChance]>,
    /// The rule by which it is claimed to be the fairest, and the fairest lottery by that rule.
    pub(crate) rule: Option<(LotteryRule, Fairest)>,
    /// The tolerance of probabilities and chances.
    pub(crate) within: f64,
}

impl<'a> NamedLottery<'a> {
    pub(crate) fn new(
        question: &'a PanelQuestion,
        schema: &'a Schema,
        panels: &'a [ListedPanel],
    ) -> Self {
        let names = question.respondents.names().iter();
        Self {
            question,
            schema,
            panels,
            numbers: names.map(|name| &**name).zip(0..).collect(),
        }
    }

    /// Makes all checks.
    pub(crate) fn held_against(&self, claimed: &Claimed<'_>) -> LotteryFindings {
        let mut findings = LotteryFindings::new();
        self.check_panels(&mut findings);
        self.check_probabilities(claimed.within, &mut findings);
        let chances = self.chances();
        if let Some(claimed_chances) = claimed.chances {
            let refuted = self.refuted_chances(claimed_chances, &chances, claimed.within);
            let what = format!("{} chances as claimed", claimed_chances.len());
            findings.add(what, refuted);
        }
        if let Some((rule, fairest)) = &claimed.rule {
            match fairest {
                Ok(fairest) => {
                    let judged = judge_against(*rule, fairest, &chances, claimed.within);
                    self.check_claim(&judged, &mut findings);
                }
                Err(none) => {
                    let what = format!("{}: the fairest lottery", rule.name());
                    findings.add(what, vec![none.to_string()]);
                }
            }
        }
        let names = self.question.respondents.names().iter();
        let chances = names.zip(&chances);
        let chances = chances.map(|(name, chance)| (name.to_string(), json!(chance)));
        findings.member("chances", chances.collect::<serde_json::Map<_, _>>());
        findings
    }

    /// The respondents of a panel, and the number of its names that belong to no respondent.
    fn members(&self, panel: &ListedPanel) -> (Vec<u32>, usize) {
        let known = panel.members.iter();
        let known: Vec<u32> = known
            .filter_map(|name| self.numbers.get(name.as_str()).copied())
            .collect();
        let strangers = panel.members.len() - known.len();
        (known, strangers)
    }

    fn check_panels(&self, findings: &mut LotteryFindings) {
        let refuted = self.panels.iter().filter_map(|panel| {
            let (members, strangers) = self.members(panel);
            let mut whys: Vec<String> = Vec::new();
            if strangers > 0 {
                whys.push(format!("{strangers} of its members are no respondents"));
            }
            let mut breaches = self.question.breaches(&members);
            if members.len() + strangers == self.question.members as usize {
                breaches.retain(|breach| !matches!(breach, PanelBreach::Size { .. }));
            }
            whys.extend(breaches.iter().map(|breach| self.why(breach, panel)));
            let line = panel.line;
            (!whys.is_empty()).then(|| format!("the panel of line {line}: {}", whys.join("; ")))
        });
        let what = format!(
            "{} panels of {} respondents, each of {} members, with quotas and households",
            self.panels.len(),
            self.question.respondents.len(),
            self.question.members
        );
        findings.add(what, refuted.collect());
    }

    /// The rule that a panel breaks, in words that name its people by their places in it.
    fn why(&self, breach: &PanelBreach, panel: &ListedPanel) -> String {
        let place = |one: &u32| {
            let name = &*self.question.respondents.names()[*one as usize];
            let mut members = panel.members.iter();
            members
                .position(|member| member == name)
                .map_or(0, |at| at + 1)
        };
        match breach {
            PanelBreach::Size { .. } => format!(
                "it has {} members, and {} are wanted",
                panel.members.len(),
                self.question.members
            ),
            PanelBreach::Stranger { .. } => "a member is no respondent".to_owned(),
            PanelBreach::Twice { respondent } => {
                format!("its member {} sits twice", place(respondent))
            }
            PanelBreach::Household { members } => {
                let [one, other] = members.each_ref().map(place);
                format!("its members {one} and {other} live in one household")
            }
            PanelBreach::Quota {
                attribute,
                value,
                side,
                members,
            } => {
                let quota = self.question.quotas[*attribute][*value];
                let attribute = &self.schema.attributes()[*attribute];
                let (side, bound) = match side {
                    Side::Min => ("at least", quota.min),
                    Side::Max => ("at most", quota.max),
                };
                let (name, value) = (&attribute.name, &attribute.values[*value]);
                format!("{name} = {value}: {members} members, {side} {bound} are wanted")
            }
        }
    }

    fn check_probabilities(&self, within: f64, findings: &mut LotteryFindings) {
        let is_wrong = |panel: &&ListedPanel| !(0.0..=1.0 + within).contains(&panel.probability);
        let wrong = self.panels.iter().filter(is_wrong);
        let mut refuted: Vec<String> = wrong
            .map(|panel| {
                let (line, probability) = (panel.line, panel.probability);
                format!("the panel of line {line}: {probability} is no probability")
            })
            .collect();
        let sum: f64 = self.panels.iter().map(|panel| panel.probability).sum();
        // Each panel's probability may be rounded.
        let off = (sum - 1.0).abs();
        if off > within * (self.panels.len().max(1) as f64) {
            refuted.push(format!("the probabilities sum to {sum}"));
        }
        findings.add("probabilities from 0 that sum to 1", refuted);
        findings.member("sum", sum);
    }

    /// The chance of each respondent.
    fn chances(&self) -> Vec<f64> {
        let mut chances = vec![0.0; self.question.respondents.len()];
        for panel in self.panels {
            let (mut members, _) = self.members(panel);
            members.sort_unstable();
            members.dedup();
            for member in members {
                chances[member as usize] += panel.probability;
            }
        }
        chances
    }

    fn refuted_chances(
        &self,
        claimed: &[ClaimedChance],
        chances: &[f64],
        within: f64,
    ) -> Vec<String> {
        let mut seen: BTreeMap<u32, u64> = BTreeMap::new();
        let mut refuted = Vec::new();
        for (line, name, claimed) in claimed {
            let Some(&one) = self.numbers.get(name.as_str()) else {
                refuted.push(format!("line {line} names no respondent"));
                continue;
            };
            if let Some(first) = seen.insert(one, *line) {
                refuted.push(format!(
                    "line {line} names the respondent of line {first} again"
                ));
            }
            let chance = chances[one as usize];
            if (claimed - chance).abs() > within {
                refuted.push(format!(
                    "line {line} claims {claimed}, the lottery gives {chance}"
                ));
            }
        }
        let missing = chances.len() - seen.len();
        if missing > 0 {
            refuted.push(format!("{missing} respondents have no claimed chance"));
        }
        refuted
    }

    fn check_claim(&self, judged: &JudgedClaim, findings: &mut LotteryFindings) {
        let rule = judged.rule;
        let measure = match rule {
            LotteryRule::Maximin | LotteryRule::Leximin => "the least chance",
            LotteryRule::Nash => "the geometric mean of the chances",
        };
        let gap = judged.certificate.gap();
        let what = format!(
            "{}: {measure} is {:.6}, of the fairest lottery {:.6}; no lottery has more, within \
             {gap:.1e}, by the certificate's weights",
            rule.name(),
            judged.has,
            judged.best
        );
        findings.add(what, self.refuted_claim(judged));
        findings.member("claim", self.claim_object(judged));
    }

    fn name(&self, respondent: u32) -> &str {
        &self.question.respondents.names()[respondent as usize]
    }

    fn refuted_claim(&self, judged: &JudgedClaim) -> Vec<String> {
        match &judged.verdict {
            ClaimVerdict::Holds => Vec::new(),
            ClaimVerdict::Undecided => {
                vec!["not decided: the search for a fairer lottery used up its nodes".to_owned()]
            }
            ClaimVerdict::Refuted(better) => {
                let line = |one: &kleroterion_sortition::claim::CouldDoBetter| {
                    format!(
                        "{} has a chance of {:.6} and could have {:.6}, {:.6} more",
                        self.name(one.respondent),
                        one.chance,
                        one.could,
                        one.could - one.chance
                    )
                };
                better.iter().map(line).collect()
            }
        }
    }

    fn claim_object(&self, judged: &JudgedClaim) -> Value {
        let (verdict, better) = match &judged.verdict {
            ClaimVerdict::Holds => ("holds", &[][..]),
            ClaimVerdict::Undecided => ("undecided", &[][..]),
            ClaimVerdict::Refuted(better) => ("refuted", &better[..]),
        };
        let better = better.iter().map(|one| {
            let name = self.name(one.respondent);
            json!({"id": name, "chance": one.chance, "could": one.could})
        });
        json!({
            "rule": judged.rule.name(),
            "verdict": verdict,
            "has": judged.has,
            "best": judged.best,
            "could_do_better": better.collect::<Vec<_>>(),
            "certificate": self.certificate(&judged.certificate),
        })
    }

    /// The certificate, with weights by name.
    fn certificate(&self, certificate: &LotteryCertificate) -> Value {
        let weights = |weights: &[f64]| -> Value {
            let named = (0..).zip(weights).filter(|(_, weight)| **weight != 0.0);
            let named = named.map(|(one, weight)| (self.name(one).to_owned(), json!(weight)));
            Value::Object(named.collect())
        };
        match certificate {
            LotteryCertificate::Stages(stages) => stages
                .iter()
                .map(|stage| {
                    let settled = stage.settled.iter().map(|one| self.name(*one));
                    json!({
                        "level": stage.level,
                        "bound": stage.bound,
                        "gap": stage.gap,
                        "settled": settled.collect::<Vec<_>>(),
                        "weights": weights(&stage.weights),
                    })
                })
                .collect(),
            LotteryCertificate::Nash {
                weights: of,
                bound,
                gap,
                ..
            } => json!({"bound": bound, "gap": gap, "weights": weights(of)}),
        }
    }
}
