//! The catalogue of metrics: the better side of each, its range and other properties.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::direction::Direction;

/// The description of a metric.
///
/// A metric of a program's own is described in the same way:
///
/// ```
/// use kleroterion_core::score::MetricInfo;
///
/// let late = MetricInfo::lower("share of the accepted in the second half of the run");
/// assert_eq!(late.unit().range, Some((0.0, 1.0)));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MetricInfo {
    /// The better side, unless the run sets another: ask [`Directions::of`].
    ///
    /// [`Directions::of`]: super::Directions::of
    #[serde(skip)]
    pub(super) direction: Direction,
    /// The least and greatest possible value, if it is bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// The least and greatest possible value in one round, if the metric is a sum, a mean or the
    /// last of values of rounds. For a rate within a group it is that of one person. `None` for
    /// quantities of a whole run, such as a committee's loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_round: Option<(f64, f64)>,
    /// True if the metric has a value for each person of a group rather than for each round.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_person: bool,
    /// True if the metric describes the people selected, as a committee's loss does. On one stream
    /// as it was played it is a fact.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_selected: bool,
    /// True if the metric adds up over a run. A lane that ended early then keeps its last value in
    /// a series over rounds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cumulative: bool,
    /// True if the metric applies to a committee with empty places too. Replications with such a
    /// committee are then compared.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_unfilled: bool,
    /// True if a policy measures itself by it, with a rule or an aim of its own. Two policies are
    /// compared on it only if these are the same ([`MeasureDefinition`]).
    ///
    /// [`MeasureDefinition`]: super::MeasureDefinition
    #[serde(skip)]
    pub is_own: bool,
    /// True if a series over rounds has the mean of the policy's reports rather than the last.
    #[serde(skip)]
    pub(super) is_mean: bool,
    /// A short predicate for the policy that is best on the metric, if there is one: `represents
    /// best`. Ask [`Directions::best`].
    ///
    /// [`Directions::best`]: super::Directions::best
    #[serde(skip)]
    pub(super) best: Option<&'static str>,
    /// A description of the metric, in a line.
    pub about: Cow<'static, str>,
}

impl Default for MetricInfo {
    fn default() -> Self {
        Self::describes("")
    }
}

impl MetricInfo {
    /// Returns the catalogue's entry for the metric called `name`. A family (`share.GROUP`) is
    /// found by the name before its first full stop. A name not in the catalogue is a policy's own
    /// measure, without direction or range.
    ///
    /// A run may have metrics that a program adds: ask [`Metrics::of`] there.
    ///
    /// [`Metrics::of`]: super::Metrics::of
    pub fn of(name: &str) -> Self {
        known(name).map_or(OWN_MEASURE, |(_, info)| info.clone())
    }
}

/// The metrics that an entry of the catalogue describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MetricPattern {
    /// One, by its name.
    One,
    /// A family with a metric for each group: `share.GROUP`.
    Groups,
    /// A family with a metric for each attribute: `impact_ratio.ATTRIBUTE`.
    Attributes,
    /// A family with a metric for each further objective of a cohort.
    Objectives,
}

impl MetricPattern {
    /// The pattern and its stem: the name, or what comes before the full stop of a family.
    pub(super) fn read(pattern: &str) -> (Self, &str) {
        let of = |end, kind| pattern.strip_suffix(end).map(|stem| (kind, stem));
        let family = of(".GROUP", Self::Groups)
            .or_else(|| of(".ATTRIBUTE", Self::Attributes))
            .or_else(|| of(".OBJECTIVE", Self::Objectives));
        family.unwrap_or((Self::One, pattern))
    }
}

/// The entry of the catalogue by which a metric is known, and its pattern.
pub(super) fn known(name: &str) -> Option<(MetricPattern, &'static MetricInfo)> {
    let entries = CATALOGUE.iter().map(|(entry, info)| (*entry, info));
    found(name, entries)
}

/// The entry by which a metric is known, and its pattern.
pub(super) fn found<'a>(
    name: &str,
    entries: impl Iterator<Item = (&'a str, &'a MetricInfo)>,
) -> Option<(MetricPattern, &'a MetricInfo)> {
    let family = name.split_once('.').map(|(family, _)| family);
    let entries = entries.map(|(entry, info)| (MetricPattern::read(entry), info));
    let mut found = entries.filter(|((pattern, stem), _)| match pattern {
        MetricPattern::One => *stem == name,
        MetricPattern::Groups | MetricPattern::Attributes | MetricPattern::Objectives => {
            family == Some(*stem)
        }
    });
    found.next().map(|((pattern, _), info)| (pattern, info))
}

/// Returns every metric by name, in the order of the settings. Families end in `.GROUP`,
/// `.ATTRIBUTE` or `.OBJECTIVE`.
pub fn catalogue() -> impl Iterator<Item = (&'static str, MetricInfo)> {
    CATALOGUE.iter().cloned()
}

pub(super) const OWN_MEASURE: MetricInfo =
    describes("a measure that the policy reports of itself; over rounds the last").own();

/// The most informative metrics of a run in each setting. Reports draw them if nothing is judged,
/// and their values are kept.
pub const HEADLINES: [&str; 7] = [
    "representation_loss",
    "cohort_value",
    "fair_regret",
    "fairness_loss",
    "greedy_reward",
    "screened",
    "cost",
];

/// Metrics that count or add up what is never below 0.
pub(super) const COUNTS: [&str; 12] = [
    "screened",
    "accepted",
    "contacts",
    "quota_violation",
    "cost",
    "pulls",
    "pulls_per_candidate",
    "rounds_to_target",
    "rounds_to_own_target",
    "forfeits",
    "declined",
    "looks_unanswered",
];

const CATALOGUE: &[(&str, MetricInfo)] = &[
    // Committee (Do 2021).
    (
        "screened",
        lower("people looked at, tau of Do 2021").sum().best("screens fewest"),
    ),
    ("accepted", describes("people accepted; where some decline, those who took their places").sum()),
    (
        "selection_rate",
        higher("accepted over screened").unit().of_rounds().best("screens fewest"),
    ),
    (
        "representation_loss",
        lower("largest gap between a group's share of the accepted and its target").unit().of_selected().best("represents best"),
    ),
    (
        "representation_loss_l1",
        lower("gaps between the groups' shares of the accepted and their targets, summed").of_selected(),
    ),
    (
        "representation_loss_l2",
        lower("root of the sum of the squared gaps between the groups' shares of the accepted and their targets").of_selected(),
    ),
    (
        "gain_regret",
        lower("acceptances short of the best gain, that where all who are chosen come, times the people screened, R(T) of Do 2021").sum(),
    ),
    (
        "constraint_violation",
        lower("largest gap between a group's accepted and its target head-count, R^c(T) of Do 2021").sum().of_selected(),
    ),
    (
        "filled",
        higher("whether all places of the committee are taken (0 or 1)").unit().of_selected().unfilled().best("fills most often"),
    ),
    (
        "quotas_kept",
        higher("whether the committee is filled and keeps every minimum and maximum (0 or 1)").unit().of_selected().unfilled().best("keeps the quotas most often"),
    ),
    (
        "seats_off",
        lower("seats short of the minimums plus seats beyond the maximums; of a target without quotas the whole numbers around its shares").of_selected().best("is off by the fewest seats"),
    ),
    (
        "quota_violation",
        lower("places short of the fewest or beyond the most that [rules] quota sets, summed over values; over rounds too where a round chooses several").sum().of_selected(),
    ),
    (
        "contacts",
        lower("people who had to be contacted: the screened, each over the volunteering rate of their group").sum().best("contacts fewest"),
    ),
    (
        "least_chance",
        higher("least chance of a respondent who can be on a panel that keeps the quotas: exact of a lottery, else within limits by replications").unit().unfilled().best("gives most to those with the least chance"),
    ),
    // Cohort (Schumann 2019).
    ("cost", lower("spent on interviews").sum().best("spends least")),
    ("pulls", lower("interviews held").sum().best("interviews least")),
    ("pulls_per_candidate", lower("interviews held over the people shown")),
    ("strong_share", describes("share of the interviews of the run that were not of the cheapest kind").unit()),
    (
        "cohort_value",
        higher("value of the cohort at the true utilities, by the run's objective; over rounds the mean").best("finds the best cohort"),
    ),
    ("cohort_value.OBJECTIVE", higher("value of the cohort at the true utilities, by a further objective of the run; over rounds the mean")),
    ("sqrt_top_k", higher("root of the sum of the cohort's true utilities; over rounds the mean")),
    ("optimal", higher("whether the cohort is the best of as many as there are places, by the run's objective (0 or 1); over rounds the share").unit()),
    ("optimal.OBJECTIVE", higher("the same by a further objective of the run").unit()),
    ("mean_merit", higher("mean of what the selected are truly worth").best("selects the worthiest")),
    (
        "converged",
        higher("whether the policy stopped by its own rule (0 or 1); over rounds the share").unit().own().mean(),
    ),
    // Meritocratic (Grazzi 2022).
    (
        "fair_regret",
        lower("relative rank given away by whom a place was offered, summed over the rounds, Grazzi 2022").sum().of_rounds().best("gives away least rank"),
    ),
    (
        "reward_regret",
        lower("expected reward given away by whom a place was offered, summed over the rounds").sum().best("gives away least reward"),
    ),
    ("fair_regret_taken", describes("relative rank given away, summed over the rounds in which the place was taken").sum()),
    ("reward_regret_taken", describes("expected reward given away, summed over the rounds in which the place was taken").sum()),
    // Pool (Puranik 2022).
    ("pool_share.GROUP", describes("mean share of the group in the pool, theta, in the last round").unit().of_rounds()),
    ("applicant_share.GROUP", describes("share of the group among the applicants, s, in the last round").unit().of_rounds()),
    ("admitted_share.GROUP", describes("share of the group among the admitted, a, in the last round").unit().of_rounds()),
    (
        "utility",
        higher("greedy reward less lambda times fairness loss, by the lambda and the target of the run, Eq. 1 of Puranik 2022, summed over the rounds").sum().best("has the greatest utility"),
    ),
    (
        "greedy_reward",
        higher("mean score of the admitted of a round, the greedy term of Puranik 2022; the mean over rounds in which someone was admitted").best("admits the highest scores"),
    ),
    (
        "fairness_loss",
        lower("squared gap between admitted share and the target of the run, Eq. 2 of Puranik 2022; the mean over rounds in which someone was admitted").unit().of_rounds().best("keeps nearest to the pool's target"),
    ),
    ("rounds_to_target", lower("rounds until the pool was first within .01 of the target of the run")),
    ("own_fairness_loss", describes("fairness_loss by the policy's own target; not compared").unit().own()),
    ("own_utility", describes("utility by the policy's own lambda and target; not compared").sum().own()),
    ("rounds_to_own_target", describes("rounds until the pool was first within .01 of the policy's own target; not compared").own()),
    ("admitted_score.GROUP", describes("mean score of the admitted of the group")),
    // Of offers ([yield]).
    ("declined", lower("people chosen who declined").sum()),
    ("accepted_offers", higher("share of those chosen who took their places").unit()),
    ("seats_filled", higher("share of the places of the run, or of its rounds, that are taken").unit().best("fills most places")),
    // Of policies outside.
    (
        "forfeits",
        lower("rounds in which nobody was chosen because a policy outside was late").sum(),
    ),
    // Of interviews by people.
    ("looks_unanswered", lower("interviews asked for that were never answered").sum()),
    // Of outcomes.
    ("outcome_mean", describes("mean outcome of the selected whose outcome has come")),
    ("outcome_mean.GROUP", describes("mean outcome of the selected of the group whose outcome has come")),
    ("true_positive_rate", higher("selected over shown, of the people whose outcome is good").unit().of_people()),
    ("true_positive_rate.GROUP", higher("selected over shown, of the group's people whose outcome is good").unit().of_people()),
    ("true_positive_rate_gap", lower("highest true positive rate of a group less the lowest").unit()),
    ("false_positive_rate", lower("selected over shown, of the people whose outcome is not good").unit().of_people()),
    ("false_positive_rate.GROUP", lower("selected over shown, of the group's people whose outcome is not good").unit().of_people()),
    ("false_positive_rate_gap", lower("highest false positive rate of a group less the lowest").unit()),
    ("calibration_error", describes("mean score less mean outcome of the selected whose outcome has come").within(-1.0, 1.0)),
    ("calibration_error.GROUP", describes("mean score less mean outcome of the selected of the group whose outcome has come").within(-1.0, 1.0)),
    ("calibration_gap", lower("largest calibration error of a group less the smallest").within(0.0, 2.0)),
    // Wherever there are groups.
    ("share.GROUP", describes("share of the group among the selected").unit().of_selected()),
    ("selection_rate.GROUP", describes("selected over screened within the group").unit().of_people()),
    (
        "received_share.GROUP",
        describes("mean share of the group in a slate: what `share` is under demographic parity where all who are chosen come").unit(),
    ),
    (
        "selected_of_received.GROUP",
        describes("selected over received within the group").unit(),
    ),
    (
        "impact_ratio",
        higher("lowest selection rate of a group over the highest, of the attribute where that is least").unit().best("treats groups most alike"),
    ),
    (
        "impact_ratio.ATTRIBUTE",
        higher("the same within one attribute, where a run has several").unit(),
    ),
];

const fn lower(about: &'static str) -> MetricInfo {
    MetricInfo::lower(about)
}

const fn higher(about: &'static str) -> MetricInfo {
    MetricInfo::higher(about)
}

const fn describes(about: &'static str) -> MetricInfo {
    MetricInfo::describes(about)
}

impl MetricInfo {
    /// A metric of which less is better.
    #[must_use]
    pub const fn lower(about: &'static str) -> Self {
        Self::new(Direction::Lower, about)
    }

    /// A metric of which more is better.
    #[must_use]
    pub const fn higher(about: &'static str) -> Self {
        Self::new(Direction::Higher, about)
    }

    /// A metric that only describes.
    #[must_use]
    pub const fn describes(about: &'static str) -> Self {
        Self::new(Direction::None, about)
    }

    const fn new(direction: Direction, about: &'static str) -> Self {
        Self {
            direction,
            range: None,
            by_round: None,
            by_person: false,
            of_selected: false,
            cumulative: false,
            of_unfilled: false,
            is_own: false,
            is_mean: false,
            best: None,
            about: Cow::Borrowed(about),
        }
    }

    /// The better side, unless the run sets another.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Bounds it by 0 and 1.
    #[must_use]
    pub const fn unit(self) -> Self {
        self.within(0.0, 1.0)
    }

    /// Sets its least and greatest possible value. Intervals then hold at any time.
    #[must_use]
    pub const fn within(mut self, least: f64, most: f64) -> Self {
        self.range = Some((least, most));
        self
    }

    /// Gives it a value between 0 and 1 in each round, so that one stream can judge it. Its scorer
    /// answers [`by_round`](super::Scorer::by_round).
    #[must_use]
    pub const fn of_rounds(mut self) -> Self {
        self.by_round = Some((0.0, 1.0));
        self
    }

    const fn of_people(self) -> Self {
        let mut info = self.of_rounds();
        info.by_person = true;
        info
    }

    /// Makes it a description of the people selected, which is a fact of one stream.
    #[must_use]
    pub const fn of_selected(mut self) -> Self {
        self.of_selected = true;
        self
    }

    /// Applies it to a committee with empty places too.
    #[must_use]
    pub const fn unfilled(mut self) -> Self {
        self.of_unfilled = true;
        self
    }

    /// Sets a short predicate for the policy that is best on it.
    const fn best(mut self, does: &'static str) -> Self {
        self.best = Some(does);
        self
    }

    const fn own(mut self) -> Self {
        self.is_own = true;
        self
    }

    const fn mean(mut self) -> Self {
        self.is_mean = true;
        self
    }

    /// Makes it add up over a run.
    #[must_use]
    pub const fn sum(mut self) -> Self {
        self.cumulative = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_of_the_contract_is_known() {
        let names = "screened accepted selection_rate representation_loss gain_regret constraint_violation \
            filled quotas_kept seats_off cost pulls strong_share cohort_value optimal converged fair_regret reward_regret \
            pool_share.u applicant_share.u admitted_share.u utility greedy_reward fairness_loss \
            share.gender.F selection_rate.F impact_ratio";
        for name in names.split_whitespace() {
            assert_ne!(MetricInfo::of(name), OWN_MEASURE, "{name}");
        }
    }

    #[test]
    fn the_catalogue_finds_itself_and_has_no_name_twice() {
        for (at, (name, info)) in catalogue().enumerate() {
            assert_eq!(
                MetricInfo::of(&name.replace("GROUP", "a.b").replace("ATTRIBUTE", "a")),
                info,
                "{name}"
            );
            assert!(catalogue().skip(at + 1).all(|(other, _)| other != name));
            assert!(
                !(info.cumulative && info.range.is_some()),
                "{name} adds up, yet is bounded"
            );
        }
    }

    #[test]
    fn a_family_is_not_its_stem() {
        assert_eq!(
            MetricInfo::of("selection_rate").direction,
            Direction::Higher
        );
        assert_eq!(
            MetricInfo::of("selection_rate.F").direction,
            Direction::None
        );
        assert_eq!(MetricInfo::of("share"), OWN_MEASURE);
        assert_eq!(MetricInfo::of("screened.F"), OWN_MEASURE);
        assert_eq!(MetricInfo::of("my_own"), OWN_MEASURE);
    }

    #[test]
    fn directions_and_ranges() {
        let loss = MetricInfo::of("representation_loss");
        assert_eq!(
            (loss.direction, loss.range),
            (Direction::Lower, Some((0.0, 1.0)))
        );
        let screened = MetricInfo::of("screened");
        assert!(screened.cumulative && screened.range.is_none());
        assert_eq!(MetricInfo::of("utility").direction, Direction::Higher);
    }
}
