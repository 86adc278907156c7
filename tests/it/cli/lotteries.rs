//! Lotteries over panels: the policies and their files, which `klero verify lottery` checks.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::same::same_bytes;
use crate::support::terminal::Terminal;

const CONFIG: &str = r#"name = "a lottery"
seed = 20
replications = 300
[source]
type = "respondents"
path = "respondents.csv"
id = "id"
[target]
categories = "categories.csv"
[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 4 }
unique = ["home"]
"#;

const CATEGORIES: &str = "feature,value,min,max\n\
    Gender,Female,2,2\nGender,Male,2,2\nAge,Young,1,2\nAge,Old,2,3\n";

const PEOPLE: &str = "id,Gender,Age,home\n\
    a,Female,Young,1\nb,Female,Young,2\nc,Female,Young,3\nd,Female,Old,4\ne,Female,Old,5\n\
    f,Female,Old,6\ng,Female,Old,7\nh,Male,Young,1\ni,Male,Young,9\nj,Male,Old,10\n\
    k,Male,Old,11\nl,Male,Old,12\n";

fn terminal() -> Terminal {
    let terminal = Terminal::new();
    let lane = |kind: &str| format!("[[policy]]\nlabel = \"{kind}\"\nkind = \"{kind}\"\n");
    let lanes: String = ["maximin", "leximin", "nash", "legacy"].map(lane).concat();
    terminal.put("my.toml", format!("{CONFIG}{lanes}"));
    terminal.put("plain.toml", format!("{CONFIG}{}", lane("quota_lookahead")));
    terminal.put("categories.csv", CATEGORIES);
    terminal.put("respondents.csv", PEOPLE);
    terminal
}

#[test]
fn panels_are_drawn_with_the_chances_of_the_lottery_and_keep_all_quotas() {
    let terminal = terminal();
    let summary = terminal.done(&["run", "my.toml", "-q", "--format", "json", "--out", "d"]);
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    for kind in ["maximin", "leximin", "nash", "legacy"] {
        let kept = &summary["policies"][kind]["metrics"]["quotas_kept"]["mean"];
        assert_eq!(kept.as_f64(), Some(1.0), "{kind}");
    }
    let cells = |file: &str| -> Vec<Vec<String>> {
        let text = terminal.read(file);
        let rows = text.lines().skip(1);
        rows.map(|row| row.split(',').map(str::to_owned).collect())
            .collect()
    };
    let chances: BTreeMap<(String, String), f64> = cells("d/lottery_chances.csv")
        .into_iter()
        .map(|row| {
            (
                (row[0].clone(), row[1].clone()),
                row[2].parse().expect("a number"),
            )
        })
        .collect();
    assert_eq!(chances.len(), 3 * 12);
    // Women are 7 for 2 places and men 5 for 2.
    let leximin = |id: &str| chances[&("leximin".to_owned(), id.to_owned())];
    assert!((leximin("d") - 2.0 / 7.0).abs() < 1e-9, "{}", leximin("d"));
    assert!((leximin("l") - 2.0 / 5.0).abs() < 1e-9, "{}", leximin("l"));
    for row in cells("d/chances.csv") {
        let Some(chance) = chances.get(&(row[0].clone(), row[1].clone())) else {
            assert_eq!(row[0], "legacy");
            continue;
        };
        let share: f64 = row[4].parse().expect("a number");
        let se = (chance * (1.0 - chance) / 300.0).sqrt();
        assert!((share - chance).abs() <= 4.5 * se, "{row:?} {chance}");
    }
    let certificates: Value =
        serde_json::from_str(&terminal.read("d/certificates.json")).expect("JSON");
    for kind in ["maximin", "leximin", "nash"] {
        let gap = certificates[kind]["gap"].as_f64().expect("a number");
        assert!(gap < 1e-9, "{kind}: {gap}");
        let args = [
            "verify",
            "lottery",
            "d/lotteries.csv",
            "plain.toml",
            "--policy",
            kind,
            "--claim",
            kind,
            "--chances",
            "d/lottery_chances.csv",
        ];
        assert!(!terminal.done(&args).contains("NO"), "{kind}");
    }
}

#[test]
fn panels_do_not_depend_on_how_a_run_is_carried_out() {
    let terminal = terminal();
    let config = terminal
        .read("my.toml")
        .replace("replications = 300", "replications = 6");
    same_bytes(&terminal, &format!("{config}[report]\nat = [2, 4]\n"), &[]);
}

#[test]
fn who_is_not_known_beforehand_is_on_no_panel() {
    let terminal = terminal();
    let config = format!("{CONFIG}[[policy]]\nlabel = \"x\"\nkind = \"leximin\"\n");
    let config = config.replace("id = \"id\"", "id = \"id\"\norder = \"resampled\"");
    terminal.put("other.toml", config.replace("unique = [\"home\"]\n", ""));
    let output = terminal.klero(&["check", "other.toml"]);
    assert_eq!(output.code, Some(2));
    let said = output.stderr;
    assert!(said.contains("known beforehand"), "{said}");
}
