//! SWAP: strong-weak arm pulls (Schumann et al. 2019, Algorithm 1), and its special case CLUCB
//! (Chen et al. 2014).
//!
//! One weak interview of each; then, until M~ is worth no more than M at u~, an interview of the
//! contested arm of widest radius, strong with probability alpha. Radii are often equal, as all are
//! after the first interviews; the paper does not say which arm is next then. We take the one whose
//! gap to the boundary of M is least ([`Boundary`](super::contest::Boundary)).
//!
//! The radius is sigma sqrt(2 ln(4 n Cost^3 / delta) / T) with T outside the logarithm, as the
//! analysis has it; the form of line 8, with T inside, hardly shrinks. The stop test is at u~, as
//! in CLUCB's line 12: line 14's w(M~) = w(M) read at u^ has no guarantee. Cost counts in units of
//! the cheapest interview.
//!
//! Where more than two kinds are for sale (*ours*), the weak interview is the kind that wastes
//! least at worst, and the strong interview of an arm the dearer kind that narrows its radius most
//! for its cost, at the weight on file; alpha is that of the two. The number of interviews counts
//! as Cost then, so that a kind that is never bought does not widen the radii. That is all the
//! union bound needs.
//!
//! Where gains depend on the candidate (*ours*; the paper's discussion says that they may), s and
//! alpha are each arm's own. T is still the gain on file and an arm's interviews are bought by what
//! it is shown as, never by what was seen, so the radii hold as before.
//!
//! Where something is on file of each candidate from the start ([`Informed`](super::Informed),
//! *ours*), no one has to be interviewed first; a radius is then that of forecast and interviews
//! together, and the guarantee holds as far as the forecasts do.

use super::round::{Looks, estimates, shape};
use super::{Contest, Objective, Scope, Strong, Tiers, theory};
use crate::{BadParameters, Policy, margin, no_place};
use kleroterion_core::protocol::{Gain, LookReason, LookStats, Move, Pull, Pulls, Slate, View};

/// The rule by which SWAP stops interviewing. The interview cap ends it in any case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopRule {
    /// Stops when M~ is worth no more than M at u~. M is then the best cohort with probability 1 -
    /// delta (line 14).
    Exact,
    /// Stops when M~ is worth at most this much more than M at u~ (the PAC relaxation of Section
    /// 6.2).
    Within(f64),
    /// Stops when the money is spent. It stops earlier only if nothing is contested any more,
    /// because there is then no interview to ask for.
    Budget,
}

/// The reason why the interviews ended. The measure `last_stop` has its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stopped {
    /// M~ was worth no more than M.
    Exact = 1,
    /// M~ was worth at most epsilon more than M.
    Within = 2,
    /// An interview did not fit the budget.
    Budget = 3,
    /// The interview cap was reached.
    Cap = 4,
}

/// The parameters of SWAP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwapParameters {
    /// The probability that the cohort may be wrong, in (0, 1).
    pub delta: f64,
    /// The noise of an interview of gain 1: its standard deviation, or its sub-Gaussian constant;
    /// at least 0.
    pub sigma: f64,
    /// The probability that an interview is strong.
    pub strong: Strong,
    /// The rule for stopping.
    pub stop: StopRule,
    /// The candidates who may be interviewed.
    pub scope: Scope,
    /// b: the number of interviews per step, of the b widest radii in scope, or of all in scope if
    /// they are fewer (batch review, Section 7.3). At least 1, which is the paper's value.
    pub batch: u32,
}

impl Default for SwapParameters {
    /// The paper's algorithm at delta = .05, sigma = 1.
    fn default() -> Self {
        Self {
            delta: 0.05,
            sigma: 1.0,
            strong: Strong::Paper,
            stop: StopRule::Exact,
            scope: Scope::SymmetricDifference,
            batch: 1,
        }
    }
}

/// Returns c, the common factor of all radii, rad = c / sqrt(T), at a cost (in units of the
/// cheapest interview) of a field of n.
#[inline]
#[must_use]
pub fn radius_scale(sigma: f64, delta: f64, n: usize, cost: f64) -> f64 {
    sigma * (2.0 * libm::log(4.0 * n as f64 * (cost * cost * cost) / delta)).sqrt()
}

/// The mean of a gain on a slate; the gain where it is the same at all.
fn mean(gain: &Gain, slate: Slate<'_>) -> f64 {
    match gain {
        Gain::Same(gain) => *gain,
        Gain::ByValue { .. } => {
            let gains = slate.candidates().map(|shown| gain.at(shown));
            gains.sum::<f64>() / f64::from(slate.len())
        }
    }
}

/// The slots of M and of M~, and how many of M are not in M~.
fn cohorts(contest: &impl Contest, files: &[LookStats]) -> (Vec<u32>, Vec<u32>, usize) {
    let (m, mut contested) = (contest.cohort(), Vec::new());
    let scope = Scope::SymmetricDifference;
    contest.widest(files, scope, usize::MAX, &mut contested);
    let (out, new): (Vec<u32>, Vec<u32>) = contested.iter().partition(|slot| m.contains(slot));
    let stays = m.iter().filter(|slot| !out.contains(slot));
    let rival = stays.chain(&new).copied().collect();
    (m, rival, out.len())
}

/// Returns the reason for interviewing a slot: its radius, the excess worth of M~ over M, and the
/// members of both.
fn why(contest: &impl Contest, files: &[LookStats], slot: u32, scale: f64, gap: f64) -> LookReason {
    let (m, rival, _) = cohorts(contest, files);
    let LookStats { weight, mean, .. } = files[slot as usize];
    LookReason::of([
        ("radius", scale / weight.sqrt()),
        ("gap", gap),
        ("estimate", mean),
    ])
    .naming("m", m)
    .naming("m_tilde", rival)
}

/// Interviews the candidates on whom the choice depends. Reports `converged` (1 if M passed the
/// stop test) and `last_stop` (the number of [`Stopped`] of the last round).
///
/// ```
/// use kleroterion_policies::cohort::{Swap, SwapParameters, Tiers, TopK};
/// use kleroterion_core::protocol::InterviewKind;
///
/// let kind = |(name, cost, gain): (&str, f64, f64)| {
///     InterviewKind { name: name.into(), cost, gain: gain.into() }
/// };
/// let kinds = [("weak", 1.0, 1.0), ("strong", 2.0, 5.0)].map(kind);
/// let parameters = SwapParameters { sigma: 0.1, ..SwapParameters::default() };
/// let swap = Swap::new(TopK, Tiers::of(&kinds)?, parameters)?;
/// assert_eq!(swap.alpha(), 0.75);
/// # Ok::<(), kleroterion_policies::BadParameters>(())
/// ```
#[derive(Clone, Debug)]
pub struct Swap<O: Objective> {
    objective: O,
    tiers: Tiers,
    parameters: SwapParameters,
    /// The probability alpha of a strong interview, at the tiers' s.
    alpha: f64,
    /// True if alpha is the same for every arm, for the tiers' pair.
    has_one_alpha: bool,
    // The round under way.
    round: u64,
    contest: Option<O::Contest>,
    /// The number of candidates on the slate at its start. Those who have a place or declined one
    /// are gone when the policy acts again.
    field: usize,
    /// The interviews that were for sale when it began.
    cap: u64,
    looks: Looks,
    /// The number of first interviews bought, one of each arm.
    first: u64,
    /// The weak kind.
    weak: usize,
    seen: Vec<u32>,
    picks: Vec<u32>,
}

impl<O: Objective> Swap<O> {
    /// Makes the policy before the first round.
    ///
    /// # Errors
    /// Returns all parameters that are out of range.
    pub fn new(
        objective: O,
        tiers: Tiers,
        parameters: SwapParameters,
    ) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        let SwapParameters { delta, sigma, .. } = parameters;
        let is_open = delta > 0.0 && delta < 1.0;
        wrong.demand("delta", delta, is_open, "above 0 and below 1");
        let at_least_0 = |x: f64| x.is_finite() && x >= 0.0;
        let wants = "a finite number, at least 0";
        wrong.demand("sigma", sigma, at_least_0(sigma), wants);
        if let Strong::Probability(p) = parameters.strong {
            wrong.demand("strong", p, (0.0..=1.0).contains(&p), "from 0 to 1");
        }
        if let StopRule::Within(epsilon) = parameters.stop {
            wrong.demand("within", epsilon, at_least_0(epsilon), wants);
        }
        let batch = f64::from(parameters.batch);
        wrong.demand("batch", batch, parameters.batch >= 1, "at least 1");
        let alpha = parameters.strong.probability(tiers.s(), tiers.j());
        let weak = tiers.weak();
        let has_one_alpha = tiers.has_one_s();
        wrong.or(Self {
            objective,
            tiers,
            parameters,
            alpha,
            has_one_alpha,
            round: 0,
            contest: None,
            field: 0,
            cap: 0,
            looks: Looks::default(),
            first: 0,
            weak,
            seen: Vec::new(),
            picks: Vec::new(),
        })
    }

    /// alpha: the probability that an interview after each first one is strong, for the pair of
    /// [`Tiers`]. If gains depend on the candidate, it is taken at the greatest s.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Xc and Xg: the mean price and gain of an interview after each first one, in weak interviews,
    /// for the pair of [`Tiers`].
    #[must_use]
    pub fn mean_look(&self) -> (f64, f64) {
        theory::mean_look(self.alpha, self.tiers.s(), self.tiers.j())
    }

    /// The first weak interview of each; `None` where something is on file of all.
    fn open(&mut self, view: &mut View<'_>) -> Option<Move> {
        self.round = view.round();
        self.contest = None;
        self.cap = view.looks_left();
        self.looks = Looks::default();
        let n = view.slate().len();
        self.field = n as usize;
        if let Some(menu) = self.tiers.menu() {
            let slate = view.slate();
            self.weak = menu.weak(n, view.money_left(), |gain| mean(gain, slate));
        }
        let is_informed = (0..n).all(|slot| view.file(slot).weight > 0.0);
        self.first = if is_informed { 0 } else { u64::from(n) };
        if is_informed {
            return None;
        }
        if view.looks_left() == 0 {
            return Some(self.finish(view, None));
        }
        let kind = self.weak;
        view.why_look(|| LookReason::of([("first", 1.0)]));
        let everybody = 0..n;
        let pulls = everybody.map(|slot| Pull { slot, kind }).collect();
        Some(Move::Interview(Pulls::Many(pulls)))
    }

    /// The strong kind for a slot, and alpha.
    #[inline]
    fn strong(&self, slot: u32, view: &View<'_>) -> (usize, f64) {
        let Some(menu) = self.tiers.menu() else {
            let alpha = if self.has_one_alpha {
                self.alpha
            } else {
                let s = self.tiers.s_at(view.candidate(slot));
                self.parameters.strong.probability(s, self.tiers.j())
            };
            return (self.tiers.strong(), alpha);
        };
        let gain = |gain: &Gain| gain.at(view.candidate(slot));
        let kind = menu.strong(self.weak, view.file(slot).weight, gain);
        let (s, j) = menu.in_looks_of(self.weak, kind, gain);
        (kind, self.parameters.strong.probability(s, j))
    }

    /// An interview of one arm, strong iff alpha > U\[0, 1) (a word of the round's own draw each,
    /// where alpha leaves a choice).
    #[inline]
    fn pull(&self, slot: u32, view: &mut View<'_>) -> Pull {
        let (strong, alpha) = self.strong(slot, view);
        let is_strong = alpha >= 1.0 || (alpha > 0.0 && view.draw().uniform() < alpha);
        let kind = if is_strong { strong } else { self.weak };
        Pull { slot, kind }
    }

    /// Cost as the radius counts it: at least the number of interviews.
    #[inline]
    fn toll(&self) -> f64 {
        let looks = match self.tiers.menu() {
            Some(_) => self.looks.all as f64,
            None => self.looks.cost,
        };
        looks.max(1.0)
    }

    /// The widest radius of any candidate at the interviews on file.
    fn widest(&self, files: &[LookStats]) -> f64 {
        let SwapParameters { sigma, delta, .. } = self.parameters;
        let least = files.iter().map(|file| file.weight);
        let least = least.fold(f64::INFINITY, f64::min);
        radius_scale(sigma, delta, self.field, self.toll()) / least.sqrt()
    }

    /// Chooses M. `gap`: how much more M~ is worth, where that is known.
    #[inline(never)]
    fn finish(&mut self, view: &mut View<'_>, gap: Option<f64>) -> Move {
        let (stopped, epsilon) = match self.parameters.stop {
            StopRule::Within(epsilon) => (Stopped::Within, epsilon),
            StopRule::Exact | StopRule::Budget => (Stopped::Exact, 0.0),
        };
        let converged = gap.is_some_and(|gap| gap <= epsilon);
        // No looks at all may mean either.
        let broke = self.cap == 0 && view.money_left() < self.tiers.cheapest();
        let stopped = match gap {
            Some(0.0) => Stopped::Exact,
            _ if converged => stopped,
            _ if self.looks.all >= self.cap && !broke => Stopped::Cap,
            _ => Stopped::Budget,
        };
        view.measure("converged", f64::from(u8::from(converged)));
        view.measure("last_stop", f64::from(stopped as u8));
        view.reason(|| [("cost", self.looks.cost)]);
        if let Some(gap) = gap {
            let files = view.files();
            view.reason(|| [("gap", gap), ("radius", self.widest(files))]);
            if let Some(contest) = &self.contest {
                view.reason(|| [("contested", cohorts(contest, files).2 as f64)]);
            }
        }
        let mut slots = match &self.contest {
            Some(contest) => contest.cohort(),
            None => {
                let shape = shape(&self.objective, view);
                self.objective.best_slots(&shape, &estimates(view.files()))
            }
        };
        slots.sort_unstable();
        let files = view.files();
        view.reason(|| margin(&estimates(files), &slots));
        self.contest = None;
        Move::take_all(slots)
    }
}

impl<O: Objective> Policy for Swap<O> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        if view.places().max == 0 {
            return no_place(view);
        }
        self.seen.clear();
        if view.round() != self.round
            && let Some(opening) = self.open(view)
        {
            return opening;
        }
        if self.contest.is_none() {
            self.seen.extend(0..view.slate().len());
        }
        self.looks.count(&self.tiers, view);
        let slots = view.answers().iter().map(|answer| answer.pull.slot);
        self.seen.extend(slots);
        let known = |&slot: &u32| view.file(slot).mean.is_finite();
        if self.looks.all < self.first || !self.seen.iter().all(known) {
            // Not even one look at each, or means beyond all numbers.
            self.contest = None;
            return self.finish(view, None);
        }
        let SwapParameters { sigma, delta, .. } = self.parameters;
        let scale = radius_scale(sigma, delta, self.field, self.toll());
        let contest = self
            .contest
            .get_or_insert_with(|| self.objective.contest(shape(&self.objective, view)));
        let gap = contest.settle(view.files(), &self.seen, scale);
        let enough = match self.parameters.stop {
            StopRule::Within(epsilon) => gap <= epsilon,
            StopRule::Exact | StopRule::Budget => gap <= 0.0,
        };
        if enough || view.looks_left() == 0 {
            return self.finish(view, Some(gap));
        }
        let looks = self.parameters.batch as usize;
        contest.widest(view.files(), self.parameters.scope, looks, &mut self.picks);
        for &slot in &self.picks {
            let files = view.files();
            view.why_look(|| why(&*contest, files, slot, scale, gap));
        }
        if let [slot] = self.picks[..] {
            return Move::Interview(Pulls::One(self.pull(slot, view)));
        }
        let pulls = self.picks.iter().map(|&slot| self.pull(slot, view));
        Move::Interview(Pulls::Many(pulls.collect()))
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
