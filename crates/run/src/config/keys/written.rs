//! Each documented default, written out, is what the config without the key means.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use super::CONFIG;
use crate::config::{Document, Plan, check};
use crate::document::param::{Entry, Param, Shape};
use crate::document::{Literal, Table, Value};
use crate::presets::PRESETS;
use crate::registry::Registry;
use kleroterion_core::problem::Place;

/// The built-in kinds.
static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::default);

/// A table of a config: its path, as values are put there, the name of its kind, and its keys.
struct Declared {
    path: String,
    name: String,
    given: Vec<String>,
    keys: Vec<Param>,
}

/// The tables of a config that are given, below one of these keys.
fn tables(keys: &[Param], path: &str, name: &str, table: &Table, found: &mut Vec<Declared>) {
    for (key, node) in table.iter() {
        let step = |name: &str| match path {
            "" => format!("{name:?}"),
            _ => format!("{path}.{name:?}"),
        };
        if let Some(param) = keys.iter().find(|param| param.key == key.name) {
            let name = format!("{name}.{}", param.key);
            within(&param.shape, &step(&key.name), &name, &node.value, found);
        }
    }
    found.push(Declared {
        path: path.to_owned(),
        name: name.to_owned(),
        given: table.iter().map(|(key, _)| key.name.clone()).collect(),
        keys: keys.to_vec(),
    });
}

fn within(shape: &Shape, path: &str, name: &str, value: &Value, found: &mut Vec<Declared>) {
    match (shape, value) {
        (Shape::Table(keys), Value::Table(table)) => tables(keys, path, name, table, found),
        (Shape::Map(member), Value::Table(table)) => {
            for (key, node) in table.iter() {
                let path = format!("{path}.{:?}", key.name);
                within(member, &path, name, &node.value, found);
            }
        }
        (Shape::List(member), Value::List(list)) => {
            for (at, node) in list.iter().enumerate() {
                let label = node.value.table().and_then(|table| table.value("label"));
                let step = match label.and_then(Value::text) {
                    Some(label) => format!("{label:?}"),
                    None => at.to_string(),
                };
                within(member, &format!("{path}.{step}"), name, &node.value, found);
            }
        }
        (Shape::Kinds(..) | Shape::Registered(_), Value::Table(table)) => {
            let (tag, entries) = REGISTRY.kinds_of(shape).expect("it is of kinds");
            let kind = table.value(tag).and_then(Value::text).unwrap_or_default();
            let is_it = |entry: &&Entry| entry.name == kind && has_needed(&entry.params, table);
            if let Some(entry) = entries.iter().find(is_it) {
                let name = format!("{name}[{kind}]");
                tables(&entry.params, path, &name, table, found);
            }
        }
        (Shape::OneOf(_) | Shape::Form(..), Value::Table(table)) => {
            let fits = |part: &Shape| match part {
                Shape::Table(keys) => has_needed(keys, table),
                Shape::Kinds(tag, _) => table.get(tag).is_some(),
                _ => false,
            };
            if let Some(part) = shape.parts().iter().find(|part| fits(part)) {
                within(part, path, name, value, found);
            }
        }
        _ => {}
    }
}

fn has_needed(keys: &[Param], table: &Table) -> bool {
    let mut needed = keys.iter().filter(|param| param.is_needed);
    needed.all(|param| table.get(param.key).is_some())
}

/// A plan as text, but for the notes that a default was taken.
fn said(plan: &Plan) -> String {
    let own = |note: &&String| !note.ends_with("(the config gives none)");
    let notes: Vec<&String> = plan.notes.iter().filter(own).collect();
    let lanes = plan.lanes.iter().map(|lane| {
        let (policy, definitions) = (&lane.policy, lane.definitions.keys());
        format!(
            "{} {} {:?} {:?} {:?} {:?} {:?}",
            lane.label,
            lane.kind,
            lane.role,
            lane.elsewhere,
            policy.rule,
            policy.aim,
            definitions.collect::<Vec<_>>()
        )
    });
    let lanes: Vec<String> = lanes.collect();
    let objectives: Vec<_> = plan.objectives.iter().map(|one| &one.name).collect();
    let world = &plan.world;
    let feed = world.feed.as_ref();
    let feed = feed.map(|feed| (feed.max_length, feed.on_error, feed.framing));
    format!(
        "{:?}",
        (
            (
                &plan.name,
                plan.seed,
                plan.replications,
                notes,
                lanes,
                objectives
            ),
            (
                &plan.rules,
                &plan.slates,
                &plan.pool,
                &plan.target,
                &plan.aim,
                &plan.dropout
            ),
            (
                &plan.moments,
                &plan.judge,
                &plan.keep,
                &plan.live,
                &plan.recruitment
            ),
            (
                &world.known,
                &world.merits,
                world.people,
                &world.disclosures,
                &plan.answering
            ),
            (
                world.fixed,
                world.pace,
                world.arrivals,
                feed,
                &plan.yields,
                &plan.outcomes
            ),
        )
    )
}

/// The presets, and configs that have the tables which no preset has.
fn configs() -> Vec<(String, Document)> {
    let presets = PRESETS.iter().map(|preset| (preset.name, preset.text));
    let texts = presets.chain(OTHERS).map(|(name, text)| {
        let document = Document::parse(text).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        (name.to_owned(), document)
    });
    let mut configs: Vec<_> = texts.collect();
    // Some presets need files of data that are not in the repository.
    configs.retain(
        |(name, document)| match check(document, Path::new(FOLDER)) {
            Ok(_) => true,
            Err(wrong) if OTHERS.iter().any(|(other, _)| name == other) => {
                panic!("{name}: {wrong}")
            }
            Err(_) => false,
        },
    );
    configs.extend(policies(&configs));
    configs
}

const FOLDER: &str = "../../configs";

const OTHERS: [(&str, &str); 6] = [
    (
        "a season",
        "[source]\ntype = 'admissions'\n\
         [rules]\nslate = 'all'\nchoose = { exactly = 5 }\nuntil = { rounds = 1 }\n\
         [[policy]]\nlabel = 'all'\nkind = 'accept_all'\n",
    ),
    (
        "a file",
        "[source]\ntype = 'file'\npath = 'organiser/respondents.csv'\n\
         attributes = { gender = { column = 'gender' } }\n\
         [rules]\nchoose = 'at_most_one'\nuntil = { accepted = 10 }\n\
         [[policy]]\nlabel = 'all'\nkind = 'accept_all'\n",
    ),
    (
        "many sections",
        "[source]\ntype = 'categorical'\nshares = { sex = { F = 0.5, M = 0.5 } }\n\
         [target]\nsex = { F = 0.5, M = 0.5 }\n\
         [rules]\nchoose = 'at_most_one'\nuntil = { accepted = 10 }\n\
         quota = { sex = { F = [2, 8] } }\n[yield]\nrate = 0.5\n\
         [letters]\nrate = 0.1\n[live.nats]\n[board]\n\
         [report]\njudge = ['selection_rate']\n\
         [[policy]]\nlabel = 'all'\nkind = 'accept_all'\n",
    ),
    (
        "enforced",
        "[source]\ntype = 'categorical'\nshares = { sex = { F = 0.5, M = 0.5 } }\n\
         [rules]\nslate = 10\nchoose = { exactly = 3 }\nuntil = { rounds = 10 }\n\
         quota = { sex = { F = [1, 3] } }\n\
         [[policy]]\nlabel = 'all'\nkind = 'accept_all'\n",
    ),
    (
        "a feed",
        "[source]\ntype = 'stdin'\ndecoding = { codec = 'csv' }\nframing = {}\n\
         features = { numeric = ['years'] }\n\
         [source.attributes]\nsex = { column = 'sex', values = { F = 'F', M = 'M' } }\n\
         [rules]\nchoose = 'at_most_one'\nuntil = { accepted = 10 }\n\
         [feedback.outcome]\ntype = 'reported'\n\
         [[policy]]\nlabel = 'all'\nkind = 'accept_all'\n",
    ),
    (
        "a world",
        "[source]\ntype = 'people'\nshares = { sex = { F = 0.5, M = 0.5 } }\n\
         features = { t = { law = 'student_t', df = 5 } }\nerrors = { t = {} }\n\
         merit = { weights = { t = 1.0 } }\narrivals = { poisson = '2/s' }\n\
         [rules]\nslate = 5\nchoose = 'exactly_one'\nuntil = { rounds = 10 }\n\
         [feedback.outcome]\ntype = 'linear'\nnoise = 0.5\n\
         [[policy]]\nlabel = 'all'\nkind = 'uniform_choice'\n\
         [[policy]]\nlabel = 'bound'\nkind = 'oful'\nform = 'abbasi_yadkori'\nR = 1\nS = 2\n",
    ),
];

/// A config of each kind of policy, where a preset takes it with what it needs alone.
fn policies(configs: &[(String, Document)]) -> Vec<(String, Document)> {
    let with = |kind: &crate::catalog::PolicyKind| {
        let minimal = kind.minimal().replace('\n', ", ");
        configs.iter().find_map(|(base, document)| {
            let mut document = document.clone();
            let label = document.labels().first()?.to_string();
            let value = format!(
                "{{ label = {label:?}, kind = \"{}\", {minimal} }}",
                kind.name
            );
            let value = value.replace(", }", " }");
            document.set(&format!("policy.{label:?}={value}")).ok()?;
            check(&document, Path::new(FOLDER)).ok()?;
            Some((format!("{base} with {}", kind.name), document))
        })
    };
    crate::catalog::kinds().filter_map(with).collect()
}

#[test]
fn a_default_that_is_written_out_changes_nothing() {
    let folder = Path::new(FOLDER);
    let mut met: BTreeMap<String, bool> = BTreeMap::new();
    let (mut declared, mut differing) = (BTreeSet::new(), Vec::new());
    for (base, document) in configs() {
        let plan = check(&document, folder).expect("it is sound");
        let mut found = Vec::new();
        tables(CONFIG, "", "", document.root(), &mut found);
        for table in found {
            for param in &table.keys {
                let Some(default) = param.default.and_then(Literal::value) else {
                    continue;
                };
                if table.given.iter().any(|given| given == param.key) {
                    continue;
                }
                let path = match table.path.as_str() {
                    "" => param.key.to_owned(),
                    path => format!("{path}.{}", param.key),
                };
                let mut written = document.clone();
                let node = default.at(&Place::Request);
                written
                    .put(&path, node)
                    .unwrap_or_else(|wrong| panic!("{path}: {wrong}"));
                declared.extend(defaulted(param));
                let name = format!("{}.{}", table.name, param.key);
                // Once is enough: a check takes time.
                if met.get(&name) == Some(&true) {
                    continue;
                }
                // Some keys are refused where they mean nothing.
                let checked = check(&written, folder);
                let is_written = met.entry(name).or_default();
                *is_written |= checked.is_ok();
                if let Ok(other) = checked
                    && said(&other) != said(&plan)
                {
                    differing.push(format!("{base}: {path}"));
                }
            }
        }
    }
    assert_eq!(
        differing, [""; 0],
        "written out, the default means something else"
    );
    // `slow` is for policies that play elsewhere, which takes the feature `nats`.
    let never = met
        .iter()
        .filter(|(name, is_written)| !**is_written && !name.ends_with(".slow"));
    let never: Vec<&String> = never.map(|(name, _)| name).collect();
    assert_eq!(never, [""; 0], "written nowhere");
    let missed: BTreeSet<String> = all_defaults().difference(&declared).cloned().collect();
    let known = UNMET.map(str::to_owned).into_iter().collect();
    assert_eq!(missed, known, "in no config of this test");
}

/// Defaults of keys that need a NATS server, or a file of reviews.
const UNMET: [&str; 6] = [
    "ack_wait = 30s",
    "applicant = applicant",
    "deliver = all",
    "max_ack_pending = 4096",
    "score = score",
    "sync = always",
];

/// All keys that have a default, each with its default.
fn all_defaults() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    each(CONFIG, "", &mut |_, param| names.extend(defaulted(param)));
    names
}

/// A key with its default, if it has one.
fn defaulted(param: &Param) -> Option<String> {
    let default = param.default.filter(|default| default.value().is_some())?;
    Some(format!("{} = {default}", param.key))
}

fn each(keys: &[Param], name: &str, take: &mut dyn FnMut(&str, &Param)) {
    for param in keys {
        let name = format!("{name}.{}", param.key);
        take(&name, param);
        below(&param.shape, &name, take);
    }
}

fn below(shape: &Shape, name: &str, take: &mut dyn FnMut(&str, &Param)) {
    match shape {
        Shape::Table(keys) => each(keys, name, take),
        Shape::Map(member) | Shape::List(member) => below(member, name, take),
        Shape::OneOf(_) | Shape::Form(..) => {
            shape
                .parts()
                .iter()
                .for_each(|part| below(part, name, take));
        }
        _ => {
            let entries = REGISTRY.kinds_of(shape).map(|(_, entries)| entries);
            for entry in entries.into_iter().flatten() {
                each(&entry.params, &format!("{name}[{}]", entry.name), take);
            }
        }
    }
}

#[test]
fn a_default_has_the_declared_shape() {
    each(CONFIG, "", &mut |name, param| {
        if let Some(default) = param.default.and_then(Literal::value) {
            let is_of_shape = fits(&param.shape, &default);
            assert!(is_of_shape, "{name}: {default:?} is no {:?}", param.shape);
        }
    });
}

fn fits(shape: &Shape, value: &Value) -> bool {
    match (shape, value) {
        (Shape::Flag, Value::Flag(_)) | (Shape::Text, Value::Text(_)) => true,
        (Shape::Number(range), Value::Number(number)) => range.holds(*number),
        (Shape::Whole(least, most), Value::Whole(number)) => {
            u64::try_from(*number).is_ok_and(|number| (*least..=*most).contains(&number))
        }
        (Shape::Word(words), Value::Text(word)) => words.words().contains(&word.as_str()),
        (Shape::List(_), Value::List(members)) => members.is_empty(),
        (Shape::OneOf(_) | Shape::Form(..), _) => {
            shape.parts().iter().any(|part| fits(part, value))
        }
        _ => false,
    }
}
