//! No file that a draw publishes tells who someone is, whatever the config says of them.

use kleroterion::drawing::{FileAudience, draw_file};

use super::{QUOTAS, all, column, record, rows};
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

/// Sixty people whose every id and contact has these words in it, and whom a condition can tell.
fn people() -> String {
    let mut text = "Id,Name,Sex,Age,E-Mail,Phone,Street,No,Zip,Left\n".to_owned();
    for k in 0..60 {
        let (sex, age) = (["F", "M"][k % 2], ["young", "old"][k / 2 % 2]);
        let left = if k % 17 == 5 { "moved away" } else { "" };
        text += &format!(
            "QX-{k:02},Zorro{},{sex},{age},zorro.{k}@planted.example,+49 555 {},Plantedway,{},99{:03},{left}\n",
            k % 20,
            7000 + k,
            k % 40,
            k % 40,
        );
    }
    text
}

/// Words that only cells of single people have.
const PLANTED: [&str; 6] = ["qx-", "zorro", "planted", "555 70", "99003", "moved away"];

/// A config of these people.
pub fn config(id: &str, filters: &str, unique: &str) -> String {
    format!(
        r#"name = "a town"
[source]
type = "respondents"
path = "people.csv"
id = "{id}"
{filters}
[target]
categories = "quotas.csv"
[rules]
choose = "at_most_one"
until = {{ accepted = 12 }}
{unique}
[[policy]]
label = "first"
kind = "quota_lookahead"
[[policy]]
label = "fair"
kind = "leximin"
"#
    )
}

fn place(id: &str, filters: &str, unique: &str) -> Terminal {
    let terminal = Terminal::new();
    terminal.put("people.csv", people());
    terminal.put("quotas.csv", QUOTAS);
    terminal.put("my.toml", config(id, filters, unique));
    terminal
}

/// That no file of a draw which names no one, by what `klero draw files` says, has a planted word.
#[track_caller]
fn names_no_one(terminal: &Terminal, folder: &str) {
    let mut public = 0;
    for (name, bytes) in all(terminal, folder) {
        let file = draw_file(&name).unwrap_or_else(|| panic!("{name} has a line"));
        if file.people.is_some() || name == "original.txt" {
            continue;
        }
        public += usize::from(file.audience == FileAudience::Public);
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in PLANTED {
            assert!(!text.contains(word), "{folder}/{name} has {word}");
        }
    }
    assert!(public >= 1, "{folder} has public files");
}

const DRAW: [&str; 8] = [
    "draw",
    "my.toml",
    "--policy",
    "first",
    "--seed-from",
    "some text",
    "--out",
    "panel",
];

/// Conditions, how many rows they leave out, and how many of these in words that are not published.
const CONDITIONS: [(&str, usize, usize); 12] = [
    ("where = [\"Id != 'QX-07'\"]", 1, 1),
    ("where = [\"id not in ['qx-07', 'QX-08']\"]", 2, 2),
    ("where = [\"'E-Mail' != 'ZORRO.9@planted.example'\"]", 1, 1),
    ("where = [\"Phone != '+49 555 7009'\"]", 1, 1),
    ("where = [\"Name != 'Zorro3'\"]", 3, 3),
    ("where = [\"Left != 'moved away'\"]", 4, 4),
    ("where = [\"Left == ''\"]", 4, 0),
    ("where = [\"Zip != 99003 and Sex in ['F', 'M']\"]", 2, 2),
    ("where = [\"Zip > 99000\"]", 2, 0),
    ("where = [\"Sex != 'D'\", \"Id != 'QX-01'\"]", 1, 1),
    ("where = [\"Age in ['young', 'old']\"]", 0, 0),
    (
        "where = [\"No <= 38\", \"Id != 'QX-39'\", \"Id != 'QX-38'\"]",
        2,
        2,
    ),
];

#[test]
fn conditions_that_single_people_out_are_not_published() {
    for (filters, left_out, hidden) in CONDITIONS {
        let terminal = place("Id", filters, "");
        terminal.done(&DRAW);
        names_no_one(&terminal, "panel");
        let record = record(&terminal, "panel");
        assert_eq!(record["respondents"], 60 - left_out, "{filters}");
        let said = &record["committed"]["people"]["left_out"];
        assert_eq!(said.as_u64().unwrap_or(0), hidden as u64, "{filters}");
        let page = terminal.read("panel/index.html");
        let is_said = page.contains("left out by conditions that would tell who someone is");
        assert_eq!(is_said, hidden > 0, "{filters}");
        // It is the same draw as without what is hidden, and whoever has the file can check it.
        for more in [
            &[][..],
            &["--respondents", "people.csv"],
            &["--config", "my.toml"],
        ] {
            terminal.done(&[&["draw", "verify", "panel"], more].concat());
        }
        // The folder holds a config that runs, and one replication of the seed is the draw.
        let run = typed("run panel/config.toml -q --replications 1 --out run --seed");
        let seed = record["seed"]["number"].to_string();
        terminal.done(&[&run[..], &[&seed]].concat());
        assert_eq!(
            column(&terminal, "run/selected.csv", "id"),
            column(&terminal, "panel/panel.csv", "Id"),
            "{filters}"
        );
    }
}

/// What is published of a condition that names a rule is the condition itself.
#[test]
fn conditions_that_name_no_one_are_published() {
    for (filters, due) in [
        ("where = [\"Sex != 'D'\", \"Id != 'QX-01'\"]", "Sex != 'D'"),
        (
            "where = [\"Age in ['young', 'old']\"]",
            "Age in ['young', 'old']",
        ),
        ("where = [\"No <= 38\", \"Id != 'QX-39'\"]", "No <= 38"),
    ] {
        let terminal = place("Id", filters, "");
        terminal.done(&DRAW);
        let config = record(&terminal, "panel")["config"].to_string();
        config.says(due);
    }
}

/// Who is left out is drawn as if they had never been there: the same panel of the same people.
#[test]
fn those_left_out_change_nothing_else() {
    let hidden = place("Id", "where = [\"Id != 'QX-07'\"]", "");
    let gone = place("Id", "", "");
    let without: String = people()
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("QX-07"))
        .collect();
    gone.put("people.csv", without);
    for terminal in [&hidden, &gone] {
        let run = typed("run my.toml -q --seed 7 --replications 3 --out run");
        terminal.done(&run);
    }
    let said = |terminal: &Terminal| terminal.read("run/replications.csv");
    assert_eq!(said(&hidden), said(&gone));
    // With nobody left out the codes are the same: they are those of a second draw too.
    hidden.done(&DRAW);
    hidden.put("all.toml", config("Id", "", ""));
    let mut again = DRAW;
    (again[1], again[7]) = ("all.toml", "everyone");
    hidden.done(&again);
    let code = |folder: &str, id: &str| {
        let tables = ["panel.csv", "passed-over.csv"];
        let rows = tables.map(|name| rows(&hidden, &format!("{folder}/{name}")));
        let mut all = rows.iter().flatten();
        let row = all
            .find(|row| row["Id"] == id)
            .unwrap_or_else(|| panic!("{id}"));
        row["code"].clone()
    };
    for id in ["QX-00", "QX-31", "QX-59"] {
        assert_eq!(code("panel", id), code("everyone", id), "{id}");
    }
}

/// Contacts as ids, addresses as households, lotteries, numbered panels, second draws: every public
/// file of them.
#[test]
fn no_public_file_of_any_draw_names_anyone() {
    let filters = "where = [\"'E-Mail' != 'zorro.9@planted.example'\", \"Left == ''\"]";
    let unique = "unique = [\"Street\", \"No\", \"Zip\"]";
    for id in ["Id", "E-Mail", "Phone"] {
        let terminal = place(id, filters, unique);
        terminal.done(&typed(
            "draw commit my.toml --policy fair --randomness lotto --out committed",
        ));
        names_no_one(&terminal, "committed");
        terminal.done(&typed("draw committed --seed-from '1 2 3' --chances 5"));
        names_no_one(&terminal, "committed");
        terminal.done(&DRAW);
        names_no_one(&terminal, "panel");
        let numbered = typed(
            "draw numbered my.toml --policy fair --panels 50 --randomness lotto --out numbered",
        );
        terminal.done(&numbered);
        names_no_one(&terminal, "numbered");
        terminal.done(&typed("draw ./numbered --seed-from 'a b c'"));
        names_no_one(&terminal, "numbered");
        for folder in ["panel", "committed", "numbered"] {
            let said = terminal.klero(&["draw", folder, "--leave", "3", "--format", "json"]);
            let said = format!("{}{}", said.stdout, said.stderr).to_lowercase();
            for word in PLANTED {
                said.never_says(word);
            }
            let before = terminal.read(&format!("{folder}/panel.csv"));
            let stay: String = before.split_inclusive('\n').take(9).collect();
            terminal.put("stay.csv", stay);
            let alternates = rows(&terminal, &format!("{folder}/alternates.csv"));
            terminal.put("out.csv", format!("{}\n", alternates[0][id]));
            let two = format!("{folder}-2");
            let second = typed("draw --keep stay.csv --without out.csv --seed-from 'd e f'");
            terminal.done(&[&second[..], &["--after", folder, "--out", &two]].concat());
            names_no_one(&terminal, &two);
            for dir in [folder, &two] {
                terminal.done(&["draw", "verify", dir]);
                terminal.done(&["draw", "verify", dir, "--respondents", "people.csv"]);
            }
        }
    }
}

/// `--publish-ids` puts ids on the page, and still no contacts and no conditions.
#[test]
fn published_ids_are_those_of_members_alone() {
    let terminal = place("Id", "where = [\"Id != 'QX-07'\"]", "");
    terminal.done(&[&DRAW[..], &["--publish-ids"]].concat());
    for name in ["index.html", "draw.json"] {
        let text = terminal.read(&format!("panel/{name}"));
        text.says("QX-");
        text.never_says("QX-07");
        text.never_says("planted");
    }
}

/// A second draw from the files of the first can't be told by `--set` whom to leave out.
#[test]
fn a_second_draw_takes_no_condition_that_names_someone() {
    let terminal = place("Id", "", "");
    terminal.done(&DRAW);
    let stay: String = terminal
        .read("panel/panel.csv")
        .split_inclusive('\n')
        .take(9)
        .collect();
    terminal.put("stay.csv", stay);
    let second = typed("draw --after panel --keep stay.csv --seed-from 'd e f' --out two");
    let set = ["--set", "source.where=[\"Id != 'QX-07'\"]"];
    let said = terminal.exits(2, &[&second[..], &set].concat());
    said.stderr.says("would tell who someone is");
    said.stderr.says("--without");
    let set = ["--set", "source.where=[\"Sex in ['F', 'M']\"]"];
    terminal.done(&[&second[..], &set].concat());
}

/// Addresses travel as numbers of households, which anyone who has the addresses computes again.
#[test]
fn households_travel_as_numbers() {
    let unique = "unique = [\"Street\", \"No\", \"Zip\"]";
    let terminal = place("Id", "", unique);
    terminal.done(&DRAW);
    let taken = terminal.read("panel/inputs/people.csv");
    assert_eq!(taken.lines().next(), Some("Id,Sex,Age,draw_household"));
    assert_eq!(taken.lines().nth(41), Some("QX-40,F,young,1"));
    taken.never_says("Plantedway");
    let committed = &record(&terminal, "panel")["committed"]["people"];
    let due = serde_json::json!(["Street", "No", "Zip"]);
    assert_eq!(committed["households"], due);
    let panel = rows(&terminal, "panel/panel.csv");
    assert!(panel.iter().all(|row| row["Street"] == "Plantedway"));
    terminal.done(&["draw", "verify", "panel", "--respondents", "people.csv"]);
    // An address that was another is found.
    let moved = people().replacen("Plantedway,7,", "Plantedway,8,", 1);
    terminal.put("moved.csv", moved);
    let said = terminal.klero(&["draw", "verify", "panel", "--respondents", "moved.csv"]);
    assert_eq!(said.code, Some(1));
    said.stdout.says(
        "the columns that decide (Id, Sex, Age) or the households (Street, No, Zip) differ, first in row 48",
    );
}

/// A row in which nothing that decides is written keeps its place among the others.
#[test]
fn rows_after_one_that_is_blank_where_it_counts_are_their_own_peoples() {
    let terminal = place("Id", "", "");
    let mut text = "Name,Sex,Age\n".to_owned();
    for k in 0..60 {
        let (sex, age) = (["F", "M"][k % 2], ["young", "old"][k / 2 % 2]);
        match k {
            5 => text += "Nobody,,\n",
            _ => text += &format!("{sex} {age} {k},{sex},{age}\n"),
        }
    }
    terminal.put("people.csv", text);
    let config = config("Id", "where = [\"Sex != ''\"]", "").replace("id = \"Id\"\n", "");
    terminal.put("my.toml", config);
    terminal.done(&DRAW);
    for row in rows(&terminal, "panel/panel.csv") {
        let due = format!("{} {} ", row["Sex"], row["Age"]);
        row["Name"].says(&due);
    }
    terminal.done(&["draw", "verify", "panel", "--respondents", "people.csv"]);
}

/// Cells that no quota names and that few have are one word in public.
#[test]
fn cells_that_no_quota_names_are_not_published() {
    let terminal = place("Id", "", "");
    let odd = people()
        .replacen("QX-07,Zorro7,M", "QX-07,Zorro7,Planted man", 1)
        .replacen("QX-08,Zorro8,F", "QX-08,Zorro8,planted (see mail)", 1);
    terminal.put("people.csv", odd);
    let others = "[target]\nothers = \"allow\"\n";
    let config = config("Id", "", "").replace("[target]\n", others);
    terminal.put("my.toml", config);
    for (policy, out) in [("fair", "panel"), ("first", "first")] {
        let mut args = DRAW;
        (args[3], args[7]) = (policy, out);
        terminal.done(&[&args[..], &["--chances", "5"]].concat());
        names_no_one(&terminal, out);
        terminal.done(&["draw", "verify", out]);
        let rows = record(&terminal, out)["quotas"].clone();
        let rows = rows.as_array().expect("rows").iter();
        let rows: Vec<_> = rows.filter(|row| row["value"] == "(other)").collect();
        assert_eq!(rows.len(), 1, "{out}");
        assert_eq!(
            (&rows[0]["respondents"], &rows[0]["max"]),
            (&2.into(), &0.into())
        );
    }
    let numbered = "draw numbered my.toml --policy fair --panels 20 --randomness lotto --out list";
    terminal.done(&typed(numbered));
    names_no_one(&terminal, "list");
    terminal.done(&typed("draw list --number 7"));
    names_no_one(&terminal, "list");
    terminal.done(&["draw", "verify", "list"]);
    // A value that many have is published.
    let many = people().replace(",F,old", ",Woman,old");
    terminal.put("people.csv", many);
    let mut args = DRAW;
    args[7] = "many";
    terminal.klero(&args);
    terminal.read("many/index.html").says("Woman");
}

/// The page of a run over respondents does not have the values of conditions.
#[test]
fn the_page_of_a_run_names_no_one() {
    for (filters, _, _) in CONDITIONS {
        let terminal = place("Id", filters, "");
        terminal.done(&typed("run my.toml -q --replications 2 --out run"));
        terminal.done(&["report", "run"]);
        let page = terminal.read("run/report.html").to_lowercase();
        for word in PLANTED {
            assert!(!page.contains(word), "{filters}: {word}");
        }
        let has_values = filters.contains('=') && !filters.contains("[\"Zip > ");
        let is_said = page.contains("stands for values of conditions");
        assert_eq!(is_said, has_values, "{filters}");
    }
}
