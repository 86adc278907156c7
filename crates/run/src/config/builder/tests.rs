use kleroterion_core::arena::Blind;
use kleroterion_core::protocol::Policy;
use kleroterion_core::protocol::{Move, Role, View};
use kleroterion_stats::Versus;

use super::*;
use crate::presets::PRESETS;
use crate::run::{Settings, run};

/// Accepts everybody.
#[derive(Clone)]
struct Yes;

impl Policy for Yes {
    fn act(&mut self, _: &mut View<'_>) -> Move {
        Move::decide(true)
    }
}

fn yes() -> Box<dyn Prototype> {
    Box::new(Blind(Yes))
}

/// A config of two policies, of which the first is one of the program's own.
fn half() -> PlanBuilder {
    Plan::builder()
        .name("half")
        .seed(1)
        .replications(3)
        .source("categorical", |keys| {
            keys.set(
                "shares",
                Value::of([("sex", Value::of([("F", 0.5), ("M", 0.5)]))]),
            )
        })
        .target(|keys| keys.set("sex.F", 0.5).set("sex.M", 0.5))
        .rules(|keys| keys.set("choose", "at_most_one").set("until.accepted", 20))
        .own_policy("yes", yes())
        .policy("all", "accept_all", |keys| keys)
        .judge(["representation_loss"])
        .baseline("yes")
}

const HALF: &str = r#"name = "half"
seed = 1
replications = 3

[source]
type = "categorical"
shares = { sex = { F = 0.5, M = 0.5 } }

[target]
sex = { F = 0.5, M = 0.5 }

[rules]
choose = "at_most_one"
until = { accepted = 20 }

[[policy]]
label = "yes"
kind = "custom"

[[policy]]
label = "all"
kind = "accept_all"

[report]
judge = ["representation_loss"]
baseline = "yes"
"#;

#[test]
fn a_policy_of_ones_own_is_the_baseline_and_says_what_it_is() {
    let builder = half();
    let (document, inputs) = builder.parts();
    let (document, inputs) = (document.clone(), inputs.clone());
    let plan = builder.build().unwrap_or_else(|wrong| panic!("{wrong}"));
    let kinds: Vec<_> = plan
        .lanes
        .iter()
        .map(|lane| (&*lane.label, lane.kind, lane.role))
        .collect();
    let policy = Role::Policy;
    assert_eq!(
        kinds,
        [
            ("yes", CUSTOM, policy),
            ("all", "accept_all", Role::Yardstick)
        ]
    );
    assert!(
        plan.lanes[0]
            .definitions
            .contains_key("representation_loss")
    );
    assert_eq!(document.resolved(&plan, &inputs).to_toml(), HALF);
    let result = run(&plan, &Settings::default(), |_| Ok(())).unwrap();
    let labels = result.policies.iter().map(|policy| &*policy.label);
    assert_eq!(labels.collect::<Vec<_>>(), ["yes", "all"]);
}

#[test]
fn without_its_object_a_custom_policy_is_refused_and_says_what_to_do() {
    let mut document = Document::parse(HALF).unwrap();
    let wrong = |document: &Document, inputs: &ConfigInputs| check(document, inputs).err().unwrap();
    let problems = wrong(&document, &ConfigInputs::default()).to_string();
    assert_eq!(
        problems,
        "line 18, column 8: the policy \"yes\" is an object of a program, which was not handed in \
         (help: play it in the program that hands it in under this label; klero run --only LABEL \
         plays others alone)"
    );
    let near = wrong(
        &document,
        &ConfigInputs::default().with_policy("yess", yes()),
    )
    .to_string();
    assert!(near.contains("did you mean the label \"yess\"?"), "{near}");
    assert!(check(&document, ConfigInputs::default().with_policy("yes", yes())).is_ok());
    // Its keys are those of every lane.
    document.set("policy.yes.toleranse=1").unwrap();
    let own = wrong(
        &document,
        &ConfigInputs::default().with_policy("yes", yes()),
    )
    .to_string();
    assert!(own.contains("unknown key `toleranse`"), "{own}");
    document.keep_only(&["all".to_owned()]).unwrap();
    assert!(check(&document, ConfigInputs::default()).is_ok());
}

#[test]
fn all_that_is_wrong_is_said_at_paths_and_at_once() {
    let builder = half()
        .set("rules.until.accepted.more", 1)
        .set("policy.all.kind", "acept_all")
        .policy("third", "greedy", |keys| {
            keys.set("tolerance", "much").set("tolerance.x", 1)
        })
        .set("report.baseline", "yess");
    let problems = builder.build().err().unwrap();
    let places: Vec<String> = problems.0.iter().map(|one| one.place.to_string()).collect();
    for place in [
        "at rules.until.accepted.more: ",
        "at policy[1].kind: ",
        "at policy[2].tolerance: ",
        "at policy[2].tolerance.x: ",
        "at report.baseline: ",
    ] {
        assert!(
            places.iter().any(|known| known == place),
            "{place}: {problems}"
        );
    }
}

#[test]
fn a_preset_takes_a_policy_of_ones_own() {
    let document = Document::parse(PRESETS[0].text).unwrap();
    let lanes = document.labels().len();
    let plan = PlanBuilder::of(document)
        .own_policy("yes", yes())
        .baseline("yes");
    let plan = plan.build().unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(plan.lanes.len(), lanes + 1);
    assert_eq!(plan.judge.versus, Versus::Baseline("yes".into()));
}
