//! Other questions to a finished run: `klero report DIR --judge …`.

use serde_json::Value;

use crate::support::configs::SOUND;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed, with};

fn terminal() -> Terminal {
    let terminal = Terminal::new();
    terminal.put(
        "my.toml",
        SOUND.replace("replications = 4", "replications = 60"),
    );
    terminal
}

fn run(terminal: &Terminal, out: &str, more: &[&str]) {
    terminal.done(&with(&["run", "my.toml", "-q", "--out", out], more));
}

/// The run's own answer, as it was printed when the run ended.
#[test]
fn a_run_prints_its_own_answer_again() {
    let terminal = terminal();
    for (out, more) in [
        ("many", &[][..]),
        ("stream", &["--replications", "1"]),
        ("folds", &["--keep", "folds"]),
        ("swept", &["--sweep", "seed=1,2"]),
    ] {
        run(&terminal, out, more);
        let first =
            |format| terminal.done(&with(&["run", "my.toml", "-q", "--format", format], more));
        let again = |format| terminal.done(&["report", out, "--format", format]);
        assert_eq!(again("json"), first("json"), "{out}");
        if out != "swept" {
            assert_eq!(again("markdown"), first("markdown"), "{out}");
            let page = format!("{}\n{out}/report.html\n", first("table"));
            assert_eq!(again("table"), page, "{out}");
        }
        assert!(
            terminal
                .read(&format!("{out}/report.html"))
                .contains("<html")
        );
    }
    // Of a sweep: the table of each run, with what was set.
    let swept = terminal.done(&["report", "swept", "--format", "markdown"]);
    for seed in ["seed = 1", "seed = 2"] {
        swept.says(&format!("### {seed}\n"));
    }
}

/// Asked later, a question has the answer that it has when it is asked at first.
#[test]
fn the_answer_is_that_of_a_run_asked_so_at_first() {
    let terminal = terminal();
    run(&terminal, "all", &["--keep", "all"]);
    let before = terminal.read("all/summary.json");
    for (asked, set) in [
        (
            &["--judge", "screened"][..],
            &["report.judge=[\"screened\"]"][..],
        ),
        (
            &["--judge", "screened,share.F", "--baseline", "greedy .05"],
            &[
                "report.judge=[\"screened\", \"share.F\"]",
                "report.baseline=\"greedy .05\"",
            ],
        ),
        (
            &["--goal", "selection_rate where representation_loss <= 0.2"],
            &[
                "report.goal={ best = \"selection_rate\", where = { representation_loss = \"<= 0.2\" } }",
            ],
        ),
        (
            &["--set", "report.alpha=0.3", "--baseline", "all"],
            &["report.alpha=0.3"],
        ),
    ] {
        let json = terminal.done(&with(&["report", "all", "--format", "json"], asked));
        let sets: Vec<&str> = set.iter().flat_map(|set| ["--set", set]).collect();
        let first = with(&["run", "my.toml", "-q", "--format", "json"], &sets);
        assert_eq!(json, terminal.done(&first), "{asked:?}");
        // The table is the same, and the path of the page comes last.
        let table = terminal.done(&with(&["report", "all"], asked));
        let first = with(&["run", "my.toml", "-q"], &sets);
        assert_eq!(
            table,
            format!("{}\nall/report.html\n", terminal.done(&first)),
            "{asked:?}"
        );
        assert_eq!(terminal.read("all/summary.json"), before);
    }
    let html = terminal.read("all/report.html");
    assert!(html.contains("not the run's own") || html.contains("not the run&#39;s own"));
    // Without a question the page is that of the run's own again.
    terminal.done(&["report", "all"]);
    assert!(
        !terminal
            .read("all/report.html")
            .contains("The question is not")
    );
}

/// By default the judged and the headline metrics are kept, so much can be asked.
#[test]
fn what_was_not_kept_is_named_with_its_remedy() {
    let terminal = terminal();
    run(&terminal, "out", &[]);
    terminal.done(&["report", "out", "--judge", "screened"]);
    let page = terminal.read("out/report.html");
    let said = terminal.exits(
        2,
        &["report", "out", "--judge", "screened,impact_ratio,share.F"],
    );
    for words in [
        "kept no values of impact_ratio, share.F",
        "ask about representation_loss, screened, selection_rate",
        "klero run out/config.toml --out OTHER --keep all",
    ] {
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
    assert_eq!(
        terminal.read("out/report.html"),
        page,
        "nothing was written"
    );
    run(&terminal, "folds", &["--keep", "folds"]);
    let said = terminal.klero(&["report", "folds", "--baseline", "greedy .05"]);
    said.stderr
        .says("kept no values of selection_rate, representation_loss");
    run(&terminal, "one", &["--keep", "all", "--replications", "1"]);
    let said = terminal.klero(&["report", "one", "--baseline", "greedy .05"]);
    said.stderr.says("selection_rate in each round");
    // Whom one stream selected is a fact, which its files hold.
    let facts = typed("report one --judge representation_loss --format json");
    let json: Value = serde_json::from_str(&terminal.done(&facts)).expect("JSON");
    assert_eq!(json["pairs"][0]["method"], "fact");
}

#[test]
fn wrong_questions() {
    let terminal = terminal();
    run(&terminal, "out", &[]);
    for (asked, words) in [
        (&["--judge", "screend"][..], "screened"),
        (&["--baseline", "gredy"], "greedy .05"),
        (&["--goal", "best of all"], "a goal is a metric"),
        (&["--goal", "screened where"], "a goal is a metric"),
        (
            &["--goal", "screened where representation_loss 0.1"],
            "a goal is a metric",
        ),
        (
            &["--goal", "screened where representation_loss <= much"],
            "much",
        ),
        (
            &["--set", "rules.slate=2"],
            "only what is asked of it can change",
        ),
        (&["--set", "report.alpha=2"], "alpha"),
    ] {
        let said = terminal.klero(&with(&["report", "out"], asked));
        assert_eq!(said.code, Some(2), "{asked:?}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{asked:?}: {}", said.stderr);
    }
    assert!(!terminal.path("out/report.html").exists());
}

/// All runs of a sweep are asked the same.
#[test]
fn a_sweep_is_asked() {
    let terminal = terminal();
    run(
        &terminal,
        "many",
        &["--sweep", "rules.until.accepted=10,12"],
    );
    let json = terminal.done(&["report", "many", "--judge", "screened", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let runs = json["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), 2);
    assert!(
        runs.iter()
            .all(|run| run["summary"]["pairs"][0]["metric"] == "screened")
    );
    let table = terminal.done(&["report", "many", "--judge", "screened"]);
    assert!(table.contains("rules.until.accepted") && table.ends_with("many/report.html\n"));
}
