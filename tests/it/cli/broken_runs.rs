//! `klero report` of folders that hold no finished run, or one that was cut short or changed since.

use std::path::Path;

use crate::support::configs::SOUND;
use crate::support::terminal::Terminal;

/// All that is wrong is said at once, nothing is written, the exit code is 2.
#[test]
fn folders_that_hold_no_finished_run_are_refused() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal.done(&["run", "my.toml", "--out", "sound", "--quiet"]);
    let summary = terminal.read("sound/summary.json");
    let rows = terminal.read("sound/replications.csv");
    let copy = |name: &str, changes: &[(&str, Option<String>)]| {
        for file in ["config.toml", "summary.json", "replications.csv"] {
            let change = changes.iter().find(|(changed, _)| *changed == file);
            match change {
                Some((_, None)) => {}
                Some((_, Some(text))) => terminal.put(&format!("{name}/{file}"), text),
                None => terminal.put(
                    &format!("{name}/{file}"),
                    terminal.read(&format!("sound/{file}")),
                ),
            }
        }
        terminal.put(&format!("{name}/report.html"), "old");
    };
    let cut = |at: usize| Some(rows[..at].to_owned());
    let last_lane = rows
        .trim_end()
        .rfind("\n3,greedy .05,ending")
        .expect("the last row");
    let first_of_last = rows.find("\n3,greedy .05,").expect("the last lane");
    copy("unfinished", &[]);
    terminal.put("unfinished/progress.ndjson", "{}\n");
    copy(
        "schema",
        &[(
            "summary.json",
            Some(summary.replace("\"schema\": 1", "\"schema\": 2")),
        )],
    );
    copy(
        "half",
        &[(
            "summary.json",
            Some(summary[..summary.len() / 2].to_owned()),
        )],
    );
    copy(
        "members",
        &[("summary.json", Some("{\"schema\": 1}".into()))],
    );
    let config = terminal.read("sound/config.toml");
    let changed = |from: &str, to: &str| {
        assert!(summary.contains(from), "{from}");
        Some(summary.replacen(from, to, 1))
    };
    copy(
        "other-config",
        &[("config.toml", Some(config.replace("seed = 1", "seed = 2")))],
    );
    copy(
        "nobody",
        &[(
            "summary.json",
            changed("\"a\": \"greedy .05\"", "\"a\": \"nobody\""),
        )],
    );
    copy(
        "sure",
        &[("summary.json", changed("\"alpha\": 0.", "\"alpha\": 7."))],
    );
    copy(
        "more",
        &[(
            "summary.json",
            changed("\"replications\": 4", "\"replications\": 5"),
        )],
    );
    copy("no-ending", &[("replications.csv", cut(last_lane + 1))]);
    copy("no-lane", &[("replications.csv", cut(first_of_last + 1))]);
    copy(
        "changed",
        &[(
            "replications.csv",
            Some(rows.replacen("screened,,", "screened,,1", 1)),
        )],
    );
    copy(
        "three",
        &[
            ("config.toml", Some("name = \n".into())),
            ("replications.csv", None),
            ("summary.json", Some("[]".into())),
        ],
    );
    std::fs::create_dir(terminal.path("empty")).expect("a folder");
    let mut errors = String::new();
    for name in [
        "nowhere",
        "my.toml",
        "empty",
        "unfinished",
        "schema",
        "half",
        "members",
        "other-config",
        "nobody",
        "sure",
        "more",
        "no-ending",
        "no-lane",
        "changed",
        "three",
    ] {
        let said = terminal.klero(&["report", name]);
        assert_eq!(
            (said.code, said.stdout.as_str()),
            (Some(2), ""),
            "{name}: {}",
            said.stderr
        );
        errors += &format!("{}\n", said.stderr);
        if terminal.path(name).is_dir() && name != "empty" {
            assert_eq!(terminal.read(&format!("{name}/report.html")), "old");
            assert!(!Path::new(&terminal.path(&format!("{name}/figures"))).exists());
        }
    }
    insta::assert_snapshot!(terminal.plain(&errors));
    assert_eq!(terminal.names("empty"), [""; 0]);
}
