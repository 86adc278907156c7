//! A choice: whether the rules allow it, and what the ledger keeps of it.

use super::{Foul, Offer, Referee, Scene};
use crate::protocol::{Chosen, Ledger, Places, Quota, Selection, Slate};

impl Referee {
    /// Writes a choice into the ledger, if the rules allow it.
    #[inline(always)]
    pub(in crate::arena) fn choose(
        &mut self,
        selection: Selection,
        slate: Slate<'_>,
        offer: Offer,
        scene: Scene<'_>,
        ledger: &mut Ledger,
    ) -> Result<(), Foul> {
        let Selection {
            chosen,
            p,
            declared,
        } = selection;
        let chosen = match chosen {
            Chosen::None => {
                count(0, offer.places)?;
                0
            }
            Chosen::One(slot) => {
                count(1, offer.places)?;
                note_chosen(slot, slate, ledger)?;
                1
            }
            Chosen::Many(slots) => {
                let chosen = slots.len() as u64;
                count(chosen, offer.places)?;
                note_many(slots, scene, ledger)?;
                chosen
            }
        };
        if !self.rules.enforced.is_empty() {
            keeps(&self.rules.enforced, scene, ledger)?;
        }
        if let Some(p) = p {
            if !(p > 0.0 && p <= 1.0) {
                return Err(format!("gave its choice the probability {p}"));
            }
            ledger.note_p(p);
        }
        if let Some(shares) = declared {
            declare(shares, ledger)?;
        }
        self.accepted += chosen;
        Ok(())
    }
}

#[inline(always)]
fn count(chosen: u64, places: Places) -> Result<(), Foul> {
    if chosen < u64::from(places.min) || chosen > u64::from(places.max) {
        return Err(miscount(chosen, places));
    }
    Ok(())
}

#[inline(always)]
fn note_chosen(slot: u32, slate: Slate<'_>, ledger: &mut Ledger) -> Result<(), Foul> {
    if slot >= slate.len() {
        return Err(outside(slot, slate.len()));
    }
    ledger.note_chosen(slate.row(slot));
    Ok(())
}

#[inline(never)]
fn note_many(mut slots: Vec<u32>, scene: Scene<'_>, ledger: &mut Ledger) -> Result<(), Foul> {
    let slate = scene.slate();
    if let Some(&slot) = slots.iter().find(|&&slot| slot >= slate.len()) {
        return Err(outside(slot, slate.len()));
    }
    slots.sort_unstable();
    if slots.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("chose a candidate twice".into());
    }
    for slot in slots {
        ledger.note_chosen(slate.row(slot));
    }
    Ok(())
}

/// Checks that the choice keeps the quotas. If a value has fewer people on the slate than its
/// minimum, all of them must be chosen.
#[inline(never)]
fn keeps(quotas: &[Vec<Quota>], scene: Scene<'_>, ledger: &Ledger) -> Result<(), Foul> {
    let persons = scene.batch.persons();
    let of = |row: u32, at: usize| usize::from(persons.shown(row).values()[at]);
    for (at, row) in quotas.iter().enumerate() {
        for (value, quota) in row.iter().enumerate() {
            let chosen = ledger.choosing().iter();
            let chosen = chosen.filter(|&&row| of(row, at) == value).count() as u32;
            let slate = scene.slate();
            let there = || (0..slate.len()).filter(|&slot| of(slate.row(slot), at) == value);
            let short = chosen < quota.min && chosen < there().count() as u32;
            if short || chosen > quota.max {
                let attribute = &persons.schema().attributes()[at];
                let (name, value) = (&attribute.name, &attribute.values[value]);
                return Err(off(name, value, chosen, *quota));
            }
        }
    }
    Ok(())
}

#[cold]
fn off(attribute: &str, value: &str, chosen: u32, quota: Quota) -> Foul {
    let (way, end) = match chosen < quota.min {
        true => ("at least", quota.min),
        false => ("at most", quota.max),
    };
    format!("chose {chosen} of {attribute} = {value} where the quota asks for {way} {end}")
}

#[inline(never)]
fn declare(shares: Box<[f64]>, ledger: &mut Ledger) -> Result<(), Foul> {
    if shares
        .iter()
        .any(|share| !share.is_finite() || *share < 0.0)
    {
        return Err("declared a share that is no number >= 0".into());
    }
    ledger.note_declared(shares);
    Ok(())
}

#[cold]
fn outside(slot: u32, slate: u32) -> Foul {
    format!("chose slot {slot} of a slate of {slate}")
}

#[cold]
fn miscount(chose: u64, places: Places) -> Foul {
    let Places { min, max } = places;
    if min == max {
        format!("chose {chose} where exactly {min} are to be chosen")
    } else {
        format!("chose {chose} where {min} to {max} may be chosen")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::arena::by_hand::{batch, draw};
    use crate::protocol::{Choose, Rules, Until};

    #[test]
    fn shares_are_numbers_and_never_below_0() {
        let declared = |shares: [f64; 2]| declare(shares.into(), &mut Ledger::new(false));
        assert_eq!(declared([0.0, 1.0]), Ok(()));
        for shares in [[-0.1, 1.0], [f64::NAN, 1.0], [0.0, f64::INFINITY]] {
            let said = declared(shares);
            assert_eq!(said, Err("declared a share that is no number >= 0".into()));
        }
    }

    #[test]
    fn a_count_may_be_either_end_and_nothing_beyond() {
        let places = Places { min: 2, max: 3 };
        assert_eq!((count(2, places), count(3, places)), (Ok(()), Ok(())));
        let beyond = |chosen| format!("chose {chosen} where 2 to 3 may be chosen");
        assert_eq!(count(1, places), Err(beyond(1)));
        assert_eq!(count(4, places), Err(beyond(4)));
        let one = Places { min: 1, max: 1 };
        let said = "chose 0 where exactly 1 are to be chosen";
        assert_eq!(count(0, one), Err(said.into()));
    }

    /// Six people live in districts a, b and c in turn, two in each.
    fn choose(quotas: [(u32, u32); 3], slots: &[u32]) -> Result<(), Foul> {
        let quota = |(min, max)| Quota { min, max };
        let rules = Rules {
            enforced: vec![quotas.map(quota).to_vec()],
            ..Rules::new(Choose::Any, Until::SourceEnds)
        };
        let batch = batch(&[6]);
        let scene = Scene {
            batch: &batch,
            at: 0,
            who: None,
        };
        let mut referee = Referee::new(Arc::new(rules), draw(), "me", false);
        let offer = referee.offer(6);
        let chosen = Selection::of(Chosen::Many(slots.to_vec()));
        referee.choose(chosen, scene.slate(), offer, scene, &mut Ledger::new(false))
    }

    #[test]
    fn a_choice_keeps_the_fewest_and_the_most_of_each_value() {
        let quotas = [(1, 2), (0, 1), (0, 0)];
        for slots in [&[0][..], &[3], &[0, 3], &[0, 1], &[4, 3, 0]] {
            assert_eq!(choose(quotas, slots), Ok(()));
        }
        let off = |count, value, end: &str| {
            let asks = "where the quota asks for";
            Err(format!("chose {count} of district = {value} {asks} {end}"))
        };
        assert_eq!(choose(quotas, &[]), off(0, "a", "at least 1"));
        assert_eq!(choose(quotas, &[1]), off(0, "a", "at least 1"));
        assert_eq!(choose(quotas, &[0, 1, 4]), off(2, "b", "at most 1"));
        assert_eq!(choose(quotas, &[0, 2]), off(1, "c", "at most 0"));
    }

    /// Only two of c are there.
    #[test]
    fn of_a_value_with_too_few_people_all_are_to_be_chosen() {
        let quotas = [(0, 9), (0, 9), (3, 5)];
        assert_eq!(choose(quotas, &[2, 5]), Ok(()));
        assert_eq!(choose(quotas, &[5, 0, 2, 1]), Ok(()));
        let said = "chose 1 of district = c where the quota asks for at least 3";
        assert_eq!(choose(quotas, &[0, 5]), Err(said.into()));
    }
}
