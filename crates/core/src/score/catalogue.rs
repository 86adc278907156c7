//! Every metric by name, in the order of the settings: the one place that declares them.

use super::measure_words::MeasureWords;
use super::metric::{MetricInfo, MetricPattern, found};

/// The entry of the catalogue by which a metric is known, and its pattern.
pub(super) fn known(name: &str) -> Option<(MetricPattern, &'static MetricInfo)> {
    let entries = CATALOGUE.iter().map(|(entry, info)| (*entry, info));
    found(name, entries)
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
        lower("people looked at, tau of Do 2021").sum().best("screens fewest")
            .called(MeasureWords::count("People screened", "people screened", "people")),
    ),
    (
        "accepted",
        describes("people accepted; where some decline, those who took their places").sum()
            .called(MeasureWords::count("People accepted", "people accepted", "people")),
    ),
    (
        "selection_rate",
        higher("accepted over screened").unit().of_rounds().best("screens fewest")
            .called(MeasureWords::percent("Chosen of 100 screened", "chosen of 100 screened", "of 100 screened")),
    ),
    (
        "representation_loss",
        lower("largest gap between a group's share of the accepted and its target").unit().of_selected().best("represents best")
            .called(MeasureWords::points("Largest gap to a target", "gap to a target")),
    ),
    (
        "representation_loss_l1",
        lower("gaps between the groups' shares of the accepted and their targets, summed").of_selected()
            .called(MeasureWords::points("Gaps to the targets, summed", "summed gaps to the targets")),
    ),
    (
        "representation_loss_l2",
        lower("root of the sum of the squared gaps between the groups' shares of the accepted and their targets").of_selected()
            .called(MeasureWords::points("Gaps to the targets, root of squares", "squared gaps to the targets")),
    ),
    (
        "gain_regret",
        lower("acceptances short of the best gain, that where all who are chosen come, times the people screened, R(T) of Do 2021").sum()
            .called(MeasureWords::number("Gain given away", "gain given away", "")),
    ),
    (
        "constraint_violation",
        lower("largest gap between a group's accepted and its target head-count, R^c(T) of Do 2021").sum().of_selected()
            .called(MeasureWords::count("Largest head-count off a target", "people off a target", "people")),
    ),
    (
        "filled",
        higher("whether all places of the committee are taken (0 or 1)").unit().of_selected().unfilled().best("fills most often")
            .called(MeasureWords::percent("Committees filled", "committees filled of 100", "of 100")),
    ),
    (
        "quotas_kept",
        higher("whether the committee is filled and keeps every minimum and maximum (0 or 1)").unit().of_selected().unfilled().best("keeps the quotas most often")
            .called(MeasureWords::percent("Committees that keep the quotas", "quotas kept of 100", "of 100")),
    ),
    (
        "seats_off",
        lower("seats short of the minimums plus seats beyond the maximums; of a target without quotas the whole numbers around its shares").of_selected().best("is off by the fewest seats")
            .called(MeasureWords::count("Seats off the quotas", "seats off the quotas", "seats")),
    ),
    (
        "quota_violation",
        lower("places short of the fewest or beyond the most that [rules] quota sets, summed over values; over rounds too where a round chooses several").sum().of_selected()
            .called(MeasureWords::count("Places off the quotas", "places off the quotas", "places")),
    ),
    (
        "contacts",
        lower("people who had to be contacted: the screened, each over the volunteering rate of their group").sum().best("contacts fewest")
            .called(MeasureWords::count("People contacted", "people contacted", "people")),
    ),
    (
        "least_chance",
        higher("least chance of a respondent who can be on a panel that keeps the quotas: exact of a lottery, else within limits by replications").unit().unfilled().best("gives most to those with the least chance")
            .called(MeasureWords::percent("Least chance of a respondent", "least chance", "%")),
    ),
    // Cohort (Schumann 2019).
    (
        "cost",
        lower("spent on interviews").sum().best("spends least")
            .called(MeasureWords::cost("Spent on interviews", "spent on interviews")),
    ),
    (
        "pulls",
        lower("interviews held").sum().best("interviews least")
            .called(MeasureWords::count("Interviews held", "interviews held", "interviews")),
    ),
    (
        "pulls_per_candidate",
        lower("interviews held over the people shown")
            .called(MeasureWords::number("Interviews for each person shown", "interviews for each person", "")),
    ),
    (
        "strong_share",
        describes("share of the interviews of the run that were not of the cheapest kind").unit()
            .called(MeasureWords::percent("Interviews not of the cheapest kind", "interviews not of the cheapest kind", "%")),
    ),
    (
        "cohort_value",
        higher("value of the cohort at the true utilities, by the run's objective; over rounds the mean").best("finds the best cohort")
            .called(MeasureWords::number("Value of the cohort", "value of the cohort", "")),
    ),
    (
        "cohort_value.OBJECTIVE",
        higher("value of the cohort at the true utilities, by a further objective of the run; over rounds the mean")
            .called(MeasureWords::number("Value of the cohort by OBJECTIVE", "value of the cohort by OBJECTIVE", "")),
    ),
    (
        "sqrt_top_k",
        higher("root of the sum of the cohort's true utilities; over rounds the mean")
            .called(MeasureWords::number("Root of the summed utilities", "root of the summed utilities", "")),
    ),
    (
        "optimal",
        higher("whether the cohort is the best of as many as there are places, by the run's objective (0 or 1); over rounds the share").unit()
            .called(MeasureWords::percent("Cohorts that are the best", "best cohorts of 100", "of 100")),
    ),
    (
        "optimal.OBJECTIVE",
        higher("the same by a further objective of the run").unit()
            .called(MeasureWords::percent("Cohorts that are the best by OBJECTIVE", "best cohorts of 100 by OBJECTIVE", "of 100")),
    ),
    (
        "mean_merit",
        higher("mean of what the selected are truly worth").best("selects the worthiest")
            .called(MeasureWords::number("Mean worth of the selected", "mean worth", "")),
    ),
    (
        "converged",
        higher("whether the policy stopped by its own rule (0 or 1); over rounds the share").unit().own().mean()
            .called(MeasureWords::percent("Stopped by its own rule", "stopped by its own rule of 100", "of 100")),
    ),
    // Meritocratic (Grazzi 2022).
    (
        "fair_regret",
        lower("relative rank given away by whom a place was offered, summed over the rounds, Grazzi 2022").sum().of_rounds().best("gives away least rank")
            .called(MeasureWords::rank("Relative rank given away", "rank given away")),
    ),
    (
        "reward_regret",
        lower("expected reward given away by whom a place was offered, summed over the rounds").sum().best("gives away least reward")
            .called(MeasureWords::number("Expected reward given away", "reward given away", "")),
    ),
    (
        "fair_regret_taken",
        describes("relative rank given away, summed over the rounds in which the place was taken").sum()
            .called(MeasureWords::rank("Relative rank given away where the place was taken", "rank given away where taken")),
    ),
    (
        "reward_regret_taken",
        describes("expected reward given away, summed over the rounds in which the place was taken").sum()
            .called(MeasureWords::number("Expected reward given away where the place was taken", "reward given away where taken", "")),
    ),
    // Pool (Puranik 2022).
    (
        "pool_share.GROUP",
        describes("mean share of the group in the pool, theta, in the last round").unit().of_rounds()
            .called(MeasureWords::percent("Share of GROUP in the pool", "share of GROUP in the pool", "%")),
    ),
    (
        "applicant_share.GROUP",
        describes("share of the group among the applicants, s, in the last round").unit().of_rounds()
            .called(MeasureWords::percent("Share of GROUP among the applicants", "share of GROUP among the applicants", "%")),
    ),
    (
        "admitted_share.GROUP",
        describes("share of the group among the admitted, a, in the last round").unit().of_rounds()
            .called(MeasureWords::percent("Share of GROUP among the admitted", "share of GROUP among the admitted", "%")),
    ),
    (
        "utility",
        higher("greedy reward less lambda times fairness loss, by the lambda and the target of the run, Eq. 1 of Puranik 2022, summed over the rounds").sum().best("has the greatest utility")
            .called(MeasureWords::number("Utility", "utility", "")),
    ),
    (
        "greedy_reward",
        higher("mean score of the admitted of a round, the greedy term of Puranik 2022; the mean over rounds in which someone was admitted").best("admits the highest scores")
            .called(MeasureWords::number("Mean score of the admitted", "mean score of the admitted", "")),
    ),
    (
        "fairness_loss",
        lower("squared gap between admitted share and the target of the run, Eq. 2 of Puranik 2022; the mean over rounds in which someone was admitted").unit().of_rounds().best("keeps nearest to the pool's target")
            .called(MeasureWords::number("Squared gap to the pool's target", "squared gap to the pool's target", "")),
    ),
    (
        "rounds_to_target",
        lower("rounds until the pool was first within .01 of the target of the run")
            .called(MeasureWords::count("Rounds to the pool's target", "rounds to the pool's target", "rounds")),
    ),
    (
        "own_fairness_loss",
        describes("fairness_loss by the policy's own target; not compared").unit().own()
            .called(MeasureWords::number("Squared gap to the policy's own target", "squared gap to its own target", "")),
    ),
    (
        "own_utility",
        describes("utility by the policy's own lambda and target; not compared").sum().own()
            .called(MeasureWords::number("Utility by the policy's own aims", "utility by its own aims", "")),
    ),
    (
        "rounds_to_own_target",
        describes("rounds until the pool was first within .01 of the policy's own target; not compared").own()
            .called(MeasureWords::count("Rounds to the policy's own target", "rounds to its own target", "rounds")),
    ),
    (
        "admitted_score.GROUP",
        describes("mean score of the admitted of the group")
            .called(MeasureWords::number("Mean score of the admitted of GROUP", "mean score of the admitted of GROUP", "")),
    ),
    // Of offers ([yield]).
    (
        "declined",
        lower("people chosen who declined").sum()
            .called(MeasureWords::count("People who declined", "people who declined", "people")),
    ),
    (
        "accepted_offers",
        higher("share of those chosen who took their places").unit()
            .called(MeasureWords::percent("Offers taken of 100", "offers taken of 100", "of 100 offers")),
    ),
    (
        "seats_filled",
        higher("share of the places of the run, or of its rounds, that are taken").unit().best("fills most places")
            .called(MeasureWords::percent("Places taken of 100", "places taken of 100", "of 100 places")),
    ),
    // Of policies outside.
    (
        "forfeits",
        lower("rounds in which no one was chosen because a policy outside was late").sum()
            .called(MeasureWords::count("Rounds forfeited", "rounds forfeited", "rounds")),
    ),
    // Of interviews by people.
    (
        "looks_unanswered",
        lower("interviews asked for that were never answered").sum()
            .called(MeasureWords::count("Interviews never answered", "interviews never answered", "interviews")),
    ),
    // Of outcomes.
    (
        "outcome_mean",
        describes("mean outcome of the selected whose outcome has come")
            .called(MeasureWords::number("Mean outcome of the selected", "mean outcome", "")),
    ),
    (
        "outcome_mean.GROUP",
        describes("mean outcome of the selected of the group whose outcome has come")
            .called(MeasureWords::number("Mean outcome of the selected of GROUP", "mean outcome of GROUP", "")),
    ),
    (
        "true_positive_rate",
        higher("selected over shown, of the people whose outcome is good").unit().of_people()
            .called(MeasureWords::percent("True positive rate", "true positive rate", "%")),
    ),
    (
        "true_positive_rate.GROUP",
        higher("selected over shown, of the group's people whose outcome is good").unit().of_people()
            .called(MeasureWords::percent("True positive rate of GROUP", "true positive rate of GROUP", "%")),
    ),
    (
        "true_positive_rate_gap",
        lower("highest true positive rate of a group less the lowest").unit()
            .called(MeasureWords::points("Gap of true positive rates", "gap of true positive rates")),
    ),
    (
        "false_positive_rate",
        lower("selected over shown, of the people whose outcome is not good").unit().of_people()
            .called(MeasureWords::percent("False positive rate", "false positive rate", "%")),
    ),
    (
        "false_positive_rate.GROUP",
        lower("selected over shown, of the group's people whose outcome is not good").unit().of_people()
            .called(MeasureWords::percent("False positive rate of GROUP", "false positive rate of GROUP", "%")),
    ),
    (
        "false_positive_rate_gap",
        lower("highest false positive rate of a group less the lowest").unit()
            .called(MeasureWords::points("Gap of false positive rates", "gap of false positive rates")),
    ),
    (
        "calibration_error",
        describes("mean score less mean outcome of the selected whose outcome has come").within(-1.0, 1.0)
            .called(MeasureWords::number("Calibration error", "calibration error", "")),
    ),
    (
        "calibration_error.GROUP",
        describes("mean score less mean outcome of the selected of the group whose outcome has come").within(-1.0, 1.0)
            .called(MeasureWords::number("Calibration error of GROUP", "calibration error of GROUP", "")),
    ),
    (
        "calibration_gap",
        lower("largest calibration error of a group less the smallest").within(0.0, 2.0)
            .called(MeasureWords::number("Gap of calibration errors", "gap of calibration errors", "")),
    ),
    // Wherever there are groups.
    (
        "share.GROUP",
        describes("share of the group among the selected").unit().of_selected()
            .called(MeasureWords::percent("Share of GROUP among the selected", "share of GROUP", "%")),
    ),
    (
        "selection_rate.GROUP",
        describes("selected over screened within the group").unit().of_people()
            .called(MeasureWords::percent("Chosen of 100 screened of GROUP", "chosen of 100 screened of GROUP", "of 100 screened")),
    ),
    (
        "received_share.GROUP",
        describes("mean share of the group in a slate: what `share` is under demographic parity where all who are chosen come").unit()
            .called(MeasureWords::percent("Share of GROUP in a slate", "share of GROUP in a slate", "%")),
    ),
    (
        "selected_of_received.GROUP",
        describes("selected over received within the group").unit()
            .called(MeasureWords::percent("Selected of 100 received of GROUP", "selected of 100 received of GROUP", "of 100 received")),
    ),
    (
        "impact_ratio",
        higher("lowest selection rate of a group over the highest, of the attribute where that is least").unit().best("treats groups most alike")
            .called(MeasureWords::percent("Impact ratio", "impact ratio", "%")),
    ),
    (
        "impact_ratio.ATTRIBUTE",
        higher("the same within one attribute, where a run has several").unit()
            .called(MeasureWords::percent("Lowest selection rate over the highest, by ATTRIBUTE", "impact ratio by ATTRIBUTE", "%")),
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

#[cfg(test)]
mod tests {
    use super::super::direction::Direction;
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
