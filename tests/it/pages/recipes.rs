//! The recipes of docs/recipes.md, run as they are where their tools are installed.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::support::programs::runs;
use crate::support::project;
use crate::support::terminal::{Terminal, said};
use crate::support::wants::skip;

/// The text of the one fenced block of a language under a heading; an empty heading is the text's
/// start.
fn block(text: &str, heading: &str, language: &str) -> String {
    let (_, section) = text.split_once(heading).expect("the heading is there");
    let fence = format!("```{language}\n");
    let (_, rest) = section.split_once(&fence).expect("a block is there");
    rest.split("```").next().expect("it ends").to_owned()
}

/// A folder with the run that the recipes read.
fn run(text: &str) -> Terminal {
    let terminal = Terminal::new();
    let line = block(text, "", "sh");
    let mut words = line.split_whitespace();
    assert_eq!(words.next(), Some("klero"));
    terminal.done(&words.chain(["-q"]).collect::<Vec<_>>());
    terminal
}

/// What all recipes are to print: words, and the numbers that stand in them.
fn known(terminal: &Terminal) -> BTreeMap<String, Vec<f64>> {
    let mut known = BTreeMap::new();
    let summary: Value = serde_json::from_str(&terminal.read("out/summary.json")).expect("JSON");
    let series = &summary["policies"]["queue"]["series"]["representation_loss"];
    for point in series.as_array().expect("a series") {
        let at = point["at"].to_string();
        let mean = point["mean"].as_f64().expect("a number");
        known.insert(format!("queue at {at}: "), vec![mean]);
    }
    let text = terminal.read("out/replications.csv");
    let mut ends: BTreeMap<(String, String), f64> = BTreeMap::new();
    for row in csv::Reader::from_reader(text.as_bytes()).records() {
        let row = row.expect("a row");
        if &row[2] == "representation_loss" && row[3].is_empty() {
            let key = (row[1].to_owned(), row[0].to_owned());
            ends.insert(key, row[4].parse().expect("a number"));
        }
    }
    let of = |label: &str| {
        let ends = ends.iter().filter(|((policy, _), _)| policy == label);
        ends.map(|(_, value)| *value).collect::<Vec<f64>>()
    };
    let differences: Vec<f64> = of("queue")
        .iter()
        .zip(of("cmdp"))
        .map(|(a, b)| a - b)
        .collect();
    assert_eq!(differences.len(), 20);
    let stats = kleroterion::compare::Stats::of(&differences).expect("values");
    let se = stats.se.expect("more than one");
    known.insert("queue - cmdp: ".into(), vec![stats.mean, se]);
    let text = terminal.read("out/decisions.ndjson");
    let events = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let events: Vec<Value> = events
        .filter(|event: &Value| event["policy"] == "queue")
        .collect();
    let people = |member: &str| {
        let counts = events
            .iter()
            .map(|event| event[member].as_array().map_or(0, Vec::len));
        counts.sum::<usize>() as f64
    };
    known.insert(
        "queue chose ".into(),
        vec![people("chosen"), people("shown")],
    );
    let scores = events
        .iter()
        .map(|event| event["reason"]["score"].as_f64().expect("a score"));
    known.insert(
        "mean score: ".into(),
        vec![scores.sum::<f64>() / events.len() as f64],
    );
    known
}

/// Holds what a recipe printed against what it is to print.
#[track_caller]
fn hold(printed: &str, known: &BTreeMap<String, Vec<f64>>) {
    for (words, numbers) in known {
        let line = printed
            .lines()
            .find_map(|line| line.strip_prefix(words.as_str()));
        let line = line.unwrap_or_else(|| panic!("no {words:?} in\n{printed}"));
        let found: Vec<f64> = line
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        assert_eq!(found.len(), numbers.len(), "{words}{line}");
        for (found, number) in found.iter().zip(numbers) {
            assert!(
                (found - number).abs() < 1e-6,
                "{words}{line}, to be {numbers:?}"
            );
        }
    }
}

/// Runs a recipe, where its tool can run `test`.
fn holds(heading: &str, language: &str, mut tool: Command, test: &str, want: &str) {
    let text = std::fs::read_to_string(project().join("docs/recipes.md")).expect("the recipes");
    let terminal = run(&text);
    // Whatever the tool: the files that the recipe reads are those that a run writes.
    let recipe = block(&text, heading, language);
    for file in ["series.csv", "replications.csv", "decisions.ndjson"] {
        assert!(
            recipe.contains(&format!("\"out/{file}\"")),
            "{heading}: {file}"
        );
    }
    let known = known(&terminal);
    let option = if language == "r" { "-e" } else { "-c" };
    let program = tool.get_program();
    if !runs(Command::new(program).args([option, test])) {
        skip(want, &format!("{program:?} can't run {test:?}"));
        return;
    }
    terminal.put(&format!("recipe.{language}"), &recipe);
    tool.arg(format!("recipe.{language}"))
        .current_dir(terminal.path(""));
    let said = said(tool);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    hold(&said.stdout, &known);
}

/// KLERO_PYTHON, or the python3 on the path.
fn python() -> Command {
    Command::new(std::env::var_os("KLERO_PYTHON").unwrap_or_else(|| "python3".into()))
}

#[test]
fn the_recipe_for_pandas_reads_a_run() {
    holds("## pandas", "python", python(), "import pandas", "pandas");
}

#[test]
fn the_recipe_for_polars_reads_a_run() {
    holds("## polars", "python", python(), "import polars", "polars");
}

#[test]
fn the_recipe_for_r_reads_a_run() {
    let r = Command::new("Rscript");
    holds("## R", "r", r, "library(jsonlite)", "r");
}
