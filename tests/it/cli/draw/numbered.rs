//! `klero draw numbered`: equally likely panels, their chances, the number that is drawn of them.

mod refused;

use std::collections::BTreeMap;

use serde_json::Value;

use super::{CONFIG, column, record, rows, sha256, town};
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, on_one_line, typed};
use crate::support::towns::{TOWNS, put};

/// A folder with the town's people and a lottery over their panels.
fn place() -> Terminal {
    let terminal = town();
    let config = CONFIG.replace(
        "label = \"all, really\"\nkind = \"accept_all\"",
        "label = \"leximin\"\nkind = \"leximin\"",
    );
    terminal.put("my.toml", config);
    terminal
}

/// Makes the panels of a policy.
fn made(terminal: &Terminal, panels: &str, out: &str) -> String {
    let policy = ["draw", "numbered", "my.toml", "--policy", "leximin"];
    let more = [
        "--panels",
        panels,
        "--randomness",
        "the lottery",
        "--out",
        out,
    ];
    terminal.done(&[&policy[..], &more].concat())
}

/// The panels of a list by number, as codes.
fn panels(terminal: &Terminal, folder: &str) -> Vec<Vec<String>> {
    let rows = rows(terminal, &format!("{folder}/panels.csv")).into_iter();
    let panels = (1..).zip(rows).map(|(number, row)| {
        assert_eq!(row["panel"], format!("{number}"));
        row["members"].split(' ').map(str::to_owned).collect()
    });
    panels.collect()
}

/// The record of a list.
fn stated(terminal: &Terminal, folder: &str) -> Value {
    let text = terminal.read(&format!("{folder}/numbered.json"));
    serde_json::from_str(&text).expect("JSON")
}

/// The largest difference of the chances that a list gives from those of the lottery, from its
/// public tables alone; checks that they agree.
fn recounted(terminal: &Terminal, folder: &str) -> f64 {
    let panels = panels(terminal, folder);
    let mut most = 0.0_f64;
    for row in rows(terminal, &format!("{folder}/panel_chances.csv")) {
        let on = panels.iter().filter(|panel| panel.contains(&row["code"]));
        let (count, m) = (on.count(), panels.len());
        assert_eq!(row["panels"], count.to_string());
        let chance = count as f64 / m as f64;
        let number = |name: &str| row[name].parse::<f64>().expect("a number");
        assert_eq!(number("chance"), chance);
        most = most.max((chance - number("lottery")).abs());
    }
    most
}

/// The number that a shell computes by the page's rule.
fn by_hand(commitment: &str, randomness: &str, panels: u64) -> u64 {
    let mut tries = 1;
    loop {
        let text = format!(
            "klero draw number 1\ncommitment: {commitment}\nrandomness: {randomness}\ntry: {tries}\n"
        );
        let digits = u64::from_str_radix(&sha256(text)[..15], 16).expect("digits");
        if digits < (1 << 60) / panels * panels {
            return digits % panels + 1;
        }
        tries += 1;
    }
}

#[test]
fn a_town_of_200_has_panels_as_stated() {
    let terminal = Terminal::new();
    put(&TOWNS[0], &terminal);
    terminal.put(
        "my.toml",
        "name = \"a town\"\nseed = 3\n[source]\ntype = \"respondents\"\npath = \"respondents.csv\"\nid = \"id\"\n\
         [target]\ncategories = \"categories.csv\"\n[rules]\nchoose = \"at_most_one\"\n\
         until = { accepted = 24 }\nunique = [\"home\"]\n[[policy]]\nlabel = \"leximin\"\nkind = \"leximin\"\n",
    );
    made(&terminal, "1000", "panels");
    let of_code: BTreeMap<String, BTreeMap<String, String>> = rows(&terminal, "panels/codes.csv")
        .into_iter()
        .map(|row| (row["code"].clone(), row))
        .collect();
    assert_eq!(of_code.len(), 200);
    let quotas = rows(&terminal, "categories.csv");
    let panels = panels(&terminal, "panels");
    assert_eq!(panels.len(), 1_000);
    let mut lottery = "panel,probability,id\n".to_owned();
    for (number, panel) in panels.iter().enumerate() {
        assert_eq!(panel.len(), 24);
        let members: Vec<_> = panel.iter().map(|code| &of_code[code]).collect();
        let homes: std::collections::BTreeSet<_> = members.iter().map(|row| &row["home"]).collect();
        assert_eq!(homes.len(), 24, "panel {number}");
        for quota in &quotas {
            let has = members
                .iter()
                .filter(|row| row[&quota["feature"]] == quota["value"]);
            let bound = |end: &str| quota[end].parse::<usize>().expect("a quota");
            assert!(
                (bound("min")..=bound("max")).contains(&has.count()),
                "panel {number}"
            );
        }
        members
            .iter()
            .for_each(|row| lottery += &format!("{number},0.001,{}\n", row["id"]));
    }
    // Another reader of panels finds the same.
    terminal.put("list.csv", lottery);
    terminal.done(&["verify", "lottery", "list.csv", "my.toml"]);
    let stated = stated(&terminal, "panels");
    let difference = |name: &str| stated["difference"][name].as_f64().expect("a number");
    let most = recounted(&terminal, "panels");
    assert!(
        (difference("largest") - most).abs() < 1e-12,
        "{most} {stated}"
    );
    assert!(most < 0.001, "{most}");
    let [bound, gap] = ["bound", "gap"].map(difference);
    assert!(bound > 0.0 && gap >= 0.0 && (most - bound - gap).abs() < 1e-12);
    // Within a hundredth of a panel of what is proved to be the least.
    assert!(gap <= 0.000_01, "{gap}");
    terminal.done(&["draw", "verify", "panels"]);
}

#[test]
fn small_panels_are_closed_forms() {
    // People and quotas; members; panels; the largest difference, which none goes below.
    let cases: [(&str, &str, u32, &str, f64); 5] = [
        ("a,x\nb,x\nc,x\n", "g,x,1,1\n", 1, "1000", 0.000_666_667),
        ("a,x\nb,x\nc,x\n", "g,x,1,1\n", 1, "1", 0.666_666_667),
        // A lottery of two panels, and one of four of which three would do as well.
        ("a,x\nb,y\nc,x\nd,y\n", "g,x,1,1\ng,y,1,1\n", 2, "1000", 0.0),
        (
            "a,x\nb,y\nc,x\nd,y\n",
            "g,x,1,1\ng,y,1,1\n",
            2,
            "3",
            1.0 / 6.0,
        ),
        // Far more panels than are needed.
        ("a,x\nb,y\nc,y\n", "g,x,1,1\ng,y,1,1\n", 2, "10000", 0.0),
    ];
    for (people, quotas, members, count, due) in cases {
        let terminal = Terminal::new();
        terminal.put("people.csv", format!("id,g\n{people}"));
        terminal.put("quotas.csv", format!("feature,value,min,max\n{quotas}"));
        terminal.put(
            "my.toml",
            format!(
                "name = \"few\"\n[source]\ntype = \"respondents\"\npath = \"people.csv\"\nid = \"id\"\n\
                 [target]\ncategories = \"quotas.csv\"\n[rules]\nchoose = \"at_most_one\"\n\
                 until = {{ accepted = {members} }}\n[[policy]]\nlabel = \"leximin\"\nkind = \"leximin\"\n"
            ),
        );
        made(&terminal, count, "panels");
        let most = recounted(&terminal, "panels");
        assert!((most - due).abs() < 1e-9, "{people} {count}: {most}");
        let stated = &stated(&terminal, "panels")["difference"];
        assert!((stated["largest"].as_f64().unwrap() - most).abs() < 1e-12);
        assert!(stated["gap"].as_f64().unwrap() < 1e-9, "{stated}");
        let number = due * count.parse::<f64>().unwrap();
        let page = terminal.read("panels/index.html");
        assert!(
            page.contains(&format!("{number:.3} of one panel")),
            "{number}"
        );
    }
}

#[test]
fn public_randomness_decides_the_number_as_anyone_computes_it() {
    let terminal = place();
    let line = made(&terminal, "250", "panels");
    let commitment = sha256(terminal.read("panels/commitment.json"));
    line.says(&commitment);
    line.says("by the lottery (klero");
    let committed: Value = serde_json::from_str(&terminal.read("panels/commitment.json")).unwrap();
    assert_eq!(committed["numbered"]["panels"], 250);
    assert_eq!(
        committed["numbered"]["sha256"],
        sha256(terminal.read("panels/panels.csv"))
    );
    let before = terminal.done(&["draw", "verify", "panels", "--commitment", &commitment]);
    before.says("no number was drawn so far");

    let said = terminal.done(&["draw", "panels", "--seed-from", "3 14 15 26 35 49"]);
    let number = by_hand(&commitment, &sha256("3 14 15 26 35 49"), 250);
    said.says(&format!("Panel {number} of 250"));
    let drawn = record(&terminal, "panels");
    assert_eq!(drawn["number"]["value"], number);
    assert_eq!(drawn["number"]["by"], "randomness");
    assert_eq!(drawn["quotas_kept"], true);
    let panel = &panels(&terminal, "panels")[number as usize - 1];
    assert_eq!(drawn["panel"], serde_json::json!(panel));
    assert_eq!(column(&terminal, "panels/panel.csv", "code"), *panel);
    let page = terminal.read("panels/index.html");
    assert!(page.contains(&format!("Panel {number}")) && page.len() < 400_000);
    for name in [
        "panels.csv",
        "panel_chances.csv",
        "numbered.json",
        "index.html",
        "draw.json",
    ] {
        let text = terminal.read(&format!("panels/{name}"));
        assert!(!text.contains("secret") && !text.contains("p07"), "{name}");
    }
    let checked = terminal.done(&typed("draw verify panels --seed-from '3 14 15 26 35 49'"));
    checked.says(&format!("the number: {number}, from the randomness"));

    // A list is made once, and a number is drawn once.
    made(&terminal, "250", "again");
    let same = |name: &str| {
        let [one, other] =
            ["panels", "again"].map(|folder| terminal.read(&format!("{folder}/{name}")));
        assert_eq!(one, other, "{name}");
    };
    let files = [
        "commitment.json",
        "panels.csv",
        "codes.csv",
        "numbered.json",
    ];
    files.into_iter().for_each(same);
    let said = terminal.exits(2, &["draw", "panels", "--seed-from", "another value"]);
    said.stderr.says("already holds a draw");
}

#[test]
fn a_number_from_an_urn_names_the_panel_and_members_can_stay_for_a_second_draw() {
    let terminal = place();
    made(&terminal, "60", "panels");
    for (number, due) in [
        ("0", "1 to 10000"),
        ("61", "panels 1 to 60"),
        ("x", "1 to 10000"),
    ] {
        let said = terminal.klero(&["draw", "panels", "--number", number]);
        assert_eq!(said.code, Some(2), "{number}");
        assert!(
            on_one_line(&said.stderr).contains(due),
            "{number}: {}",
            said.stderr
        );
        assert!(!terminal.path("panels/draw.json").exists());
    }
    terminal.done(&["draw", "panels", "--number", "17"]);
    let drawn = record(&terminal, "panels");
    assert_eq!(drawn["number"]["by"], "hand");
    assert_eq!(
        drawn["panel"],
        serde_json::json!(panels(&terminal, "panels")[16])
    );
    let checked = terminal.done(&["draw", "verify", "panels"]);
    checked.says("the number: 17, drawn by hand");
    let staying: Vec<String> = column(&terminal, "panels/panel.csv", "code");
    terminal.put(
        "staying.csv",
        format!("code\n{}\n", staying[..9].join("\n")),
    );
    let again = ["draw", "--after", "panels", "--keep", "staying.csv"];
    let more = ["--seed-from", "6 9 21", "--out", "panel2"];
    terminal.done(&[&again[..], &more].concat());
    let members = column(&terminal, "panel2/panel.csv", "code");
    assert_eq!((members.len(), &members[..9]), (12, &staying[..9]));
}
