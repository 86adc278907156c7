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
        Value::Bool(is) => assert_eq!(field, is.to_string()),
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
        let dated = members.remove("dated").unwrap_or_default();
        for date in ["sure_at", "open_at", "since"] {
            equal(&row[date], &dated[date]);
        }
        members
            .iter()
            .for_each(|(member, value)| equal(&row[member], value));
        assert_eq!(row.len(), members.len() + 7, "{row:?}");
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

/// The values at the end are the same in both files, and all are numbers.
#[test]
fn the_tidy_values_are_those_of_the_replications() {
    let terminal = Terminal::new();
    let two = SOUND.replace(
        "{ M = 0.5, F = 0.5 } }",
        "{ M = 0.5, F = 0.5 }, age = { a = 0.5, b = 0.5 } }",
    );
    let two = two.replace("F = 0.6 }", "F = 0.6 }\nage = { a = 0.5, b = 0.5 }");
    for (file, config) in [("one.toml", SOUND), ("two.toml", &two)] {
        terminal.put(file, config);
        let keep = ["--set", "report.keep=\"all\"", "--out", "d", "--force"];
        terminal.done(&[&["run", file, "-q"], &keep[..]].concat());
        let names: BTreeMap<String, [String; 3]> = rows(&terminal.read("d/summary.csv"))
            .into_iter()
            .map(|row| {
                let parts = ["metric", "attribute", "part"].map(|column| row[column].clone());
                (row["name"].clone(), parts)
            })
            .collect();
        let values = rows(&terminal.read("d/replications.csv"));
        let is_number = |row: &BTreeMap<_, String>| row["value"].parse::<f64>().is_ok();
        assert!(values.iter().all(is_number), "{file}");
        let ends = values.iter().filter(|row| row["at"].is_empty());
        let known = ends.map(|row| {
            let [metric, attribute, part] = &names[&row["metric"]];
            [
                &row["replication"],
                &row["policy"],
                metric,
                attribute,
                part,
                &row["value"],
            ]
        });
        let long = rows(&terminal.read("d/long.csv"));
        let columns = [
            "replication",
            "policy",
            "metric",
            "attribute",
            "part",
            "value",
        ];
        let ours = long.iter().map(|row| columns.map(|column| &row[column]));
        assert!(ours.eq(known), "{file}");
        let of_women = long.iter().filter(|row| {
            (&*row["metric"], &*row["attribute"], &*row["part"]) == ("share", "gender", "F")
        });
        assert_eq!(of_women.count(), 8, "{file}");
    }
}

/// Every lane has its row, with the rule that ended it where there is one to name.
#[test]
fn endings_are_a_table_of_their_own() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let few = ["--set", "rules.max_rounds=11", "--out", "d"];
    terminal.done(&[&["run", "my.toml", "-q"], &few[..]].concat());
    let endings = rows(&terminal.read("d/endings.csv"));
    assert_eq!(endings.len(), 8);
    let summary: Value =
        serde_json::from_str(&terminal.read("d/summary.json")).expect("it is JSON");
    let mut stalled = 0;
    for row in &endings {
        assert!(summary["policies"][&row["policy"]]["endings"][&row["ending"]].is_u64());
        let why = row["detail"].contains("max_rounds = 11 passed");
        assert_eq!(why, row["ending"] == "stalled", "{row:?}");
        stalled += u64::from(why);
    }
    let known = &summary["policies"]["greedy .05"]["endings"]["stalled"];
    assert_eq!(known.as_u64(), Some(stalled));
    assert!(stalled > 0, "{endings:?}");
    terminal.done(&["report", "d"]);
}
