//! The flat tables of a run: `summary.csv` and `verdicts.csv` say what `summary.json` says.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::configs::SOUND;
use crate::support::terminal::Terminal;

/// The rows of a CSV, each by column.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    csv.deserialize().map(|row| row.expect("a row")).collect()
}

/// Whether a field says what a member says: the same number, the same word, or nothing.
#[track_caller]
fn equal(field: &str, member: &Value) {
    match member {
        Value::Null => assert_eq!(field, ""),
        Value::Number(number) => {
            let (ours, known) = (field.parse::<f64>().expect("a number"), number.as_f64());
            assert_eq!(Some(ours.to_bits()), known.map(f64::to_bits), "{field}");
        }
        word => assert_eq!(Some(field), word.as_str()),
    }
}

/// Compares the two tables of a folder with its summary; how many rows each has.
fn follows(terminal: &Terminal, folder: &str) -> (usize, usize) {
    let summary = terminal.read(&format!("{folder}/summary.json"));
    let summary: Value = serde_json::from_str(&summary).expect("it is JSON");
    let metrics = rows(&terminal.read(&format!("{folder}/summary.csv")));
    let mut left = metrics.iter();
    for (label, policy) in summary["policies"].as_object().expect("policies") {
        for (name, stats) in policy["metrics"].as_object().expect("metrics") {
            let row = left.next().expect("a row a policy and metric");
            assert_eq!((&row["policy"], &row["name"]), (label, name));
            equal(&row["kind"], &policy["kind"]);
            equal(&row["role"], &policy["role"]);
            let stats = stats.as_object().expect("statistics");
            stats
                .iter()
                .for_each(|(member, value)| equal(&row[member], value));
            assert_eq!(row.len(), stats.len() + 7, "{row:?}");
        }
    }
    assert_eq!(left.next(), None);
    let verdicts = rows(&terminal.read(&format!("{folder}/verdicts.csv")));
    let pairs = summary["pairs"].as_array().expect("pairs");
    assert_eq!(verdicts.len(), pairs.len());
    for (row, pair) in verdicts.iter().zip(pairs) {
        let mut members = pair.as_object().expect("a pair").clone();
        // Left out of JSON where there is none.
        members.entry("variance_bound").or_insert(Value::Null);
        equal(&row["name"], &members.remove("metric").expect("its metric"));
        members
            .iter()
            .for_each(|(member, value)| equal(&row[member], value));
        assert_eq!(row.len(), members.len() + 4, "{row:?}");
    }
    (metrics.len(), verdicts.len())
}

/// The parts of the names of a table.
fn parts(terminal: &Terminal, file: &str, name: &str) -> Vec<[String; 3]> {
    let rows = rows(&terminal.read(file)).into_iter();
    let named = rows.filter(|row| row["name"] == name);
    let parts =
        |row: BTreeMap<String, String>| ["metric", "attribute", "part"].map(|c| row[c].clone());
    named.map(parts).collect()
}

#[test]
fn the_tables_say_what_the_summary_says() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal.put(
        "alone.toml",
        SOUND
            .replace("baseline = \"all\"", "")
            .replace("replications = 4", "replications = 1"),
    );
    for (config, verdicts) in [
        ("my.toml", 2),
        ("alone.toml", 0),
        ("puranik2022-table1-law", 2),
    ] {
        let short = ["--set", "rules.until.rounds=5", "--set", "report.at=[5]"];
        let more = if config == "puranik2022-table1-law" {
            &short[..]
        } else {
            &[]
        };
        let args = ["run", config, "-q", "--out"];
        let out = format!("out/{config}");
        terminal.done(&[&args[..], &[&out], more].concat());
        let (metrics, pairs) = follows(&terminal, &out);
        assert!(metrics > 10, "{config}: {metrics}");
        assert_eq!(pairs, verdicts, "{config}");
    }
    // Without a pair there is the header all the same.
    let header = terminal.read("out/alone.toml/verdicts.csv");
    assert!(
        header.starts_with("metric,attribute,part,a,b,verdict,"),
        "{header}"
    );
    assert_eq!(header.lines().count(), 1);
}

/// A group's metric has the same parts whether its name has the attribute or not.
#[test]
fn parts_of_names_are_columns_with_one_attribute_and_with_several() {
    let terminal = Terminal::new();
    let one = SOUND.replace(
        "judge = [\"selection_rate\", \"representation_loss\"]",
        "judge = [\"selection_rate.F\"]",
    );
    let one = one.replace("margin = { representation_loss = 0.01 }", "");
    let two = one.replace(
        "{ M = 0.5, F = 0.5 } }",
        "{ M = 0.5, F = 0.5 }, age = { a = 0.5, b = 0.5 } }",
    );
    let two = two.replace(
        "gender = { M = 0.4, F = 0.6 }",
        "gender = { M = 0.4, F = 0.6 }\nage = { a = 0.5, b = 0.5 }",
    );
    let two = two.replace("selection_rate.F", "selection_rate.gender:F");
    for (file, config, name) in [("one.toml", one, "F"), ("two.toml", two, "gender:F")] {
        terminal.put(file, config);
        terminal.done(&["run", file, "-q", "--out", "d", "--force"]);
        for (table, family, rows) in [
            ("summary.csv", "share", 2),
            ("verdicts.csv", "selection_rate", 1),
        ] {
            let found = parts(
                &terminal,
                &format!("d/{table}"),
                &format!("{family}.{name}"),
            );
            assert_eq!(
                found,
                vec![[family, "gender", "F"].map(str::to_owned); rows],
                "{table}"
            );
        }
        let whole = parts(&terminal, "d/summary.csv", "screened");
        assert_eq!(whole, vec![["screened", "", ""].map(str::to_owned); 2]);
    }
}
