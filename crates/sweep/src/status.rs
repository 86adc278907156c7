//! The progress of a sweep, point by point, from its units alone.

use serde::Serialize;

use super::LEAF;
use super::found::{Found, UnitState};
use super::plan::SweepPlan;
use kleroterion_report::report::figure::{Cell, FigureTable};
use kleroterion_report::report::page::{Page, PagePart, PageSection};

/// The most cells of a bar.
const BAR: usize = 60;

/// The progress of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SweepStatus {
    schema: u32,
    plan: String,
    version: String,
    build: String,
    /// The number of units in the plan.
    pub units: u64,
    /// The number of units that are whole.
    pub whole: u64,
    /// The number of shards; `None` where it is unknown.
    shards: Option<u64>,
    /// The shards that still have units to play.
    open_shards: Vec<u64>,
    /// The progress of each point, in the order of the grid.
    pub points: Vec<PointStatus>,
    /// The requested units that are not whole.
    pub open: Vec<OpenUnit>,
    /// The files that are not units of the plan: name and reason.
    foreign: Vec<(String, String)>,
}

/// The progress of a point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PointStatus {
    point: Option<String>,
    set: Vec<(String, String)>,
    /// The most leaves that the point may have.
    leaves: u32,
    /// The number of requested leaves.
    asked: u32,
    whole: u32,
    failed: u32,
    damaged: u32,
    missing: u32,
}

/// A requested unit that is not whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenUnit {
    number: u64,
    unit: String,
    point: Option<String>,
    leaf: u32,
    /// The reason: `missing`, the error of its last attempt, or the fault of its file.
    why: String,
}

impl SweepStatus {
    /// Builds the status from the state of a plan's units.
    #[must_use]
    pub fn of(plan: &SweepPlan, found: &Found, shards: Option<u64>) -> Self {
        let points = plan.points.iter().map(|point| PointStatus {
            point: point.name.clone(),
            set: point.set.clone(),
            leaves: point.leaves(),
            ..PointStatus::default()
        });
        let mut points: Vec<PointStatus> = points.collect();
        let mut open = Vec::new();
        for ((unit, state), number) in found.units.iter().zip(0..) {
            let point = &mut points[unit.point as usize];
            point.asked += 1;
            let (count, why) = match state {
                UnitState::Whole(_) => (&mut point.whole, None),
                UnitState::Failed(why) => (&mut point.failed, Some(why.clone())),
                UnitState::Missing => (&mut point.missing, Some("missing".to_owned())),
                UnitState::Wrong(_, why) => (&mut point.damaged, Some(why.to_string())),
            };
            *count += 1;
            open.extend(why.map(|why| OpenUnit {
                number,
                unit: unit.name(&plan.id),
                point: point.point.clone(),
                leaf: unit.leaf,
                why,
            }));
        }
        let shards = shards.or(plan.shards);
        let open_shards = shards.map(|of| found.shards(of));
        let foreign = found.foreign.iter();
        let foreign = foreign.map(|(_, name, why)| (name.clone(), why.to_string()));
        Self {
            schema: 1,
            plan: plan.id.clone(),
            version: plan.version.clone(),
            build: plan.build.clone(),
            units: found.units.len() as u64,
            whole: (found.units.len() - open.len()) as u64,
            shards,
            open_shards: open_shards.into_iter().flatten().collect(),
            points,
            open,
            foreign: foreign.collect(),
        }
    }

    /// Describes the progress in a sentence or two.
    #[must_use]
    pub fn sentence(&self) -> String {
        let points = match self.points.len() {
            1 => "1 point".to_owned(),
            many => format!("{many} points"),
        };
        let mut text = format!(
            "{} of {} units are whole ({points}).",
            self.whole, self.units
        );
        if let (Some(of), false) = (self.shards, self.open.is_empty()) {
            let array = super::array(self.open_shards.iter().copied());
            text += &format!(" Of {of} shards these have units to play: {array}.");
        }
        if !self.foreign.is_empty() {
            text += &format!(
                " {} units are of another plan or build.",
                self.foreign.len()
            );
        }
        text
    }

    /// The share of the units that is whole, as a bar of at most `width` columns.
    #[must_use]
    pub fn bar(&self, width: usize) -> String {
        let share = self.whole as f64 / self.units.max(1) as f64;
        // Not 100 % before all are whole.
        let percent = format!(" {} %", (100.0 * share) as u64);
        let cells = width.saturating_sub(percent.len() + 2).min(BAR);
        let full = (share * cells as f64) as usize;
        format!(
            "[{}{}]{percent}",
            "#".repeat(full),
            "-".repeat(cells - full)
        )
    }

    /// Returns a table with one row per point.
    #[must_use]
    pub fn table(&self) -> FigureTable {
        self.table_of(self.points.iter())
    }

    /// Returns a table with one row per point that is not whole, or `None` if all are whole.
    #[must_use]
    pub fn open_points(&self) -> Option<FigureTable> {
        let is_open = |point: &&PointStatus| point.whole < point.asked;
        let table = self.table_of(self.points.iter().filter(is_open));
        (!table.rows.is_empty()).then_some(table)
    }

    fn table_of<'a>(&'a self, points: impl Iterator<Item = &'a PointStatus>) -> FigureTable {
        let keys = self.points.first().map_or(&[][..], |point| &point.set);
        let keys = keys.iter().map(|(key, _)| key.clone());
        let heads = [
            "leaves",
            "asked for",
            "whole",
            "failed",
            "damaged",
            "missing",
        ];
        let heads = heads.map(str::to_owned);
        let row = |point: &PointStatus| {
            let name = point.point.clone().unwrap_or_else(|| "the run".to_owned());
            let words = point.set.iter().map(|(_, value)| value.clone());
            let counts = [
                point.leaves,
                point.asked,
                point.whole,
                point.failed,
                point.damaged,
                point.missing,
            ];
            let words = std::iter::once(name).chain(words).map(Cell::Text);
            words
                .chain(counts.map(|count| Cell::Number(f64::from(count))))
                .collect()
        };
        FigureTable {
            headers: std::iter::once("point".to_owned())
                .chain(keys)
                .chain(heads)
                .collect(),
            rows: points.map(row).collect(),
        }
    }

    /// Returns a table with one row per unit that is not whole, or `None` if all are whole.
    #[must_use]
    pub fn open_table(&self) -> Option<FigureTable> {
        let row = |unit: &OpenUnit| {
            vec![
                Cell::Number(unit.number as f64),
                Cell::Text(unit.unit.clone()),
                Cell::Text(unit.point.clone().unwrap_or_else(|| "the run".to_owned())),
                Cell::Number(f64::from(unit.leaf)),
                Cell::Text(unit.why.clone()),
            ]
        };
        (!self.open.is_empty()).then(|| FigureTable {
            headers: ["number", "unit", "point", "leaf", "what is wrong"]
                .map(str::to_owned)
                .to_vec(),
            rows: self.open.iter().map(row).collect(),
        })
    }

    /// Returns the status as a page.
    #[must_use]
    pub fn page(&self) -> Page {
        let table = |caption: &str, table| PagePart::Table {
            caption: caption.to_owned(),
            table,
        };
        let leaf =
            format!("A leaf has {LEAF} replications; the last one of a point may have fewer.");
        let mut sections = vec![PageSection {
            heading: "The points".to_owned(),
            parts: vec![table(&leaf, self.table())],
        }];
        sections.extend(self.open_table().map(|open| PageSection {
            heading: "Units that are not whole".to_owned(),
            parts: vec![table(
                "A shard plays the units whose number leaves its own number as remainder.",
                open,
            )],
        }));
        Page {
            title: "How far a sweep is".to_owned(),
            lead: self.sentence(),
            sections,
            ..Page::default()
        }
    }
}
