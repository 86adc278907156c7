//! A committee that keeps all quotas, person by person.

use std::collections::BTreeMap;

use super::bounds;
use super::program::SeatingProgram;
use super::supply::Supply;
use kleroterion_core::protocol::Quota;

/// The result of a search for a committee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// The members, as positions among the people, in increasing order.
    Found(Vec<usize>),
    /// No committee keeps all quotas.
    Nowhere,
    /// The program was not solved within the nodes allowed.
    Undecided,
}

/// Searches for a committee of `members` of these people that keeps all `quotas`, within `nodes` of
/// branch and bound. Quotas have a row per attribute; an empty row sets none. At most one person of
/// each household is taken.
///
/// `people`: the values of each, one an attribute; of people of the same kind the first are taken.
#[must_use]
pub fn committee(
    quotas: &[Vec<Quota>],
    members: u32,
    people: &[&[u16]],
    households: Option<&[u32]>,
    nodes: u64,
) -> Sought {
    let supply = Supply::people(people.iter().copied(), households);
    if supply.most().is_some_and(|most| most < u64::from(members)) {
        return Sought::Nowhere;
    }
    let bounds = bounds(quotas, members, &supply);
    let program = SeatingProgram::new(&supply, members, nodes);
    match program.committee(&bounds) {
        Some(Some(counts)) => {
            people_of(&supply, people, households, counts).map_or(Sought::Undecided, Sought::Found)
        }
        Some(None) => Sought::Nowhere,
        None => Sought::Undecided,
    }
}

/// The first people of each kind, as many as are `wanted` of it, each of another household.
fn people_of(
    supply: &Supply,
    people: &[&[u16]],
    households: Option<&[u32]>,
    mut wanted: Vec<u64>,
) -> Option<Vec<usize>> {
    let mut homes: BTreeMap<usize, BTreeMap<&[u16], usize>> = BTreeMap::new();
    for (at, values) in people.iter().enumerate() {
        let home = households.map_or(at, |households| households[at] as usize);
        homes.entry(home).or_default().entry(values).or_insert(at);
    }
    let mut groups = BTreeMap::new();
    for group in &supply.groups {
        let kinds = supply.kinds[group.kinds.clone()].iter();
        let values = kinds.map(|kind| kind.iter().map(|(_, value)| *value).collect::<Vec<u16>>());
        groups.insert(values.collect::<Vec<_>>(), group.kinds.start);
    }
    let mut chosen = Vec::new();
    for home in homes.values() {
        let kinds: Vec<Vec<u16>> = home.keys().map(|values| values.to_vec()).collect();
        let first = *groups.get(&kinds)?;
        let open = (0..kinds.len()).find(|kind| wanted[first + kind] > 0);
        if let Some(kind) = open {
            wanted[first + kind] -= 1;
            chosen.extend(home.values().nth(kind));
        }
    }
    chosen.sort_unstable();
    wanted.iter().all(|left| *left == 0).then_some(chosen)
}
