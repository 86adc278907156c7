//! The state of a plan's units in one folder or several: whole, failed, missing or wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use super::plan::{SweepPlan, UnitId};
use super::unit::{UnitError, Units};

/// The state of a unit of the plan.
#[derive(Debug)]
pub enum UnitState {
    /// The unit is whole, in the folder at this index.
    Whole(usize),
    /// The unit is missing, and its last attempt failed with this reason.
    Failed(String),
    /// The unit is missing.
    Missing,
    /// A file with the unit's name exists in the folder at this index, but is not the unit.
    Wrong(usize, UnitError),
}

/// The state of all units of a plan, found in one or more folders.
#[derive(Debug)]
pub struct Found {
    /// The state of each unit of the plan, in the order of their numbers.
    pub units: Vec<(UnitId, UnitState)>,
    /// Units that two folders hold with different bytes, with the indexes of these folders.
    pub doubled: Vec<(UnitId, [usize; 2])>,
    /// Files that are not units of the plan: the folder's index, the file's name and the reason.
    pub foreign: Vec<(usize, String, UnitError)>,
}

impl Found {
    /// Examines the units in these folders, each verified by its hash.
    ///
    /// # Errors
    /// Where a folder can't be listed: its place, and why.
    pub fn of(plan: &SweepPlan, folders: &[PathBuf]) -> Result<Self, (usize, io::Error)> {
        let folders: Vec<Units> = folders.iter().map(|folder| Units::at(folder)).collect();
        let mut names = BTreeMap::new();
        for (place, folder) in folders.iter().enumerate() {
            for name in folder.names().map_err(|error| (place, error))? {
                names.entry(name).or_insert_with(Vec::new).push(place);
            }
        }
        let mut found = Self {
            units: Vec::new(),
            doubled: Vec::new(),
            foreign: Vec::new(),
        };
        for unit in plan.units() {
            let places = names.remove(&unit.name(&plan.id)).unwrap_or_default();
            let state = found.look(plan, &folders, unit, &places);
            found.units.push((unit, state));
        }
        found.take_strangers(plan, &folders, names);
        Ok(found)
    }

    /// Returns the state of a unit in the folders at these indexes.
    fn look(
        &mut self,
        plan: &SweepPlan,
        folders: &[Units],
        unit: UnitId,
        places: &[usize],
    ) -> UnitState {
        let mut state = UnitState::Missing;
        let mut whole: Option<(usize, Vec<u8>)> = None;
        for &place in places {
            match folders[place].verify(plan, unit) {
                Ok(packed) => match &whole {
                    Some((other, known)) if *known != packed => {
                        self.doubled.push((unit, [*other, place]));
                    }
                    Some(_) => {}
                    None => whole = Some((place, packed)),
                },
                Err(UnitError::Missing) => {
                    if let Some(why) = folders[place].failure(plan, unit) {
                        state = UnitState::Failed(why);
                    }
                }
                Err(error) => state = UnitState::Wrong(place, error),
            }
        }
        whole.map_or(state, |(place, _)| UnitState::Whole(place))
    }

    /// Classifies the files that belong to no unit of the plan. Leaves of a later wave are not
    /// reported as foreign.
    fn take_strangers(
        &mut self,
        plan: &SweepPlan,
        folders: &[Units],
        names: BTreeMap<String, Vec<usize>>,
    ) {
        if names.is_empty() {
            return;
        }
        let points = plan.points.iter().zip(0..);
        let all = points.flat_map(|(planned, point)| {
            (0..planned.leaves()).map(move |leaf| UnitId { point, leaf }.name(&plan.id))
        });
        let known: BTreeSet<String> = all.collect();
        for (name, places) in names {
            if known.contains(&name) {
                continue;
            }
            for place in places {
                let why = folders[place].stranger(plan, &name);
                self.foreign.push((place, name.clone(), why));
            }
        }
    }

    /// The numbers of the units that are not whole.
    pub fn open(&self) -> impl Iterator<Item = u64> {
        let units = self.units.iter().zip(0..);
        let open = units.filter(|((_, state), _)| !matches!(state, UnitState::Whole(_)));
        open.map(|(_, number)| number)
    }

    /// Iterates over the reasons why units failed.
    pub fn failures(&self) -> impl Iterator<Item = &str> {
        self.units.iter().filter_map(|(_, state)| match state {
            UnitState::Failed(why) => Some(&**why),
            _ => None,
        })
    }

    /// The shards, of `of` in all, that still have units to play.
    #[must_use]
    pub fn shards(&self, of: u64) -> BTreeSet<u64> {
        self.open().map(|number| number % of.max(1)).collect()
    }
}
