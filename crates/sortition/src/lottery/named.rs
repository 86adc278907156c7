//! The conversion of panels counted by kind to panels of people.
//!
//! All respondents of a kind get the same chance. Of each panel by kind it is laid out over its
//! probability who sits when, as a schedule of jobs on machines. Kinds whose people live alone are
//! served person by person: each takes whole panels, first those on which most seats are left, and
//! a fraction of the last (McNaughton's wrap-around rule). So few panels are split: about one a
//! respondent. Where households have more than one respondent, the households rotate through the
//! seats of their kinds in equal steps.

use std::collections::BTreeMap;

use super::certificate::LotteryPanel;
use crate::{AlikeHomes, PanelKind, PanelKinds};

/// Fractions of a panel's probability this near are one.
const NEAR: f64 = 1e-10;
/// Panels of less probability are not shared out person by person, because of rounding.
const RARE: f64 = 1e-5;

/// A respondent sits for a stretch of a panel's probability, as fractions of it.
struct Stay {
    person: u32,
    from: f64,
    to: f64,
}

/// Panels of people, by who sits on them, and their probabilities.
pub(super) fn named(kinds: &PanelKinds, lottery: &[(&[u32], f64)]) -> BTreeMap<Vec<u32>, f64> {
    let (often, rare): (Vec<_>, Vec<_>) = lottery.iter().copied().partition(|(_, p)| *p >= RARE);
    let mut stays: Vec<Vec<Stay>> = lottery.iter().map(|_| Vec::new()).collect();
    let (of_often, of_rare) = stays.split_at_mut(often.len());
    for homes in kinds.homes() {
        let kind = &kinds.kinds()[homes.kinds.start];
        let alone = homes.kinds.len() == 1 && kind.people.iter().all(|home| home.len() == 1);
        if alone {
            person_by_person(homes.kinds.start, kind, &often, of_often);
        } else {
            for ((counts, _), stays) in often.iter().zip(&mut *of_often) {
                rotate(kinds, homes, counts, stays);
            }
        }
        for ((counts, _), stays) in rare.iter().zip(&mut *of_rare) {
            rotate(kinds, homes, counts, stays);
        }
    }
    let lottery = often.iter().chain(&rare);
    let mut panels = BTreeMap::new();
    for ((_, probability), stays) in lottery.zip(&stays) {
        let cut = cut(stays);
        let whole: f64 = cut.iter().map(|(_, length)| length).sum();
        for (members, length) in cut {
            *panels.entry(members).or_insert(0.0) += probability * length / whole;
        }
    }
    panels
}

/// Seats each person of a kind for the same time in all.
fn person_by_person(
    number: usize,
    kind: &PanelKind,
    lottery: &[(&[u32], f64)],
    stays: &mut [Vec<Stay>],
) {
    let mut left: Vec<f64> = lottery
        .iter()
        .map(|(counts, _)| f64::from(counts[number]))
        .collect();
    let mut line = vec![0.0; lottery.len()];
    for (at, home) in kind.people.iter().enumerate() {
        let others = (kind.people.len() - 1 - at) as f64;
        for (panel, time) in times(&left, lottery, others).into_iter().enumerate() {
            left[panel] -= time;
            lay(home[0], &mut line[panel], time, &mut stays[panel]);
        }
    }
}

/// Returns the part of each panel that the next person takes, of the seats left to them and
/// `others`.
fn times(left: &[f64], lottery: &[(&[u32], f64)], others: f64) -> Vec<f64> {
    // What the others could not take.
    let mandatory = left.iter().map(|seats| (seats - others).clamp(0.0, 1.0));
    let mut times: Vec<f64> = mandatory.collect();
    let mass = |times: &[f64]| -> f64 { times.iter().zip(lottery).map(|(t, (_, p))| t * p).sum() };
    let mut need = mass(left) / (others + 1.0) - mass(&times);
    let mut order: Vec<usize> = (0..left.len()).filter(|&j| left[j] > 0.0).collect();
    order.sort_by(|&a, &b| left[b].total_cmp(&left[a]).then(a.cmp(&b)));
    for panel in order {
        let room = left[panel].min(1.0) - times[panel];
        let probability = lottery[panel].1;
        if need <= 0.0 {
            break;
        }
        let taken = room.min(need / probability);
        times[panel] += taken;
        need -= taken * probability;
    }
    times
}

/// Lays a time on the line of a panel's seats; what reaches over the end of a seat goes on at the
/// start of the next.
fn lay(person: u32, line: &mut f64, time: f64, stays: &mut Vec<Stay>) {
    if time > 1.0 - NEAR {
        let (from, to) = (0.0, 1.0);
        stays.push(Stay { person, from, to });
        return;
    }
    if time < NEAR {
        return;
    }
    let (from, to) = (*line, *line + time);
    if to < 1.0 - NEAR {
        stays.push(Stay { person, from, to });
        *line = to;
        return;
    }
    stays.push(Stay {
        person,
        from,
        to: 1.0,
    });
    *line = (to - 1.0).max(0.0);
    if *line > NEAR {
        let (from, to) = (0.0, *line);
        stays.push(Stay { person, from, to });
    } else {
        *line = 0.0;
    }
}

/// Seats households that are alike in turn, and in a household its people of the kind in turn.
fn rotate(kinds: &PanelKinds, homes: &AlikeHomes, counts: &[u32], stays: &mut Vec<Stay>) {
    let seats = homes.kinds.clone();
    let seats = seats.flat_map(|kind| std::iter::repeat_n(kind, counts[kind] as usize));
    let count = homes.count as usize;
    for (seat, kind) in seats.enumerate() {
        let people = &kinds.kinds()[kind].people;
        for step in 0..count {
            let home = &people[(seat + step) % count];
            let steps = (count * home.len()) as f64;
            for (turn, &person) in home.iter().enumerate() {
                let at = step * home.len() + turn;
                let (from, to) = (at as f64 / steps, (at + 1) as f64 / steps);
                stays.push(Stay { person, from, to });
            }
        }
    }
}

/// Returns the sets of people who sit together, each with its duration.
fn cut(stays: &[Stay]) -> Vec<(Vec<u32>, f64)> {
    let mut ends: Vec<f64> = stays.iter().flat_map(|stay| [stay.from, stay.to]).collect();
    ends.extend([0.0, 1.0]);
    ends.sort_by(f64::total_cmp);
    ends.dedup_by(|next, last| *next - *last < NEAR);
    let stretches = ends.windows(2).map(|ends| {
        let middle = (ends[0] + ends[1]) / 2.0;
        let here = |stay: &&Stay| stay.from <= middle && middle < stay.to;
        let mut members: Vec<u32> = stays.iter().filter(here).map(|stay| stay.person).collect();
        members.sort_unstable();
        (members, ends[1] - ends[0])
    });
    stretches.collect()
}

/// The panels of people, and the chance of each respondent.
pub(super) fn people(
    kinds: &PanelKinds,
    lottery: &[(&[u32], f64)],
) -> (Vec<LotteryPanel>, Vec<f64>) {
    let whole: f64 = lottery.iter().map(|(_, probability)| probability).sum();
    let lottery = lottery.iter().map(|(counts, p)| (*counts, p / whole));
    let lottery: Vec<(&[u32], f64)> = lottery.collect();
    let panels = named(kinds, &lottery).into_iter();
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
