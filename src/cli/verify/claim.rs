//! A claim that no lottery is fairer: the best lottery is computed and compared.

use kleroterion::panel::PanelQuestion;
use kleroterion::panel::lottery::{LotteryRule, NODES, PanelLottery};
use kleroterion::problem::Problem;
use serde_json::{Value, json};

use super::findings::Examined;
use crate::cli::failure::{Failure, wrong};

/// A claim and what became of it.
pub(super) struct Claimed {
    rule: LotteryRule,
    best: PanelLottery,
    /// Why it is refuted, in a sentence.
    pub(super) refutation: Option<String>,
}

impl Claimed {
    pub(super) fn of(
        rule: LotteryRule,
        question: &PanelQuestion,
        examined: &Examined,
        tolerance: f64,
    ) -> Result<Self, Failure> {
        let best = rule.lottery(question, NODES).map_err(|why| {
            let help = "widen the quotas, or leave out --claim";
            wrong(Problem::of_request(why.to_string()).help(help))
        })?;
        let refutation = match rule {
            LotteryRule::Maximin => maximin(&best, &examined.chances, tolerance),
            LotteryRule::Leximin => leximin(question, &best, &examined.chances, tolerance),
            LotteryRule::Nash => nash(&best, &examined.chances, tolerance),
        };
        Ok(Self {
            rule,
            best,
            refutation,
        })
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let proof = match self.best.certificate.is_undecided() {
            true => "not proved: a search ended at its limit of nodes",
            false => "proved by weights under which no panel is heavier",
        };
        let mut lines = vec![format!(
            "the best by {}: least chance {:.9}, gap at most {:.1e}, {proof}",
            self.rule.name(),
            self.best.least(),
            self.best.certificate.gap()
        )];
        if !self.best.impossible.is_empty() {
            let none = self.best.impossible.len();
            lines.push(format!(
                "{none} respondents can be on no panel and are left out of the claim"
            ));
        }
        lines
    }

    pub(super) fn object(&self) -> Value {
        json!({
            "of": self.rule.name(),
            "holds": self.refutation.is_none(),
            "best_least": self.best.least(),
            "gap": self.best.certificate.gap(),
            "proved": !self.best.certificate.is_undecided(),
            "impossible": self.best.impossible.len(),
        })
    }
}

/// The chances of those who can be on a panel, with those that the best lottery gives them.
fn pairs<'a>(
    best: &'a PanelLottery,
    chances: &'a [f64],
) -> impl Iterator<Item = (u32, f64, f64)> + 'a {
    let pairs = (0..).zip(chances.iter().zip(&best.chances));
    let possible = pairs.filter(|(one, _)| best.impossible.binary_search(one).is_err());
    possible.map(|(one, (chance, best))| (one, *chance, *best))
}

fn maximin(best: &PanelLottery, chances: &[f64], tolerance: f64) -> Option<String> {
    let least = pairs(best, chances)
        .map(|(_, chance, _)| chance)
        .fold(1.0, f64::min);
    let better = best.least() - least;
    (better > tolerance).then(|| {
        format!("not maximin: the least chance is {least:.9}, and could be {better:.3e} larger")
    })
}

fn leximin(
    question: &PanelQuestion,
    best: &PanelLottery,
    chances: &[f64],
    tolerance: f64,
) -> Option<String> {
    // The chances of leximin are unique. Of those who could do better the least chance counts.
    let worse = pairs(best, chances).filter(|(_, chance, best)| best - chance > tolerance);
    let (one, chance, best) = worse.min_by(|a, b| a.2.total_cmp(&b.2).then(a.1.total_cmp(&b.1)))?;
    let name = &question.respondents.names()[one as usize];
    Some(format!(
        "not leximin: {name} has the chance {chance:.9}, and could have {best:.9} without a smaller chance for anyone \
         who has no more than that"
    ))
}

fn nash(best: &PanelLottery, chances: &[f64], tolerance: f64) -> Option<String> {
    let pairs: Vec<(u32, f64, f64)> = pairs(best, chances).collect();
    let none = pairs.iter().filter(|(_, chance, _)| *chance <= 0.0).count();
    if none > 0 {
        return Some(format!(
            "not nash: {none} respondents who can be on a panel have no chance, so the product is 0"
        ));
    }
    let logs = pairs
        .iter()
        .map(|(_, chance, best)| libm::log(best / chance));
    let better = libm::expm1(logs.sum::<f64>() / pairs.len() as f64);
    (better > tolerance).then(|| {
        format!("not nash: the geometric mean of the chances could be larger by the factor 1 + {better:.3e}")
    })
}
