//! The units of a plan, read as played replications.

use std::io;
use std::rc::Rc;

use kleroterion::run::{Played, PlayedError};
use kleroterion::units::{SweepPlan, UnitId, Units};

/// The units of a plan, all of them whole.
pub struct Merging {
    /// The plan.
    pub plan: Rc<SweepPlan>,
    /// The folders of the requested units, by point and leaf.
    pub places: Vec<Vec<Units>>,
}

impl Merging {
    /// The replications of a point, in order.
    pub fn played(&self, point: u32) -> Played {
        let places = self.places[point as usize].clone();
        let last = places.len().saturating_sub(1) as u32;
        let all = self.plan.numbers(UnitId { point, leaf: last }).end;
        let plan = Rc::clone(&self.plan);
        let mut leaves = (0..).zip(places);
        let mut leaf = Vec::new().into_iter();
        Played::new(all, move || {
            loop {
                if let Some(next) = leaf.next() {
                    return Ok(next);
                }
                let (number, units) = leaves.next().ok_or(PlayedError::Changed)?;
                let read = units.read(
                    &plan,
                    UnitId {
                        point,
                        leaf: number,
                    },
                );
                leaf = read
                    .map_err(|error| io::Error::other(error.to_string()))?
                    .into_iter();
            }
        })
        .all()
    }
}
