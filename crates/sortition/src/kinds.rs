//! Respondents who are alike: of the same values, in households of the same make-up.

use std::collections::BTreeMap;
use std::ops::Range;

use super::PanelQuestion;

/// The respondents of a question by kind. Respondents of one kind can take each other's places on
/// any panel. A panel is therefore described by its number of members of each kind.
#[derive(Clone, Debug)]
pub struct PanelKinds {
    kinds: Vec<PanelKind>,
    homes: Vec<AlikeHomes>,
    bounds: Vec<SeatBound>,
    members: u32,
    respondents: usize,
}

/// Respondents who can take each other's places.
#[derive(Clone, Debug)]
pub struct PanelKind {
    /// The respondents of this kind in each household that has any. Each has a household of their
    /// own if households do not matter.
    pub people: Vec<Vec<u32>>,
    /// The bounds that count a member of this kind, by their places.
    pub bounds: Vec<usize>,
    /// The most members of this kind on a panel.
    pub most: u32,
}

/// Households with the same kinds of people. Each gives at most one member.
#[derive(Clone, Debug)]
pub struct AlikeHomes {
    /// The kinds that live in each of these households.
    pub kinds: Range<usize>,
    /// The number of households.
    pub count: u32,
}

/// The fewest and the most members with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatBound {
    /// The fewest members.
    pub min: u32,
    /// The most members, at most the size of the panel.
    pub max: u32,
}

impl PanelKinds {
    /// Makes the kinds of a question's respondents. Values without a quota are ignored.
    #[must_use]
    pub fn new(question: &PanelQuestion) -> Self {
        let (bounds, places) = seat_bounds(question);
        let mut kinds = Self {
            kinds: Vec::new(),
            homes: Vec::new(),
            bounds,
            members: question.members,
            respondents: question.respondents.len(),
        };
        for (make_up, homes) in homes_by_make_up(question, &places) {
            kinds.push(&make_up, homes);
        }
        kinds
    }

    fn push(&mut self, make_up: &[Vec<usize>], homes: Vec<Vec<u32>>) {
        let first = self.kinds.len();
        let count = homes.len() as u32;
        for (at, bounds) in make_up.iter().enumerate() {
            if at == 0 || make_up[at - 1] != *bounds {
                let most = bounds.iter().map(|&row| self.bounds[row].max);
                self.kinds.push(PanelKind {
                    people: vec![Vec::new(); homes.len()],
                    bounds: bounds.clone(),
                    most: most.fold(count.min(self.members), u32::min),
                });
            }
            let kind = self.kinds.last_mut().expect("one was pushed");
            for (people, home) in kind.people.iter_mut().zip(&homes) {
                people.push(home[at]);
            }
        }
        let kinds = first..self.kinds.len();
        self.homes.push(AlikeHomes { kinds, count });
    }

    /// The kinds.
    #[must_use]
    pub fn kinds(&self) -> &[PanelKind] {
        &self.kinds
    }

    /// The groups of households that are alike; each kind lives in one of them.
    #[must_use]
    pub fn homes(&self) -> &[AlikeHomes] {
        &self.homes
    }

    /// The bounds on the members with each value.
    #[must_use]
    pub fn bounds(&self) -> &[SeatBound] {
        &self.bounds
    }

    /// The number of members of a panel.
    #[must_use]
    pub fn members(&self) -> u32 {
        self.members
    }

    /// The number of respondents.
    #[must_use]
    pub fn respondents(&self) -> usize {
        self.respondents
    }

    /// The number of respondents of each kind.
    #[must_use]
    pub fn counts(&self) -> Vec<f64> {
        self.kinds.iter().map(PanelKind::count).collect()
    }

    /// Gives each respondent the number of their kind.
    #[must_use]
    pub fn spread(&self, of_kinds: &[f64]) -> Vec<f64> {
        let mut of_people = vec![0.0; self.respondents];
        for (kind, number) in self.kinds.iter().zip(of_kinds) {
            for &person in kind.people.iter().flatten() {
                of_people[person as usize] = *number;
            }
        }
        of_people
    }

    /// Returns true if these numbers of each kind make up a panel.
    #[must_use]
    pub fn is_panel(&self, counts: &[u32]) -> bool {
        let mut seated = vec![0; self.bounds.len()];
        for (kind, count) in self.kinds.iter().zip(counts) {
            kind.bounds.iter().for_each(|&row| seated[row] += count);
        }
        let mut bounds = self.bounds.iter().zip(&seated);
        let mut homes = self.homes.iter();
        counts.len() == self.kinds.len()
            && counts.iter().sum::<u32>() == self.members
            && bounds.all(|(bound, seated)| (bound.min..=bound.max).contains(seated))
            && homes.all(|homes| counts[homes.kinds.clone()].iter().sum::<u32>() <= homes.count)
    }
}

impl PanelKind {
    /// The number of respondents of this kind.
    #[must_use]
    pub fn count(&self) -> f64 {
        self.people.iter().map(Vec::len).sum::<usize>() as f64
    }
}

/// The bounds that some panel could break, and for each attribute and value the place of its bound.
fn seat_bounds(question: &PanelQuestion) -> (Vec<SeatBound>, Vec<Vec<Option<usize>>>) {
    let mut bounds = Vec::new();
    let members = question.members;
    let mut row = |row: &Vec<kleroterion_core::protocol::Quota>| {
        let place = |quota: &kleroterion_core::protocol::Quota| {
            let binds = quota.min > 0 || quota.max < members;
            binds.then(|| {
                let max = quota.max.min(members);
                bounds.push(SeatBound {
                    min: quota.min,
                    max,
                });
                bounds.len() - 1
            })
        };
        row.iter().map(place).collect()
    };
    let places = question.quotas.iter().map(&mut row).collect();
    (bounds, places)
}

/// Households by the bounds that count each of their people: the people of each, in that order.
fn homes_by_make_up(
    question: &PanelQuestion,
    places: &[Vec<Option<usize>>],
) -> BTreeMap<Vec<Vec<usize>>, Vec<Vec<u32>>> {
    let respondents = &question.respondents;
    let bounds_of = |person: u32| -> Vec<usize> {
        let values = respondents.values(person).iter().zip(places);
        let row = values.filter_map(|(value, row)| *row.get(usize::from(*value))?);
        row.collect()
    };
    let mut homes: BTreeMap<u32, Vec<(Vec<usize>, u32)>> = BTreeMap::new();
    for person in 0..respondents.len() as u32 {
        let home = respondents.households();
        let home = home.map_or(person, |homes| homes[person as usize]);
        homes
            .entry(home)
            .or_default()
            .push((bounds_of(person), person));
    }
    let mut alike: BTreeMap<Vec<Vec<usize>>, Vec<Vec<u32>>> = BTreeMap::new();
    for mut home in homes.into_values() {
        home.sort();
        let (make_up, people) = home.into_iter().unzip();
        alike.entry(make_up).or_default().push(people);
    }
    alike
}
