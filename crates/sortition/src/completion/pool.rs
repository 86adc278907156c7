//! The people who may complete a committee, as the places of their values in one row of bounds.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::PanelQuestion;

/// The people who may complete a committee. Only attributes with quotas are kept.
#[derive(Debug)]
pub(super) struct Pool {
    /// The places of each attribute's values in a row of bounds.
    attributes: Vec<Range<usize>>,
    /// The places of each respondent's values, an attribute each, one respondent after another.
    places: Vec<u32>,
    /// The kind of each: respondents of one kind have the same values.
    kinds: Vec<u32>,
    /// The household of each and the others of it, where only one of each may sit.
    homes: Option<Vec<(u32, Vec<u32>)>>,
}

impl Pool {
    pub(super) fn new(question: &PanelQuestion) -> Self {
        let people = &question.respondents;
        let numbers = || 0..people.len() as u32;
        let mut attributes: Vec<Range<usize>> = Vec::new();
        let mut ruled = Vec::new();
        for (attribute, row) in question.quotas.iter().enumerate() {
            if !row.is_empty() {
                let start = attributes.last().map_or(0, |last| last.end);
                let values = numbers().map(|one| usize::from(people.values(one)[attribute]) + 1);
                let values = values.max().unwrap_or(0).max(row.len());
                attributes.push(start..start + values);
                ruled.push(attribute);
            }
        }
        let mut places = Vec::with_capacity(people.len() * ruled.len());
        let mut kinds = Vec::with_capacity(people.len());
        let mut numbered = BTreeMap::new();
        for one in numbers() {
            let values = people.values(one);
            let pairs = ruled.iter().zip(&attributes);
            let of_one = pairs.map(|(&at, row)| row.start as u32 + u32::from(values[at]));
            let of_one: Vec<u32> = of_one.collect();
            places.extend(&of_one);
            let next = numbered.len() as u32;
            kinds.push(*numbered.entry(of_one).or_insert(next));
        }
        let homes = people.households().map(|of| {
            let mut homes: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for one in numbers() {
                homes.entry(of[one as usize]).or_default().push(one);
            }
            let of_one = |one: u32| {
                let home = of[one as usize];
                let others = homes[&home].iter().copied().filter(|other| *other != one);
                (home, others.collect())
            };
            numbers().map(of_one).collect()
        });
        Self {
            attributes,
            places,
            kinds,
            homes,
        }
    }

    /// The number of people.
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The places of each attribute's values.
    pub(super) fn attributes(&self) -> &[Range<usize>] {
        &self.attributes
    }

    /// The places of a respondent's values.
    #[inline]
    pub(super) fn places(&self, one: u32) -> &[u32] {
        let width = self.attributes.len();
        let start = one as usize * width;
        &self.places[start..start + width]
    }

    /// The kind of a respondent, and how many kinds there are at most.
    #[inline]
    pub(super) fn kind(&self, one: u32) -> usize {
        self.kinds[one as usize] as usize
    }

    /// The others of a respondent's household.
    #[inline]
    pub(super) fn mates(&self, one: u32) -> &[u32] {
        match &self.homes {
            Some(homes) => &homes[one as usize].1,
            None => &[],
        }
    }

    /// The household of a respondent, where households matter.
    pub(super) fn home(&self, one: u32) -> Option<u32> {
        let homes = self.homes.as_ref()?;
        Some(homes[one as usize].0)
    }
}
