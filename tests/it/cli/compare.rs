//! `klero compare`: verdicts on numbers of any origin.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::configs::SOUND;
use crate::support::project;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, said, typed, with};
use crate::support::walk::{Step, shows, steps};

/// Sixty questions, of which three models answer some.
fn scores() -> String {
    let rows = (1..=60).flat_map(|n| {
        let right = [
            ("old", n % 3 == 0),
            ("new", n % 4 != 0),
            ("big", n % 2 == 0),
        ];
        right.map(|(model, is_right)| format!("{n},{model},{},{}\n", u8::from(is_right), n % 7))
    });
    format!("question,model,right,seconds\n{}", rows.collect::<String>())
}

const RIGHT: &str = "compare scores.csv --metric right --policy model --pair question --range 0..1";

fn terminal() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("scores.csv", scores());
    terminal
}

fn json(terminal: &Terminal, args: &[&str]) -> Value {
    let text = terminal.done(&with(args, &["--format", "json"]));
    serde_json::from_str(&text).expect("JSON")
}

/// Comparisons without the words for what they count.
fn pairs(of: &Value) -> Vec<Value> {
    let mut pairs = of.as_array().expect("pairs").clone();
    for pair in &mut pairs {
        let estimand = pair
            .as_object_mut()
            .and_then(|pair| pair.remove("estimand"));
        assert!(estimand.is_some(), "{pair}");
    }
    pairs
}

/// The numbers that a run wrote have the verdicts, intervals and levels of its summary.
#[test]
fn the_values_of_a_run_have_the_verdicts_of_the_run() {
    let terminal = Terminal::new();
    let third = "[[policy]]\nlabel = \"queue\"\nkind = \"virtual_queue\"\n\n[report]";
    let config = SOUND
        .replace("replications = 4", "replications = 150")
        .replace(
            "\"representation_loss\"]",
            "\"representation_loss\", \"filled\"]",
        )
        .replace("[report]", third);
    terminal.put("my.toml", config);
    terminal.done(&typed("run my.toml -q --out run"));
    let summary: Value = serde_json::from_str(&terminal.read("run/summary.json")).expect("JSON");
    let margin = "--margin representation_loss=0.01";
    let line = format!(
        "compare run/replications.csv --metric selection_rate,representation_loss,filled --baseline all {margin}"
    );
    let found = json(&terminal, &typed(&line));
    assert_eq!(pairs(&found["pairs"]), pairs(&summary["pairs"]));
    let decided = pairs(&found["pairs"])
        .iter()
        .filter(|pair| pair["standing"] == "sure")
        .count();
    assert!(decided > 0, "{found}");
    let (ours, known) = (&found["answer"], &summary["answer"]);
    assert_eq!(pairs(&ours["between"]), pairs(&known["between"]));
    // The table does not say that one is a yardstick, so the headline may name it.
    assert_eq!(ours["dominates"], known["dominates"]);
    for label in ["all", "greedy .05", "queue"] {
        for metric in ["selection_rate", "representation_loss"] {
            let of = |whole: &Value| whole["policies"][label]["metrics"][metric].clone();
            assert_eq!(of(&found), of(&summary), "{label} {metric}");
        }
    }
    // Shuffled rows of the same replications, and of one without margin: by the same numbers.
    let text = terminal.read("run/replications.csv");
    let (header, rows) = text.split_once('\n').expect("a header");
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.sort_by_key(|row| row.split(',').nth(1).map(str::to_owned));
    terminal.put("sorted.csv", format!("{header}\n{}\n", rows.join("\n")));
    let sorted = json(
        &terminal,
        &typed(&line.replace("run/replications.csv", "sorted.csv")),
    );
    assert_eq!(pairs(&sorted["pairs"]), pairs(&summary["pairs"]));
}

#[test]
fn the_answer_is_last_and_the_assumptions_are_first() {
    let terminal = terminal();
    let said = terminal.exits(0, &typed(RIGHT));
    assert_eq!(said.stderr, "");
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert_eq!(lines[0], "scores.csv: 60 cases");
    lines[1].says("in the order in which they first appear in the table");
    assert_eq!(
        lines[2],
        "Assumed: \u{201c}right\u{201d} lies in 0 to 1 in every case"
    );
    said.stdout
        .says("All 3 comparisons are right together with 95 % confidence");
    said.stdout.says("betting is valid at any time");
    let answer = lines.last().expect("an answer");
    answer.says("Answer: Open between \u{201c}new\u{201d} and \u{201c}big\u{201d}");
    // By t it holds for a number that was fixed, and is said to.
    let by_t = terminal.done(&typed(&RIGHT.replace(" --range 0..1", "")));
    by_t.says("No range of \u{201c}right\u{201d} is stated");
    by_t.says("t is valid for a number of cases fixed beforehand");
    let both = terminal.done(&typed(
        "compare scores.csv --metric right,seconds --policy model --pair question \
         --range right=0..1 --range seconds=0..6 --direction seconds=lower --baseline old",
    ));
    both.says("seconds: less is better; betting");
    both.says("Verdicts against old, on the mean over cases of policy - old, best first");
    both.says("open: equal");
}

#[test]
fn the_standard_input_is_a_table_too() {
    let terminal = terminal();
    let piped = |args: &[&str], text: &str| {
        let mut command = terminal.command(args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut stdin = child.stdin.take().expect("its standard input");
        stdin.write_all(text.as_bytes()).expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let line = RIGHT.replace("scores.csv", "-");
    let (code, stdout, _) = piped(&typed(&line), &scores());
    assert_eq!(code, Some(0));
    let named = terminal
        .done(&typed(RIGHT))
        .replace("scores.csv:", "standard input:");
    assert_eq!(stdout, named);
    let (code, stdout, stderr) = piped(&typed(&line), "question,model,right\n1,a,x\n");
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    stderr.says("standard input:2:3: 'x' in `right` is not a number");
}

#[test]
fn the_same_tables_come_as_markdown_and_latex() {
    let terminal = terminal();
    let of = |format| terminal.done(&with(&typed(RIGHT), &["--format", format]));
    let markdown = of("markdown");
    markdown.says("### scores.csv: 60 cases\n");
    markdown.says("| policy | right mean \u{b1} se |\n");
    markdown.says("**Answer: ");
    let latex = of("latex");
    latex.says("\\paragraph{scores.csv: 60 cases}\n");
    latex.says("\\begin{tabular}{lr}\n{}policy & right mean $\\pm$ se \\\\\n\\hline\n");
    latex.says("\\textbf{Answer: Open between ``new''");
    let tables = |text: &str, word: &str| text.matches(word).count();
    assert_eq!(
        tables(&latex, "\\begin{tabular}"),
        tables(&markdown, "\n| :--- |")
    );
    assert_eq!(tables(&latex, "\\begin"), tables(&latex, "\\end"));
    // A run's report has them as well.
    terminal.put("my.toml", SOUND);
    terminal.done(&typed("run my.toml -q --out run"));
    let report = terminal.done(&typed("report run --format latex"));
    report.says("\\begin{tabular}");
    report.says("representation\\_loss");
    report.never_says("report.html");
}

#[test]
fn the_page_needs_no_other_file_and_overwrites_nothing() {
    let terminal = terminal();
    let args = with(&typed(RIGHT), &["--html", "v.html", "--margin", "0.05"]);
    let said = terminal.exits(0, &args);
    assert_eq!(said.stderr, "wrote v.html\n");
    let page = terminal.read("v.html");
    for outside in [
        "http:",
        "https:",
        "url(",
        "@import",
        "<img",
        "src=",
        "href=\"figures",
    ] {
        page.never_says(outside);
    }
    page.says("<svg");
    page.says("3 policies over 60 cases.");
    page.says("The mean difference over the cases so far");
    for word in ["replication", "seed", "config"] {
        let body = page.split("<body>").nth(1).expect("a body");
        let body = body.split("<script>").next().expect("what is read");
        body.never_says(word);
    }
    let answer: Value = json(&terminal, &typed(RIGHT));
    page.says(answer["answer"]["headline"].as_str().expect("a sentence"));
    let again = terminal.exits(2, &args);
    assert_eq!(again.stdout, "");
    again.stderr.says("v.html is there already");
    terminal.done(&with(&args, &["--force"]));
    terminal.exits(2, &with(&typed(RIGHT), &["--force"]));
}

#[test]
fn what_is_wrong_ends_with_2_and_prints_nothing() {
    let terminal = terminal();
    terminal.put(
        "bad.csv",
        "question,model,right\n1,a,0\n1,a,1\n2,a,\n2,b,nan\n3,b,2\n",
    );
    let of = |line: &str| {
        let said = terminal.exits(2, &typed(line));
        assert_eq!(said.stdout, "", "{line}");
        said.stderr
    };
    let bad = of(&RIGHT.replace("scores", "bad"));
    for part in [
        "bad.csv:3:3: this policy and case have a value of `right` on line 2 already",
        "bad.csv:4:3: the cell of `right` is blank",
        "bad.csv:5:3: 'nan' in `right` is not a finite number",
        "bad.csv:6:3: `right`: 2 is outside of the declared range 0 to 1",
        "4 problems; nothing was compared",
        "help: ",
    ] {
        bad.says(part);
    }
    for (line, part) in [
        ("compare none.csv --metric right", "none.csv"),
        ("compare scores.csv", "there is no column `policy`"),
        (
            "compare scores.csv --policy model --pair question",
            "name one by --metric; measures: right, seconds",
        ),
        (
            "compare scores.csv --policy model --pair question --metric rihgt",
            "did you mean `right`?",
        ),
        (&format!("{RIGHT} --baseline odl"), "did you mean `old`?"),
        (
            &format!("{RIGHT} --alpha 0"),
            "alpha is a probability between 0 and 1",
        ),
        (&format!("{RIGHT} --margin -1"), "--margin"),
        (
            &format!("{RIGHT} --direction up"),
            "expected higher, lower or none",
        ),
        (
            &RIGHT.replace("0..1", "1"),
            "expected the least and the greatest value, as 0..1",
        ),
        (
            &RIGHT.replace("0..1", "1..1"),
            "a range goes from a finite number to a greater one",
        ),
        (
            &RIGHT.replace("0..1", "wrong=0..1"),
            "`wrong` is not compared",
        ),
        (&format!("{RIGHT} --columns a,b"), "cannot be used with"),
    ] {
        of(line).says(part);
    }
}

/// Each command of the section runs, and prints what the page shows.
#[test]
fn the_commands_of_the_page_print_what_it_shows() {
    let page = std::fs::read_to_string(project().join("docs/verdicts.md")).expect("the page");
    let steps = steps(&page);
    assert!(steps.len() > 2, "{}", steps.len());
    let terminal = Terminal::new();
    for Step { command, shown } in &steps {
        let program = env!("CARGO_BIN_EXE_klero");
        let script = format!("klero() {{ '{program}' \"$@\" 2>&1; }}\n{command}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(terminal.path(""));
        let done = said(shell);
        assert_eq!(done.code, Some(0), "{command}: {}", done.stdout);
        assert!(shows(&done.stdout, shown), "{command}:\n{}", done.stdout);
    }
}
