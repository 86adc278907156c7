//! Where everybody's utility is known beforehand, what a cohort is worth has a range, and verdicts
//! hold at any time.

use std::path::Path;

use kleroterion::compare::compare;
use kleroterion::compare::sequence::Betting;
use kleroterion::policy::cohort::{ByObjective, CohortShape, Diverse, Objective, Quotas, TopK};
use kleroterion::protocol::{
    Attribute, Choose, CohortSums, CohortWorth, Quota, Rules, Schema, Until,
};
use kleroterion::score::Utilities;

use super::uniforms;
use crate::support::{plan, play};

const PEOPLE: usize = 9;

/// Every cohort of this many.
fn cohorts(members: u32) -> impl Iterator<Item = Vec<bool>> {
    let masks = (0u32..1 << PEOPLE).filter(move |mask| mask.count_ones() == members);
    masks.map(|mask| (0..PEOPLE).map(|slot| mask >> slot & 1 == 1).collect())
}

/// A group of three, and the same as one value of one attribute and three of another.
fn thirds() -> Schema {
    let attribute = |(name, values): (&str, &[&str])| Attribute {
        name: name.into(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let attributes = [
        ("group", &["a", "b", "c"][..]),
        ("all", &["x"]),
        ("third", &["a", "b", "c"]),
    ];
    Schema::new(attributes.map(attribute).into(), vec![], false).unwrap()
}

/// The range, and the least and the greatest worth of all cohorts.
fn both(objective: &impl Objective, values: &[f64], members: u32) -> [(f64, f64); 2] {
    let groups: Vec<u16> = (0..PEOPLE as u16).map(|slot| slot % 3).collect();
    let schema = thirds();
    let shape = CohortShape {
        members: members as usize,
        groups,
    };
    let all = Utilities::new(values.to_vec(), false).unwrap();
    let all = all.in_slates(Some(PEOPLE as u32));
    let rules = Rules::new(Choose::Exactly(members), Until::Rounds(1));
    let sums: CohortSums = all.sums(&rules, false).unwrap();
    let worths = cohorts(members).map(|cohort| objective.worth(&shape, values, &cohort));
    let ends = |(least, most): (f64, f64), worth: f64| (least.min(worth), most.max(worth));
    let ends = worths.fold((f64::INFINITY, f64::NEG_INFINITY), ends);
    [ByObjective(objective.clone()).range(&schema, &sums), ends]
}

#[test]
fn no_cohort_is_worth_more_or_less_than_the_range_says() {
    let quota = Quota { min: 1, max: 3 };
    let quotas = Quotas::new(0, vec![quota; 3]);
    for (seed, shift) in [(1, 0.0), (2, -0.5), (3, -0.9)] {
        let values: Vec<f64> = uniforms(seed, PEOPLE).iter().map(|u| u + shift).collect();
        for members in [1, 2, 4, 8] {
            let sums = [
                both(&TopK, &values, members),
                both(&quotas, &values, members),
            ];
            for [range, ends] in sums {
                let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
                assert!(
                    near(range.0, ends.0) && near(range.1, ends.1),
                    "{range:?} {ends:?}"
                );
            }
            let [range, ends] = both(&Diverse::new(0), &values, members);
            let crossed = Diverse::crossed(&thirds(), &[1, 2]);
            assert_eq!(both(&crossed, &values, members), [range, ends]);
            // Three times three groups may be worth more.
            let more = Diverse::crossed(&thirds(), &[0, 2]);
            let [wider, _] = both(&more, &values, members);
            assert!(
                wider.0 == range.0 && wider.1 >= range.1,
                "{wider:?} {range:?}"
            );
            assert!(range.0 <= ends.0 + 1e-12, "{range:?} {ends:?}");
            assert!(range.1 >= ends.1 - 1e-12, "{range:?} {ends:?}");
        }
    }
}

fn world(source: &str, report: &str) -> String {
    format!(
        r#"
seed = 3
replications = 40
source = {source}
[rules]
slate = "all"
choose = {{ exactly = 3 }}
until = {{ rounds = 1 }}
interviews = [{{ name = "weak", cost = 1, gain = 1 }}]
interview_cap = 1000
budget = 30
[feedback.interview]
type = "gaussian_looks"
sd = 0.2
[[policy]]
label = "uniform"
kind = "uniform_interviews"
[[policy]]
label = "random"
kind = "random_interviews"
[report]
baseline = "uniform"
{report}
"#
    )
}

#[test]
fn known_utilities_give_cohort_measures_their_range() {
    let report = "judge = [\"cohort_value\", \"sqrt_top_k\"]";
    let line = "{ type = \"arms\", means = { linear = { n = 5, from = 1.0, to = 5.0 } } }";
    let plan_of = |source| plan(&world(source, report), Path::new("."), &[]);
    let linear = plan_of(line);
    let range = |metric| linear.judge.range(metric).unwrap().ends();
    assert_eq!(range("cohort_value"), (6.0, 12.0));
    assert_eq!(range("sqrt_top_k"), (6f64.sqrt(), 12f64.sqrt()));
    assert_eq!(range("mean_merit"), (1.0, 5.0));
    // Utilities that are drawn from a normal law have no range.
    let drawn = "{ type = \"arms\", means = { normal = { n = 5, mean = 3.0, sd = 1.0 } } }";
    assert!(plan_of(drawn).judge.range("cohort_value").is_none());
    let season = "{ type = \"admissions\", applicants = { masters = 20, phd = 10 } }";
    let season = plan_of(season).judge.range("cohort_value").unwrap();
    assert!(0.0 < season.ends().0 && season.ends().1 < 3.0, "{season}");
}

#[test]
fn a_difference_of_cohort_values_holds_at_any_time() {
    let report = "judge = [\"cohort_value\"]";
    let line = "{ type = \"arms\", means = { linear = { n = 12, from = 0.0, to = 1.0 } } }";
    let first_come = "label = \"first come\"\nkind = \"accept_all\"";
    let random = "label = \"random\"\nkind = \"random_interviews\"";
    let text = world(line, report).replace(random, first_come);
    let plan = plan(
        &text,
        Path::new("."),
        &["report.until=\"decided\"", "replications=5000"],
    );
    let result = play(&plan);
    let pair = &compare(&result, &plan.judge)[0];
    assert_eq!(pair.method, Betting::METHOD);
    assert!(pair.n < 5000, "{pair:?}");
}

/// People screened: at most as many as come until a lane is stalled, where the config says when.
#[test]
fn max_rounds_bound_how_many_are_screened() {
    let committee = |max_rounds: &str| {
        let text = format!(
            r#"
replications = 40
[source]
type = "categorical"
shares = {{ gender = {{ M = 0.7, F = 0.3 }} }}
[target]
gender = {{ M = 0.5, F = 0.5 }}
[rules]
choose = "at_most_one"
until = {{ accepted = 10 }}
{max_rounds}
[[policy]]
label = "queue"
kind = "virtual_queue"
[[policy]]
label = "proportional"
kind = "proportional"
[report]
judge = ["screened"]
baseline = "queue"
"#
        );
        plan(&text, Path::new("."), &[])
    };
    assert!(committee("").judge.range("screened").is_none());
    // So far away that an interval over it says nothing.
    let far = committee("max_rounds = 1_000_000");
    assert!(far.judge.range("screened").is_none());
    let bounded = committee("max_rounds = 200");
    assert_eq!(
        bounded.judge.range("screened").unwrap().ends(),
        (0.0, 200.0)
    );
    let pair = &compare(&play(&bounded), &bounded.judge)[0];
    assert_eq!(pair.method, Betting::METHOD);
    assert!(pair.lo < pair.mean && pair.mean < pair.hi, "{pair:?}");
}
