//! Options that ask for what can't be, sweeps, and folders that can't be written.

use super::{Page, SOUND, refusal, with};
use crate::support::terminal::Terminal;

fn terminal() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal
}

#[test]
fn options() {
    let mut page = Page::default();
    let terminal = terminal();
    for args in [
        &["--set", "seed"][..],
        &["--set", "=5"],
        &["--set", "policy.greedy .06.tolerance=0.1"],
        &["--set", "policy.\"greedy .06\".tolerance=0.1"],
        &["--set", "seed.x=1"],
        &["--set", "policy.all.tolerance=0.1"],
        &["--set", "rules.untl.accepted=5"],
        &["--set", "rules.until.accepted=1,5"],
        &["--set", "rules.until.accepted="],
        &["--set", "report.at.7=3"],
        &[
            "--set",
            "seed=x",
            "--set",
            "rules.slate=0",
            "--set",
            "nonsense",
        ],
        &["--only", "grody"],
        &["--only", "all,greedy"],
        &["--only", ""],
        &["--set", "policy=[]"],
    ] {
        for command in ["check", "run"] {
            let args: Vec<&str> = [command, "my.toml"].iter().chain(args).copied().collect();
            let text = refusal(&terminal, &args);
            if command == "run" {
                page.add(&args[2..].join(" "), &text);
            }
        }
    }
    insta::assert_snapshot!(page.text());
}

/// The words of the argument parser: exit 2 as well.
#[test]
fn arguments() {
    let terminal = terminal();
    let mut page = String::new();
    for args in [
        &[][..],
        &["rum"],
        &["run", "my.toml", "my.toml"],
        &["run", "--trace", "decisions"],
        &["run", "--trace", "everything", "--out", "d"],
        &["run", "--trace-replications", "all"],
        &["run", "--force"],
        &["run", "--out", ""],
        &["run", "--batch", "1000000000000"],
        &["run", "--batch", "0"],
        &["run", "--threads", "0"],
        &["run", "--threads", "100000"],
        &["run", "--replications", "-1"],
        &["run", "--replications", "many"],
        &["run", "--replications", "0"],
        &["run", "--seed", "18446744073709551615"],
        &["check", "--seed", "1.5"],
        &["run", "--format", "xml"],
        &["run", "--runtime", "none"],
        &["run", "--fromat", "json"],
        &["check", "--out", "d"],
        &["list", "people"],
        &["list", "policies", "sources"],
    ] {
        let text = refusal(&terminal, args);
        let first = text.split("\n\n").next().unwrap_or_default();
        page += &format!("klero {}\n{first}\n\n", args.join(" "));
    }
    assert_eq!(terminal.names(""), ["my.toml"]);
    insta::assert_snapshot!(page);
}

#[test]
fn sweeps() {
    let mut page = Page::default();
    for (name, sweep) in [
        ("an unknown path", "\"rules.untl.accepted\" = [5, 10]"),
        ("an unknown label", "\"policy.greed.tolerance\" = [0, 0.1]"),
        ("an empty list", "\"rules.until.accepted\" = []"),
        ("no list", "\"rules.until.accepted\" = 5"),
        ("through a scalar", "\"seed.x\" = [1, 2]"),
        (
            "values of which two are wrong",
            "\"policy.\\\"greedy .05\\\".tolerance\" = [0.1, -0.1, \"big\"]",
        ),
        ("a value twice", "\"rules.until.accepted\" = [10, 12, 10]"),
        (
            "a key spelt in two ways",
            "\"seed\" = [1, 2]\n\" seed \" = [3, 4]",
        ),
        ("keys without quotes", "rules.until.accepted = [5, 10]"),
        ("a sweep over the sweep", "\"sweep.seed\" = [1, 2]"),
        ("no path", "\"a..b\" = [1, 2]"),
    ] {
        page.edited(
            name,
            SOUND,
            &[
                ("at = [5, 10]\n", ""),
                (
                    "baseline = \"all\"\n",
                    &format!("baseline = \"all\"\n[sweep]\n{sweep}\n"),
                ),
            ],
        );
    }
    page.edited(
        "no table",
        SOUND,
        &[("seed = 1", "seed = 1\nsweep = [1, 2]")],
    );
    let terminal = Terminal::new();
    terminal.put(
        "my.toml",
        with(SOUND, &[("at = [5, 10]\n", "")]) + "[sweep]\nseed = [1, 2]\n",
    );
    page.add(
        "--set against the sweep",
        &refusal(&terminal, &["run", "my.toml", "--set", "seed=5"]),
    );
    page.add(
        "--seed against the sweep",
        &refusal(&terminal, &["run", "my.toml", "--seed", "5"]),
    );
    insta::assert_snapshot!(page.text());
}

#[test]
fn folders() {
    let mut page = Page::default();
    let terminal = terminal();
    terminal.done(&["run", "my.toml", "--out", "old"]);
    terminal.put("file", "mine");
    terminal.put("full/mine.txt", "mine");
    terminal.put("cut/progress.ndjson", "{\"schema\":1}\n");
    for (name, out) in [
        ("a folder that holds a run", "old"),
        ("a run under way or cut off", "cut"),
        ("a folder with other files", "full"),
        ("a file", "file"),
        ("below a file", "file/run"),
    ] {
        let text = refusal(&terminal, &["run", "my.toml", "--out", out]);
        page.add(name, &text);
    }
    page.add(
        "a file, by force",
        &refusal(&terminal, &["run", "my.toml", "--out", "file", "--force"]),
    );
    assert_eq!(
        (terminal.read("file"), terminal.names("full")),
        ("mine".into(), vec!["mine.txt".into()])
    );
    insta::assert_snapshot!(page.text());
}

/// A sweep is refused before any of its runs is made.
#[test]
fn a_folder_of_a_sweep_in_use() {
    let mut page = Page::default();
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal.put("mine/mine.txt", "mine");
    terminal.done(&[
        "run", "my.toml", "--sweep", "seed=1,2", "--out", "old", "-q",
    ]);
    terminal.put("changed/points.csv", "point,seed\n../mine,1\n");
    for (name, args) in [
        ("a folder with other files", &["run", "--out", "mine"][..]),
        ("a folder that holds a sweep", &["run", "--out", "old"]),
        ("a list of runs that was changed", &["report", "changed"]),
    ] {
        let mut args = args.to_vec();
        if args[0] == "run" {
            args.splice(1..1, ["my.toml", "--sweep", "seed=1,2,3"]);
        }
        page.add(name, &refusal(&terminal, &args));
    }
    assert_eq!(terminal.names("mine"), ["mine.txt"]);
    insta::assert_snapshot!(page.text());
}

#[test]
fn sweeps_on_the_command_line() {
    let mut page = Page::default();
    let terminal = terminal();
    for sweep in [
        "seed",
        "seed=",
        "seed=1,,2",
        "seed=1,1",
        "rules.untl.accepted=5,10",
        "policy.greedy .06.tolerance=0,0.1",
        "policy.greedy .05.tolerance=0.1..1",
        "policy.greedy .05.tolerance=1..0/0.1",
        "policy.greedy .05.tolerance=0..1/1e-6",
        "policy.greedy .05.tolerance=-0.1,big",
        "rules.until.accepted=1;5",
    ] {
        let text = refusal(&terminal, &["run", "my.toml", "--sweep", sweep]);
        page.add(&format!("--sweep '{sweep}'"), &text);
    }
    let two: [&str; 4] = ["--sweep", "seed=1,2", "--sweep", "seed=3"];
    page.add(
        "one key twice",
        &refusal(&terminal, &[&["run", "my.toml"][..], &two].concat()),
    );
    let both = ["--sweep", "seed=1,2", "--seed", "3"];
    page.add(
        "--seed as well",
        &refusal(&terminal, &[&["run", "my.toml"][..], &both].concat()),
    );
    insta::assert_snapshot!(page.text());
}
