//! Lotteries over panels: panels of named respondents with probabilities, as fair as can be, and
//! the certificate by which anybody can check that none is fairer.
//!
//! All three rules work by column generation over kinds of respondents: a master program weighs the
//! panels found so far, and [the heaviest panel](super::heaviest) under its weights is added until
//! there is none. The weights and the bound on the heaviest panel are the certificate.

mod certificate;
mod columns;
mod master;
mod named;
mod nash;
mod polish;
mod stages;
#[cfg(test)]
mod tests;
mod weighted;

use super::{PanelKinds, PanelQuestion};
pub use certificate::{LotteryCertificate, LotteryStage};
use columns::Columns;
pub use columns::NoLottery;
use weighted::KindLottery;

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
        let mut columns = Columns::covering(&kinds, nodes)?;
        Ok(match self {
            Self::Nash => {
                let (lottery, weighted, undecided) = nash::nash(&mut columns);
                let (panels, chances) = people(&kinds, &columns, &lottery);
                let weights = spread(&kinds, &columns, &weighted.weights);
                let certificate = LotteryCertificate::nash(weights, weighted.bound, undecided);
                finished(&kinds, &columns, panels, chances, certificate)
            }
            Self::Maximin | Self::Leximin => {
                let all = self == Self::Leximin;
                let (lottery, stages) = stages::raise_all(&mut columns, all);
                let (panels, chances) = people(&kinds, &columns, &lottery);
                let stages = stages.into_iter().map(|stage| {
                    let settled = stage.settled.iter().map(|&place| columns.open[place]);
                    let settled =
                        settled.flat_map(|kind| kinds.kinds()[kind].people.iter().flatten());
                    let mut settled: Vec<u32> = settled.copied().collect();
                    settled.sort_unstable();
                    let weights = spread(&kinds, &columns, &stage.weighted.weights);
                    (weights, stage.weighted.bound, settled, stage.undecided)
                });
                let impossible = impossible(&kinds, &columns);
                let certificate = LotteryCertificate::stages(stages, &chances, &impossible);
                finished(&kinds, &columns, panels, chances, certificate)
            }
        })
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

fn finished(
    kinds: &PanelKinds,
    columns: &Columns<'_>,
    panels: Vec<LotteryPanel>,
    chances: Vec<f64>,
    certificate: LotteryCertificate,
) -> PanelLottery {
    PanelLottery {
        panels,
        chances,
        impossible: impossible(kinds, columns),
        certificate,
    }
}

fn impossible(kinds: &PanelKinds, columns: &Columns<'_>) -> Vec<u32> {
    let kinds = kinds.kinds().iter().enumerate();
    let closed = kinds.filter(|(kind, _)| columns.open.binary_search(kind).is_err());
    let people = closed.flat_map(|(_, kind)| kind.people.iter().flatten().copied());
    let mut people: Vec<u32> = people.collect();
    people.sort_unstable();
    people
}

/// A number of each respondent from a number of each open kind; 0 of the others.
fn spread(kinds: &PanelKinds, columns: &Columns<'_>, of_open: &[f64]) -> Vec<f64> {
    let mut of_kinds = vec![0.0; kinds.kinds().len()];
    for (&kind, number) in columns.open.iter().zip(of_open) {
        of_kinds[kind] = *number;
    }
    kinds.spread(&of_kinds)
}

/// The panels of people of a lottery over panels by kind, and the chance of each respondent.
fn people(
    kinds: &PanelKinds,
    columns: &Columns<'_>,
    lottery: &KindLottery,
) -> (Vec<LotteryPanel>, Vec<f64>) {
    let whole: f64 = lottery.iter().map(|(_, probability)| probability).sum();
    let lottery = lottery.iter().map(|&(panel, probability)| {
        let counts = columns.panels[panel].as_slice();
        (counts, probability / whole)
    });
    let lottery: Vec<(&[u32], f64)> = lottery.collect();
    let panels = named::named(kinds, &lottery).into_iter();
    let panels = panels.map(|(members, probability)| LotteryPanel {
        probability,
        members,
    });
    let panels: Vec<LotteryPanel> = panels.collect();
    let mut chances = vec![0.0; kinds.respondents()];
    for panel in &panels {
        for &member in &panel.members {
            chances[member as usize] += panel.probability;
        }
    }
    (panels, chances)
}
