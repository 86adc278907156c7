//! Lotteries over panels: the policies and their files, which `klero verify lottery` checks.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::same::same_bytes;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;
use crate::support::towns::{TOWNS, put};

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
    let output = terminal.exits(2, &["check", "other.toml"]);
    let said = output.stderr;
    said.says("known beforehand");
}

/// The one file of a folder of kept lotteries.
fn kept(terminal: &Terminal, folder: &str) -> String {
    let names = terminal.names(folder);
    let [name] = &names[..] else {
        panic!("{names:?}");
    };
    format!("{folder}/{name}")
}

/// `my.toml` with leximin alone, in its folder.
fn one_lottery() -> Terminal {
    let terminal = terminal();
    let lane = "[[policy]]\nlabel = \"x\"\nkind = \"leximin\"\n";
    terminal.put("my.toml", format!("{CONFIG}{lane}"));
    terminal
}

#[test]
fn a_lottery_is_computed_by_what_needs_it_and_kept() {
    let terminal = one_lottery();
    let is_there = |path: &str| terminal.path(path).exists();
    for args in [&["check", "my.toml"][..], &["explain", "my.toml"]] {
        terminal.done(args);
        assert!(!is_there("lotteries"), "{args:?}");
    }
    let commit = "draw commit my.toml --policy x --randomness r --out";
    let with = |out: &'static str| -> Vec<&str> { commit.split(' ').chain([out]).collect() };
    terminal.done(&with("early"));
    assert!(!is_there("early/lotteries") && !is_there("lotteries"));

    terminal.done(&["run", "my.toml", "-q", "--out", "d"]);
    let file = kept(&terminal, "lotteries");
    let text = terminal.read(&file);
    // It names no one.
    text.never_says("Female");
    text.never_says("home");
    terminal.done(&["run", "my.toml", "-q", "--out", "e"]);
    assert_eq!(terminal.read(&file), text);
    for name in [
        "lotteries.csv",
        "lottery_chances.csv",
        "certificates.json",
        "selected.csv",
    ] {
        let read = |folder: &str| terminal.read(&format!("{folder}/{name}"));
        if is_there(&format!("d/{name}")) {
            assert_eq!(read("d"), read("e"), "{name}");
        }
    }
    // A commitment after the run has its lottery; the draw of the other keeps its own.
    terminal.done(&with("late"));
    assert_eq!(terminal.read(&kept(&terminal, "late/lotteries")), text);
    for folder in ["early", "late"] {
        terminal.done(&["draw", folder, "--seed-from", "text:a value"]);
        assert_eq!(
            terminal.read(&kept(&terminal, &format!("{folder}/lotteries"))),
            text
        );
        terminal.done(&["draw", "verify", folder]);
    }
    assert_eq!(
        terminal.read("early/draw.json"),
        terminal.read("late/draw.json")
    );
}

#[test]
fn a_kept_lottery_that_is_damaged_or_of_another_question_is_computed_anew() {
    let terminal = one_lottery();
    terminal.done(&["run", "my.toml", "-q", "--out", "d"]);
    let file = kept(&terminal, "lotteries");
    let (text, panels) = (terminal.read(&file), terminal.read("d/lotteries.csv"));
    let cases = [
        text[..text.len() / 2].to_owned(),
        text.replace("leximin", "maximin"),
        text.replacen("0.", "0.0", 3),
        "no JSON".to_owned(),
    ];
    for (case, damaged) in cases.iter().enumerate() {
        terminal.put(&file, damaged);
        let out = format!("out{case}");
        let said = terminal.klero(&["run", "my.toml", "--out", &out]);
        assert_eq!(said.code, Some(0), "{case}");
        assert!(
            said.stderr.contains("computed anew"),
            "{case}: {}",
            said.stderr
        );
        assert_eq!(
            terminal.read(&format!("{out}/lotteries.csv")),
            panels,
            "{case}"
        );
        assert_eq!(terminal.read(&file), text, "{case}");
    }
    // Another question has a file of its own.
    terminal.put(
        "categories.csv",
        CATEGORIES.replace("Young,1,2", "Young,1,1"),
    );
    terminal.done(&["run", "my.toml", "-q", "--out", "other"]);
    assert_eq!(terminal.names("lotteries").len(), 2);
}

#[test]
fn quotas_that_no_panel_keeps_are_refused_before_a_lottery_is_computed() {
    let terminal = one_lottery();
    terminal.put(
        "categories.csv",
        CATEGORIES.replace("Female,2,2", "Female,3,3"),
    );
    terminal.exits(2, &["check", "my.toml"]);
}

/// A town whose lottery takes a debug build seconds: an interrupt ends the wait for it at once.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_wait_for_a_lottery() {
    use std::os::unix::process::ExitStatusExt as _;
    use std::time::{Duration, Instant};

    let terminal = Terminal::new();
    put(&TOWNS[2], &terminal);
    let config = "name = \"a town\"\n[source]\ntype = \"respondents\"\npath = \"respondents.csv\"\n\
        id = \"id\"\n[target]\ncategories = \"categories.csv\"\n[rules]\nslate = 1\n\
        choose = \"at_most_one\"\nuntil = { accepted = 60 }\nunique = [\"home\"]\n\
        [[policy]]\nlabel = \"x\"\nkind = \"leximin\"\n";
    terminal.put("my.toml", config);
    terminal.done(&["check", "my.toml"]);
    for args in [
        &["run", "my.toml", "--out", "d"][..],
        &[
            "draw",
            "my.toml",
            "--policy",
            "x",
            "--seed-from",
            "text:a",
            "--out",
            "panel",
        ],
    ] {
        let mut command = terminal.command(args);
        command
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        let mut klero = command.spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(1_500));
        let begun = Instant::now();
        let id = rustix::process::Pid::from_child(&klero);
        rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it is there");
        // As a shell shows it: on a busy machine the signal itself may end the program's first second.
        let status = klero.wait().expect("it ends");
        let code = status.code().or_else(|| Some(128 + status.signal()?));
        assert_eq!(code, Some(130), "{args:?}");
        assert!(
            begun.elapsed() < Duration::from_millis(500),
            "{:?}",
            begun.elapsed()
        );
    }
    assert!(!terminal.path("lotteries").exists() && !terminal.path("panel").exists());
}
