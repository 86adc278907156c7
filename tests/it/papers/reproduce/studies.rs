//! Every study: its exit code, its files, and that they say all they are to say.

use kleroterion::reproduce::file_of;
use roxmltree::Document;
use serde_json::Value;

use super::expected::{Caveat, KNOWN, KNOWN_OF_PEOPLE, STUDIES, full};
use crate::pages::studies::links_lead_somewhere;
use crate::support::data;
use crate::support::terminal::Terminal;

pub(super) fn claims(terminal: &Terminal, folder: &str) -> Value {
    serde_json::from_str(&terminal.read(&format!("{folder}/claims.json"))).expect("JSON")
}

pub(super) fn texts<'v>(claim: &'v Value, keys: &[&str]) -> Vec<&'v str> {
    let text = |key: &&str| {
        claim[*key]
            .as_str()
            .unwrap_or_else(|| panic!("{key}: {claim}"))
    };
    keys.iter().map(text).collect()
}

/// Whether a document asks for anything from elsewhere; pictures in its folder are its own.
#[track_caller]
fn stays_at_home(name: &str, text: &str) {
    let mut text = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for (study, figures, _) in STUDIES {
        for figure in 0..figures {
            let picture = format!("<img src=\"{}\" ", file_of(study, figure));
            text = text.replace(&picture, "");
        }
    }
    for outside in [
        "http:", "https:", "url(", "@import", "<script ", "<img", "<iframe", "src=",
    ] {
        assert!(!text.contains(outside), "{name} has {outside}");
    }
}

#[test]
fn every_study_says_all_it_is_to_say() {
    let terminal = Terminal::new();
    let mut args = vec!["reproduce", "all", "--out", "out"];
    if !full() {
        args.push("--quick");
    }
    let said = terminal.klero(&args);
    // Some sentences are known not to hold, so the whole does not go through.
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let known: Vec<String> = KNOWN
        .iter()
        .map(|(study, place)| format!("{study}, {place}"))
        .collect();
    // A note before it says how many are undecided, which the files that are there decide.
    let (notes, error) = said
        .stderr
        .split_at(said.stderr.find("error: ").expect("an error"));
    assert!(
        notes.lines().all(|line| line.starts_with("note: of ")),
        "{notes}"
    );
    assert_eq!(
        error,
        format!("error: not reproduced: {}\n", known.join("; "))
    );
    let mut files = vec![
        "claims.csv".to_owned(),
        "claims.json".into(),
        "index.html".into(),
    ];
    let all = claims(&terminal, "out");
    assert_eq!(
        (&all["schema"], &all["quick"]),
        (&1.into(), &(!full()).into())
    );
    let studies = all["studies"].as_array().expect("studies");
    let index = terminal.read("out/index.html");
    stays_at_home("index.html", &index);
    for (study, place) in KNOWN {
        assert!(index.contains(&format!("{study}, {place}</a>")), "{study}");
    }
    for (study, (name, figures, caveat)) in studies.iter().zip(STUDIES) {
        assert_eq!(study["name"], name);
        let about = study["about"].as_str().expect("what it is");
        let page = format!("{name}.html");
        files.push(page.clone());
        let page = terminal.read(&format!("out/{page}"));
        stays_at_home(name, &page);
        assert!(!page.contains("One row in"), "{name}: all tables are whole");
        // Lines are as wide as the terminal is.
        let said = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in [&page, &index, &said] {
            assert!(text.contains(about), "{name}");
        }
        if let Some(file) = caveat.needs() {
            not_run(study, file);
            continue;
        }
        let calibrated = caveat == Caveat::Calibrated;
        let generated = caveat == Caveat::Generated;
        let statements = study["statements"].to_string();
        assert_eq!(
            statements.contains("calibrated"),
            calibrated || generated,
            "{name}"
        );
        let season = "private: this is a generated season";
        assert_eq!(statements.contains(season), generated, "{name}");
        assert_eq!(
            statements.contains("NOT the Citizens' Assembly"),
            calibrated
        );
        let runs = study["runs"].as_array().expect("runs");
        assert!(
            runs.iter()
                .all(|run| run["replications"].as_u64() > Some(1))
        );
        for claim in study["claims"].as_array().expect("claims") {
            every_field(name, claim);
            // Of what rests on private data nothing is reproduced but its shape.
            assert_eq!(generated, claim["ground"] == "generated season", "{claim}");
        }
        let named = study["figures"].as_array().expect("figures");
        assert_eq!(named.len(), figures, "{name}");
        for figure in named {
            let figure = figure.as_str().expect("a file");
            let svg = terminal.read(&format!("out/{figure}"));
            Document::parse(&svg).unwrap_or_else(|error| panic!("{figure}: {error}"));
            stays_at_home(figure, &svg);
            assert_eq!(svg.contains("calibrated"), calibrated, "{figure}");
            let about = svg.contains("on a generated season");
            assert_eq!(about, generated, "{figure}");
            assert!(page.contains(&format!("href=\"{figure}\"")), "{figure}");
            files.push(figure.to_owned());
        }
    }
    assert_eq!(studies.len(), STUDIES.len());
    files.sort();
    assert_eq!(terminal.names("out"), files);
    links_lead_somewhere(&terminal, "out");
}

/// A study whose file is missing: one row that says so, and nothing else.
fn not_run(study: &Value, file: &str) {
    let claims = study["claims"].as_array().expect("claims");
    assert_eq!(claims.len(), 1, "{study}");
    let [verdict, why] = texts(&claims[0], &["verdict", "why"])[..] else {
        panic!("two texts");
    };
    assert_eq!(verdict, "not run");
    assert!(why.contains(&format!("needs {file}")), "{why}");
    for nothing in ["statements", "runs", "figures"] {
        assert_eq!(study[nothing], serde_json::json!([]), "{study}");
    }
}

#[test]
fn a_study_whose_file_is_missing_is_not_run_and_not_failed() {
    let terminal = Terminal::new();
    let args = [
        "reproduce",
        "grazzi2022-fig2",
        "do2021-example2",
        "--quick",
        "--out",
        "out",
    ];
    let said = terminal.done(&args);
    assert!(said.contains("In all: 3 reproduced, 1 not run"), "{said}");
    assert!(said.contains("acs-national2018.csv"), "{said}");
    not_run(
        &claims(&terminal, "out")["studies"][0],
        "acs-national2018.csv",
    );
    let names = terminal.names("out");
    assert!(names.contains(&"do2021-example2.svg".to_owned()));
    assert!(!names.contains(&"grazzi2022-fig2.svg".to_owned()));
}

#[test]
fn studies_of_people_say_who_they_are() {
    let Some(file) = data("acs-national2018.csv") else {
        return;
    };
    let terminal = Terminal::new();
    let studies: Vec<_> = STUDIES
        .into_iter()
        .filter(|(_, _, caveat)| *caveat == Caveat::OtherPeople)
        .collect();
    let mut args = vec!["reproduce", "--out", "out"];
    args.extend(studies.iter().map(|(name, _, _)| *name));
    if !full() {
        args.push("--quick");
    }
    let mut command = terminal.command(&args);
    command.env("KLERO_DATA", file.parent().expect("a folder"));
    let said = crate::support::terminal::said(command);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let all = claims(&terminal, "out");
    for (study, (name, figures, _)) in all["studies"]
        .as_array()
        .expect("studies")
        .iter()
        .zip(&studies)
    {
        let statements = study["statements"].to_string();
        assert!(statements.contains("not the paper's"), "{name}");
        for claim in study["claims"].as_array().expect("claims") {
            every_field(name, claim);
            assert_eq!(claim["ground"], "other people", "{claim}");
        }
        let named = study["figures"].as_array().expect("figures");
        assert_eq!(named.len(), *figures, "{name}");
        for figure in named {
            let figure = figure.as_str().expect("a file");
            let svg = terminal.read(&format!("out/{figure}"));
            Document::parse(&svg).unwrap_or_else(|error| panic!("{figure}: {error}"));
            stays_at_home(figure, &svg);
            assert!(svg.contains("not the paper&#39;s extract"), "{figure}");
        }
    }
}

pub(super) fn every_field(study: &str, claim: &Value) {
    let [place, paper, rule, verdict, why] =
        texts(claim, &["place", "paper", "rule", "verdict", "why"])[..]
    else {
        panic!("five texts");
    };
    assert!(!place.is_empty() && !rule.is_empty(), "{study}: {claim}");
    assert!(
        paper.contains('“') && paper.contains('”'),
        "{study}: {paper}"
    );
    let known = [
        "reproduced",
        "by construction",
        "reproduced in shape",
        "undecided",
        "can't be reproduced",
        "not run",
        "not reproduced",
    ];
    assert!(known.contains(&verdict), "{verdict}");
    let is_plain = ["reproduced", "by construction"].contains(&verdict);
    assert_eq!(why.is_empty(), is_plain, "{study}: {claim}");
    // No verdict says more than its ground allows.
    let [ground] = texts(claim, &["ground"])[..] else {
        panic!("a text");
    };
    assert_eq!(
        ground == "definition",
        verdict == "by construction",
        "{study}: {claim}"
    );
    assert!(
        verdict != "reproduced" || ground == "open",
        "{study}: {claim}"
    );
    assert_eq!(
        verdict == "not reproduced",
        KNOWN.contains(&(study, place))
            || KNOWN_OF_PEOPLE == (study, place) && verdict != "not run",
        "{study}: {claim}"
    );
    assert!(!full() || verdict != "undecided", "{study}: {claim}");
    let ours = claim["ours"].as_array().expect("numbers");
    let untried = ["can't be reproduced", "not run"].contains(&verdict);
    assert_eq!(ours.is_empty(), untried, "{place}");
    for number in ours {
        let finite = |key: &str| number[key].as_f64().is_some_and(f64::is_finite);
        let measured = number["source"] == "measured";
        assert!(finite("value"), "{place}: {number}");
        if number["source"] == "recorded" {
            assert!(number["people"].as_u64() > Some(1), "{place}: {number}");
            assert!(finite("se") || number["se"].is_null(), "{place}: {number}");
            continue;
        }
        if number["source"] == "counted" {
            // A share has exact limits, and no standard error.
            let [low, high, share] = ["low", "high", "value"].map(|key| number[key].as_f64());
            assert!(
                low <= share && share <= high && low < high,
                "{place}: {number}"
            );
            assert!(number["se"].is_null(), "{place}: {number}");
            assert!(
                number["replications"].as_u64() > Some(1),
                "{place}: {number}"
            );
            assert!(number["hits"].as_u64() <= number["replications"].as_u64());
            continue;
        }
        // A share of pairs that are all alike has no standard error.
        let value = number["value"].as_f64();
        let is_alike = measured && (value == Some(0.0) || value == Some(1.0));
        assert!(finite("se") == measured || is_alike, "{place}: {number}");
        if number["source"] == "tested" {
            assert!(number["values"].as_u64() > Some(1), "{place}: {number}");
            let p = number["value"].as_f64().expect("a p-value");
            assert!((0.0..=1.0).contains(&p), "{place}: {number}");
        }
        assert_eq!(
            number["replications"].as_u64() > Some(1),
            measured,
            "{place}: {number}"
        );
    }
}

/// Threads are no part of a result; the seed is.
#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let terminal = Terminal::new();
    let names = ["do2021-fig1", "grazzi2022-prop31"];
    let make = |folder: &str, more: &[&str]| {
        let args = ["reproduce", names[0], names[1], "--quick", "--out", folder];
        terminal.done(&[&args[..], more].concat())
    };
    let one = make("one", &["--threads", "1"]);
    assert_eq!(one, make("two", &["--threads", "2"]));
    for file in terminal.names("one") {
        let (a, b) = (
            terminal.read(&format!("one/{file}")),
            terminal.read(&format!("two/{file}")),
        );
        assert_eq!(a, b, "{file}");
    }
    assert_ne!(one, make("other", &["--seed", "77"]));
    assert_eq!(
        claims(&terminal, "other")["studies"][0]["runs"][0]["seed"],
        77
    );
}

/// A preset by itself is the run that a study makes of it.
#[test]
fn a_study_plays_its_presets_as_they_are() {
    let terminal = Terminal::new();
    let printed = terminal.done(&["reproduce", "do2021-example2", "--format", "json"]);
    let study: Value = serde_json::from_str(&printed).expect("JSON");
    let summary = terminal.done(&["run", "do2021-example2", "--quiet", "--format", "json"]);
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    let women = &summary["policies"]["cmdp"]["metrics"]["share.gender:F"];
    let claims = study["studies"][0]["claims"].as_array().expect("claims");
    let numbers = claims
        .iter()
        .flat_map(|claim| claim["ours"].as_array().expect("numbers"));
    let ours = numbers.filter(|number| number["what"] == "women in the committees:");
    let ours: Vec<&Value> = ours.collect();
    assert_eq!(ours.len(), 1);
    assert_eq!(
        (&ours[0]["value"], &ours[0]["se"]),
        (&women["mean"], &women["se"])
    );
}

#[test]
fn the_claims_are_a_table_in_csv_too() {
    let terminal = Terminal::new();
    let table = terminal.done(&["reproduce", "do2021-table1", "--quick", "--format", "csv"]);
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let heads: Vec<_> = rows
        .headers()
        .expect("a header")
        .iter()
        .map(str::to_owned)
        .collect();
    assert_eq!(
        heads,
        [
            "study", "place", "paper", "ours", "rule", "verdict", "why", "ground"
        ]
    );
    let rows: Vec<_> = rows.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| &row[0] == "do2021-table1"));
    assert_eq!(&rows[3][5], "can't be reproduced");
}
