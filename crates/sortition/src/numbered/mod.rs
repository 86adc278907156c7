//! Numbered panels: a list of `m` panels, one of which is drawn with equal chances, so that the
//! chances of the respondents are as near to a lottery's as whole numbers of panels allow.
//!
//! Flanigan, Kehne and Procaccia, "Fair Sortition Made Transparent" (NeurIPS 2021), round a lottery
//! to panels with equal chances by an integer program or by dependent rounding of its panels. We
//! round by kinds of respondents: the list fixes how many seats each kind has in all, and the
//! people of a kind then share these seats evenly, whatever the panels are (see `people`). So a
//! kind of ten has ten times the room of a respondent who is alone of a kind. From the rounded
//! lottery, members of one kind are exchanged for those of another on single panels, also through
//! several panels, until all differences are small (see `repair`). A bound by counting says how
//! small they could be (see `bound`).

mod aims;
mod bound;
mod colouring;
mod list;
mod people;
mod repair;
mod replace;
mod start;
#[cfg(test)]
mod tests;

use super::lottery::PanelLottery;
use super::{PanelKinds, PanelQuestion};
use crate::limits::MOST_PANELS;
pub use aims::BILLION;
use aims::KindAims;
pub use bound::ChanceHindrance;
use bound::Counting;
use kleroterion_core::draw::{Key, Purpose};

/// A list of panels, one of which is drawn with equal chances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedPanels {
    /// The panels in the order of their numbers, each of respondents in increasing order.
    pub panels: Vec<Vec<u32>>,
    /// The chance of each respondent under the lottery, in billionths.
    pub aims: Vec<u64>,
    /// The lower bound of the largest difference for any list of this many panels, in billionths of
    /// a panel.
    pub least: u64,
    /// The reason why the largest difference is no smaller than `least`.
    pub hindrance: ChanceHindrance,
}

impl NumberedPanels {
    /// Computes a list of `panels` panels, from 1 to [`MOST_PANELS`], as close to a lottery over
    /// the question's panels as the search finds. The seed decides which people of a kind sit
    /// together, and the numbers of the panels.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use kleroterion_sortition::PanelQuestion;
    /// use kleroterion_sortition::lottery::{LotteryRule, NODES};
    /// use kleroterion_sortition::numbered::{BILLION, NumberedPanels};
    /// use kleroterion_core::protocol::Respondents;
    ///
    /// // One of three.
    /// let names = ["a", "b", "c"].map(Box::from).into();
    /// let question = PanelQuestion {
    ///     respondents: Arc::new(Respondents::new(0, vec![], None, names)),
    ///     quotas: vec![],
    ///     members: 1,
    /// };
    /// let lottery = LotteryRule::Leximin.lottery(&question, NODES)?;
    /// let numbered = NumberedPanels::of(&question, &lottery, 1_000, 7);
    /// let mut counts = numbered.counts();
    /// counts.sort();
    /// assert_eq!(counts, [333, 333, 334]);
    /// // 334 panels are two thirds of a panel more than a third of them, but for rounding.
    /// assert_eq!(numbered.largest(), 334 * BILLION - 1_000 * 333_333_333);
    /// assert_eq!(numbered.least, numbered.largest());
    /// # Ok::<(), kleroterion_sortition::lottery::NoLottery>(())
    /// ```
    #[must_use]
    pub fn of(question: &PanelQuestion, lottery: &PanelLottery, panels: u32, seed: u64) -> Self {
        let kinds = PanelKinds::new(question);
        let aims = KindAims::of(&kinds, lottery, panels.clamp(1, MOST_PANELS));
        let list = start::start(&kinds, lottery, &aims);
        let list = replace::replaced(list, &kinds, &aims);
        let steps = aims.steps(aims.largest(list.seats()));
        let (least, hindrance) = Counting::of(&aims, &kinds, &lottery.certificate).least(&steps);
        let key = Key::new(seed, 0);
        let list = repair::nearest(list, &kinds, &aims, &steps, least, key);
        let each = list.panels().iter();
        let each = each.flat_map(|one| std::iter::repeat_n(&*one.counts, one.times as usize));
        let counts: Vec<&[u32]> = each.collect();
        let mut panels = people::named(&kinds, &counts, key);
        people::shuffle(&mut panels, &mut key.draw(Purpose::Numbered, 0, 0));
        let mut of_people = vec![0; kinds.respondents()];
        for (kind, chance) in kinds.kinds().iter().zip(&aims.chances) {
            let people = kind.people.iter().flatten();
            people.for_each(|one| of_people[*one as usize] = *chance);
        }
        Self {
            panels,
            aims: of_people,
            least,
            hindrance,
        }
    }

    /// The number of panels that each respondent is on.
    #[must_use]
    pub fn counts(&self) -> Vec<u32> {
        counts(&self.panels, self.aims.len())
    }

    /// The largest difference between a respondent's chance and the lottery's, in billionths of a
    /// panel.
    #[must_use]
    pub fn largest(&self) -> u64 {
        largest(&self.counts(), &self.aims, self.panels.len() as u64)
    }

    /// Converts a difference in billionths of a panel to a difference of chances.
    #[must_use]
    pub fn as_chance(&self, difference: u64) -> f64 {
        difference as f64 / (BILLION * self.panels.len().max(1) as u64) as f64
    }
}

/// Returns the number of these panels that each of `respondents` respondents is on.
#[must_use]
pub fn counts(panels: &[Vec<u32>], respondents: usize) -> Vec<u32> {
    let mut counts = vec![0; respondents];
    for member in panels.iter().flatten() {
        if let Some(count) = counts.get_mut(*member as usize) {
            *count += 1;
        }
    }
    counts
}

/// Returns the largest difference, in billionths of a panel, between shares of panels and chances.
/// `counts` is each respondent's number of the `panels` panels, and `aims` their chances in
/// billionths under a lottery.
#[must_use]
pub fn largest(counts: &[u32], aims: &[u64], panels: u64) -> u64 {
    let pairs = counts.iter().zip(aims);
    let differences =
        pairs.map(|(count, aim)| (u64::from(*count) * BILLION).abs_diff(panels * aim));
    differences.max().unwrap_or(0)
}
