//! `klero report`: the page of a finished run.

use kleroterion::report::files::FIGURE_FILES;
use roxmltree::{Document, Node};
use serde_json::Value;

use crate::support::configs::SOUND;
use crate::support::says::Says as _;
use crate::support::terminal::{FEW, Terminal, typed, with};

/// The most bytes of a page.
const MOST: usize = 400_000;
/// The most bytes of the page of the main job.
const MAIN: usize = 300_000;

/// The figures' files of a run of generated people, who have no chances of their own. The first
/// holds the bars of the verdicts, which are a table on the page.
fn drawn() -> Vec<&'static str> {
    let mut names = FIGURE_FILES.to_vec();
    names.retain(|name| *name != "chances.svg");
    names
}

/// The body of a page, which is well-formed XML.
fn body(html: &str) -> &str {
    let from = html.find("<body>").expect("a body");
    let to = html.find("<script>").unwrap_or(html.len());
    let to = html[..to].rfind("</main>").expect("its end");
    &html[from + "<body>".len()..to + "</main>".len()]
}

/// All text below a node, piece by piece.
fn texts(node: Node<'_, '_>) -> Vec<String> {
    let pieces = node.descendants().filter(|node| node.is_text());
    pieces
        .filter_map(|node| node.text())
        .map(str::to_owned)
        .collect()
}

fn parsed<R>(html: &str, look: impl FnOnce(&Document<'_>) -> R) -> R {
    let text = format!("<body>{}</body>", body(html));
    look(&Document::parse(&text).expect("well-formed"))
}

#[test]
fn the_verdicts_come_first_and_every_figure_has_a_table_and_a_file() {
    let terminal = Terminal::new();
    terminal.done(&with(FEW, &["--out", "runs/a"]));
    let said = terminal.klero(&["report", "runs/a"]);
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (Some(0), "runs/a/report.html\n")
    );
    assert_eq!(said.stderr, "");
    let html = terminal.read("runs/a/report.html");
    assert!(html.len() <= MAIN, "{}", html.len());
    let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text}"));
    let order = [
        "<h1>",
        "class=\"found ",
        ">Verdicts</h2>",
        "class=\"verdicts ",
        ">Figures</h2>",
        "<figure ",
        ">What was run, and what is assumed</h2>",
        ">All measures</h2>",
        ">Glossary</h2>",
        ">How to have it again</h2>",
    ];
    let places = order.map(place);
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(terminal.names("runs/a/figures").len(), drawn().len());
    parsed(&html, |page| {
        let figures: Vec<_> = page
            .descendants()
            .filter(|node| node.has_tag_name("figure"))
            .collect();
        assert_eq!(figures.len(), drawn().len() - 1);
        for figure in figures {
            assert!(figure.descendants().any(|node| node.has_tag_name("table")));
            assert!(figure.descendants().any(|node| node.has_tag_name("path")));
        }
    });
    for name in drawn() {
        assert!(html.contains(&format!("href=\"figures/{name}\"")));
        let svg = terminal.read(&format!("runs/a/figures/{name}"));
        assert!(
            svg.starts_with("<svg ") && Document::parse(&svg).is_ok(),
            "{name}"
        );
    }
    for outside in [
        "http:", "https:", "url(", "@import", "<img", "<iframe", "src=",
    ] {
        assert!(!html.contains(outside), "{outside}");
    }
}

/// Whether a row is the head or the axis of its table.
fn is_aside(row: Node<'_, '_>) -> bool {
    row.parent().is_some_and(|of| !of.has_tag_name("tbody"))
}

/// What the page says is what `summary.json` says, verdict for verdict.
#[test]
fn every_verdict_of_the_summary_is_on_the_page() {
    let terminal = Terminal::new();
    terminal.done(&with(FEW, &["--out", "a"]));
    terminal.done(&["report", "a"]);
    let summary: Value = serde_json::from_str(&terminal.read("a/summary.json")).expect("JSON");
    let pairs = summary["pairs"].as_array().expect("pairs");
    let known: Vec<(String, String)> = pairs
        .iter()
        .map(|pair| {
            let of = |name: &str| pair[name].as_str().expect("a word").replace('_', " ");
            // A yardstick bears a mark behind its name.
            let role = &summary["policies"][pair["a"].as_str().expect("a label")]["role"];
            let chip = if role == "yardstick" {
                " yardstick"
            } else {
                ""
            };
            let words = match (&*of("standing"), &*of("verdict")) {
                ("sure", verdict) => format!("sure: {verdict}"),
                (standing, "identical") => format!("{standing}: equal"),
                (standing, _) => standing.to_owned(),
            };
            (of("a") + chip, words)
        })
        .collect();
    let mut shown = parsed(&terminal.read("a/report.html"), |page| {
        let tables = page.descendants().filter(|node| {
            node.attribute("class")
                .is_some_and(|of| of.starts_with("verdicts "))
        });
        let rows = tables.flat_map(|table| {
            table
                .descendants()
                .filter(|node| node.has_tag_name("tr") && !is_aside(*node))
                .collect::<Vec<_>>()
        });
        rows.flat_map(|row| {
            let who = row
                .children()
                .find(|node| node.is_element())
                .map(texts)
                .expect("a name")
                .concat();
            let chips = row.descendants().filter(|node| {
                node.attribute("class")
                    .is_some_and(|class| class.starts_with("verdict "))
            });
            // The sign comes before the words.
            let chips = chips.map(|chip| texts(chip)[1..].concat().trim().to_owned());
            chips
                .map(|verdict| (who.clone(), verdict))
                .collect::<Vec<_>>()
        })
        .filter(|(_, verdict)| verdict != "baseline")
        .collect::<Vec<_>>()
    });
    let mut known = known;
    known.sort();
    shown.sort();
    assert_eq!(shown, known);
    let html = terminal.read("a/report.html");
    assert!(html.contains("seed 2021"));
    // A policy has one row, with what is known of it on both measures.
    assert_eq!(html.matches("class=\"verdicts ").count(), 1);
    assert!(html.contains(">wins ") && html.contains(" of 100</span>"));
    // So is what an open comparison needs, and what is next to the intervals.
    let open = pairs.iter().filter_map(|pair| pair["needed"].as_u64());
    assert!(open.clone().count() > 0 && open.max() < Some(1_000_000));
    let needs = html.matches("more may decide it").count();
    assert!(needs >= pairs.iter().filter(|pair| pair["needed"].is_u64()).count());
    let intervals = html
        .split("Medians, how often one is better")
        .nth(1)
        .expect("a table");
    let intervals = intervals.split("</table>").next().expect("its end");
    assert_eq!(
        intervals.matches("<tr><th scope=\"row\"").count(),
        pairs.len()
    );
}

#[test]
fn the_same_run_gives_the_same_bytes_and_nothing_else_is_touched() {
    let terminal = Terminal::new();
    terminal.done(&with(FEW, &["--out", "a"]));
    let files = [
        "config.toml",
        "replications.csv",
        "selected.csv",
        "summary.json",
        "timing.json",
    ];
    let before = files.map(|file| terminal.read(&format!("a/{file}")));
    terminal.done(&["report", "a"]);
    let all = || {
        let figures = drawn().into_iter();
        let figures = figures.map(|name| terminal.read(&format!("a/figures/{name}")));
        let figures: Vec<String> = figures.collect();
        (terminal.read("a/report.html"), figures)
    };
    let first = all();
    // A report that is there is written anew, without being asked twice.
    terminal.put("a/report.html", "old");
    terminal.put("a/figures/mine.svg", "mine");
    terminal.done(&["report", "a/"]);
    assert!(all() == first, "the bytes differ");
    assert_eq!(terminal.read("a/figures/mine.svg"), "mine");
    assert_eq!(
        files.map(|file| terminal.read(&format!("a/{file}"))),
        before
    );
    // Another run in the folder takes the old one's report with it.
    terminal.done(&with(FEW, &["--out", "a", "--force"]));
    assert!(!terminal.path("a/report.html").exists());
    assert_eq!(terminal.names("a/figures"), ["mine.svg"]);
}

#[test]
fn names_are_text_and_never_markup() {
    let terminal = Terminal::new();
    let name = r#"</title><script>alert(1)</script> & "x""#;
    let label = r#"<b onload='x'>&\" | `R`"#;
    let config = SOUND
        .replace("name = \"small\"", &format!("name = '{name}'"))
        .replace("\"greedy .05\"", &format!("\"{label}\""))
        .replace("M = 0", "\"<M>&\" = 0");
    terminal.put("my.toml", config);
    terminal.done(&["run", "my.toml", "--out", "a"]);
    terminal.done(&["report", "a"]);
    let html = terminal.read("a/report.html");
    html.never_says("<script>alert");
    html.never_says("<b onload");
    html.never_says("<M>");
    assert_eq!(html.matches("<script>").count(), 1);
    let label = label.replace('\\', "");
    parsed(&html, |page| {
        let texts: Vec<&str> = page.descendants().filter_map(|node| node.text()).collect();
        assert!(texts.contains(&label.as_str()));
    });
    for name in terminal.names("a/figures") {
        let svg = terminal.read(&format!("a/figures/{name}"));
        assert!(Document::parse(&svg).is_ok(), "{name}");
    }
}

/// Many moments, many policies, all pairs: tables give way, figures and verdicts stay.
#[test]
fn a_large_run_fits() {
    let terminal = Terminal::new();
    let moments: Vec<String> = (1..=150).map(|k| k.to_string()).collect();
    let at = format!("report.at=[{}]", moments.join(","));
    terminal.done(&with(FEW, &["--out", "long", "--set", &at]));
    let mut config = SOUND.replace("baseline = \"all\"", "pairs = \"all\"");
    for n in 0..40 {
        config += &format!(
            "\n[[policy]]\nlabel = \"greedy number {n}\"\nkind = \"greedy\"\ntolerance = 0.{:02}\n",
            n + 10
        );
    }
    terminal.put("wide.toml", config);
    terminal.done(&typed("run wide.toml --out wide --quiet --replications 30"));
    for folder in ["long", "wide"] {
        terminal.done(&["report", folder]);
        let html = terminal.read(&format!("{folder}/report.html"));
        assert!(html.len() <= MOST, "{folder}: {}", html.len());
        assert_eq!(
            html.matches("<figure ").count() + 1,
            terminal.names(&format!("{folder}/figures")).len()
        );
        assert!(html.matches("<figure ").count() >= 3, "{folder}");
        parsed(&html, |_| ());
    }
    assert!(
        terminal
            .read("wide/report.html")
            .contains("of 861; all are in summary.json")
    );
}

#[test]
fn runs_without_verdicts_or_series_have_a_report() {
    let terminal = Terminal::new();
    terminal.put("bare.toml", SOUND.split("[report]").next().expect("a head"));
    terminal.done(&["run", "bare.toml", "--out", "bare", "--quiet"]);
    terminal.done(&typed(
        "run bare.toml --out one --quiet --replications 1 --only all",
    ));
    for (folder, said) in [
        ("bare", "Nothing was compared"),
        ("one", "nothing to compare it with"),
    ] {
        terminal.done(&["report", folder]);
        let html = terminal.read(&format!("{folder}/report.html"));
        assert!(html.contains(said), "{folder}");
        parsed(&html, |_| ());
    }
    assert!(!terminal.path("bare/figures/verdicts.svg").exists());
}

#[test]
fn a_sweep_has_a_report_for_each_run_and_a_page_that_leads_to_them() {
    let terminal = Terminal::new();
    let config = SOUND.replace("at = [5, 10]\n", "");
    terminal.put(
        "my.toml",
        format!(
            "{config}\n[sweep]\n\"rules.until.accepted\" = [10, 5]\nname = [\"x y\", \"a/b\"]\n"
        ),
    );
    terminal.done(&["run", "my.toml", "--out", "d", "--quiet"]);
    assert_eq!(terminal.done(&["report", "d"]), "d/report.html\n");
    let index = terminal.read("d/report.html");
    let links: Vec<&str> = index
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|link| *link != "data:,")
        .collect();
    // By the swept values: numbers as numbers, texts in the order of the sweep.
    let known = ["003", "004", "001", "002"].map(|n| format!("point-{n}/report.html"));
    let runs: Vec<&str> = links
        .iter()
        .copied()
        .filter(|link| link.starts_with("point-"))
        .collect();
    assert_eq!(runs, known);
    for link in links.iter().filter(|link| !link.starts_with('#')) {
        assert!(terminal.path(&format!("d/{link}")).exists(), "{link}");
    }
    assert!(index.contains("Largest gap to a target (points) (less is better). "));
    // Each run leads back, and on to the next.
    let run = terminal.read("d/point-004/report.html");
    for link in [
        "../report.html",
        "../point-003/report.html",
        "../point-001/report.html",
    ] {
        assert!(run.contains(&format!("href=\"{link}\"")), "{link}");
    }
    // One that is cut off is reported, and nothing is written.
    let one = "d/point-003";
    terminal.put(&format!("{one}/progress.ndjson"), "");
    terminal.put("d/report.html", "old");
    let said = terminal.klero(&["report", "d"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    said.stderr
        .says("point-003: the folder holds a run that is under way");
    assert_eq!(terminal.read("d/report.html"), "old");
}
