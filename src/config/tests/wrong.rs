//! Wrong configs: what is said, and where.

use super::{COMMITTEE, plan, with, wrong};
use crate::config::Document;
use crate::document::{Node, Value, read};
use crate::problem::Place;

#[test]
fn one_wrong_thing_each() {
    for (old, new, problem) in [
        (
            "seed = 2021",
            "seed = -1",
            "2:8 expected a whole number of at least 0 for `seed`, found -1 | -",
        ),
        (
            "seed = 2021",
            "seed = 1e6",
            "2:8 expected a whole number of at least 0 for `seed`, found 1000000.0 | write it without point and exponent: 1000000",
        ),
        (
            "seed = 2021",
            "seed = \"7\"",
            "2:8 expected a whole number of at least 0 for `seed`, found the string \"7\" | write it without quotes: 7",
        ),
        (
            "name = \"committee\"\n",
            "",
            "1:1 missing key `name` | for example: name = \"committee\"",
        ),
        (
            "name = \"committee\"",
            "name = 3",
            "1:8 expected a string for `name`, found 3 | put it in quotes: \"3\"",
        ),
        (
            "slate = 1\n",
            "",
            "8:1 missing key `slate` in [rules] | for example: slate = 1",
        ),
        (
            "slate = 1",
            "slate = true",
            "9:9 expected a number, a list of them, \"all\" or { poisson = 100 } for `rules.slate`, found true | -",
        ),
        (
            "\"at_most_one\"",
            "\"at_most\"",
            "10:10 `at_most` for `rules.choose` needs a value | write one of \"any\", \"at_most_one\", \"exactly_one\", { at_most = … }, { exactly = … } or { share = … }",
        ),
        (
            "{ accepted = 150 }",
            "{ accepted = 150, rounds = 3 }",
            "11:9 `rules.until` takes one key, not 2 | write one of { accepted = … } or { rounds = … }",
        ),
        (
            "{ accepted = 150 }",
            "{ acepted = 150 }",
            "11:11 unknown key `acepted` in `rules.until` | write one of { accepted = … } or { rounds = … }",
        ),
        (
            "{ accepted = 150 }",
            "150",
            "11:9 expected one of { accepted = … } or { rounds = … } for `rules.until`, found 150 | -",
        ),
        (
            "{ accepted = 150 }",
            "{ accepted = 0 }",
            "11:22 expected a whole number of at least 1 for `rules.until.accepted`, found 0 | -",
        ),
        (
            "kind = \"greedy\"",
            "kind = \"gredy\"",
            "15:8 unknown word `gredy` for `policy.\"greedy .05\".kind` | did you mean `greedy`? known words: greedy, virtual_queue, rl_cmdp",
        ),
        (
            "tolerance = 0.05",
            "tolerance = 1.5",
            "16:13 expected a number from 0 to 1 for `policy.\"greedy .05\".tolerance`, found 1.5 | -",
        ),
        (
            "v = 2",
            "v = inf",
            "20:5 expected a finite number above 0 for `policy.queue.v`, found inf | -",
        ),
        (
            "\"small\"",
            "[\"small\"]",
            "25:11 expected one of \"full\" or \"small\" for `policy.learner.program`, found a list | -",
        ),
        (
            "M = 0.56, F = 0.44",
            "M = 0.56, F = 0.5",
            "5:21 the shares of `source.shares.gender` sum to 1.06 | make them sum to 1",
        ),
        (
            "[report]",
            "budget = 3\n[report]",
            "26:1 unknown key `budget` in [policy.learner] | known keys: label, kind, delta, program",
        ),
        (
            "at = [50, 100, 150]",
            "at = 50",
            "27:6 expected a list for `report.at`, found 50 | put it in brackets: [ … ]",
        ),
        (
            "at = [50, 100, 150]",
            "at = [\"é\", 5.5]",
            "27:7 expected a whole number of at least 0 for `report.at.0`, found the string \"é\" | -\n\
             27:12 expected a whole number of at least 0 for `report.at.1`, found 5.5 | -",
        ),
    ] {
        let said = wrong(&with(old, new)).join("\n");
        assert_eq!(said, problem);
    }
}

#[test]
fn many_wrong_things_at_once() {
    let text = "# Δῆμος\r\n\tsed = 1\r\n[source]\r\ntype = \"categorical\"\r\njoint = 1\r\nweights = { \"é\" = { a = 0, b = '1' } }\r\n\
                [rules]\r\nslate = 0\r\nchoose = \"sometimes\"\r\nmax-rounds = 1_0\r\n[policy]\r\nlabel = 'x'\r\n";
    assert_eq!(
        wrong(text),
        [
            "1:1 missing key `name` | for example: name = \"committee\"",
            "1:1 missing section [report] | for example: [report]",
            "2:2 unknown key `sed` | did you mean `seed`?",
            "5:9 `joint` and `weights` can't both be given in [source] | keep one of shares, weights, joint",
            "7:1 missing key `until` in [rules] | for example: until = { accepted = 150 }",
            "8:9 expected a whole number of at least 1 for `rules.slate`, found 0 | -",
            "9:10 unknown word `sometimes` for `rules.choose` | write one of \"any\", \"at_most_one\", \"exactly_one\", { at_most = … }, { exactly = … } or { share = … }",
            "10:1 unknown key `max-rounds` in [rules] | did you mean `max_rounds`?",
            "11:1 expected a list for `policy`, found a table | write [[policy]] for each member, or policy = [ … ]",
        ]
    );
}

#[test]
fn options_are_places_too() {
    let mut document = Document::parse(COMMITTEE).unwrap();
    for assignment in [
        "policy.queue.v=-1",
        "rules.slte=3",
        "rules.slate=2",
        "extra.key=1",
    ] {
        document.set(assignment).unwrap();
    }
    let problems = read(&document, plan).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "option --set rules.slte=3: unknown key `slte` in [rules] (help: did you mean `slate`?)\n\
         option --set policy.queue.v=-1: expected a finite number above 0 for `policy.queue.v`, found -1\n\
         option --set extra.key=1: unknown key `extra` (help: known keys: name, seed, replications, source, target, rules, policy, report)"
    );
}

#[test]
fn nan_is_refused_even_where_a_program_put_it() {
    let mut document = Document::parse("").unwrap();
    let place = Place::Option("--nan".into());
    document
        .put(
            "x",
            Node {
                place: place.clone(),
                value: Value::Number(f64::NAN),
            },
        )
        .unwrap();
    let problems = read(&document, |mut top| top.get("x").number()).unwrap_err();
    assert_eq!((problems.0.len(), &problems.0[0].place), (1, &place));
}

#[test]
fn nothing_is_lost_between_free_and_known_keys() {
    let document = Document::parse("from = \"weights\"\nb = 1\na = 2\n").unwrap();
    let pairs = read(&document, |mut top| {
        let from = top.get("from").text().map(str::to_owned);
        let names: Vec<_> = top
            .rest()
            .into_iter()
            .map(|(key, _)| key.name.clone())
            .collect();
        assert!(top.rest().is_empty());
        top.finish();
        Some((from?, names))
    });
    assert_eq!(
        pairs.unwrap(),
        ("weights".to_owned(), vec!["b".to_owned(), "a".to_owned()])
    );
    assert!(read(&document, |_| None::<()>).is_err());
}
