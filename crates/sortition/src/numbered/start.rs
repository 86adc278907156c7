//! A first list of panels: of each panel of the lottery its share of the panels rounded down, then
//! one after another the panel that brings the seats of all kinds nearest to what they are due.

use std::collections::BTreeMap;

use super::aims::KindAims;
use super::list::KindList;
use crate::PanelKinds;
use crate::lottery::PanelLottery;

/// Shares this near to a whole number are one.
const NEAR: f64 = 1e-9;

/// The first list of panels.
pub(super) fn start<'a>(
    kinds: &'a PanelKinds,
    lottery: &PanelLottery,
    aims: &KindAims,
) -> KindList<'a> {
    let panels = by_kind(kinds, lottery);
    let mut list = KindList::new(kinds);
    let mut left = aims.panels as u32;
    for (counts, probability) in &panels {
        let times = (probability * aims.panels as f64 + NEAR).floor() as u32;
        let times = times.min(left);
        if times > 0 {
            list.add(counts, times);
        }
        left -= times;
    }
    for _ in 0..left {
        let lacks: Vec<f64> = lacks(&list, aims);
        let cost = |counts: &Vec<u32>| -> f64 {
            let kinds = counts.iter().enumerate().filter(|(_, count)| **count > 0);
            let cost = kinds.map(|(kind, count)| {
                let count = f64::from(*count);
                count * (count - 2.0 * lacks[kind]) / aims.people[kind] as f64
            });
            cost.sum()
        };
        let costs = panels.keys().map(|counts| (cost(counts), counts));
        let next = costs.min_by(|(a, _), (b, _)| a.total_cmp(b));
        if let Some((_, counts)) = next {
            list.add(counts, 1);
        }
    }
    list
}

/// The seats that each kind lacks of what it is due.
fn lacks(list: &KindList<'_>, aims: &KindAims) -> Vec<f64> {
    let seats = list.seats().iter().enumerate();
    seats
        .map(|(kind, seats)| aims.seats(kind) - *seats as f64)
        .collect()
}

/// The panels of a lottery by how many of each kind they have, with their probabilities.
fn by_kind(kinds: &PanelKinds, lottery: &PanelLottery) -> BTreeMap<Vec<u32>, f64> {
    let mut kind_of = vec![0; kinds.respondents()];
    for (kind, of_kind) in kinds.kinds().iter().enumerate() {
        let people = of_kind.people.iter().flatten();
        people.for_each(|one| kind_of[*one as usize] = kind);
    }
    let mut panels = BTreeMap::new();
    for panel in &lottery.panels {
        let mut counts = vec![0; kinds.kinds().len()];
        let members = panel.members.iter();
        members.for_each(|one| counts[kind_of[*one as usize]] += 1);
        *panels.entry(counts).or_insert(0.0) += panel.probability;
    }
    panels
}
