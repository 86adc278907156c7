//! One draw: who is on the panel, who is not and why, and by which seed.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use super::{CONFIG, all, column, draw, drawn, people, record, rows, sha256, town};
use crate::support::says::Says as _;
use crate::support::terminal::{said, typed};

#[test]
fn the_panel_keeps_the_quotas_and_everybody_is_on_it_or_passed_over() {
    let terminal = town();
    let said = drawn(&terminal, "7 13 21", "panel");
    said.stdout
        .says("12 members were drawn by lot from 60 respondents");
    said.stderr.says("the 7 bytes of the text");
    let panel = rows(&terminal, "panel/panel.csv");
    let has = |name: &str, value: &str| {
        let of = panel
            .iter()
            .filter(|row| row[name].eq_ignore_ascii_case(value));
        of.count()
    };
    assert_eq!(panel.len(), 12);
    assert!((5..=7).contains(&has("Sex", "F")) && (5..=7).contains(&has("Sex", "M")));
    assert!((3..=6).contains(&has("Age", "young")) && (6..=9).contains(&has("Age", "old")));
    let homes: BTreeSet<&String> = panel.iter().map(|row| &row["Home"]).collect();
    assert_eq!(homes.len(), 12, "one of each home");
    let orders: Vec<String> = (1..=12).map(|n| n.to_string()).collect();
    assert_eq!(column(&terminal, "panel/panel.csv", "order"), orders);

    let passed = rows(&terminal, "panel/passed-over.csv");
    let both = panel.iter().chain(&passed).map(|row| row["id"].clone());
    let both: Vec<String> = both.collect();
    let everybody: BTreeSet<String> = (0..60).map(|k| format!("p{k:02}")).collect();
    assert_eq!(both.len(), 60);
    assert_eq!(both.into_iter().collect::<BTreeSet<_>>(), everybody);
    for row in &passed {
        match &*row["why"] {
            "refused" => assert!(!row["reason"].contains('=') && !row["came"].is_empty()),
            "panel_full" => {
                assert_eq!(row["reason"], "all places were taken before they came");
                assert!(row["came"].is_empty());
            }
            "household" => {
                let of = format!("member {} lives in the same household", row["household_of"]);
                assert_eq!(row["reason"], of);
                let member = &panel[row["household_of"].parse::<usize>().expect("an order") - 1];
                assert_eq!(member["Home"], row["Home"]);
            }
            other => panic!("{other}"),
        }
    }
    let late = passed
        .iter()
        .filter(|row| row["why"] == "panel_full")
        .count();
    let came = passed.iter().filter(|row| !row["came"].is_empty()).count();
    assert_eq!(late + came + 12, 60);
}

#[test]
fn selected_and_remaining_are_rows_of_the_file() {
    let terminal = town();
    drawn(&terminal, "some text", "panel");
    let file = people();
    let lines: Vec<&str> = file.trim_start_matches('\u{feff}').lines().collect();
    let read = |name: &str| terminal.read(&format!("panel/{name}"));
    let (selected, remaining) = (read("selected.csv"), read("remaining.csv"));
    for text in [&selected, &remaining] {
        assert_eq!(text.lines().next(), Some(lines[0]));
        assert!(text.lines().all(|line| lines.contains(&line)), "{text}");
    }
    let ids = |name: &str| column(&terminal, &format!("panel/{name}"), "id");
    assert_eq!(ids("selected.csv"), ids("panel.csv"));
    let homes: BTreeSet<String> = column(&terminal, "panel/panel.csv", "Home")
        .into_iter()
        .collect();
    let left = rows(&terminal, "panel/remaining.csv");
    assert!(
        left.iter().all(|row| !homes.contains(&row["Home"])),
        "no one of a member's home"
    );
    let passed = rows(&terminal, "panel/passed-over.csv");
    let free = passed.iter().filter(|row| !homes.contains(&row["Home"]));
    assert_eq!(left.len(), free.count());
}

#[test]
fn alternates_are_alike_and_of_other_homes() {
    let terminal = town();
    drawn(&terminal, "some text", "panel");
    let panel = rows(&terminal, "panel/panel.csv");
    let alternates = rows(&terminal, "panel/alternates.csv");
    let homes = panel.iter().chain(&alternates).map(|row| &row["Home"]);
    let different: BTreeSet<&String> = homes.clone().collect();
    assert_eq!(homes.count(), different.len());
    assert!(!alternates.is_empty() && alternates.len() <= 12);
    for row in &alternates {
        let alike = |other: &BTreeMap<String, String>| {
            let same = ["Sex", "Age"]
                .into_iter()
                .filter(|name| row[*name].eq_ignore_ascii_case(&other[*name]));
            same.count()
        };
        let most = panel.iter().map(alike).max();
        let like = (1..)
            .zip(&panel)
            .filter(|(_, member)| Some(alike(member)) == most);
        let like: Vec<String> = like.map(|(order, _)| order.to_string()).collect();
        assert_eq!(row["like"], like.join(" "));
    }
    let few = [&draw("some text", "few")[..], &["--alternates", "3"]].concat();
    terminal.done(&few);
    assert_eq!(rows(&terminal, "few/alternates.csv").len(), 3);
}

#[test]
fn the_seed_can_be_computed_by_hand_and_gives_the_panel_again() {
    let terminal = town();
    drawn(&terminal, "7 13 21", "panel");
    let record = record(&terminal, "panel");
    let commitment = sha256(terminal.read("panel/commitment.json"));
    assert_eq!(record["commitment"], *commitment);
    let randomness = sha256("7 13 21");
    let lines = format!("klero draw seed 1\ncommitment: {commitment}\nrandomness: {randomness}\n");
    let hash = sha256(lines);
    assert_eq!(record["seed"]["sha256"], *hash);
    let seed = u64::from_str_radix(&hash[..15], 16).expect("15 digits");
    assert_eq!(record["seed"]["number"], seed);
    let committed = &record["committed"];
    assert_eq!(
        committed["config"],
        *sha256(terminal.read("panel/config.toml"))
    );
    let files = committed["files"].as_object().expect("files");
    for (name, hash) in files {
        assert_eq!(
            *hash,
            *sha256(terminal.read(&format!("panel/inputs/{name}"))),
            "{name}"
        );
    }
    let taken = terminal.read("panel/inputs/people.csv");
    assert!(
        taken.starts_with("id,Sex,Age,draw_household\np00,F,young,1\n"),
        "{taken}"
    );
    assert_eq!(taken.lines().count(), people().lines().count());

    // The folder holds a config that runs, and one replication of the seed is the draw.
    let seed = seed.to_string();
    let config = "panel/config.toml";
    terminal.done(&[
        "run",
        config,
        "--seed",
        &seed,
        "--replications",
        "1",
        "-q",
        "--out",
        "run",
    ]);
    let ids = column(&terminal, "run/selected.csv", "id");
    assert_eq!(ids, column(&terminal, "panel/panel.csv", "id"));
}

/// The commands of the page, by a shell.
#[cfg(target_os = "linux")]
#[test]
fn the_shell_commands_of_the_page_give_the_hash_of_the_seed() {
    let terminal = town();
    drawn(&terminal, "7 13 21", "panel");
    let page = terminal.read("panel/index.html");
    let page = roxmltree::Document::parse(
        &page[page.find("<main").expect("main")..page.find("</main>").expect("main") + 7],
    );
    let page = page.expect("well-formed");
    let code = page.descendants().filter(|node| node.has_tag_name("pre"));
    let texts = code.map(|node| {
        node.descendants()
            .filter_map(|n| n.text().filter(|_| n.is_text()))
            .collect::<String>()
    });
    let shell = texts
        .into_iter()
        .find(|text| text.contains("sha256sum"))
        .expect("commands");
    let mut command = Command::new("sh");
    command
        .args(["-c", &shell])
        .current_dir(terminal.path("panel"));
    let out = said(command);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    let last = out.stdout.lines().last().expect("a hash");
    assert_eq!(record(&terminal, "panel")["seed"]["sha256"], last[..64]);
}

#[test]
fn other_randomness_another_panel_and_threads_the_same() {
    let terminal = town();
    drawn(&terminal, "one", "a");
    drawn(&terminal, "two", "b");
    let panel = |folder: &str| column(&terminal, &format!("{folder}/panel.csv"), "id");
    assert_ne!(panel("a"), panel("b"));
    for threads in ["1", "3"] {
        let out = format!("on{threads}");
        terminal.done(&[&draw("one", &out)[..], &["--threads", threads]].concat());
        assert!(
            all(&terminal, "a") == all(&terminal, &out),
            "{threads} threads"
        );
    }
}

#[test]
fn what_is_published_names_no_one() {
    let terminal = town();
    let said = drawn(&terminal, "one", "panel");
    let published = ["index.html", "draw.json", "commitment.json", "randomness"];
    let mut texts: Vec<String> = published
        .map(|name| terminal.read(&format!("panel/{name}")))
        .into();
    texts.extend([said.stdout, said.stderr]);
    let codes = column(&terminal, "panel/panel.csv", "code");
    for text in &texts {
        assert!(!text.contains("secret street") && !text.contains("says;"));
        assert!(
            (0..60).all(|k| !text.contains(&format!("p{k:02}"))),
            "{text}"
        );
    }
    assert!(
        codes
            .iter()
            .all(|code| texts[0].contains(code) && texts[1].contains(code))
    );
    // Ids where they are asked for, and nothing else of anybody.
    terminal.done(&[&draw("one", "named")[..], &["--publish-ids"]].concat());
    let page = terminal.read("named/index.html");
    let ids = column(&terminal, "named/panel.csv", "id");
    assert!(ids.iter().all(|id| page.contains(id)) && !page.contains("secret street"));
    assert_eq!(record(&terminal, "named")["panel"][0], *ids[0]);
    terminal.done(&["draw", "verify", "named"]);
}

#[test]
fn a_panel_that_is_not_as_asked_for_fails_and_its_record_is_kept() {
    let terminal = town();
    // It takes whoever comes first, and of these hardly ever eleven are women.
    let quotas = "feature,value,min,max\nsex,F,11,12\nsex,M,0,1\nage,young,0,12\nage,old,0,12\n";
    terminal.put("quotas.csv", quotas);
    let said = terminal.exits(
        1,
        &typed("draw my.toml --policy 'all, really' --seed-from ab --out panel"),
    );
    said.stderr
        .says("not as it was asked for; the record is kept");
    let record = record(&terminal, "panel");
    assert_eq!(record["quotas_kept"], false);
    let misses = record["misses"].as_array().expect("misses");
    assert!(!misses.is_empty());
    let page = terminal.read("panel/index.html");
    for miss in misses {
        let miss = miss.as_str().expect("a sentence");
        assert!(page.contains(miss) && said.stdout.contains(miss), "{miss}");
    }
    terminal.done(&["draw", "verify", "panel"]);
}

#[test]
fn chances_are_those_of_a_run_and_leave_the_panel_as_it_is() {
    let terminal = town();
    drawn(&terminal, "one", "plain");
    let chances = ["--chances", "200"];
    for threads in ["1", "2"] {
        let args = [&draw("one", threads)[..], &chances, &["--threads", threads]].concat();
        terminal.done(&args);
    }
    assert!(all(&terminal, "1") == all(&terminal, "2"));
    let read = |path: &str| terminal.read(path);
    assert_eq!(read("1/panel.csv"), read("plain/panel.csv"));
    let run = [
        "run",
        "my.toml",
        "--only",
        "first",
        "--replications",
        "200",
        "-q",
        "--out",
        "run",
    ];
    terminal.done(&run);
    let counts = |path: &str| column(&terminal, path, "selected");
    assert_eq!(counts("1/chances.csv"), counts("run/chances.csv"));
    let sum: u64 = counts("1/chances.csv")
        .iter()
        .map(|n| n.parse::<u64>().expect("a count"))
        .sum();
    let mean = sum as f64 / 200.0 / 60.0;
    let found = &record(&terminal, "1")["chances"];
    assert!((found["mean"].as_f64().expect("a mean") - mean).abs() < 1e-12);
    let page = terminal.read("1/index.html");
    page.says("was played 200 times");
    page.says(&format!("{:.1} %", 100.0 * mean));
    terminal.done(&["draw", "verify", "1"]);
}

#[test]
fn where_drop_outs_are_known_the_alternates_keep_the_quotas_best() {
    let terminal = town();
    terminal.put("my.toml", format!("{CONFIG}[dropout]\nrate = 0.2\n"));
    drawn(&terminal, "another text", "panel");
    // As many as leave in the mean: 2.4 of 12.
    let alternates = rows(&terminal, "panel/alternates.csv");
    assert_eq!(alternates.len(), 3);
    let record = record(&terminal, "panel");
    let found = &record["drop_outs"];
    assert_eq!(
        found["leavers"].as_f64().map(|n| (10.0 * n).round()),
        Some(24.0)
    );
    let off = |rule: &str| found[rule]["mean"].as_f64().expect(rule);
    assert!(off("seats_off") <= off("seats_off_next_of_kind"), "{found}");
    assert!(off("seats_off") < off("seats_off_without"), "{found}");
    // The same people as `klero plan` names of that panel by that seed.
    let seed = record["seed"]["number"].to_string();
    let args = [
        "plan",
        "my.toml",
        "--panel",
        "panel/panel.csv",
        "--seed",
        &seed,
        "--format",
        "json",
    ];
    let planned: Value = serde_json::from_str(&terminal.done(&args)).expect("it is JSON");
    let ids: BTreeSet<&str> = alternates.iter().map(|row| &*row["id"]).collect();
    let planned = planned["alternates"]["alternates"].as_array();
    let planned = planned.expect("a list").iter().filter_map(Value::as_str);
    assert_eq!(planned.collect::<BTreeSet<_>>(), ids);
    assert!(
        terminal
            .read("panel/index.html")
            .contains("2.4 are expected to leave")
    );
    terminal.done(&["draw", "verify", "panel"]);
}
