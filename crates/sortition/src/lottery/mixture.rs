//! Mixtures: panels whose mean has the seats of each kind that are known beforehand.
//!
//! Panels are collected by error diffusion: each next panel seats the kinds that were seated least
//! so far for what they should have. With twice as many panels as kinds, equal probabilities nearly
//! give the seats; a projection finds the probabilities nearest to equal ones
//! that give them exactly, and a vertex does the same with fewer panels.
//!
//! Only panels on the face of the seats are of use: those that are at each bound at which the mean
//! is. So the search has bounds from both sides.

use super::projection::{Seats, projection};
use super::vertex::vertex;
use super::watch::{LotteryProgress, LotteryWatch};
use crate::PanelKinds;
use crate::heaviest::{PanelSearch, ProgramRow, SearchEnd, home_row, value_rows};
use kleroterion_core::draw::uniform;

/// Seats this near to a bound are at it.
const NEAR: f64 = 1e-9;
/// Nodes allowed to the search for a panel.
const NODES: u64 = 2_000;
/// Panels for each open kind, at first and at most.
const PANELS: [usize; 2] = [2, 6];
/// Panels above that.
const MORE: usize = 20;
/// Kinds of the same seats are told apart by as much of a seat.
const NOISE: f64 = 0.3;
/// Seats that may be missed.
const MISSED: f64 = 1e-10;
/// Lighter than any panel.
const NONE: f64 = -1e9;

/// Panels by kind and their probabilities, whose mean has these seats of each kind. None where none
/// were found.
pub(super) fn mixture(
    kinds: &PanelKinds,
    seats: &[f64],
    watch: &LotteryWatch<'_>,
) -> Option<Vec<(Vec<u32>, f64)>> {
    let open: Vec<usize> = (0..seats.len()).filter(|&kind| seats[kind] > 0.0).collect();
    let due: Vec<f64> = open.iter().map(|&kind| seats[kind]).collect();
    let mut search = on_face(kinds, seats).heeding(watch.interrupt());
    let mut sums = vec![0.0; seats.len()];
    let mut panels: Vec<Vec<u32>> = Vec::new();
    for many in PANELS[0]..=PANELS[1] {
        let all = many * open.len() + MORE;
        while panels.len() < all {
            let weights = still_due(seats, &sums, panels.len());
            let end = SearchEnd {
                above: NONE,
                share: 0.0,
                nodes: NODES,
            };
            let panel = search.heaviest(&weights, end).panel?;
            if watch.is_interrupted() {
                return None;
            }
            let pairs = sums.iter_mut().zip(&panel);
            pairs.for_each(|(sum, count)| *sum += f64::from(*count));
            panels.push(panel);
            watch.see(LotteryProgress::Panels {
                found: panels.len(),
                of: Some(all),
            });
        }
        let of_open = |panel: &Vec<u32>| -> Seats {
            let seated = open.iter().map(|&kind| f64::from(panel[kind])).enumerate();
            seated.filter(|(_, count)| *count > 0.0).collect()
        };
        let seated: Vec<Seats> = panels.iter().map(of_open).collect();
        if let Some(p) = projection(&seated, &due, watch) {
            let lottery = vertex(&seated, &p, &due, watch)?;
            let is_near = missed(&seated, &lottery, &due) <= MISSED;
            let of_kinds = lottery.into_iter().map(|(j, p)| (panels[j].clone(), p));
            return is_near.then(|| of_kinds.collect());
        }
    }
    None
}

/// Returns the seats that each kind lacks after some panels, counting one more panel, with a small
/// different noise for each kind.
fn still_due(seats: &[f64], sums: &[f64], panels: usize) -> Vec<f64> {
    let pairs = seats.iter().zip(sums).enumerate();
    let due = pairs.map(|(kind, (seats, sum))| {
        let word = ((panels as u64) << 32 | kind as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let noise = uniform(word ^ (word >> 29)) - 0.5;
        (panels + 1) as f64 * seats - sum + NOISE * noise
    });
    due.collect()
}

/// A search among the panels that are at each bound at which these seats are.
fn on_face<'a>(kinds: &'a PanelKinds, seats: &[f64]) -> PanelSearch<'a> {
    let sum = |row: &ProgramRow| -> f64 {
        let terms = row.terms.iter();
        terms.map(|(kind, number)| number * seats[*kind]).sum()
    };
    let mut rows = value_rows(kinds);
    let shared = kinds.homes().iter().filter(|homes| homes.kinds.len() > 1);
    let full = shared.map(home_row).filter(|row| sum(row) > row.max - NEAR);
    rows.extend(full);
    let of_kinds = kinds.kinds().iter().zip(seats).enumerate();
    let of_kinds = of_kinds.filter_map(|(kind, (of, seats))| {
        let most = f64::from(of.most);
        match *seats {
            none if none <= 0.0 => Some((kind, [0.0; 2])),
            all if all > most - NEAR => Some((kind, [most; 2])),
            _ => None,
        }
    });
    let of_rows = rows.iter().enumerate().filter_map(|(at, row)| {
        let (slack, room) = (kinds.kinds().len() + at, row.max - row.min);
        match sum(row) {
            most if most > row.max - NEAR => Some((slack, [0.0; 2])),
            least if least < row.min + NEAR => Some((slack, [room; 2])),
            _ => None,
        }
    });
    PanelSearch::narrowed(kinds, &rows, of_kinds.chain(of_rows))
}

/// The most by which a lottery misses the seats of a kind.
fn missed(panels: &[Seats], lottery: &[(usize, f64)], seats: &[f64]) -> f64 {
    let mut missing = seats.to_vec();
    for (panel, p) in lottery {
        panels[*panel]
            .iter()
            .for_each(|(kind, count)| missing[*kind] -= count * p);
    }
    missing
        .iter()
        .fold(0.0, |most: f64, off| most.max(off.abs()))
}
