//! A list of panels brought nearer to what it aims at, by panels in the place of others.
//!
//! Where quotas are tight, hardly any exchange of one or two members leaves a panel a panel. So
//! whole panels are replaced: of all panels the one that brings the numbers of panels of all
//! respondents nearest to what they are due, by the sum of squares, takes the place of one of the
//! list. It is the heaviest panel under weights that say how much each respondent lacks. The panels
//! of the list may then be none of the lottery's.

use super::aims::{BILLION, KindAims};
use super::list::KindList;
use crate::PanelKinds;
use crate::heaviest::{PanelSearch, SearchEnd};

/// The searches for a panel, at most.
const SEARCHES: u32 = 3_000;
/// Searches in vain, one after another, after which the list is left as it is.
const VAIN: usize = 40;
/// The nodes allowed to a search.
const NODES: u64 = 40;
/// The share of the way to the best panel that is far enough.
const SHARE: f64 = 0.3;
/// The list is near enough where everyone is on a number of panels next to their due.
const ENOUGH: u64 = BILLION;

/// Replaces panels of the list until everyone is on a number of panels next to what they are due,
/// or no replacement is found. Those go first whose members have most too many.
pub(super) fn replaced<'a>(
    mut list: KindList<'a>,
    kinds: &'a PanelKinds,
    aims: &KindAims,
) -> KindList<'a> {
    let mut search = PanelSearch::new(kinds);
    let mut left = SEARCHES;
    while left > 0 && aims.largest(list.seats()) >= ENOUGH {
        let worst = worst(&list, aims);
        let mut worst = worst.into_iter().take(VAIN.min(left as usize));
        let is_replaced = worst.any(|place| {
            left -= 1;
            replace(&mut list, place, aims, &mut search)
        });
        if !is_replaced {
            break;
        }
    }
    list
}

/// The panels by what their members lack together, the least first.
fn worst(list: &KindList<'_>, aims: &KindAims) -> Vec<usize> {
    let lacks = list.seats().iter().enumerate();
    let lacks =
        lacks.map(|(kind, seats)| (aims.seats(kind) - *seats as f64) / aims.people[kind] as f64);
    let lacks: Vec<f64> = lacks.collect();
    let panels = list.panels().iter().enumerate();
    let panels = panels.filter(|(_, panel)| panel.times > 0);
    let mut panels: Vec<(f64, usize)> = panels
        .map(|(place, panel)| {
            let seated = panel.seated.iter();
            let lack = seated.map(|kind| lacks[*kind] * f64::from(panel.counts[*kind]));
            (lack.sum(), place)
        })
        .collect();
    panels.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    panels.into_iter().map(|(_, place)| place).collect()
}

/// Replaces one panel by one that brings all nearer, where that is found.
fn replace(
    list: &mut KindList<'_>,
    place: usize,
    aims: &KindAims,
    search: &mut PanelSearch<'_>,
) -> bool {
    let counts = &list.panels()[place].counts;
    let seats = list.seats().iter().zip(counts);
    // How much the sum of squares falls with the first member of each kind on the other panels.
    let weights = seats.enumerate().map(|(kind, (seats, count))| {
        let people = aims.people[kind] as f64;
        let lacks = (aims.seats(kind) - (*seats - u64::from(*count)) as f64) / people;
        2.0 * lacks - 1.0 / people
    });
    let weights: Vec<f64> = weights.collect();
    let own = weights.iter().zip(counts);
    let end = SearchEnd {
        above: own.map(|(weight, count)| weight * f64::from(*count)).sum(),
        share: SHARE,
        nodes: NODES,
    };
    let Some(other) = search.heaviest(&weights, end).panel else {
        return false;
    };
    let is_nearer = squares(list, counts, counts, aims) > squares(list, counts, &other, aims);
    if is_nearer {
        list.replace(place, &other);
    }
    is_nearer
}

/// The sum of the squares of what the kinds lack, were `other` in the place of one panel.
fn squares(list: &KindList<'_>, panel: &[u32], other: &[u32], aims: &KindAims) -> f64 {
    let kinds = panel.iter().zip(other).zip(list.seats()).enumerate();
    let all = kinds.map(|(kind, ((out, into), seats))| {
        let seats = *seats + u64::from(*into) - u64::from(*out);
        let lacks = aims.seats(kind) - seats as f64;
        lacks * lacks / aims.people[kind] as f64
    });
    all.sum()
}
