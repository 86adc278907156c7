//! Values read as the types they should have, with the messages for wrong ones and their places.

use super::param::{Param, Shape};
use super::{Document, Field, Node, Reader, Value, read};
use kleroterion_core::problem::{Place, Problems};

/// `line:column what | help` of each problem.
fn said(problems: &Problems) -> Vec<String> {
    let said = problems.0.iter().map(|problem| match &problem.place {
        Place::Config { line, column, .. } => {
            let help = problem.help.as_deref().unwrap_or("-");
            format!("{line}:{column} {} | {help}", problem.what)
        }
        _ => problem.to_string(),
    });
    said.collect()
}

/// Returns the problems with `x = VALUE`, read with `as_type`.
fn of_value<T>(value: &str, as_type: impl FnOnce(&Field<'_>) -> Option<T>) -> String {
    let document = Document::parse(&format!("x = {value}")).unwrap();
    let problems = read(&document, |mut top| as_type(&top.get("x"))).err();
    said(&problems.expect(value)).join("\n")
}

#[test]
fn a_value_of_another_type() {
    let whole = |field: &Field<'_>| field.whole();
    let whole_words = "1:5 expected a whole number of at least 0 for `x`, found";
    for (value, found) in [
        ("-1", "-1 | -"),
        (
            "1e6",
            "1000000.0 | write it without point and exponent: 1000000",
        ),
        ("\"7\"", "the string \"7\" | write it without quotes: 7"),
    ] {
        assert_eq!(of_value(value, whole), format!("{whole_words} {found}"));
    }
    assert_eq!(
        of_value("3", |field| field.text().map(str::to_owned)),
        "1:5 expected a string for `x`, found 3 | put it in quotes: \"3\""
    );
    assert_eq!(
        of_value("inf", |field| field.positive()),
        "1:5 expected a finite number above 0 for `x`, found inf | -"
    );
    assert_eq!(
        of_value("1.5", |field| field.probability()),
        "1:5 expected a number from 0 to 1 for `x`, found 1.5 | -"
    );
}

#[test]
fn a_list_whose_members_are_wrong() {
    let wholes = |field: &Field<'_>| field.each(Field::whole);
    assert_eq!(
        of_value("50", wholes),
        "1:5 expected a list for `x`, found 50 | put it in brackets: [ … ]"
    );
    assert_eq!(
        of_value("[\"é\", 5.5]", wholes),
        "1:6 expected a whole number of at least 0 for `x.0`, found the string \"é\" | -\n\
         1:11 expected a whole number of at least 0 for `x.1`, found 5.5 | -"
    );
    assert_eq!(
        of_value("{ a = 1 }", wholes),
        "1:5 expected a list for `x`, found a table | write [[x]] for each member, or x = [ … ]"
    );
}

#[test]
fn a_word_that_is_none_of_the_known() {
    let program = |field: &Field<'_>| field.choice(&[("full", true), ("small", false)]);
    assert_eq!(
        of_value("\"smal\"", program),
        "1:5 unknown word `smal` for `x` | did you mean `small`? known words: full, small"
    );
    assert_eq!(
        of_value("[\"small\"]", program),
        "1:5 expected one of \"full\" or \"small\" for `x`, found a list | -"
    );
}

#[test]
fn a_form_that_is_none_of_the_known() {
    let until = |field: &Field<'_>| {
        let (_, many) = field.form(&["source_ends"], &["accepted", "rounds"])?;
        many.whole_in(1..)
    };
    let forms = "\"source_ends\", { accepted = … } or { rounds = … }";
    for (value, said) in [
        (
            "150",
            format!("1:5 expected one of {forms} for `x`, found 150 | -"),
        ),
        (
            "\"accepted\"",
            format!("1:5 `accepted` for `x` needs a value | write one of {forms}"),
        ),
        (
            "\"source_end\"",
            format!(
                "1:5 unknown word `source_end` for `x` | \
                 did you mean `source_ends`? write one of {forms}"
            ),
        ),
        (
            "{ source_ends = 1 }",
            format!("1:7 `source_ends` for `x` takes no value | write one of {forms}"),
        ),
        (
            "{ acepted = 150 }",
            format!(
                "1:7 unknown key `acepted` in `x` | did you mean `accepted`? write one of {forms}"
            ),
        ),
        (
            "{ accepted = 150, rounds = 3 }",
            format!("1:5 `x` takes one key, not 2 | write one of {forms}"),
        ),
        (
            "{ accepted = 150, round = 3 }",
            "1:23 unknown key `round` in `x` | did you mean `rounds`?".to_owned(),
        ),
        (
            "{ accepted = 0 }",
            "1:18 expected a whole number of at least 1 for `x.accepted`, found 0 | -".to_owned(),
        ),
    ] {
        assert_eq!(of_value(value, until), said);
    }
}

/// Two sections and a list of policies.
fn plan(mut top: Reader<'_>) -> Option<()> {
    let seed = top.need("seed", "seed = 2021").whole();
    let source = top.need("source", "[source]").table();
    let source = source.and_then(|mut table| {
        let shares = [
            Param::new("shares", Shape::Any),
            Param::new("weights", Shape::Any),
        ];
        let given = table.need_one(&shares, "shares = { M = 0.5, F = 0.5 }");
        table.finish();
        given
    });
    let policies = top.need("policy", "[[policy]]").each(|field| {
        let mut table = field.table()?;
        table.need("label", "label = \"queue\"").text()?;
        let v = table.get("v").positive();
        table.finish();
        v
    });
    let report = top.need("report", "[report]").table();
    top.finish();
    seed?;
    source?;
    policies?;
    report.map(|_| ())
}

#[test]
fn many_wrong_things_at_once() {
    let text = "# Δῆμος\r\n\tsed = 1\r\n[source]\r\nshares = 1\r\n\
                weights = { \"é\" = { a = 0, b = '1' } }\r\n[policy]\r\nlabel = 'x'\r\n";
    let problems = read(&Document::parse(text).unwrap(), plan).unwrap_err();
    assert_eq!(
        said(&problems),
        [
            "1:1 missing section [report] | for example: [report]",
            "2:2 unknown key `sed` | did you mean `seed`?",
            "5:11 `weights` and `shares` can't both be given in [source] | \
             keep one of shares, weights",
            "6:1 expected a list for `policy`, found a table | \
             write [[policy]] for each member, or policy = [ … ]",
        ]
    );
}

#[test]
fn options_are_places_too() {
    let text = "seed = 1\n[source]\nshares = 1\n[[policy]]\nlabel = \"queue\"\n[report]\n";
    let mut document = Document::parse(text).unwrap();
    for assignment in ["policy.queue.v=-1", "source.shres=3", "extra.key=1"] {
        document.set(assignment).unwrap();
    }
    let problems = read(&document, plan).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "option --set source.shres=3: unknown key `shres` in [source] \
         (help: did you mean `shares`?)\n\
         option --set policy.queue.v=-1: \
         expected a finite number above 0 for `policy.queue.v`, found -1\n\
         option --set extra.key=1: unknown key `extra` \
         (help: known keys: seed, source, policy, report)"
    );
}

#[test]
fn nan_is_refused_even_where_a_program_put_it() {
    let mut document = Document::parse("").unwrap();
    let place = Place::Option("--nan".into());
    let node = Node {
        place: place.clone(),
        value: Value::Number(f64::NAN),
    };
    document.put("x", node).unwrap();
    let problems = read(&document, |mut top| top.get("x").number()).unwrap_err();
    assert_eq!((problems.0.len(), &problems.0[0].place), (1, &place));
}

#[test]
fn nothing_is_lost_between_free_and_known_keys() {
    let document = Document::parse("from = \"weights\"\nb = 1\na = 2\n").unwrap();
    let pairs = read(&document, |mut top| {
        let from = top.get("from").text().map(str::to_owned);
        let rest = top.rest().into_iter();
        let names: Vec<_> = rest.map(|(key, _)| key.name.clone()).collect();
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

#[test]
fn brackets_without_an_end_are_refused_before_the_parser_meets_them() {
    // A table in each line that none closes: the parser would call itself for each.
    let text = "a = { b\nc = { d = {\n".repeat(20_000);
    let problems = Document::parse(&text).expect_err("it is no TOML");
    assert!(
        problems.0[0].what.contains("nested too deeply"),
        "{problems:?}"
    );
    let mut document = Document::parse("").expect("it is TOML");
    let problem = document
        .set(&format!("a={}", "[".repeat(20_000)))
        .expect_err("no value");
    assert!(problem.what.contains("nested too deeply"), "{problem:?}");
    let flat = "a = [[1], [2]]\n[[b]]\n".replace("a", "\"{[\"");
    assert!(Document::parse(&flat).is_ok());
}
