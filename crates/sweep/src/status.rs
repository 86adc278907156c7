//! What is there of a sweep, point by point, from its units alone.

use serde::Serialize;

use super::LEAF;
use super::found::{Found, UnitState};
use super::plan::SweepPlan;
use kleroterion_report::report::figure::{Cell, FigureTable};
use kleroterion_report::report::page::{Page, PagePart, PageSection};

/// What is there of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SweepStatus {
    schema: u32,
    plan: String,
    version: String,
    build: String,
    /// How many units are asked for.
    pub units: u64,
    /// How many of them are whole.
    pub whole: u64,
    /// How many shards there are, where that is known.
    shards: Option<u64>,
    /// The shards that have units to play.
    open_shards: Vec<u64>,
    /// The points, in the order of the grid.
    pub points: Vec<PointStatus>,
    /// The units that are not whole.
    pub open: Vec<OpenUnit>,
    /// Files that are no units of the plan, and why.
    foreign: Vec<(String, String)>,
}

/// What is there of a point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PointStatus {
    point: Option<String>,
    set: Vec<(String, String)>,
    /// The most leaves there may be.
    leaves: u32,
    /// The leaves that are asked for.
    asked: u32,
    whole: u32,
    failed: u32,
    damaged: u32,
    missing: u32,
}

/// A unit that is not whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenUnit {
    number: u64,
    unit: String,
    point: Option<String>,
    leaf: u32,
    /// `missing`, why it failed, or what is wrong with its file.
    why: String,
}

impl SweepStatus {
    /// The state of a plan's units.
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

    /// How far it is, in a sentence or two.
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

    /// A row a point.
    #[must_use]
    pub fn table(&self) -> FigureTable {
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
            rows: self.points.iter().map(row).collect(),
        }
    }

    /// A row a unit that is not whole; none where all are.
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

    /// The same as a page.
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
