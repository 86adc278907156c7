//! Draws from files of other shapes.

use super::{column, record, rows};
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

/// Draws five of the people of a file without a header.
fn config(more: &str) -> String {
    format!(
        r#"name = "five"
[source]
type = "file"
path = "people.txt"
order = "shuffled"
delimiter = "\t"
header = false
columns = ["who", "code", "sex", "age"]
where = ["age >= 18"]
{more}
[source.attributes]
sex = {{ column = "sex" }}
[target]
sex = {{ F = 0.6, M = 0.4 }}
[rules]
choose = "at_most_one"
until = {{ accepted = 5 }}
[[policy]]
label = "queue"
kind = "virtual_queue"
"#
    )
}

fn place(more: &str) -> Terminal {
    let terminal = Terminal::new();
    let people = (0..40).map(|k| format!("n{k}\tc{k}\t{}\t{}\n", ["F", "M"][k % 2], 10 + k));
    terminal.put("people.txt", people.collect::<String>());
    terminal.put("my.toml", config(more));
    terminal
}

const DRAW: [&str; 8] = [
    "draw",
    "my.toml",
    "--policy",
    "queue",
    "--seed-from",
    "text",
    "--out",
    "panel",
];

#[test]
fn a_file_without_a_header_stays_one_and_its_columns_keep_their_names() {
    let terminal = place("");
    terminal.done(&DRAW);
    let panel = rows(&terminal, "panel/panel.csv");
    let all = terminal.read("people.txt");
    let selected = terminal.read("panel/selected.csv");
    assert_eq!((panel.len(), selected.lines().count()), (5, 5));
    assert!(
        selected
            .lines()
            .all(|line| all.lines().any(|known| known == line))
    );
    // The file has a column called code, so ours is another.
    let head = terminal.read("panel/panel.csv");
    assert_eq!(
        head.lines().next(),
        Some("order\tdraw_code\twho\tcode\tsex\tage")
    );
    // Eight are too young: they are no respondents.
    let record = record(&terminal, "panel");
    assert_eq!(record["respondents"], 32);
    let remaining = terminal.read("panel/remaining.csv");
    assert_eq!(remaining.lines().count(), 32 - 5);
    assert!(record["quotas"][0]["target"] == 0.6 && record["quotas"][0]["min"].is_null());
    terminal.done(&["draw", "verify", "panel"]);
}

#[test]
fn a_second_draw_aims_at_what_is_missing() {
    let terminal = place("id = \"who\"");
    terminal.done(&DRAW);
    let panel = rows(&terminal, "panel/panel.csv");
    let women = panel
        .iter()
        .filter(|row| row["sex"] == "F")
        .map(|row| row["who"].clone());
    let women: Vec<String> = women.collect();
    terminal.put("stay", women.join("\n"));
    terminal.done(&typed(
        "draw --after panel --keep stay --seed-from more --out b",
    ));
    let config = terminal.read("b/reduced/config.toml");
    let left = 5 - women.len();
    config.says(&format!("until = {{ accepted = {left} }}"));
    // Three of five were wanted: what is left is the others' but for who is missing.
    let missing = (3.0 - women.len() as f64).max(0.0);
    let share = missing / (missing + 2.0);
    config.says(&format!("F = {share:?}"));
    assert_eq!(column(&terminal, "b/panel.csv", "who").len(), 5);
    terminal.done(&["draw", "verify", "b"]);
}

/// Records are drawn from too: the inputs have them as CSV, and the file itself is held against them.
#[test]
fn people_as_json_are_drawn() {
    let terminal = place("");
    let config = config("").replace("people.txt", "people.ndjson");
    let config = config.replace("delimiter = \"\\t\"\nheader = false\n", "");
    let config = config.replace("columns = [\"who\", \"code\", \"sex\", \"age\"]\n", "");
    terminal.put("my.toml", config);
    let people = (0..18).map(|k| {
        format!(
            "{{\"sex\":\"{}\",\"age\":{},\"mail\":\"m{k}@x\"}}\n",
            ["F", "M"][k % 2],
            20 + k
        )
    });
    terminal.put("people.ndjson", people.collect::<String>());
    terminal.done(&DRAW);
    let taken = terminal.read("panel/inputs/people.csv");
    taken.says("F");
    taken.never_says("@x");
    assert_eq!(column(&terminal, "panel/panel.csv", "mail").len(), 5);
    terminal.done(&["draw", "verify", "panel", "--respondents", "people.ndjson"]);
}
