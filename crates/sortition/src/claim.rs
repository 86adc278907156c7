//! Checks of the claim that a lottery is the fairest, and the respondents who could do better if it
//! is not.

use super::lottery::{LotteryCertificate, LotteryRule, PanelLottery};

/// A claim that a lottery is the fairest by some rule, checked against the fairest one.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedClaim {
    /// The rule.
    pub rule: LotteryRule,
    /// The verdict on the claim.
    pub verdict: ClaimVerdict,
    /// The quantity that the rule maximises, for the claimed lottery: the least chance of those who
    /// can be on a panel. For Nash it is the geometric mean of their chances.
    pub has: f64,
    /// The same quantity for the fairest lottery.
    pub best: f64,
    /// The proof that no lottery has more than `best`, except by the certificate's gap.
    pub certificate: LotteryCertificate,
}

/// The verdict on a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum ClaimVerdict {
    /// The lottery is as fair as any, within the tolerance.
    Holds,
    /// These respondents could do better, those with the least chance first.
    Refuted(Vec<CouldDoBetter>),
    /// The search for a fairer lottery ended before it could decide.
    Undecided,
}

/// A respondent whose chance is smaller than it could be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CouldDoBetter {
    /// The respondent, as an index.
    pub respondent: u32,
    /// The chance under the claimed lottery.
    pub chance: f64,
    /// The least chance that a fairer lottery gives.
    pub could: f64,
}

/// Judges the claim that the lottery with these chances, one per respondent, is the fairest by a
/// rule. Chances may fall short by `within`, because files have rounded probabilities.
#[must_use]
pub fn judge_against(
    rule: LotteryRule,
    fairest: &PanelLottery,
    chances: &[f64],
    within: f64,
) -> JudgedClaim {
    let has = objective(rule, chances, fairest);
    let best = objective(rule, &fairest.chances, fairest);
    let verdict = match rule {
        LotteryRule::Nash => nash(chances, fairest, [has, best], within),
        LotteryRule::Maximin | LotteryRule::Leximin => staged(chances, fairest, within),
    };
    JudgedClaim {
        rule,
        verdict,
        has,
        best,
        certificate: fairest.certificate.clone(),
    }
}

/// The respondents who can be on a panel.
fn possible(fairest: &PanelLottery) -> impl Iterator<Item = u32> {
    let all = 0..fairest.chances.len() as u32;
    all.filter(|one| fairest.impossible.binary_search(one).is_err())
}

/// The quantity that a rule maximises, for some chances.
fn objective(rule: LotteryRule, chances: &[f64], fairest: &PanelLottery) -> f64 {
    let of = || possible(fairest).map(|one| chances[one as usize]);
    match rule {
        LotteryRule::Maximin | LotteryRule::Leximin => of().fold(1.0, f64::min),
        LotteryRule::Nash => {
            let n = of().count().max(1) as f64;
            libm::exp(of().map(libm::log).sum::<f64>() / n)
        }
    }
}

/// Stage by stage: those who still rise have at least the stage's level.
fn staged(chances: &[f64], fairest: &PanelLottery, within: f64) -> ClaimVerdict {
    let LotteryCertificate::Stages(stages) = &fairest.certificate else {
        return ClaimVerdict::Undecided;
    };
    let mut rising: Vec<u32> = possible(fairest).collect();
    let mut is_open = false;
    for stage in stages {
        let short = |one: &u32| chances[*one as usize] + within < stage.level;
        let below: Vec<u32> = rising.iter().copied().filter(short).collect();
        if !below.is_empty() {
            return refuted(below, chances, |_| stage.level);
        }
        let least = rising.iter().map(|one| chances[*one as usize]);
        // A gap leaves room for a fairer lottery than the one that was found.
        is_open |= least.fold(1.0, f64::min) + within < stage.level + stage.gap;
        rising.retain(|one| stage.settled.binary_search(one).is_err());
    }
    match is_open {
        true => ClaimVerdict::Undecided,
        false => ClaimVerdict::Holds,
    }
}

/// Compares the lottery with the fairest by the geometric means of the chances.
fn nash(
    chances: &[f64],
    fairest: &PanelLottery,
    [has, best]: [f64; 2],
    within: f64,
) -> ClaimVerdict {
    let gap = fairest.certificate.gap();
    if has + within >= best * (1.0 + gap) {
        return ClaimVerdict::Holds;
    }
    if has + within >= best {
        return ClaimVerdict::Undecided;
    }
    let could = |one: u32| fairest.chances[one as usize];
    let short = |one: &u32| chances[*one as usize] + within < could(*one);
    refuted(possible(fairest).filter(short).collect(), chances, could)
}

fn refuted(below: Vec<u32>, chances: &[f64], could: impl Fn(u32) -> f64) -> ClaimVerdict {
    let better = below.into_iter().map(|respondent| CouldDoBetter {
        respondent,
        chance: chances[respondent as usize],
        could: could(respondent),
    });
    let mut better: Vec<CouldDoBetter> = better.collect();
    better.sort_by(|a, b| {
        a.chance
            .total_cmp(&b.chance)
            .then(a.respondent.cmp(&b.respondent))
    });
    ClaimVerdict::Refuted(better)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::PanelQuestion;
    use crate::lottery::NODES;
    use kleroterion_core::protocol::{Quota, Respondents};

    /// Makes a question: one of three women and one of two men.
    fn question() -> PanelQuestion {
        let names = ["a", "b", "c", "d", "e"].map(Box::from).into();
        let one = Quota { min: 1, max: 1 };
        PanelQuestion {
            respondents: Arc::new(Respondents::new(1, vec![0, 0, 0, 1, 1], None, names)),
            quotas: vec![vec![one, one]],
            members: 2,
        }
    }

    const THIRD: f64 = 1.0 / 3.0;
    const FAIR: [f64; 5] = [THIRD, THIRD, THIRD, 0.5, 0.5];

    fn judged(rule: LotteryRule, chances: [f64; 5]) -> ClaimVerdict {
        let fairest = rule.lottery(&question(), NODES);
        let fairest = fairest.expect("there is a lottery");
        judge_against(rule, &fairest, &chances, 1e-6).verdict
    }

    #[test]
    fn the_fairest_holds_by_every_rule() {
        for rule in LotteryRule::ALL {
            assert_eq!(judged(rule, FAIR), ClaimVerdict::Holds, "{rule:?}");
        }
    }

    #[test]
    fn who_has_less_than_need_be_is_named() {
        let skewed = [0.2, 0.4, 0.4, 0.5, 0.5];
        for rule in LotteryRule::ALL {
            let ClaimVerdict::Refuted(better) = judged(rule, skewed) else {
                panic!("{rule:?}");
            };
            assert_eq!(better.len(), 1);
            assert_eq!((better[0].respondent, better[0].chance), (0, 0.2));
            assert!((better[0].could - THIRD).abs() < 1e-9);
        }
    }

    #[test]
    fn only_the_least_counts_for_maximin() {
        // The men's chances are uneven, yet above the least.
        let uneven = [THIRD, THIRD, THIRD, 0.4, 0.6];
        assert_eq!(judged(LotteryRule::Maximin, uneven), ClaimVerdict::Holds);
        for rule in [LotteryRule::Leximin, LotteryRule::Nash] {
            let ClaimVerdict::Refuted(better) = judged(rule, uneven) else {
                panic!("{rule:?}");
            };
            assert_eq!(
                better.iter().map(|one| one.respondent).collect::<Vec<_>>(),
                [3]
            );
        }
    }

    #[test]
    fn a_chance_of_none_is_never_nash() {
        let ClaimVerdict::Refuted(better) = judged(LotteryRule::Nash, [0.0, 0.5, 0.5, 0.5, 0.5])
        else {
            panic!();
        };
        assert_eq!((better[0].respondent, better[0].chance), (0, 0.0));
    }
}
