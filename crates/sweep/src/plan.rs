//! The plan of a sweep: its points with their configs, the units requested so far, and the shards
//! among which they are divided.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::LEAF;
use kleroterion_core::problem::{Problem, in_words_of_json};
use kleroterion_io::record::{MOST_WHOLE, outside, read_given};

/// The name of the plan's file in the folder of its units.
pub const PLAN: &str = "plan.json";

/// The version of the file's format that this program writes.
const FORM: u32 = 1;

/// The id of a unit in a plan: a leaf of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    /// The index of the point in the plan, from 0.
    pub point: u32,
    /// The number of the leaf in the point, from 0.
    pub leaf: u32,
}

impl UnitId {
    /// Returns the unit's name: a hash of the plan's id and of the unit's place in the plan. The
    /// plan's id is itself a hash of the resolved configs, the version and the build.
    #[must_use]
    pub fn name(self, plan: &str) -> String {
        hex(format!("{plan}/{}/{}", self.point, self.leaf).as_bytes())
    }
}

/// Returns the first 16 bytes of a text's SHA-256, in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let bytes = digest.iter().take(16);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// A point of the sweep: one resolved config and its replications.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedPoint {
    /// The name of the point's folder; `None` for a plan of a single run without a sweep.
    pub name: Option<String>,
    /// The settings of the sweep at this point: config paths and values, as written.
    pub set: Vec<(String, String)>,
    /// The text of the resolved config.
    pub config: String,
    /// The SHA-256 of each file that the config names, in the config's order.
    pub files: Vec<String>,
    /// The most replications of the point.
    pub replications: u64,
    /// True if the point ends with the replication by which all comparisons are decided.
    pub until_decided: bool,
}

impl PlannedPoint {
    /// The most leaves that the point may have.
    #[must_use]
    pub fn leaves(&self) -> u32 {
        u32::try_from(self.replications.div_ceil(LEAF)).unwrap_or(u32::MAX)
    }
}

/// A stretch of leaves of a point that were requested together: `from` to `to`, exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Asked {
    point: u32,
    from: u32,
    to: u32,
}

/// Returns the number of leaves after the next wave of a point that has `has` of `all` leaves.
fn wave(has: u32, all: u32) -> u32 {
    has.saturating_mul(2).saturating_add(1).min(all)
}

/// The plan of a sweep: all that a process needs to play any unit, and to recognise its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepPlan {
    form: u32,
    /// The hash of the version, the build, the leaf size and the points. Units and shards don't
    /// change it.
    pub id: String,
    /// The version of klero that made the plan.
    pub version: String,
    /// The build of klero that made the plan: a hash of its program file.
    pub build: String,
    /// The number of replications in a unit.
    pub leaf: u64,
    /// The number of shards; `None` if it was not given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shards: Option<u64>,
    /// The points, in the order of the grid.
    pub points: Vec<PlannedPoint>,
    /// The requested leaves, in the order of the units' numbers. More are only added at the end, so
    /// that a unit keeps its number.
    units: Vec<Asked>,
}

impl SweepPlan {
    /// Makes a plan of these points. It requests all leaves of a point, or the first wave where the
    /// point goes on until decided.
    #[must_use]
    pub fn new(build: String, points: Vec<PlannedPoint>) -> Self {
        let mut plan = Self {
            form: FORM,
            id: String::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build,
            leaf: LEAF,
            shards: None,
            points,
            units: Vec::new(),
        };
        plan.id = plan.hash();
        for point in 0..plan.points.len() {
            plan.ask(point as u32);
        }
        plan
    }

    fn hash(&self) -> String {
        let identity = (&self.version, &self.build, self.leaf, &self.points);
        // What a plan holds is texts and numbers: it can always be written.
        hex(&serde_json::to_vec(&identity).unwrap_or_default())
    }

    /// The number of leaves requested of a point.
    #[must_use]
    pub fn asked(&self, point: u32) -> u32 {
        let of_point = self.units.iter().filter(|asked| asked.point == point);
        of_point.map(|asked| asked.to).max().unwrap_or(0)
    }

    /// Requests the next wave of a point, or all its leaves where it has no waves.
    pub fn ask(&mut self, point: u32) {
        let Some(planned) = self.points.get(point as usize) else {
            return;
        };
        let (from, all) = (self.asked(point), planned.leaves());
        let to = match planned.until_decided {
            true => wave(from, all),
            false => all,
        };
        if from < to {
            self.units.push(Asked { point, from, to });
        }
    }

    /// Iterates over the requested units, in the order of their numbers.
    pub fn units(&self) -> impl Iterator<Item = UnitId> {
        let leaves = |asked: &Asked| {
            let point = asked.point;
            (asked.from..asked.to).map(move |leaf| UnitId { point, leaf })
        };
        self.units.iter().flat_map(leaves)
    }

    /// The number of requested units.
    #[must_use]
    pub fn many(&self) -> u64 {
        let each = self.units.iter();
        each.map(|asked| u64::from(asked.to - asked.from)).sum()
    }

    /// Returns the name of a unit for messages: its hash, its point and its leaf.
    #[must_use]
    pub fn names(&self, unit: UnitId) -> String {
        let point = self.points.get(unit.point as usize);
        let point = point.and_then(|point| point.name.as_deref());
        let point = point.map_or_else(String::new, |name| format!("{name}, "));
        format!("unit {} ({point}leaf {})", unit.name(&self.id), unit.leaf)
    }

    /// The numbers of the replications in a unit.
    #[must_use]
    pub fn numbers(&self, unit: UnitId) -> std::ops::Range<u64> {
        let all = self.points.get(unit.point as usize);
        let all = all.map_or(0, |point| point.replications);
        let start = u64::from(unit.leaf) * LEAF;
        start.min(all)..(start + LEAF).min(all)
    }

    /// Returns the text of the plan's file.
    #[must_use]
    pub fn text(&self) -> String {
        // What a plan holds is texts and numbers: it can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads the plan from the folder of its units.
    ///
    /// # Errors
    /// As [`SweepPlan::read`].
    pub fn in_folder(folder: &Path) -> Result<Self, Problem> {
        let path = folder.join(PLAN);
        if path.is_file() {
            return Self::read(&path);
        }
        let what = format!("{} holds no units of a sweep", folder.display());
        let help = format!("give the --out folder of shards; it has {PLAN} and units");
        Err(Problem::of_request(what).help(help))
    }

    /// Reads a plan from its file.
    ///
    /// # Errors
    /// Where it can't be read, is none, or was changed.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let wrong = |what: String, help: &str| Problem::of_file(path, what).help(help);
        let text = read_given(path, MOST_WHOLE);
        let text = text.map_err(|error| {
            let help = "give the file that `klero sweep CONFIG --plan FILE` wrote";
            wrong(format!("the plan can't be read: {error}"), help)
        })?;
        let again = "write it again: klero sweep CONFIG --plan FILE";
        Self::parse(&text).map_err(|what| wrong(what, again))
    }

    /// Reads a plan from the text of its file.
    ///
    /// # Errors
    /// Where it is none, or was changed; what is wrong.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let plan: Self = outside::read(text).map_err(|error| {
            let error = in_words_of_json(&error.to_string());
            format!("this is no plan of a sweep: {error}")
        })?;
        if plan.form != FORM || plan.leaf != LEAF {
            return Err("another version of klero wrote this plan".to_owned());
        }
        let points = plan.points.len() as u64;
        let fits = |asked: &Asked| {
            let leaves = plan.points.get(asked.point as usize);
            leaves.is_some_and(|point| asked.from < asked.to && asked.to <= point.leaves())
        };
        if plan.hash() != plan.id || points == 0 || !plan.units.iter().all(fits) {
            return Err("the plan was changed by hand".to_owned());
        }
        Ok(plan)
    }
}

/// One of several processes that play a plan together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of this shard, from 0.
    pub number: u64,
    /// The number of shards.
    pub of: u64,
}

impl Shard {
    /// Returns true if this shard plays the unit with the given number in the plan.
    #[must_use]
    pub fn plays(self, unit: u64) -> bool {
        unit % self.of == self.number
    }
}

/// Formats ascending numbers in the syntax of `sbatch --array`, for example `0-3,7`.
#[must_use]
pub fn array(numbers: impl IntoIterator<Item = u64>) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let text = runs.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    text.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_double() {
        let mut has = 0;
        let mut waves = Vec::new();
        while has < 20 {
            let next = wave(has, 20);
            waves.push(next - has);
            has = next;
        }
        assert_eq!(waves, [1, 2, 4, 8, 5]);
    }

    #[test]
    fn an_array_joins_what_follows_each_other() {
        for (numbers, text) in [
            (&[][..], ""),
            (&[3], "3"),
            (&[0, 1], "0-1"),
            (&[0, 1, 2, 4, 7, 8, 63], "0-2,4,7-8,63"),
        ] {
            assert_eq!(array(numbers.iter().copied()), text);
        }
    }

    #[test]
    fn each_unit_has_one_shard() {
        for of in [1, 2, 3, 7, 64] {
            for unit in 0..200 {
                let shards = (0..of).map(|number| Shard { number, of });
                assert_eq!(shards.filter(|shard| shard.plays(unit)).count(), 1);
            }
        }
    }
}
