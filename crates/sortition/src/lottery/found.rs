//! A lottery over panels of people.

use super::certificate::LotteryCertificate;

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
    pub fn least(&self) -> f64 {
        let possible = (0..).zip(&self.chances);
        let possible = possible.filter(|(one, _)| self.impossible.binary_search(one).is_err());
        possible.map(|(_, chance)| *chance).fold(1.0, f64::min)
    }
}
