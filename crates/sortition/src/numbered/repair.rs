//! A list of panels brought nearer to what it aims at, by exchanging members on single panels.
//!
//! For a largest difference that is tried, each kind has a window of seats. A kind with too many
//! gives one to a kind with room, directly on a panel where both fit its quotas and households, or
//! through other kinds on other panels: the shortest chain of such exchanges is found by a search
//! in breadth. Where quotas leave no room for a single exchange, two members of a panel are
//! exchanged at once. Which differences are tried is a search by halves, from the bound upwards.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::aims::{BILLION, KindAims};
use super::list::KindList;
use crate::PanelKinds;
use kleroterion_core::draw::{Draw, Key, Purpose};

/// Exchanges that may be looked at for one largest difference.
const LOOKS: u64 = 10_000_000;
/// The limit for the first difference tried, which has the longest way.
const FIRST_LOOKS: u64 = 60_000_000;
/// Times that what is missing is moved elsewhere in vain, before a difference is given up.
const SHAKES: u32 = 60;
/// The number of shakes after which the search restarts from the best list.
const SHAKES_OF_ONE: u32 = 10;
/// Exchanges that are tried for one of them.
const TRIES: u32 = 1_000;
/// A list this near to the bound, in billionths of a panel, is near enough.
const ENOUGH: u64 = BILLION / 100;
/// Panels on which two members are exchanged at once, of those of a kind.
const PANELS_OF_TWO: usize = 24;

/// The list as near as was found; `steps`: the differences that there can be, from 0, `least`: the
/// one of them that no list goes below.
pub(super) fn nearest<'a>(
    list: KindList<'a>,
    kinds: &'a PanelKinds,
    aims: &KindAims,
    steps: &[u64],
    least: u64,
    key: Key,
) -> KindList<'a> {
    let alike = alike(kinds);
    let mut best = list;
    let mut low = steps.partition_point(|step| *step < least);
    // First that everyone is on a number of panels next to their due, then the bound itself.
    let next_to = steps.partition_point(|step| *step < BILLION) - 1;
    let mut first = [next_to, low].into_iter();
    let mut looks = FIRST_LOOKS;
    loop {
        let largest = aims.largest(best.seats());
        let high = steps.partition_point(|step| *step < largest);
        if low >= high || largest - least < ENOUGH {
            return best;
        }
        let at = match first.next() {
            Some(at) if (low..high).contains(&at) => at,
            Some(_) => continue,
            None => low + (high - low) / 2,
        };
        let looks = std::mem::replace(&mut looks, LOOKS);
        let mut repair = Repair {
            list: best.clone(),
            windows: aims.windows(steps[at]),
            alike: &alike,
            looks: Cell::new(looks),
            draw: key.draw(Purpose::Numbered, 0, at as u64 + 1),
        };
        if !repair.all() {
            low = at + 1;
        }
        // What was reached on the way counts, too.
        if aims.largest(repair.list.seats()) < largest {
            best = repair.list;
        }
    }
}

/// The kinds by the bounds that count them.
fn alike(kinds: &PanelKinds) -> BTreeMap<&[usize], Vec<usize>> {
    let mut alike: BTreeMap<&[usize], Vec<usize>> = BTreeMap::new();
    for (kind, of_kind) in kinds.kinds().iter().enumerate() {
        alike.entry(&of_kind.bounds).or_default().push(kind);
    }
    alike
}

/// An exchange of one or two members on a panel.
#[derive(Clone, Copy)]
struct Exchange {
    panel: usize,
    out: [usize; 2],
    into: [usize; 2],
    two: bool,
}

/// A list under repair.
struct Repair<'a, 'k> {
    list: KindList<'k>,
    windows: Vec<[u64; 2]>,
    alike: &'a BTreeMap<&'k [usize], Vec<usize>>,
    looks: Cell<u64>,
    draw: Draw,
}

impl Repair<'_, '_> {
    /// Brings all kinds into their windows, where that is found; else the list is the one that
    /// lacks least of it.
    fn all(&mut self) -> bool {
        let mut best = (self.missing(), self.list.clone());
        let mut shakes = 0;
        while best.0 > 0 {
            self.pass();
            let missing = self.missing();
            if missing < best.0 {
                best = (missing, self.list.clone());
                shakes = 0;
                continue;
            }
            shakes += 1;
            if shakes > SHAKES || self.looks.get() == 0 {
                self.list = best.1;
                return false;
            }
            if shakes % SHAKES_OF_ONE == 0 {
                self.list = best.1.clone();
            }
            self.shake();
        }
        true
    }

    /// Mends the kinds that are off their windows one after another, each as often as it goes: by
    /// exchanges of one member first, of two where no more of these are found.
    fn pass(&mut self) {
        for two in [false, true] {
            for kind in 0..self.windows.len() {
                while let Some(over) = self.is_over(kind) {
                    let before = self.missing();
                    if !self.mend(kind, over, two) || self.missing() >= before {
                        break;
                    }
                }
            }
        }
    }

    /// Returns `None` if a kind is within its window, else true if it has too many seats.
    fn is_over(&self, kind: usize) -> Option<bool> {
        let (seats, [least, most]) = (self.list.seats()[kind], self.windows[kind]);
        (seats < least || seats > most).then_some(seats > most)
    }

    /// Moves what is missing elsewhere: exchanges two members of a panel, one of whom is of a kind
    /// off its window, whatever that does to the others.
    fn shake(&mut self) {
        let off = self.off();
        let Some(&(kind, over)) = off.get(self.draw.below(off.len() as u64) as usize) else {
            return;
        };
        for _ in 0..TRIES {
            let panel = self.draw.below(self.list.panels().len() as u64) as usize;
            let here = &self.list.panels()[panel];
            let seated = here.seated[self.draw.below(here.seated.len() as u64) as usize];
            let any = self.draw.below(self.windows.len() as u64) as usize;
            let (out, into) = if over { (kind, any) } else { (seated, kind) };
            if here.times == 0 || here.counts[out] == 0 || out == into {
                continue;
            }
            if self.list.can_swap(panel, out, into) {
                self.list.swap(panel, &[out], &[into]);
                return;
            }
            if let Some(exchange) = self.with_another(panel, out, into, |_, _| true) {
                self.list.swap(panel, &exchange.out, &exchange.into);
                return;
            }
        }
    }

    /// The kinds off their windows, and whether they have too many seats.
    fn off(&self) -> Vec<(usize, bool)> {
        let kinds = 0..self.windows.len();
        let off = kinds.filter_map(|kind| Some((kind, self.is_over(kind)?)));
        off.collect()
    }

    /// The number of seats by which the kinds are off their windows.
    fn missing(&self) -> u64 {
        let pairs = self.list.seats().iter().zip(&self.windows);
        let off = pairs.map(|(seats, [least, most])| {
            least.saturating_sub(*seats) + seats.saturating_sub(*most)
        });
        off.sum()
    }

    /// Takes a seat from a kind that is over its window, or gives one to a kind that is under it.
    fn mend(&mut self, kind: usize, over: bool, two: bool) -> bool {
        let Some(chain) = self.chain(kind, over, two) else {
            return false;
        };
        chain.into_iter().all(|exchange| self.make(exchange))
    }

    /// The shortest chain of exchanges from a kind to one with room.
    fn chain(&self, kind: usize, over: bool, two: bool) -> Option<Vec<Exchange>> {
        let mut reached: Vec<Option<(usize, Exchange)>> = vec![None; self.windows.len()];
        let mut unseen: Vec<usize> = (0..self.windows.len()).filter(|k| *k != kind).collect();
        let mut queue = vec![kind];
        let mut next = 0;
        while let Some(&from) = queue.get(next) {
            next += 1;
            for (to, exchange) in self.next_to(from, over, two, &mut unseen) {
                reached[to] = Some((from, exchange));
                queue.push(to);
                if self.has_room(to, over) {
                    return Some(back(&reached, to));
                }
            }
            if self.looks.get() == 0 {
                return None;
            }
        }
        None
    }

    /// The kinds not seen so far that can change places with one kind, each with an exchange, up to
    /// the first that has room; they are seen from then on.
    fn next_to(
        &self,
        from: usize,
        over: bool,
        two: bool,
        unseen: &mut Vec<usize>,
    ) -> Vec<(usize, Exchange)> {
        let mut found: Vec<(usize, Exchange)> = Vec::new();
        let mut left = PANELS_OF_TWO;
        let panels = self.list.panels().len();
        // Not all kinds change the same panels.
        for panel in (0..panels).map(|at| (at + from) % panels) {
            let here = &self.list.panels()[panel];
            if here.times == 0 || (over && here.counts[from] == 0) {
                continue;
            }
            let tries_two = two && left > 0;
            left -= usize::from(tries_two);
            unseen.retain(|&to| {
                if self.looks.get() == 0 || (!over && here.counts[to] == 0) {
                    return true;
                }
                self.look();
                let (out, into) = if over { (from, to) } else { (to, from) };
                let exchange = match self.list.can_swap(panel, out, into) {
                    true => Some(Exchange {
                        panel,
                        out: [out; 2],
                        into: [into; 2],
                        two: false,
                    }),
                    false if tries_two => self.with_another(panel, out, into, |other, partner| {
                        self.can_lose(other) && self.can_gain(partner)
                    }),
                    false => None,
                };
                found.extend(exchange.map(|exchange| (to, exchange)));
                exchange.is_none()
            });
            if found.iter().any(|(to, _)| self.has_room(*to, over)) {
                break;
            }
        }
        found
    }

    /// An exchange that another one on the same panel makes possible: its members together have the
    /// same values as before, and the other kinds have room for it.
    fn with_another(
        &self,
        panel: usize,
        out: usize,
        into: usize,
        suits: impl Fn(usize, usize) -> bool,
    ) -> Option<Exchange> {
        let kinds = self.list.kinds();
        let here = &self.list.panels()[panel];
        let [lost, won] = [out, into].map(|kind| &kinds[kind].bounds);
        let others = here.seated.iter().copied();
        let mut others = others.filter(|other| ![out, into].contains(other));
        others.find_map(|other| {
            self.look();
            let mut wanted = [lost.as_slice(), &kinds[other].bounds].concat();
            for row in won {
                let at = wanted.iter().position(|have| have == row)?;
                wanted.swap_remove(at);
            }
            wanted.sort_unstable();
            let mut partners = self.alike.get(&*wanted)?.iter().copied();
            let fits = |partner: &usize| {
                ![out, into, other].contains(partner)
                    && suits(other, *partner)
                    && self
                        .list
                        .can_swap_two(panel, [out, other], [into, *partner])
            };
            let partner = partners.find(fits)?;
            Some(Exchange {
                panel,
                out: [out, other],
                into: [into, partner],
                two: true,
            })
        })
    }

    /// Counts an exchange that is looked at.
    fn look(&self) {
        self.looks.set(self.looks.get().saturating_sub(1));
    }

    /// Returns true if a kind can take a seat that another has too many, or can give one to a kind
    /// with too few.
    fn has_room(&self, kind: usize, over: bool) -> bool {
        match over {
            true => self.can_gain(kind),
            false => self.can_lose(kind),
        }
    }

    fn can_lose(&self, kind: usize) -> bool {
        self.list.seats()[kind] > self.windows[kind][0]
    }

    fn can_gain(&self, kind: usize) -> bool {
        self.list.seats()[kind] < self.windows[kind][1]
    }

    /// Makes an exchange on its panel, or where an earlier one of the chain has changed that, on
    /// another.
    fn make(&mut self, exchange: Exchange) -> bool {
        let Exchange {
            panel, out, into, ..
        } = exchange;
        if exchange.two {
            let can = self.list.can_swap_two(panel, out, into);
            if can {
                self.list.swap(panel, &out, &into);
            }
            return can;
        }
        let all = (0..self.list.panels().len()).rev();
        let mut panels = std::iter::once(panel).chain(all);
        let panel = panels.find(|panel| self.list.can_swap(*panel, out[0], into[0]));
        if let Some(panel) = panel {
            self.list.swap(panel, &out[..1], &into[..1]);
        }
        panel.is_some()
    }
}

/// The exchanges on the way to a kind, the first one first.
fn back(reached: &[Option<(usize, Exchange)>], mut to: usize) -> Vec<Exchange> {
    let mut chain = Vec::new();
    while let Some((from, exchange)) = reached[to] {
        chain.push(exchange);
        to = from;
    }
    chain.reverse();
    chain
}
