//! Marks where lanes ended, in figures over the rounds of one stream.

use std::collections::BTreeMap;

use super::super::figure::{Figure, FigurePoint, Mark, MarkAt, Panel};
use super::words::a_less_b;
use crate::protocol::Ending;

/// The longest label of a policy in a mark, in characters: panels are narrow.
const LONGEST: usize = 18;

/// A lane that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LaneEnd {
    /// Its label.
    pub(crate) label: String,
    /// How many rounds it played.
    pub(crate) round: u64,
    /// Why it ended.
    pub(crate) ending: Ending,
}

impl LaneEnd {
    fn words(&self) -> String {
        let is_long = self.label.chars().count() > LONGEST;
        let mut label: String = self.label.chars().take(LONGEST).collect();
        label += if is_long { "\u{2026}" } else { "" };
        format!("{label}: {}", self.ending.word().replace('_', " "))
    }
}

/// Marks in a panel of the courses of `policies` where these of them ended, and how.
pub(crate) fn mark_ends<'a>(
    panel: &mut Panel,
    policies: usize,
    ends: impl Iterator<Item = &'a LaneEnd>,
) {
    let points = panel.series.iter().flat_map(|series| &series.points);
    let reach = points
        .map(|point: &FigurePoint| point.x)
        .fold(0.0, f64::max);
    let mut at: BTreeMap<u64, Vec<&LaneEnd>> = BTreeMap::new();
    for end in ends {
        // What comes after the last round that is drawn would stretch the axis.
        if end.round > 0 && end.round as f64 <= reach {
            at.entry(end.round).or_default().push(end);
        }
    }
    // That a run is over is said elsewhere.
    let is_whole = |ended: &Vec<&LaneEnd>| {
        ended.len() == policies && !ended.iter().any(|end| end.ending.breaks_off())
    };
    let parts = at.into_iter().filter(|(_, ended)| !is_whole(ended));
    panel.marks.extend(parts.map(|(round, ended)| {
        let words: Vec<String> = ended.into_iter().map(LaneEnd::words).collect();
        Mark {
            at: MarkAt::X(round as f64),
            label: words.join(", "),
        }
    }));
}

/// Marks the ends of either lane in the panels of their differences.
pub(super) fn mark_course(course: &mut Figure, ends: &[LaneEnd]) {
    for panel in &mut course.panels {
        let Some(first) = panel.series.first().map(|series| series.name.clone()) else {
            continue;
        };
        let of_pair =
            |end: &&LaneEnd| end.label == first || panel.y.label == a_less_b(&first, &end.label);
        let of_pair: Vec<&LaneEnd> = ends.iter().filter(of_pair).collect();
        mark_ends(panel, 2, of_pair.into_iter());
    }
}
