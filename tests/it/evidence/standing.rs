//! Sure, open, so far: three words, and every surface says the same of a comparison.

use serde_json::Value;

use crate::support::terminal::Terminal;

/// A run of one stream in all its forms.
struct Shown {
    pairs: Vec<Value>,
    headline: String,
    table: String,
    markdown: String,
    page: String,
    verdicts: String,
    course: String,
}

fn shown(set: &[&str]) -> Shown {
    let terminal = Terminal::new();
    let mut args = vec!["run", "live-show", "-q", "--out", "show"];
    set.iter().for_each(|set| args.extend(["--set", set]));
    let table = terminal.done(&args);
    terminal.done(&["report", "show"]);
    let mut args = vec!["run", "live-show", "-q", "--format", "markdown"];
    set.iter().for_each(|set| args.extend(["--set", set]));
    let markdown = terminal.done(&args);
    let summary = terminal.read("show/summary.json");
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    Shown {
        pairs: summary["pairs"].as_array().expect("pairs").clone(),
        headline: summary["answer"]["headline"].as_str().expect("one").into(),
        table,
        markdown,
        page: terminal.read("show/report.html"),
        verdicts: terminal.read("show/verdicts.csv"),
        course: terminal.read("show/course.csv"),
    }
}

/// The words of a comparison in tables and on pages.
fn words(pair: &Value) -> String {
    let verdict = pair["verdict"].as_str().expect("a word");
    match pair["standing"].as_str().expect("a word") {
        "sure" => format!("sure: {verdict}"),
        "open" if verdict == "identical" => "open: equal".into(),
        "open" => "open".into(),
        "so_far" if verdict == "identical" => "so far: equal".into(),
        "so_far" => "so far".into(),
        other => panic!("no standing: {other}"),
    }
}

#[test]
fn a_fact_is_so_far_and_every_surface_says_the_same() {
    for judge in [
        "report.judge=[\"selection_rate\", \"representation_loss\"]",
        "report.judge=[\"representation_loss\", \"share.gender:F\", \"impact_ratio\"]",
        "report.judge=[\"selection_rate.gender:F\", \"seats_off\"]",
    ] {
        let shown = shown(&[judge]);
        let mut kinds = Vec::new();
        for pair in &shown.pairs {
            let verdict = pair["verdict"].as_str().expect("a word");
            let is_sided = ["better", "worse", "differs", "equivalent"].contains(&verdict);
            let standing = match pair["method"] == "fact" {
                true => "so_far",
                false if is_sided => "sure",
                false => "open",
            };
            assert_eq!(pair["standing"], standing, "{pair}");
            assert!(standing == "sure" || !is_sided, "{pair}");
            kinds.push(standing);
            let words = words(pair);
            // On the page the better of two comes first.
            let turned = words.replace("worse", "better");
            for (name, surface, words) in [
                ("table", &shown.table, &words),
                ("Markdown", &shown.markdown, &words),
                ("page", &shown.page, &turned),
            ] {
                assert!(surface.contains(words), "{name}: {words}");
            }
        }
        assert!(kinds.contains(&"so_far"), "{kinds:?}");
        for fact in ["representation_loss", "represents", "seats_off", "share."] {
            let is_named = shown.headline.contains(fact);
            assert!(
                !is_named || shown.headline.contains("a fact"),
                "{}",
                shown.headline
            );
        }
        // The columns are the words of the summary, row by row.
        let mut rows = csv::Reader::from_reader(shown.verdicts.as_bytes());
        let heads = rows.headers().expect("a header").clone();
        let at = |name: &str| {
            heads
                .iter()
                .position(|head| head == name)
                .expect("a column")
        };
        for (row, pair) in rows.records().zip(&shown.pairs) {
            let row = row.expect("a row");
            assert_eq!(
                row[at("standing")],
                *pair["standing"].as_str().expect("a word")
            );
            let since = &pair["dated"]["since"];
            let since = since
                .as_u64()
                .map_or(String::new(), |since| since.to_string());
            assert_eq!(row[at("since")], since);
        }
    }
}

/// Since when a running average is sure is the last point of its course at which that changed; what
/// is open where all seats are filled is not decided in this run.
#[test]
fn sureness_is_dated_by_the_course_and_an_open_pair_says_not_in_this_run() {
    let rate = "report.judge=[\"selection_rate\"]";
    let few = [
        "rules.until={ accepted = 30 }",
        "report.at={ accepted = [30] }",
    ];
    for (set, is_long) in [(vec![rate], true), ([&[rate], &few[..]].concat(), false)] {
        let shown = shown(&set);
        let mut points = csv::Reader::from_reader(shown.course.as_bytes());
        let points: Vec<_> = points.records().map(|row| row.expect("a row")).collect();
        let mut dated = 0;
        for pair in &shown.pairs {
            let is_its = |row: &&csv::StringRecord| pair["a"] == row[1] && pair["b"] == row[2];
            let of_pair: Vec<(u64, &str)> = points
                .iter()
                .filter(is_its)
                .map(|row| (row[3].parse().expect("a number"), &row[7]))
                .collect();
            let is_sided = |(_, verdict): &&(u64, &str)| ["better", "worse"].contains(verdict);
            let first = of_pair.iter().find(is_sided).map(|(n, _)| *n);
            let date = |name: &str| pair["dated"][name].as_u64();
            assert_eq!(date("sure_at"), first, "{pair}");
            let is_open = pair["standing"] == "open";
            assert_eq!(pair["ends_before"].as_bool(), Some(is_open), "{pair}");
            if let Some(since) = date("since") {
                dated += 1;
                let later = of_pair.iter().filter(|(n, _)| *n >= since);
                assert!(
                    later
                        .clone()
                        .all(|(_, verdict)| pair["verdict"] == **verdict)
                );
                let said = format!("sure since person {since}");
                assert!(
                    shown.table.contains(&said) && shown.page.contains(&said),
                    "{said}"
                );
            }
        }
        assert_eq!(dated > 0, is_long);
        for surface in [&shown.table, &shown.markdown, &shown.page] {
            assert_eq!(surface.contains("not in this run"), !is_long);
            assert!(!surface.contains("more may decide it"), "{surface}");
            // How soon each filled its seats is said, as a fact.
            assert!(surface.contains("places after"), "{surface}");
        }
    }
}

#[test]
fn the_schema_of_the_summary_has_the_three_words() {
    let schema = Terminal::new().done(&["schema", "summary"]);
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let standing = &schema["$defs"]["Standing"];
    for word in ["sure", "open", "so_far"] {
        assert!(
            standing.to_string().contains(&format!("{word:?}")),
            "{standing}"
        );
    }
    let pair = &schema["$defs"]["Pair"]["properties"];
    for member in ["standing", "dated", "ends_before"] {
        assert!(pair[member].is_object(), "{member}");
    }
}
