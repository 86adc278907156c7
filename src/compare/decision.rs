//! When every pair is decided, or the goal is settled: for a run that stops there (`until = "decided"`).

use super::goal::{Goal, Meets};
use super::judge::{Judge, against};
use super::relation::Relation;
use super::sequence::{Bets, Range, Tilted};
use super::settle::{Test, settle};
use super::unfilled::{FILLED, is_unfilled};
use crate::score::{Direction, LaneResult, MetricInfo};

/// Follows a run replication by replication, in their order, until every pair is decided at any time: its interval leaves
/// out 0, or lies within the margin, or a lane forbids the comparison. Where `filled` is judged because a lane left places empty, two
/// policies that never differed in it wait for nothing. Valid at any time, so stopping there costs nothing; and
/// a function of the replications alone, so it stops at the same one whatever the threads. Where the
/// config states a goal, that is settled instead.
#[derive(Clone, Debug)]
pub struct Decision {
    judge: Judge,
    watches: Vec<Watch>,
    /// Whether a lane has left places of its committee empty.
    any_unfilled: bool,
    goal: Option<GoalWatch>,
}

/// The goal's constraints, contender by contender.
#[derive(Clone, Debug)]
struct GoalWatch {
    best: String,
    /// Places of the contenders in the run.
    places: Vec<usize>,
    /// The tests of each.
    tests: Vec<Vec<Test>>,
}

/// One pair.
#[derive(Clone, Debug)]
struct Watch {
    metric: String,
    /// Places of a and b in the run.
    a: usize,
    b: usize,
    /// ln(2/alpha).
    level: f64,
    /// None where a value has left it: then nothing is ever decided.
    scale: Option<Scale>,
    /// Against a mean D of at most 0, at least 0.
    signs: [Against; 2],
    /// Against a mean D of at most minus the margin, at least the margin; none where a side is sure.
    margins: Option<[Option<Against>; 2]>,
    decided: bool,
    /// Whether all D were exactly 0; none before the first value.
    identical: Option<bool>,
    /// The places of those of the two that broke off.
    broken: [Option<usize>; 2],
}

/// What is known of a metric's differences.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// They lie in a range.
    Range(Range),
    /// Their variance is at most so much.
    Variance(f64),
}

impl Scale {
    fn of(metric: &str, judge: &Judge) -> Option<Self> {
        let range = judge.range(metric).map(Range::of_differences);
        let variance = || judge.variance(metric).map(Self::Variance);
        range.map(Self::Range).or_else(variance)
    }

    /// A difference and its mirror image as evidence takes them in; none where it leaves the range.
    fn sides(self, difference: f64) -> Option<[f64; 2]> {
        match self {
            Self::Range(range) => {
                let up = range.unit(difference).ok()?;
                Some([up, 1.0 - up])
            }
            Self::Variance(_) => difference.is_finite().then_some([difference, -difference]),
        }
    }

    /// Evidence against a mean of at most `bound`; none where that is sure beforehand.
    fn against(self, bound: f64, alpha: f64) -> Option<Against> {
        match self {
            Self::Range(range) => {
                let unit = range.unit(bound).ok().filter(|unit| *unit >= 1e-100);
                unit.map(|unit| Against::Bets(Bets::against(unit)))
            }
            Self::Variance(variance) => {
                let tilted = Tilted::against(bound, variance, alpha);
                Some(Against::Tilted(tilted))
            }
        }
    }
}

/// Evidence against a mean of at most some bound.
#[derive(Clone, Debug)]
enum Against {
    Bets(Bets),
    Tilted(Tilted),
}

impl Against {
    fn add(&mut self, value: f64) {
        match self {
            Self::Bets(bets) => bets.add(value),
            Self::Tilted(tilted) => tilted.add(value),
        }
    }

    fn ln_e(&self) -> f64 {
        match self {
            Self::Bets(bets) => bets.ln_e(),
            Self::Tilted(tilted) => tilted.ln_e(),
        }
    }
}

impl Decision {
    /// Nothing seen of a run of these policies, in the run's order, yet.
    #[must_use]
    pub fn new(labels: &[&str], judge: &Judge) -> Self {
        let pairs = against(labels, judge);
        let metrics = judge.shares();
        let alpha = judge.difference_alpha() / (metrics.len() * pairs.len()) as f64;
        let watch = |metric: &str, (a, b): (usize, usize)| {
            let scale = Scale::of(metric, judge);
            let margin = judge.margins.get(metric);
            let bounds = scale.zip(margin).map(|(scale, margin)| {
                let against = scale.against(-margin, alpha);
                [against.clone(), against]
            });
            let sign = scale.and_then(|scale| scale.against(0.0, alpha));
            // Without a scale nothing is taken in.
            let sign = sign.unwrap_or_else(|| Against::Bets(Bets::against(0.5)));
            Watch {
                metric: metric.to_owned(),
                a,
                b,
                level: libm::log(2.0 / alpha),
                scale,
                signs: [sign.clone(), sign],
                margins: bounds,
                decided: false,
                identical: None,
                broken: [None; 2],
            }
        };
        let metrics = metrics.iter();
        let watches = metrics.flat_map(|metric| pairs.iter().map(move |&pair| watch(metric, pair)));
        let watches: Vec<Watch> = watches.collect();
        let goal = judge.goal.as_ref();
        // A goal needs all pairs on its own metric; otherwise those that the config asks for count.
        let is_needed = |watch: &Watch| match goal {
            Some(goal) => watch.metric == goal.best,
            None => judge.asks(labels[watch.b]),
        };
        Self {
            watches: watches.into_iter().filter(is_needed).collect(),
            judge: judge.clone(),
            any_unfilled: false,
            goal: goal.map(|goal| GoalWatch::new(goal, labels, judge)),
        }
    }

    /// Takes in the next replication, its lanes in the run's order; whether every pair is decided now. Never where there are no
    /// pairs.
    pub fn add(&mut self, lanes: &[LaneResult]) -> bool {
        for watch in &mut self.watches {
            watch.add(&lanes[watch.a], &lanes[watch.b], &self.judge);
        }
        self.any_unfilled |= lanes.iter().any(is_unfilled);
        // What is judged only where a lane left places empty.
        let added = self.judge.adds_filled().then_some(FILLED);
        let waits = |watch: &Watch| match added == Some(&*watch.metric) {
            true => self.any_unfilled && watch.identical != Some(true) && !watch.decided,
            false => !watch.decided,
        };
        match &mut self.goal {
            Some(goal) => {
                goal.add(lanes);
                goal.is_settled(&self.watches)
            }
            None => !self.watches.is_empty() && !self.watches.iter().any(waits),
        }
    }
}

impl GoalWatch {
    fn new(goal: &Goal, labels: &[&str], judge: &Judge) -> Self {
        let places = (0..labels.len()).filter(|place| judge.is_contender(labels[*place]));
        let places: Vec<usize> = places.collect();
        let alpha = goal.alpha(judge, places.len());
        let tests = || {
            let each = goal.constraints.iter();
            each.map(|constraint| Test::new(constraint, judge, alpha))
        };
        Self {
            best: goal.best.clone(),
            tests: places.iter().map(|_| tests().collect()).collect(),
            places,
        }
    }

    fn add(&mut self, lanes: &[LaneResult]) {
        for (place, tests) in self.places.iter().zip(&mut self.tests) {
            tests.iter_mut().for_each(|test| test.add(&lanes[*place]));
        }
    }

    fn is_settled(&self, watches: &[Watch]) -> bool {
        let meets = |at: usize| Meets::all(self.tests[at].iter().map(Test::meets));
        let direction = MetricInfo::of(&self.best).direction;
        let relation = |a: usize, b: usize| {
            let (a, b) = (self.places[a], self.places[b]);
            let found = watches.iter().find_map(|watch| match (watch.a, watch.b) {
                pair if pair == (a, b) => Some(watch.relation(direction)),
                pair if pair == (b, a) => Some(watch.relation(direction).turned()),
                _ => None,
            });
            found.unwrap_or(Relation::None)
        };
        // A lane that broke off leaves its policy out of the answer.
        let is_in = |at: &usize| {
            let place = self.places[*at];
            !watches
                .iter()
                .any(|watch| watch.broken.contains(&Some(place)))
        };
        let contenders: Vec<usize> = (0..self.places.len()).filter(is_in).collect();
        !contenders.is_empty() && settle(&contenders, meets, relation).is_settled
    }
}

impl Watch {
    fn add(&mut self, a: &LaneResult, b: &LaneResult, judge: &Judge) {
        let comparable = |lane: &LaneResult| lane.ending.is_comparable(judge.source_end_is_short);
        for (side, (place, lane)) in [(self.a, a), (self.b, b)].into_iter().enumerate() {
            if !comparable(lane) {
                // For good: nothing clears a lane.
                self.broken[side] = Some(place);
                (self.decided, self.scale) = (true, None);
            }
        }
        let values = judge.values(&self.metric, [a, b]);
        let (Some([a, b]), Some(scale)) = (values, self.scale) else {
            return;
        };
        self.identical = Some(self.identical.unwrap_or(true) && a == b);
        let Some(sides) = scale.sides(a - b) else {
            (self.decided, self.scale) = (false, None);
            return;
        };
        for (side, bets) in sides.into_iter().zip(&mut self.signs) {
            bets.add(side);
        }
        if let Some(bounds) = &mut self.margins {
            for (side, bets) in sides.into_iter().zip(bounds) {
                bets.iter_mut().for_each(|bets| bets.add(side));
            }
        }
        self.decided = self.side().is_some() || self.is_within();
    }

    fn refutes(&self, bets: &Against) -> bool {
        bets.ln_e() > self.level
    }

    /// On which side of 0 the mean D surely lies.
    fn side(&self) -> Option<Direction> {
        let [above, below] = &self.signs;
        match (self.refutes(above), self.refutes(below)) {
            (true, _) => Some(Direction::Higher),
            (_, true) => Some(Direction::Lower),
            _ => None,
        }
    }

    /// Whether the mean D surely lies within the margin.
    fn is_within(&self) -> bool {
        let refuted = |bets: &Option<Against>| bets.as_ref().is_none_or(|bets| self.refutes(bets));
        let margins = self.margins.as_ref();
        margins.is_some_and(|sides| sides.iter().all(refuted))
    }

    /// How a compares with b, where more is better or less.
    fn relation(&self, better: Direction) -> Relation {
        match self.side() {
            _ if self.broken != [None; 2] => Relation::None,
            _ if self.scale.is_none() => Relation::Open,
            Some(side) if side == better => Relation::Better,
            Some(_) => Relation::Worse,
            None if self.is_within() => Relation::Even,
            None => Relation::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::RunResult;
    use crate::compare::Unfilled;
    use crate::compare::{Pair, Verdict, Versus, compare};
    use crate::draw::{Key, Purpose};
    use crate::protocol::Ending;
    use crate::score::{PolicyRun, Row};

    const LABELS: [&str; 3] = ["c", "a", "b"];

    fn lane(loss: Option<f64>, ending: Ending) -> LaneResult {
        let row = |value| Row {
            metric: "representation_loss".into(),
            at: None,
            value,
        };
        LaneResult {
            ending,
            detail: None,
            rows: loss.map(row).into_iter().collect(),
        }
    }

    /// a is a little better than c, b the same as c on average.
    fn replication(number: u64, difference: f64) -> [LaneResult; 3] {
        let mut draw = Key::new(5, number).draw(Purpose::World, 0, 0);
        let mut loss = |mean: f64| {
            let value = mean + 0.1 * (draw.uniform() - 0.5);
            lane(Some(value).filter(|_| number % 7 != 3), Ending::Filled)
        };
        [loss(0.5), loss(0.5 - difference), loss(0.5)]
    }

    fn judge(margin: Option<f64>, versus: Versus) -> Judge {
        let name = "representation_loss".to_owned();
        Judge {
            metrics: vec![name.clone()],
            margins: margin.map(|margin| (name, margin)).into_iter().collect(),
            versus,
            alpha: 0.05,
            until_decided: true,
            ..Judge::default()
        }
    }

    fn run(all: &[[LaneResult; 3]]) -> RunResult {
        let policy = |at: usize| PolicyRun {
            label: LABELS[at].into(),
            kind: "k".into(),
            lanes: all.iter().map(|lanes| lanes[at].clone()).collect(),
        };
        RunResult {
            name: "t".into(),
            seed: 1,
            replications: all.len() as u64,
            policies: vec![policy(0), policy(1), policy(2)],
            rounds: Default::default(),
            streams: Vec::new(),
        }
    }

    /// The comparisons that the judge asks for.
    fn pairs(all: &[[LaneResult; 3]], judge: &Judge) -> Vec<Pair> {
        let mut pairs = compare(&run(all), judge);
        pairs.retain(|pair| judge.asks(&pair.b));
        pairs
    }

    #[test]
    fn all_is_decided_exactly_where_no_verdict_is_open() {
        let baseline = || Versus::Baseline("c".into());
        for (difference, margin, versus, known) in [
            (0.3, Some(0.2), baseline(), true),
            (0.3, Some(0.2), Versus::Everyone, true),
            (0.05, Some(0.3), baseline(), true),
            (0.3, None, baseline(), false),
            (0.0, Some(1.0), baseline(), true),
            (0.0, Some(9.0), baseline(), true),
            (0.3, Some(0.2), Versus::Nobody, false),
        ] {
            let judge = judge(margin, versus);
            let mut decision = Decision::new(&LABELS, &judge);
            let mut all = Vec::new();
            let mut ever = false;
            for number in 0..200 {
                all.push(replication(number, difference));
                let decided = decision.add(&all[number as usize]);
                let pairs = pairs(&all, &judge);
                let open = pairs.iter().any(|pair| pair.verdict == Verdict::Undecided);
                assert_eq!(decided, !pairs.is_empty() && !open, "{number}: {pairs:?}");
                ever |= decided;
            }
            assert_eq!(ever, known, "{difference} {margin:?}");
        }
    }

    /// Lanes of a committee: those of `b` leave places empty in one of `rare` replications.
    fn committees(number: u64, rare: u64) -> [LaneResult; 3] {
        let mut lanes = replication(number, 0.3);
        for (at, lane) in lanes.iter_mut().enumerate() {
            let short = at == 2 && number % rare == rare - 1;
            lane.ending = if short {
                Ending::Stalled
            } else {
                Ending::Filled
            };
            let filled = Row {
                metric: FILLED.into(),
                at: None,
                value: f64::from(u8::from(!short)),
            };
            lane.rows.push(filled);
        }
        lanes
    }

    #[test]
    fn committees_with_empty_places_leave_no_verdict_open_where_all_is_decided() {
        let baseline = || Versus::Baseline("c".into());
        for (unfilled, rare, margin, versus, known) in [
            (Unfilled::LeftOut, 2, Some(0.2), baseline(), true),
            (Unfilled::LeftOut, 2, Some(0.2), Versus::Everyone, true),
            (Unfilled::Worst, 3, Some(0.4), baseline(), true),
            // Whether b fills as often as the others is open to the end; with a margin it is not.
            (Unfilled::LeftOut, 190, None, baseline(), false),
            (Unfilled::LeftOut, 190, Some(0.2), baseline(), true),
            // Nobody leaves a place empty.
            (Unfilled::LeftOut, 1000, Some(0.2), baseline(), true),
        ] {
            let mut judge = judge(margin, versus);
            judge.unfilled = unfilled;
            judge
                .margins
                .extend(margin.map(|margin| (FILLED.to_owned(), margin)));
            let mut decision = Decision::new(&LABELS, &judge);
            let (mut all, mut ever) = (Vec::new(), false);
            for number in 0..200 {
                all.push(committees(number, rare));
                let decided = decision.add(&all[number as usize]);
                // Where it turns, and now and then: all of them take long.
                if decided == ever && number % 40 != 39 {
                    continue;
                }
                let pairs = pairs(&all, &judge);
                let open = pairs.iter().any(|pair| pair.verdict == Verdict::Undecided);
                assert_eq!(decided, !open, "{number}: {pairs:?}");
                let shown = pairs.iter().any(|pair| pair.metric == FILLED);
                assert_eq!(shown, number + 1 >= rare);
                // A committee that is left unfilled can open what was decided, so the last one says it.
                ever = decided;
            }
            assert_eq!(ever, known, "{unfilled:?} {rare} {margin:?}");
        }
    }

    #[test]
    fn a_goal_is_settled_exactly_where_the_answer_says_so() {
        use crate::compare::{Bound, Constraint, Summary};
        let mut settled = 0;
        for (difference, loss, margin) in [
            (0.3, 0.4, None),
            (0.3, 0.6, Some(0.2)),
            (0.05, 0.6, Some(0.3)),
            (0.3, 0.01, None),
            (0.3, 1.0, None),
        ] {
            for versus in [Versus::Nobody, Versus::Baseline("c".into())] {
                let mut judge = judge(margin, versus);
                judge.goal = Some(Goal {
                    best: "representation_loss".into(),
                    constraints: vec![Constraint {
                        metric: "representation_loss".into(),
                        bound: Bound::AtMost(loss),
                    }],
                });
                let mut decision = Decision::new(&LABELS, &judge);
                let mut all = Vec::new();
                for number in 0..120 {
                    all.push(replication(number, difference));
                    let decided = decision.add(&all[number as usize]);
                    let answer = Summary::of(&run(&all), &judge).answer;
                    let goal = answer.goal.expect("a goal");
                    assert_eq!(decided, goal.settled, "{number}: {goal:?}");
                    settled += u64::from(decided);
                }
            }
        }
        assert!(settled > 100 && settled < 1100, "{settled}");
    }

    #[test]
    fn a_lane_that_failed_decides_its_pairs_and_a_value_beyond_the_range_never_does() {
        let judge = judge(None, Versus::Baseline("c".into()));
        let far = |number| replication(number, 0.4);
        let mut decision = Decision::new(&LABELS, &judge);
        let ended = (0..200).position(|number| {
            let mut lanes = far(number);
            if number == 20 {
                lanes[2] = lane(None, Ending::Left);
            }
            decision.add(&lanes)
        });
        let ended = ended.expect("it is decided");
        assert!(ended >= 20, "{ended}");
        let mut decision = Decision::new(&LABELS, &judge);
        for number in 0..200 {
            let mut lanes = far(number);
            lanes[2] = lane(Some(if number == 4 { 7.0 } else { 0.9 }), Ending::Filled);
            assert!(!decision.add(&lanes));
        }
    }

    /// Of a metric without a range, by the stated bound on the variance: decided exactly where no verdict is open.
    #[test]
    fn a_stated_variance_decides_too() {
        for (difference, stated, known) in [(0.3, Some(0.02), true), (0.3, None, false)] {
            let judge = Judge {
                metrics: vec!["cost".into()],
                variances: stated.map(|v| ("cost".to_owned(), v)).into_iter().collect(),
                ..judge(None, Versus::Baseline("c".into()))
            };
            let named = |mut lanes: [LaneResult; 3]| {
                let rows = lanes.iter_mut().flat_map(|lane| &mut lane.rows);
                rows.for_each(|row| row.metric = "cost".into());
                // b far on the other side, so that both pairs can be decided.
                lanes[2].rows.iter_mut().for_each(|row| row.value += 0.4);
                lanes
            };
            let mut decision = Decision::new(&LABELS, &judge);
            let (mut all, mut ever) = (Vec::new(), false);
            for number in 0..60 {
                all.push(named(replication(number, difference)));
                let decided = decision.add(&all[number as usize]);
                let pairs = pairs(&all, &judge);
                if stated.is_some() {
                    let open = pairs.iter().any(|pair| pair.verdict == Verdict::Undecided);
                    assert_eq!(decided, !open, "{number}: {pairs:?}");
                    assert!(pairs[0].method.starts_with("Catoni"), "{}", pairs[0].method);
                }
                ever |= decided;
            }
            assert_eq!(ever, known, "{stated:?}");
        }
    }

    #[test]
    fn nothing_that_needs_a_fixed_number_is_given() {
        let all: Vec<_> = (0..40).map(|number| replication(number, 0.4)).collect();
        for pair in pairs(&all, &judge(None, Versus::Everyone)) {
            assert_eq!((pair.beside.t_lo, pair.beside.median_lo), (None, None));
            assert!(pair.lo.is_some() && pair.beside.e_value.is_some());
        }
    }
}
