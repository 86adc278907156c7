//! The shares admitted at each state by three policies: looking ahead without chance, looking ahead
//! at N, and not looking ahead.

use std::sync::Arc;

use super::super::setting::StudyPool;
use super::course::Lattice;
use super::way::Way;
use crate::reproduce::prelude::*;
use kleroterion_policies::pool::optimal::{AheadState, LookAhead, LookAheadPlan, Unsolved};
use kleroterion_policies::pool::{GreedyTerm, Infeasible, Weighing};

/// States of s without chance, less one, and shares.
const CELLS: u32 = 1000;

/// A reference computation of the same 1001 states and shares, which is not in the paper: s, the
/// share admitted, and V at some.
const REFERENCE: [(f64, f64, Option<f64>); 9] = [
    (0.1, 0.239, Some(614.2142)),
    (0.2, 0.315, None),
    (0.3, 0.362, None),
    (0.4, 0.4, Some(615.8974)),
    (0.5, 0.435, None),
    (0.6, 0.471, None),
    (0.7, 0.513, None),
    (0.8, 0.57, None),
    (0.9, 0.692, Some(611.6396)),
];

/// The three policies of the study, and the one without chance.
pub(super) struct PolicyShares {
    pub setting: StudyPool,
    pub gamma: f64,
    mean_field: LookAheadPlan,
    share: Arc<LookAheadPlan>,
    theta: Arc<LookAheadPlan>,
    /// The objective of looking ahead from theta.
    ahead: LookAhead,
    /// The share that Fair-Greedy admits of group u, by the number of applicants of group u among
    /// N.
    greedy: Vec<f64>,
}

impl PolicyShares {
    /// Collects the shares of a run's policies. They do not depend on theta_0.
    pub(super) fn of(run: &StudyRun) -> Result<Self> {
        let plan = |way: Way| {
            let lane = run.plan.lanes.iter().find(|lane| lane.label == way.label());
            let foresight = lane.and_then(|lane| lane.policy.foresight.as_ref());
            let foresight = foresight.and_then(|ahead| Some((*ahead.ahead(), ahead.plan()?)));
            foresight.ok_or_else(|| run.lacks(&format!("a plan of {}", way.label())))
        };
        let (ahead, share) = plan(Way::Share)?;
        let (by_theta, theta) = plan(Way::Theta)?;
        let mean_field = LookAhead {
            greedy_term: GreedyTerm::MeanField,
            infeasible: Infeasible::Feasible,
            state: AheadState::MeanField { cells: CELLS },
            ..ahead
        };
        let mean_field = mean_field.solve();
        let setting = StudyPool::of(run, Way::Greedy.label())?;
        let weighing = Weighing {
            target: vec![ahead.target, 1.0 - ahead.target],
            lambda: ahead.lambda,
            greedy_term: ahead.greedy_term,
            laws: ahead.laws.into(),
            infeasible: ahead.infeasible,
        };
        let (n, places) = (setting.applicants, setting.places());
        let greedy = (0..=n).map(|count| weighing.share(places, [count, n - count]));
        Ok(Self {
            setting,
            gamma: ahead.gamma,
            mean_field: mean_field.map_err(|why| StudyError::Missing(why.to_string()))?,
            share: Arc::clone(share),
            theta: Arc::clone(theta),
            ahead: by_theta,
            greedy: greedy.collect(),
        })
    }

    /// Looking ahead without chance.
    pub(super) fn mean_field(&self, s: f64) -> f64 {
        self.mean_field.share(s, s)
    }

    /// Fair-Greedy at N.
    pub(super) fn greedy(&self, s: f64) -> f64 {
        let last = self.greedy.len() - 1;
        self.greedy[((s * last as f64).round() as usize).min(last)]
    }

    /// At N, where theta of the pool belongs to group u and s of the applicants.
    pub(super) fn ahead(&self, way: Way, theta: f64, s: f64) -> f64 {
        match way {
            Way::Share => self.share.share(theta, s),
            Way::Theta => self.theta.share(theta, s),
            Way::Greedy => self.greedy(s),
        }
    }

    /// The exact sum of R over some rounds from a theta: the most that there can be, that of
    /// looking ahead from theta with discount, Fair-Greedy's, and that of who admits as they apply.
    pub(super) fn sums(&self, rounds: u32, from: f64) -> Result<[f64; 4]> {
        let wrong = |why: Unsolved| StudyError::Missing(why.to_string());
        let best = LookAhead {
            horizon: Some(rounds),
            gamma: 1.0,
            ..self.ahead
        };
        let best = best.solve().map_err(wrong)?;
        let of = |share: &dyn Fn(f64, f64) -> f64| {
            let sums = self.ahead.sums_of(rounds, share).map_err(wrong)?;
            Ok::<_, StudyError>(sums.from(from))
        };
        Ok([
            best.value(from),
            of(&|theta, s| self.theta.share(theta, s))?,
            of(&|_, s| self.greedy(s))?,
            of(&|_, s| s)?,
        ])
    }

    /// The exact mean and standard deviation of theta after some rounds.
    pub(super) fn carried(&self, way: Way, start: f64, rounds: u64) -> Result<(f64, f64)> {
        let (n, places) = (self.setting.applicants, self.setting.places());
        let share = |theta, count| self.ahead(way, theta, f64::from(count) / f64::from(n));
        let lattice = Lattice::new(n, places, self.setting.eta);
        let moments = lattice.and_then(|lattice| lattice.carried(start, rounds, share));
        moments.ok_or_else(|| StudyError::Missing(format!("a lattice of θ from {start}")))
    }

    /// Compares the values and shares with the reference computation, in words.
    pub(super) fn reference(&self) -> String {
        let same = REFERENCE
            .iter()
            .filter(|(s, share, _)| (self.mean_field(*s) - share).abs() < 1e-9);
        let off = REFERENCE
            .iter()
            .filter_map(|(s, _, value)| value.map(|value| self.mean_field.value(*s) - value));
        let off = off.fold(0.0f64, |most, off| most.max(off.abs()));
        format!(
            "Without chance (s moves to s + η (a − s); {} states and shares) the paper prints no \
             numbers. Against a reference computation: {} of its {} shares are met, and its values \
             to {off:.1e}: sweeps from V = 0 that end where no value grows by 1e-6 any more fall \
             short by γ / (1 − γ) times that, 1e-4, and it prints four digits. Ours are right to \
             {:.0e}.",
            CELLS + 1,
            same.count(),
            REFERENCE.len(),
            self.mean_field.bound
        )
    }

    pub(super) fn table(&self) -> FigureTable {
        let n = self.setting.applicants;
        let headers = [
            "s".into(),
            "optimal, many applicants".into(),
            "reference (not in the paper)".into(),
            "V(s), many applicants".into(),
            "reference (not in the paper)".into(),
            "Fair-Greedy, many applicants".into(),
            format!("optimal by s, N = {n}"),
            format!("optimal by θ, N = {n}, θ = s"),
            format!("Fair-Greedy, N = {n}"),
        ];
        let fine = |value: f64, digits| text(format!("{value:.digits$}"));
        let rows = REFERENCE.iter().map(|&(s, share, value)| {
            vec![
                Cell::number(s),
                Cell::number(self.mean_field(s)),
                Cell::number(share),
                fine(self.mean_field.value(s), 5),
                value.map_or(Cell::Empty, |value| fine(value, 4)),
                Cell::number(self.setting.large.best_response(s)),
                Cell::number(self.ahead(Way::Share, s, s)),
                Cell::number(self.ahead(Way::Theta, s, s)),
                Cell::number(self.greedy(s)),
            ]
        });
        tabulate(headers, rows)
    }

    /// The shares admitted over the states.
    pub(super) fn figure(&self) -> Figure {
        let n = self.setting.applicants;
        let line = |name: &str, kind, answer: &dyn Fn(f64) -> f64| {
            let states = (0..=n).map(|count| f64::from(count) / f64::from(n));
            let points: Vec<_> = states.map(|s| FigurePoint::new(s, answer(s))).collect();
            Series::new(name, kind, points)
        };
        let large = self.setting.large;
        let panel = |title: String, series| Panel {
            marks: vec![level(large.target, "target")],
            ..plot(
                title,
                Axis::linear("share of group u among the applicants, s"),
                Axis::linear("among the admitted, a"),
                series,
            )
        };
        let stays = || line("a = s", SeriesKind::Line, &|s| s);
        Figure {
            title: "What is admitted, by state".into(),
            caption: format!(
                "Left: for many applicants, by value iteration without chance ({} states and \
                 shares) and by the closed form. Right: at {n} applicants, {} places; looking \
                 ahead from θ, where θ is s.",
                CELLS + 1,
                self.setting.places()
            ),
            panels: vec![
                panel(
                    "many applicants".into(),
                    vec![
                        line("optimal", SeriesKind::Line, &|s| self.mean_field(s)),
                        line(Way::Greedy.name(), SeriesKind::Line, &|s| match s {
                            // Nobody or everybody of one group: there is no choice.
                            s if s <= 0.0 || s >= 1.0 => s,
                            s => large.best_response(s),
                        }),
                        stays(),
                    ],
                ),
                panel(
                    format!("N = {n}"),
                    vec![
                        line(Way::Share.name(), SeriesKind::Step, &|s| {
                            self.ahead(Way::Share, s, s)
                        }),
                        line(Way::Theta.name(), SeriesKind::Step, &|s| {
                            self.ahead(Way::Theta, s, s)
                        }),
                        line(Way::Greedy.name(), SeriesKind::Step, &|s| self.greedy(s)),
                        stays(),
                    ],
                ),
            ],
        }
    }
}
