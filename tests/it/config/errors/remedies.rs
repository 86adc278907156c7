//! Wrong options: the remedy that is named is one that helps.

use super::{SOUND, refusal, with};
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, on_one_line};

fn terminal() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal
}

/// What is said of a request holds these words, and none of those.
#[track_caller]
fn says(terminal: &Terminal, args: &[&str], words: &[&str], others: &[&str]) {
    let said = refusal(terminal, args);
    for word in words {
        assert!(said.contains(word), "{args:?}: no {word:?} in\n{said}");
    }
    for word in others {
        assert!(!said.contains(word), "{args:?}: {word:?} in\n{said}");
    }
}

#[test]
fn numbers_below_zero() {
    let terminal = terminal();
    for option in ["--seed", "--replications", "--batch", "--threads"] {
        let args = ["run", "my.toml", option, "-4"];
        says(
            &terminal,
            &args,
            &["expected a whole number from"],
            &["-- -4"],
        );
    }
    for option in ["--round", "--replication"] {
        for value in ["-1", "abc"] {
            let args = ["trace", "d", option, value];
            says(
                &terminal,
                &args,
                &["expected a whole number of at least"],
                &["-- -1", "invalid digit", "is not in"],
            );
        }
    }
    let args = ["trace", "d", "--round", "0"];
    says(
        &terminal,
        &args,
        &["of at least 1"],
        &["18446744073709551615"],
    );
}

#[test]
fn values_that_toml_does_not_know() {
    let terminal = terminal();
    for (set, words) in [
        (
            "name=hello, world",
            &[
                "`hello, world` is not a TOML value",
                "--set 'name=\"hello, world\"'",
            ][..],
        ),
        (
            "policy.\"greedy .05\".tolerance=nan",
            &["`nan` is not used in a config"],
        ),
        (
            "rules.until.acepted=20",
            &[
                "unknown key `acepted` in `rules.until`",
                "did you mean `accepted`?",
            ],
        ),
    ] {
        let args = ["check", "my.toml", "--set", set];
        let others = ["is not a value", "not a TOML value: `nan`", "takes one key"];
        says(&terminal, &args, words, &others);
    }
    // The shell takes the label apart.
    let args = [
        "check",
        "my.toml",
        "--set",
        "policy.greedy",
        ".05.tolerance=1",
    ];
    says(
        &terminal,
        &args,
        &["--set 'policy.\"greedy .05\".tolerance=0.02'"],
        &[],
    );
}

#[test]
fn addresses_and_paces_need_no_quotes() {
    let terminal = terminal();
    let live = |set: &str| refusal(&terminal, &["check", "live-http", "--set", set]);
    let said = live("source.address=127.0.0.1:99999");
    said.says("\"127.0.0.1:99999\" is no address");
    said.says("a port is at most 65535");
    terminal.done(&["check", "live-show", "--set", "source.pace=100/s"]);
}

#[test]
fn configs_that_are_not_there() {
    let terminal = terminal();
    says(&terminal, &["run", "-"], &["/dev/stdin"], &[]);
    says(
        &terminal,
        &["run", "configs/committee-acs.toml"],
        &["klero run committee-acs"],
        &[],
    );
    says(
        &terminal,
        &["run", "my.tml"],
        &["did you mean my.toml?"],
        &[],
    );
    let help = terminal.done(&["--help"]) + &terminal.done(&["run", "--help"]);
    help.never_says("configs/");
}

#[test]
fn folders_that_are_files() {
    let terminal = terminal();
    terminal.done(&["run", "my.toml", "--out", "out", "-q"]);
    for command in ["resume", "report", "trace"] {
        let args = [command, "out/config.toml"];
        says(
            &terminal,
            &args,
            &["out/config.toml is a file", "give the folder: klero"],
            &[],
        );
    }
    let args = ["replay", "out/config.toml", "--out", "again"];
    says(&terminal, &args, &["out/config.toml is a file"], &[]);
}

/// Every command that takes the folder of a run.
#[test]
fn folders_that_are_missing() {
    let terminal = terminal();
    terminal.done(&["run", "my.toml", "--out", "results", "-q"]);
    terminal.put("empty/notes.txt", "mine");
    for command in [
        &["resume"][..],
        &["replay"],
        &["report"],
        &["trace"],
        &["journal", "verify"],
        &["journal", "repair"],
        &["sweep", "status"],
        &["merge", "--out", "m"],
    ] {
        for (folder, near) in [("nowhere", None), ("reslts", Some("did you mean results?"))] {
            let args = [command, &[folder]].concat();
            let missing = format!("{folder}: there is no such folder");
            let words = [&*missing, "give the folder that", near.unwrap_or("help: ")];
            says(&terminal, &args, &words, &["holds no"]);
        }
        let args = [command, &["my.toml"]].concat();
        says(
            &terminal,
            &args,
            &["my.toml is a file, not the folder"],
            &[],
        );
    }
    // Folders that are there, and which can't be taken up.
    for (folder, words) in [
        (
            "results",
            &["the run in results is finished", "klero report results"][..],
        ),
        (
            "empty",
            &[
                "the folder holds no run",
                "`klero run` or `klero sweep` that was stopped",
            ],
        ),
    ] {
        says(
            &terminal,
            &["resume", folder],
            words,
            &["holds no live run"],
        );
    }
    terminal.put("cut/progress.ndjson", "");
    let words = ["cut off before a replication was kept", "--out cut --force"];
    says(&terminal, &["resume", "cut"], &words, &[]);
    terminal.put("shards/plan.json", "{}");
    says(
        &terminal,
        &["resume", "shards"],
        &["klero sweep status shards"],
        &[],
    );
}

#[test]
fn a_plan_of_a_sweep_that_is_missing() {
    let terminal = terminal();
    terminal.put("plan.json", "{}");
    for args in [
        &["sweep", "pln.json"][..],
        &["sweep", "pln.json", "--shard", "0/2", "--out", "d"],
        &["sweep", "pln.json", "--on", "local", "--out", "d"],
    ] {
        let words = [
            "there is no plan of a sweep \"pln.json\"",
            "did you mean plan.json? make it from a config: klero sweep CONFIG --plan pln.json",
        ];
        says(&terminal, args, &words, &["there is no config"]);
    }
}

/// A label with a comma is one label, also in a list of them.
#[test]
fn labels_with_commas_are_quoted() {
    let terminal = Terminal::new();
    let config = with(SOUND, &[("\"greedy .05\"", "\"greedy, .05\"")]);
    terminal.put("my.toml", config);
    for args in [
        &["draw", "my.toml", "--seed-from", "x", "--out", "d"][..],
        &[
            "draw",
            "my.toml",
            "--policy",
            "none",
            "--seed-from",
            "x",
            "--out",
            "d",
        ],
        &["run", "my.toml", "--only", "nobody"],
        &["run", "my.toml", "--set", "report.baseline=\"nobody\""],
    ] {
        says(&terminal, args, &["\"greedy, .05\""], &[]);
    }
}

#[test]
fn what_the_shell_takes_apart_is_to_be_quoted() {
    let terminal = terminal();
    for (args, option) in [
        (
            &["run", "--set", "policy.greedy", ".05.tolerance=0.02"][..],
            "--set '",
        ),
        (
            &[
                "run",
                "my.toml",
                "--sweep",
                "policy.greedy",
                ".05.tolerance=0,1",
            ],
            "--sweep '",
        ),
        (&["check", "my.toml", "--set", "name=a", "b"], "--set '"),
    ] {
        says(
            &terminal,
            args,
            &["is quoted for the shell", option],
            &["-- "],
        );
    }
    let words = [
        "--sweep seed=1,2,3",
        "--sweep 'policy.\"greedy .05\".tolerance=",
    ];
    says(
        &terminal,
        &["run", "my.toml", "--sweep", "seed"],
        &words,
        &[],
    );
}

#[test]
fn folders_that_can_not_be_written() {
    let terminal = terminal();
    for args in [
        &["man", "--out", "my.toml"][..],
        &["show", "organiser", "--files", "my.toml"],
    ] {
        says(
            &terminal,
            args,
            &["is a file, not a folder", "help: name a folder"],
            &["os error"],
        );
    }
}

#[test]
fn what_a_build_leaves_out_is_said() {
    let terminal = terminal();
    let said = refusal(&terminal, &["trace", "d", "--format", "parquet"]);
    assert_eq!(
        said.contains("built without"),
        !cfg!(feature = "parquet"),
        "{said}"
    );
}

/// One stream has one replication: a live run does not offer the option.
#[test]
fn a_live_run_offers_no_replications() {
    let terminal = terminal();
    let help = terminal.done(&["live", "--help"]);
    help.never_says("--replications");
    assert!(terminal.done(&["run", "--help"]).contains("--replications"));
}

/// A run that was to stop when all is decided, and came to its most before.
#[test]
fn a_cap_of_replications_is_said() {
    let terminal = Terminal::new();
    let config = with(
        SOUND,
        &[(
            "baseline = \"all\"",
            "baseline = \"all\"\nuntil = \"decided\"",
        )],
    );
    terminal.put("my.toml", config);
    let said = terminal.exits(0, &["run", "my.toml"]);
    let note = "It ended before that, after its 4 replications: for more, raise `replications`.";
    assert!(on_one_line(&said.stdout).contains(note), "{}", said.stdout);
    let said = terminal.klero(&["run", "my.toml", "--replications", "3000"]);
    said.stdout.never_says("It ended before that");
}

/// A token that is no text is not called a missing one.
#[cfg(unix)]
#[test]
fn a_token_that_is_no_text() {
    use std::os::unix::ffi::OsStrExt;

    let terminal = Terminal::new();
    let open = "source.address=0.0.0.0:8090";
    let check = |token: &[u8]| {
        let mut command = terminal.command(&["check", "live-http", "--set", open]);
        command.env("KLERO_TOKEN", std::ffi::OsStr::from_bytes(token));
        let said = crate::support::terminal::said(command);
        (said.code, said.stderr)
    };
    let (code, text) = check(b"\xff\xfe");
    assert_eq!(code, Some(2), "{text}");
    text.says("the token has bytes that are not UTF-8");
    text.says("help: put text into the environment variable KLERO_TOKEN");
    for (token, what) in [
        (&b""[..], "the token is empty"),
        (b"a", "the token is shorter than 16 characters"),
        (b"                ", "the token has blanks"),
    ] {
        let (code, text) = check(token);
        assert_eq!(code, Some(2), "{text}");
        text.says(what);
    }
    assert_eq!(check(b"0123456789abcdef").0, Some(0));
}

/// Quotas of a committee that is chosen one by one are those of the whole committee, and this is
/// said.
#[test]
fn quotas_of_rounds_of_one_are_said_to_be_those_of_the_run() {
    let terminal = terminal();
    let set = "rules.quota={ gender = { F = [5, 6] } }";
    let said = terminal.exits(0, &["check", "my.toml", "--set", set]);
    let note = "the quotas of [rules] are held against all who are chosen in the whole run";
    said.stdout.says(note);
}

/// Files of a run that were changed by hand are refused with a place and a remedy.
#[test]
fn a_run_whose_values_were_edited() {
    let terminal = terminal();
    terminal.done(&["run", "my.toml", "--out", "out", "-q"]);
    let values = terminal.read("out/replications.csv");
    let mut lines: Vec<&str> = values.lines().collect();
    for (line, what) in [
        ("0,all,accepted,,ten", "`ten` is not a finite number"),
        ("0,all", "2 fields"),
    ] {
        lines[4] = line;
        terminal.put("out/replications.csv", lines.join("\n"));
        let words = [
            "replications.csv:5",
            what,
            "help: the file was changed or cut short",
        ];
        says(&terminal, &["report", "out"], &words, &[]);
    }
}
