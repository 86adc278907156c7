//! The assignment of people to numbered panels. The people of a kind share its seats as evenly as
//! whole numbers allow, and each household has at most one member on a panel.
//!
//! Households that are alike take the seats of their kind in turn. Where they have people of
//! several kinds, a seat is an edge from its panel to its kind, and a household is a colour: the
//! edges are coloured so that no colour meets a panel twice, and each meets a kind as often as any
//! other, but for one (de Werra 1971). For this a kind is cut into pieces of one seat a household.

use super::colouring::coloured;
use crate::{AlikeHomes, PanelKinds};
use kleroterion_core::draw::{Draw, Key, Purpose};

/// A seat of a panel, for someone of a kind.
struct Seat {
    panel: usize,
    kind: usize,
}

/// The panels with people for kinds, each in increasing order of respondents.
pub(super) fn named(kinds: &PanelKinds, panels: &[&[u32]], key: Key) -> Vec<Vec<u32>> {
    let mut named: Vec<Vec<u32>> = vec![Vec::new(); panels.len()];
    for (who, homes) in (1..).zip(kinds.homes()) {
        let mut draw = key.draw(Purpose::Numbered, who, 0);
        let mut order: Vec<usize> = (0..panels.len()).collect();
        shuffle(&mut order, &mut draw);
        let seats = order.into_iter().flat_map(|panel| {
            let kinds = homes.kinds.clone();
            kinds.flat_map(move |kind| {
                let times = panels[panel][kind] as usize;
                std::iter::repeat_n((), times).map(move |()| Seat { panel, kind })
            })
        });
        let seats: Vec<Seat> = seats.collect();
        let places = match homes.kinds.len() {
            1 => (0..seats.len())
                .map(|at| at % homes.count as usize)
                .collect(),
            _ => by_colour(homes, panels.len(), &seats),
        };
        seat(kinds, homes, &seats, &places, &mut draw, &mut named);
    }
    named.iter_mut().for_each(|members| members.sort_unstable());
    named
}

/// Fills seats, each from the household in its place; in a household its people of the kind take
/// turns.
fn seat(
    kinds: &PanelKinds,
    homes: &AlikeHomes,
    seats: &[Seat],
    places: &[usize],
    draw: &mut Draw,
    named: &mut [Vec<u32>],
) {
    // Who has one seat more than others is not for the order of the file to say.
    let count = homes.count as usize;
    let mut order: Vec<usize> = (0..count).collect();
    shuffle(&mut order, draw);
    let turns = homes.kinds.clone().map(|kind| {
        let people = &kinds.kinds()[kind].people;
        let first = people.iter().map(|home| draw.below(home.len() as u64));
        first.collect::<Vec<u64>>()
    });
    let mut turns: Vec<Vec<u64>> = turns.collect();
    for (seat, place) in seats.iter().zip(places) {
        let home = order[*place];
        let people = &kinds.kinds()[seat.kind].people[home];
        let turn = &mut turns[seat.kind - homes.kinds.start][home];
        named[seat.panel].push(people[(*turn % people.len() as u64) as usize]);
        *turn += 1;
    }
}

/// The household of each seat, where households have people of several kinds.
fn by_colour(homes: &AlikeHomes, panels: usize, seats: &[Seat]) -> Vec<usize> {
    let count = homes.count as usize;
    let mut taken = vec![0_usize; homes.kinds.len()];
    let mut pieces = 0;
    let mut piece = vec![0; homes.kinds.len()];
    let edges = seats.iter().map(|seat| {
        let kind = seat.kind - homes.kinds.start;
        if taken[kind].is_multiple_of(count) {
            piece[kind] = pieces;
            pieces += 1;
        }
        taken[kind] += 1;
        [seat.panel, piece[kind]]
    });
    let edges: Vec<[usize; 2]> = edges.collect();
    coloured(&edges, [panels, pieces], count)
}

/// Shuffles a list.
pub(super) fn shuffle<T>(list: &mut [T], draw: &mut Draw) {
    for end in (1..list.len()).rev() {
        let with = draw.below(end as u64 + 1) as usize;
        list.swap(end, with);
    }
}
