//! Tables that a spreadsheet opens: nothing that came from outside is a formula in them.

use crate::support::configs::{ORGANISER, with};
use crate::support::terminal::{Terminal, typed};

/// Thirty people whose ids and values are formulas to a spreadsheet.
fn town() -> Terminal {
    let terminal = Terminal::new();
    let person = |k: usize| {
        // Also in full width, and behind another separator than the file's.
        let signs = [
            "=",
            "+",
            "-",
            "@",
            "\u{ff1d}",
            "\u{ff20}",
            "a;=",
            "a|\u{ff0b}",
            "a; -",
        ];
        let sign = signs[k % signs.len()];
        let (gender, age) = (["=F", "-M"][k % 2], ["@young", "+old"][usize::from(k < 4)]);
        format!("{sign}cmd|'/C calc'!A{k},{gender},{age}\n")
    };
    let people: String = (0..30).map(person).collect();
    terminal.put("respondents.csv", format!("id,gender,age\n{people}"));
    terminal.put(
        "categories.csv",
        "category,name,min,max\ngender,=F,2,2\ngender,-M,2,2\nage,@young,1,3\nage,+old,1,3\n",
    );
    let policy = "label = \"look-ahead\"\nkind = \"quota_lookahead\"\n";
    let fair = "\n[[policy]]\nlabel = \"+fair\"\nkind = \"leximin\"\n";
    let edits = [
        ("seed = 1", "seed = 1\nreplications = 20"),
        ("label = \"greedy\"", "label = \"=greedy\""),
        (policy, &format!("{policy}{fair}")),
    ];
    terminal.put("my.toml", with(ORGANISER, &edits));
    terminal
}

/// All cells of all tables of a folder that a spreadsheet would run.
fn formulas(terminal: &Terminal, folder: &str) -> (usize, Vec<String>) {
    let (mut cells, mut found) = (0, Vec::new());
    let tables = terminal.names(folder);
    for name in tables.iter().filter(|name| name.ends_with(".csv")) {
        let text = terminal.read(&format!("{folder}/{name}"));
        let mut csv = csv::ReaderBuilder::new();
        let mut csv = csv.has_headers(false).from_reader(text.as_bytes());
        for row in csv.records() {
            for cell in &row.expect("a row") {
                cells += 1;
                // Whatever separator the file is opened with.
                let parts = cell.split([';', '|', '\t', '\n']).map(str::trim_start);
                let signs = "=+-@\t\r\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}";
                let begins = |part: &str| part.starts_with(|c| signs.contains(c));
                if parts.clone().any(begins) && cell.parse::<f64>().is_err() {
                    found.push(format!("{name}: {cell}"));
                }
            }
        }
    }
    (cells, found)
}

#[test]
fn no_table_of_a_run_holds_a_formula_and_all_are_read_back() {
    let terminal = town();
    let args = ["run", "my.toml", "-q", "--people", "--keep", "all", "--out"];
    terminal.done(&[&args[..], &["out"]].concat());
    let (cells, found) = formulas(&terminal, "out");
    assert!(cells > 1000, "{cells}");
    assert_eq!(found, [""; 0]);
    let selected = terminal.read("out/selected.csv");
    assert!(selected.contains("'=greedy") && selected.contains(",'=F,"));
    let people = terminal.read("out/people.csv");
    for written in [
        "'\u{ff1d}cmd",
        "'\u{ff20}cmd",
        "a;'=cmd",
        "a|'\u{ff0b}cmd",
        "a;' -cmd",
    ] {
        assert!(people.contains(written), "{written}: {people}");
    }
    terminal.done(&["report", "out"]);
    let page = terminal.read("out/report.html");
    assert!(page.contains("=greedy") && !page.contains("&#39;=greedy"));
    let args = typed(
        "verify lottery out/lotteries.csv my.toml --policy +fair --claim leximin --chances out/lottery_chances.csv",
    );
    terminal.done(&args);
}

#[test]
fn a_sweep_over_labels_that_are_formulas_is_read_back() {
    let terminal = town();
    let sweep = "policy.look-ahead.label=\"=a\",\"-b\"";
    let args = [
        "run",
        "my.toml",
        "-q",
        "--replications",
        "3",
        "--out",
        "out",
        "--sweep",
        sweep,
    ];
    terminal.done(&args);
    assert_eq!(formulas(&terminal, "out").1, [""; 0]);
    terminal.done(&["report", "out"]);
    assert!(terminal.read("out/report.html").contains("=a"));
}
