//! Lanes that play elsewhere, as seen from here: how far behind they are, and when they last moved.

use std::time::Duration;

use super::{Stage, Watched};

/// A lane that plays elsewhere and has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteLane {
    /// Its place in the run.
    pub lane: usize,
    /// The number of persons handed out whom it has not decided about.
    pub behind: u64,
    /// The time since its last move came; `None` before the first.
    pub silent: Option<Duration>,
}

impl Watched {
    /// The lanes that play elsewhere and have not ended, in the run's order.
    #[must_use]
    pub fn remote_lanes(&self) -> Vec<RemoteLane> {
        if *self.stage.borrow() == Stage::Over {
            return Vec::new();
        }
        let lanes = self.gauges.lanes.iter().enumerate();
        let lanes = lanes.filter(|(_, gauges)| gauges.is_elsewhere());
        let lanes = lanes.filter(|(lane, _)| self.ending_of(*lane).is_none());
        let remote = lanes.map(|(lane, gauges)| {
            // Read in this order: whoever is decided about was let out before.
            let persons = gauges.persons.get();
            RemoteLane {
                lane,
                behind: self.gauges.handed.get().saturating_sub(persons),
                silent: gauges.heard.since(),
            }
        });
        remote.collect()
    }
}

/// Returns the lane that is farthest behind; `None` if none is behind.
#[must_use]
pub fn farthest(remote: &[RemoteLane]) -> Option<RemoteLane> {
    let behind = remote.iter().filter(|lane| lane.behind > 0);
    // The first of several.
    behind.copied().rev().max_by_key(|lane| lane.behind)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use kleroterion_core::protocol::{Ending, Schema};
    use kleroterion_stats::Judge;

    #[test]
    fn the_farthest_behind_is_named_until_it_ends() {
        let labels = ["a", "b", "c", "d"].map(Arc::from).into();
        let schema = Arc::new(Schema::default());
        let watched = Watched::new("r".into(), schema, labels, None, Judge::default());
        let lanes = &watched.gauges.lanes;
        watched.gauges.handed.set(100);
        assert_eq!(watched.remote_lanes(), []);
        for lane in &lanes[1..] {
            lane.plays_elsewhere();
        }
        for (lane, persons) in lanes.iter().zip([0, 90, 40, 40]) {
            lane.persons.set(persons);
        }
        lanes[1].heard.now();
        let seen = |lane: &RemoteLane| (lane.lane, lane.behind, lane.silent.is_some());
        let all = watched.remote_lanes();
        let all_seen: Vec<_> = all.iter().map(seen).collect();
        assert_eq!(all_seen, [(1, 10, true), (2, 60, false), (3, 60, false)]);
        assert_eq!(farthest(&all).map(|lane| lane.lane), Some(2));
        watched.end(2, Ending::Left.into());
        assert_eq!(farthest(&watched.remote_lanes()).unwrap().lane, 3);
        lanes[1].persons.set(100);
        lanes[3].persons.set(101);
        assert_eq!(farthest(&watched.remote_lanes()), None);
        watched.enter(Stage::Over);
        assert_eq!(watched.remote_lanes(), []);
    }
}
