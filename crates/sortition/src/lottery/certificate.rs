//! Certificates of lotteries: weights of the respondents under which no panel is too heavy.

/// The proof that no lottery is fairer. It can be checked with any solver.
///
/// Under a lottery the mean weight of a panel is `sum_i w(i) c(i)`, where `c(i)` is the chance of
/// respondent i. It is at most the weight of the heaviest panel.
#[derive(Clone, Debug, PartialEq)]
pub enum LotteryCertificate {
    /// The stages of maximin (one) or leximin (one for each level of chances).
    Stages(Vec<LotteryStage>),
    /// The certificate of Nash: the weights are `1 / c(i)`. Let n be the number of respondents who
    /// can be on a panel. If no panel is heavier than `n (1 + gap)`, no lottery has a geometric
    /// mean of chances larger by more than that factor.
    Nash {
        /// The weight of each respondent; 0 for those who can be on no panel.
        weights: Vec<f64>,
        /// The upper bound of the weight of any panel.
        bound: f64,
        /// `bound / n - 1`.
        gap: f64,
        /// True if the search used up its nodes, so that the bound is not tight.
        undecided: bool,
    },
}

/// A stage: proof that the least chance of those who still rise can't be larger.
#[derive(Clone, Debug, PartialEq)]
pub struct LotteryStage {
    /// The least chance of those who rise.
    pub level: f64,
    /// The weight of each respondent. Those who rise have 1 in all, so that their least chance is
    /// at most `bound` less the mean weight of those settled before.
    pub weights: Vec<f64>,
    /// The upper bound of the weight of any panel.
    pub bound: f64,
    /// The amount by which the least chance could be larger.
    pub gap: f64,
    /// The respondents of positive weight, who are settled at this level.
    pub settled: Vec<u32>,
    /// True if the search used up its nodes, so that the bound is not tight.
    pub undecided: bool,
}

impl LotteryCertificate {
    pub(super) fn nash(weights: Vec<f64>, bound: f64, undecided: bool) -> Self {
        let people = weights.iter().filter(|weight| **weight > 0.0).count() as f64;
        Self::Nash {
            gap: (bound / people - 1.0).max(0.0),
            weights,
            bound,
            undecided,
        }
    }

    /// Makes the certificate of stages, each given by its weights, its bound, the settled
    /// respondents and whether the bound is undecided.
    pub(super) fn stages(
        stages: impl Iterator<Item = (Vec<f64>, f64, Vec<u32>, bool)>,
        chances: &[f64],
        impossible: &[u32],
    ) -> Self {
        let mut rises = vec![true; chances.len()];
        impossible
            .iter()
            .for_each(|&one| rises[one as usize] = false);
        let stages = stages.map(|(weights, bound, settled, undecided)| {
            let risen = chances.iter().zip(&rises).filter(|(_, rises)| **rises);
            let level = risen.map(|(chance, _)| *chance).fold(1.0, f64::min);
            let before = weights.iter().zip(chances).zip(&rises);
            let before = before.filter(|(_, rises)| !**rises);
            let before: f64 = before.map(|((weight, chance), _)| weight * chance).sum();
            settled.iter().for_each(|&one| rises[one as usize] = false);
            LotteryStage {
                level,
                gap: (bound - before - level).max(0.0),
                weights,
                bound,
                settled,
                undecided,
            }
        });
        Self::Stages(stages.collect())
    }

    /// The largest gap: of the least chance, or for Nash the share by which a panel may be too
    /// heavy.
    #[must_use]
    pub fn gap(&self) -> f64 {
        match self {
            Self::Stages(stages) => stages.iter().map(|stage| stage.gap).fold(0.0, f64::max),
            Self::Nash { gap, .. } => *gap,
        }
    }

    /// Returns true if a search ended before it proved its bound, so that the gap may be wide.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        match self {
            Self::Stages(stages) => stages.iter().any(|stage| stage.undecided),
            Self::Nash { undecided, .. } => *undecided,
        }
    }
}

/// The number of branch-and-bound nodes allowed to a search for a heaviest panel.
pub const NODES: u64 = 200_000;

/// The quantity that a lottery maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LotteryRule {
    /// The least chance of a respondent.
    Maximin,
    /// The least chance, then the next least, and so on.
    Leximin,
    /// The product of the chances.
    Nash,
}

impl LotteryRule {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::Maximin, Self::Leximin, Self::Nash];

    /// The name in configs, options and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Maximin => "maximin",
            Self::Leximin => "leximin",
            Self::Nash => "nash",
        }
    }
}

/// A lottery over panels.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelLottery {
    /// The panels, each of respondents in increasing order.
    pub panels: Vec<LotteryPanel>,
    /// The chance of each respondent.
    pub chances: Vec<f64>,
    /// The respondents who can be on no panel.
    pub impossible: Vec<u32>,
    /// The proof that no lottery is fairer.
    pub certificate: LotteryCertificate,
}

/// A panel of a lottery.
#[derive(Clone, Debug, PartialEq)]
pub struct LotteryPanel {
    /// The probability of the panel.
    pub probability: f64,
    /// The members, in increasing order.
    pub members: Vec<u32>,
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
