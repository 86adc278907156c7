use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use crate::config::{Plan, check};
use crate::presets::PRESETS;
use kleroterion_core::problem::Problems;

/// The most configs that are made wrong of one preset; in the long form, more.
const MOST: [usize; 2] = [4, 60];

/// The first run of each preset, as text.
fn runs() -> impl Iterator<Item = (&'static str, Document)> {
    PRESETS.iter().map(|preset| {
        let document = Document::parse(preset.text).unwrap();
        let point = document.points().unwrap().swap_remove(0);
        // What a sweep set has its place in the sweep.
        let document = Document::parse(&point.document.to_toml()).unwrap();
        (preset.name, document)
    })
}

/// The places of the text at each path of keys: of the key and of the value.
fn places(table: &Table, path: &str, found: &mut BTreeMap<String, Vec<Place>>) {
    for (key, node) in table.iter() {
        let path = join(path, &key.name);
        found
            .entry(path.clone())
            .or_default()
            .push(key.place.clone());
        places_of(node, path, found);
    }
}

fn places_of(node: &Node, path: String, found: &mut BTreeMap<String, Vec<Place>>) {
    match &node.value {
        Value::Table(table) => places(table, &path, found),
        Value::List(members) => {
            for (at, member) in members.iter().enumerate() {
                places_of(member, format!("{path}[{at}]"), found);
            }
        }
        _ => {}
    }
    found.entry(path).or_default().push(node.place.clone());
}

/// Sorted, as the order of a text is another.
fn sorted(problems: Problems) -> Vec<Problem> {
    let mut all = problems.0;
    all.sort_by_key(|one| (one.what.clone(), one.help.clone()));
    all
}

/// Checks a text and the same values without it.
fn both(name: &str, document: &Document) {
    let made = Document::of(document.root().clone());
    assert_eq!(made.to_toml(), document.to_toml(), "{name}");
    let folder = Path::new("");
    match (check(document, folder), check(&made, folder)) {
        (Ok(read), Ok(plan)) => {
            let resolved =
                |document: &Document, plan: &Plan| document.resolved(plan, folder).to_toml();
            assert_eq!(resolved(document, &read), resolved(&made, &plan), "{name}");
            assert_eq!(seen(&read), seen(&plan), "{name}");
        }
        (Err(read), Err(found)) => same_problems(name, document, read, found),
        (read, found) => panic!(
            "{name}: {:?} of the text, {:?} of the values",
            read.err(),
            found.err()
        ),
    }
}

fn same_problems(name: &str, document: &Document, read: Problems, found: Problems) {
    let mut known = BTreeMap::new();
    places(document.root(), "", &mut known);
    let (read, found) = (sorted(read), sorted(found));
    let said = |all: &[Problem]| {
        let all = all.iter().map(|one| (one.what.clone(), one.help.clone()));
        all.collect::<Vec<_>>()
    };
    assert_eq!(said(&read), said(&found), "{name}");
    for (read, found) in read.iter().zip(&found) {
        match &found.place {
            Place::Key(path) => {
                let places = known.get(path).unwrap_or_else(|| panic!("{name}: {found}"));
                assert!(places.contains(&read.place), "{name}: {read} | {found}");
            }
            Place::Request => {
                let whole = matches!(&read.place, Place::Config { span, .. } if *span == (0..0));
                assert!(whole || read.place == Place::Request, "{name}: {read}");
            }
            place => assert_eq!(place, &read.place, "{name}"),
        }
    }
}

/// What of a plan is words and numbers.
fn seen(plan: &Plan) -> String {
    let lanes = plan
        .lanes
        .iter()
        .map(|lane| (&lane.label, lane.kind, lane.role));
    format!(
        "{:?}",
        (
            (&plan.name, plan.seed, plan.replications, &plan.notes),
            (&plan.rules, &plan.target, &plan.judge),
            (lanes.collect::<Vec<_>>(), &plan.live, &plan.keep),
        )
    )
}

#[test]
fn a_tree_of_values_is_the_plan_of_its_text() {
    runs().for_each(|(name, document)| both(name, &document));
}

/// The paths of all values that hold no others, and of all tables.
fn paths(document: &Document) -> Vec<String> {
    let mut found = BTreeMap::new();
    places(document.root(), "", &mut found);
    let is_settable = |path: &String| !path.contains('[');
    found.into_keys().filter(is_settable).collect()
}

#[test]
fn what_is_wrong_is_said_alike_at_a_line_and_at_a_path_of_keys() {
    let most = MOST[usize::from(std::env::var_os("KLERO_LONG").is_some())];
    for (name, document) in runs() {
        let paths = paths(&document);
        let wrong = [
            "a word",
            "1e9",
            "-1",
            "true",
            "[[]]",
            "{ a = 1 }",
            "nan",
            "5",
        ];
        let step = (paths.len() * wrong.len()).div_ceil(most);
        // Not a divisor of the number of values, so that each comes.
        for at in (0..paths.len() * wrong.len()).step_by(step | 1) {
            let (path, value) = (&paths[at % paths.len()], wrong[at % wrong.len()]);
            let mut changed = document.clone();
            let value =
                super::super::parse::parse_value(value, &Place::Request).unwrap_or_else(|_| {
                    match value {
                        "nan" => Value::Number(f64::NAN).at(&Place::Request),
                        text => Value::Text(text.to_owned()).at(&Place::Request),
                    }
                });
            changed.put(path, value).unwrap();
            changed
                .put("unknown", Value::Whole(1).at(&Place::Request))
                .unwrap();
            let text = changed.to_toml();
            let read = Document::parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
            both(&format!("{name} with {path}"), &read);
        }
    }
}

#[test]
fn problems_come_in_the_order_of_the_tree() {
    let policy = |label: &str| Value::of([("label", label), ("kind", "greedy")]);
    let document = Document::of(Table::of([
        ("seed", Value::from(u64::MAX)),
        ("policy", vec![policy("a"), policy("a")].into()),
        ("rules", Value::of([("slate", f64::NAN), ("a key", 1.5)])),
    ]));
    let problems = check(&document, Path::new("")).err().unwrap();
    let places: Vec<String> = problems.0.iter().map(|one| one.place.to_string()).collect();
    let at = |path: &str| format!("at {path}: ");
    assert_eq!(places[0], "");
    let keys: Vec<&String> = places.iter().filter(|place| !place.is_empty()).collect();
    assert_eq!(keys[0], &at("seed"), "{problems}");
    assert!(
        problems
            .0
            .iter()
            .any(|one| one.what.contains("18446744073709551615 is too large"))
    );
    let position = |path: &str| keys.iter().position(|place| **place == at(path));
    let (label, nan, own) = (
        position("policy[1].label"),
        position("rules.slate"),
        position("rules.\"a key\""),
    );
    assert!(label.is_some() && label < nan && nan < own, "{problems}");
}

#[test]
fn nests_that_are_too_deep_are_refused_and_not_walked() {
    let deep = (0..200).fold(Value::Whole(1), |inner, _| vec![inner].into());
    let problems = Document::of(Table::of([("a", deep)])).refused();
    assert_eq!(problems.0.len(), 1);
    assert!(
        problems.0[0].what.contains("nested too deeply"),
        "{problems}"
    );
}

#[test]
fn a_value_is_put_at_a_path() {
    let mut document = Document::of(Table::of([("rules", Value::of([("slate", 1)]))]));
    document.assign("rules.until.accepted", 20).unwrap();
    document.assign("rules.slate", "none").unwrap();
    let text = "[rules]\nslate = \"none\"\nuntil = { accepted = 20 }\n";
    assert_eq!(document.to_toml(), text);
    let place = &document
        .root()
        .get("rules")
        .unwrap()
        .value
        .table()
        .unwrap()
        .get("slate");
    assert_eq!(place.unwrap().place, Place::Key("rules.slate".into()));
    let problem = document.assign("rules.slate.x", 1).unwrap_err();
    assert_eq!(problem.place, Place::Key("rules.slate.x".into()));
}
