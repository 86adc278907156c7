//! The latest people of a glance and what each policy decided on them, and the course of the
//! difference that matters most.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::watch::Watched;
use crate::watch::decisions::LaneDecision;
use kleroterion_core::score::Direction;
use kleroterion_stats::{Pair, PairCourse};

/// The most rounds that are shown.
const ROUNDS: usize = 16;
/// The most letters of an attribute's value.
const LETTERS: usize = 3;
/// The most attributes.
const ATTRIBUTES: usize = 2;

/// The people of a round and the decisions on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlancePeople {
    /// The number of the round.
    pub round: u64,
    /// The first letters of the person's groups, or the number of people.
    pub who: String,
    /// True for each lane that chose someone, in the order of the run. `None` for a lane that has not
    /// decided.
    pub chose: Vec<Option<bool>>,
}

/// A number of rounds, the mean difference after them, and its interval.
pub type GlancePoint = (u64, f64, Option<(f64, f64)>);

/// The course of a difference over the rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlanceCourse {
    /// The policy that is ahead, and the policy it is held against.
    pub sides: [String; 2],
    /// The points, in rising numbers of rounds.
    pub points: Vec<GlancePoint>,
    /// The round since which it is sure.
    pub sure: Option<u64>,
}

/// The latest rounds that may be shown, the newest last.
pub(super) fn latest(watched: &Watched) -> Vec<GlancePeople> {
    let lanes = watched.labels.len();
    let all = *watched.decisions.watch().borrow();
    let most = (ROUNDS + 1) * lanes;
    let events = watched
        .decisions
        .since(all.saturating_sub(most as u64), most);
    let mut rounds: BTreeMap<u64, Vec<&Arc<LaneDecision>>> = BTreeMap::new();
    for event in &events {
        rounds.entry(event.round()).or_default().push(event);
    }
    let is_shown = |events: &[&Arc<LaneDecision>]| events.iter().all(|one| watched.may_tell(one));
    let shown = rounds.iter().filter(|(_, events)| is_shown(events));
    let mut shown: Vec<GlancePeople> = shown.map(|(_, events)| people(events, lanes)).collect();
    shown.drain(..shown.len().saturating_sub(ROUNDS));
    shown
}

fn people(events: &[&Arc<LaneDecision>], lanes: usize) -> GlancePeople {
    let mut people = GlancePeople {
        chose: vec![None; lanes],
        ..GlancePeople::default()
    };
    for event in events {
        let decision = &event.event.decision;
        people.round = decision.round;
        people.chose[event.lane] = Some(!decision.chosen.is_empty());
        let short = |value: &str| -> String {
            let letters = value.chars().take_while(|letter| letter.is_alphanumeric());
            letters.take(LETTERS).collect()
        };
        people.who = match decision.shown.as_slice() {
            [_] => {
                let groups = decision.values(0).take(ATTRIBUTES);
                groups.map(|(_, value)| short(value)).collect()
            }
            all => all.len().to_string(),
        };
    }
    people
}

/// The course of the comparison of the best with the policy that differences are shown from, or of
/// the next best with it. `values` are those of the measure now.
pub(super) fn course<'a>(
    courses: &[PairCourse],
    pairs: &[&Pair],
    base: &str,
    values: impl Iterator<Item = (&'a str, f64)>,
    (direction, scale): (Direction, f64),
) -> Option<GlanceCourse> {
    let others = values.filter(|(label, _)| *label != base);
    let best =
        others.reduce(
            |best, one| match direction.best_first(Some(one.1), Some(best.1)).is_lt() {
                true => one,
                false => best,
            },
        );
    let (best, _) = best?;
    let is_of = |a: &str, b: &str| [a, b] == [best, base] || [b, a] == [best, base];
    let pair = pairs.iter().find(|pair| is_of(&pair.a, &pair.b))?;
    let is_course = |one: &&PairCourse| one.metric == pair.metric && is_of(&one.a, &one.b);
    let course = courses.iter().find(is_course)?;
    let side = if course.a == best { scale } else { -scale };
    let limits = |(lo, hi): (f64, f64)| {
        let ends = (side * lo, side * hi);
        (ends.0.min(ends.1), ends.0.max(ends.1))
    };
    let points = course.points.iter();
    let points = points.map(|point| (point.n, side * point.mean, point.interval.map(limits)));
    Some(GlanceCourse {
        sides: [best, base].map(str::to_owned),
        points: points.collect(),
        sure: pair.dated.and_then(|dated| dated.since),
    })
}
