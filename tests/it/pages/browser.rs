//! The pages in headless Chromium, desktop and phone, light and dark: no console error, no outside
//! request, every figure drawn and legible, nothing out of its box, all reached and read by keys,
//! no axe-core violation of WCAG 2.2 AA. `.ci/test` installs what that takes and names its folder
//! in KLERO_BROWSER.

use std::process::{Command, Output};

use crate::support::configs::SOUND;
use crate::support::programs::browser;
use crate::support::project;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed, with};

/// What is said of some pages, maybe at one width alone; nothing where there is no browser.
fn looked(terminal: &Terminal, pages: &[&str], once: Option<u32>) -> Option<Output> {
    let modules = browser()?;
    let mut look = Command::new("node");
    look.arg(project().join("tests/browser/look.mjs"))
        .arg(modules);
    if let Some(width) = once {
        look.env("KLERO_ONCE", width.to_string());
    }
    look.args(pages).current_dir(terminal.path(""));
    Some(look.output().expect("node runs"))
}

/// A run of policies with names that are hard to show.
fn odd(terminal: &Terminal) {
    let long = "supercalifragilisticexpialidocious".repeat(2);
    let names = [
        "<script>alert(1)</script>",
        "\u{43f}\u{440}\u{43e}\u{437}\u{43e}\u{440}\u{438}\u{439} \u{2260} \u{516c}\u{5e73}",
        "a very long name that goes on and on until nobody would want to read it, and then further",
        &long,
        "\u{645}\u{631}\u{62d}\u{628}\u{627}",
        "greedy with tolerance .12",
        "greedy with tolerance .14",
        "greedy with tolerance .16",
    ];
    let mut config = SOUND.replace("name = \"small\"", &format!("name = \"{long}\""));
    for (n, name) in names.iter().enumerate() {
        let tolerance = 2 * n + 2;
        config += &format!(
            "\n[[policy]]\nlabel = \"{name}\"\nkind = \"greedy\"\ntolerance = 0.{tolerance:02}\n"
        );
    }
    terminal.put("odd.toml", config);
    terminal.done(&["run", "odd.toml", "--quiet", "--out", "odd"]);
    terminal.done(&["report", "odd"]);
}

#[test]
fn the_pages_hold_in_a_browser() {
    let terminal = Terminal::new();
    let few = |preset, more: &[&str]| {
        let args = [
            "run",
            preset,
            "--quiet",
            "--replications",
            "8",
            "--out",
            preset,
        ];
        terminal.done(&with(&args, more));
        terminal.done(&["report", preset]);
    };
    few("committee-brexit-like", &[]);
    few("hiring-seasons", &["--trace", "decisions"]);
    few("schumann2019-t2", &[]);
    few(
        "grazzi2022-groups",
        &[
            "--set",
            "rules.until.rounds=60",
            "--set",
            "report.at=[20,60]",
        ],
    );
    odd(&terminal);
    few(
        "puranik2022-fig1d",
        &[
            "--set",
            "rules.until.rounds=101",
            "--set",
            "report.at=[1,21,41,61,81,101]",
        ],
    );
    few(
        "puranik2022-fig1a",
        &[
            "--set",
            "rules.until.rounds=21",
            "--set",
            "report.at=[1,21]",
        ],
    );
    terminal.done(&typed(
        "reproduce do2021-table1 do2021-fig1 --quick --quiet --out papers",
    ));
    terminal.done(&["show", "organiser", "--files", "."]);
    let run = ["run", "organiser.toml", "--quiet", "--replications", "8"];
    terminal.done(&with(&run, &["--out", "assembly", "--trace", "decisions"]));
    terminal.done(&["report", "assembly"]);
    let draw = ["draw", "organiser.toml", "--policy", "look-ahead"];
    let more = ["--seed-from", "4 8 15 16 23 42", "--chances", "20"];
    terminal.done(&[&draw[..], &more, &["--out", "panel"]].concat());
    let swept = format!(
        "{SOUND}\n[sweep]\n\"rules.until.accepted\" = [10, 12, 100]\n\
         'policy.\"greedy .05\".tolerance' = [0.05, 0.1]\n"
    );
    terminal.put("swept.toml", swept);
    terminal.done(&["run", "swept.toml", "--quiet", "--out", "swept"]);
    terminal.done(&["report", "swept"]);
    let pages = [
        "swept/report.html",
        "swept/point-002/report.html",
        "panel/index.html",
        "committee-brexit-like/report.html<4220",
        "assembly/report.html",
        "hiring-seasons/report.html",
        "grazzi2022-groups/report.html",
        "schumann2019-t2/report.html",
        "odd/report.html",
        "puranik2022-fig1d/report.html",
        "puranik2022-fig1a/report.html",
        "papers/index.html",
        "papers/do2021-table1.html",
    ];
    let Some(output) = looked(&terminal, &pages, None) else {
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    println!("{said}");
}

/// What is changed in a page, and what is then said of it.
struct Fault {
    name: &'static str,
    from: &'static str,
    to: &'static str,
    words: &'static str,
}

const fn fault(
    name: &'static str,
    from: &'static str,
    to: &'static str,
    words: &'static str,
) -> Fault {
    Fault {
        name,
        from,
        to,
        words,
    }
}

/// Faults of a report's page: of its looks, then of its script.
const OF_REPORT: &[Fault] = &[
    fault(
        "pale",
        "--muted:#565d66",
        "--muted:#b9bfc6",
        "axe-core: color-contrast",
    ),
    fault(
        "script",
        "\"use strict\";",
        "\"use strict\";nothing();",
        "script: ReferenceError",
    ),
    fault(
        "sizes",
        "<text x=",
        "<text font-size=\"17\" x=",
        "texts of ",
    ),
    fault(
        "over",
        "<text x=",
        "<text x=\"30\" y=\"18.5\">a</text><text x=\"32\" y=\"18.5\">b</text><text x=",
        "\"a\" over \"b\"",
    ),
    fault(
        "outside",
        "<main>",
        "<main><img alt=\"x\" src=\"https://example.org/x.png\"/>",
        "asks for https://example.org/x.png",
    ),
    fault(
        "wide",
        "<main>",
        "<main><div style=\"width:3000px\">x</div>",
        "it is ",
    ),
    fault(
        "names",
        "<main>",
        "<main><input type=\"text\"/>",
        "axe-core: label",
    ),
    fault(
        "headings",
        "<main>",
        "<main><h5>x</h5>",
        "axe-core: heading-order",
    ),
    fault(
        "ring",
        ":focus-visible{outline:2px solid",
        ":focus-visible{outline:0 none",
        "it is not seen that",
    ),
    fault(
        "order",
        "<nav ",
        "<a href=\"#section-1\" tabindex=\"3\">first</a><nav ",
        "tab 1 leads to",
    ),
    fault(
        "picture",
        "klero-figure k-wide\"",
        "klero-figure k-wide\" style=\"display:none\"",
        "no picture",
    ),
    fault(
        "nested",
        "<main>",
        "<main><div style=\"height:30px;overflow-y:auto\">a<br/>b<br/>c<br/>d</div>",
        "a box hides ",
    ),
    fault(
        "minus",
        "<main>",
        "<main><table><tbody><tr><td>-1.5</td></tr></tbody></table>",
        "a hyphen in place of a minus: \"-1.5\"",
    ),
    fault(
        "paper",
        "<main>",
        "<main><div class=\"k-panels\" style=\"white-space:nowrap;padding-left:700px\">beyond</div>",
        "on paper: \"beyond\" is cut off",
    ),
    fault(
        "tip",
        "tip.hidden = !tipped;",
        "tip.hidden = true;",
        "the pointer shows no values",
    ),
    fault(
        "cursor",
        "other.mark(place || null)",
        "other.mark(null)",
        "no cursor in ",
    ),
    fault(
        "keys",
        "slide.addEventListener(\"input\", () => here(true));",
        "",
        "the keys change nothing",
    ),
    fault(
        "rest",
        "document.activeElement?.matches(\".k-slide:focus-visible\") || read.rest()",
        "read.rest()",
        "a scroll below a pointer at rest hides",
    ),
    fault(
        "row",
        "if (hidden.has(look)) gone += row;",
        "",
        "hidden, it leaves its row",
    ),
    fault(
        "switch",
        "one.classList.toggle(\"k-off\", !box.checked)",
        "0",
        "can't be hidden and shown",
    ),
    fault(
        "kept",
        "chosen.append(\"hide\", name(box))",
        "0",
        "the address is ",
    ),
    fault(
        "asked",
        "if (asked.getAll(\"hide\").includes(name(box))) box.checked = false;",
        "0;",
        "what was chosen does not come back",
    ),
    fault(
        "measure",
        "(isOf && title !== measure.value)",
        "false",
        "the chosen measure is not shown alone",
    ),
    fault(
        "tables",
        "one.hidden = isJudged",
        "one.hidden = false",
        "the verdicts on other measures stay",
    ),
    fault(
        "frame",
        "looks.every((look) => hidden.has(look))",
        "false",
        "hidden, it leaves an empty frame",
    ),
    fault(
        "folded",
        "content-visibility:visible",
        "content-visibility:hidden",
        "on paper: \"Setting\" is shut",
    ),
    fault(
        "torn",
        "figure,.k-panel,",
        ".k-none,",
        "on paper: a caption is torn from its figure",
    ),
    fault(
        "png",
        "save(stem + \".png\", canvas.toDataURL(\"image/png\"));",
        "",
        "PNG gives no file",
    ),
];

/// Faults of the index of studies and of a sweep's map and table.
const OF_OTHERS: &[Fault] = &[
    fault(
        "map",
        "<figure id=\"figure-1\"",
        "<figure",
        "\"Who leads where\" can't be taken away",
    ),
    fault("filter", "row.hidden = !fits;", "", "filtered by "),
    fault(
        "link",
        "history.replaceState(null, \"\", \"#\" + state);",
        "0;",
        "the address does not hold the filter",
    ),
    fault(
        "sorted",
        "const number = (text) => parseFloat(",
        "const number = (text) => -parseFloat(",
        "ascending, but ",
    ),
    fault(
        "aria",
        "head.setAttribute(\"aria-sort\", down ? \"descending\" : \"ascending\");",
        "",
        "aria-sort is ",
    ),
    fault(
        "hash",
        "found === due",
        "due === due",
        "the hashes of another commitment: ",
    ),
];

/// A page with one of the faults, which it must hold the place of. It has no content policy, which
/// would keep a changed script from running.
fn planted(terminal: &Terminal, page: &str, fault: &Fault) -> String {
    let name = fault.name;
    assert!(page.contains(fault.from), "{name}");
    let path = format!("{name}.html");
    let free = page.replacen("http-equiv=\"Content-Security-Policy\"", "name=\"x\"", 1);
    assert!(free != page, "{name}");
    terminal.put(&path, free.replacen(fault.from, fault.to, 1));
    path
}

/// Each of some faults is seen, and reported of the page that has it.
#[test]
fn faults_of_a_page_are_reported() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal.done(&["run", "my.toml", "--quiet", "--out", "a"]);
    terminal.done(&["report", "a"]);
    let second = "\n[[policy]]\nlabel = \"greedy .1\"\nkind = \"greedy\"\ntolerance = 0.1\n";
    terminal.put("two.toml", format!("{SOUND}{second}"));
    let keys = [
        "rules.until.accepted=10,12,100",
        "policy.greedy .05.tolerance=0.05,0.1",
    ];
    let sweep = ["--sweep", keys[0], "--sweep", keys[1]];
    terminal.done(&with(&["run", "two.toml", "-q", "--out", "s"], &sweep));
    terminal.done(&["report", "s"]);
    let studies = ["do2021-table1", "do2021-example2", "--quick", "--quiet"];
    terminal.done(&with(&["reproduce", "--out", "p"], &studies));
    let report = terminal.read("a/report.html");
    let of_report = OF_REPORT
        .iter()
        .map(|fault| planted(&terminal, &report, fault));
    let mut pages: Vec<String> = of_report.collect();
    terminal.done(&["show", "organiser", "--files", "."]);
    let draw = [
        "draw",
        "organiser.toml",
        "--policy",
        "look-ahead",
        "--out",
        "d",
    ];
    terminal.done(&with(&draw, &["--seed-from", "4 8 15 16 23 42"]));
    let others = ["p/index.html", "s/report.html", "d/index.html"].map(|page| terminal.read(page));
    for fault in OF_OTHERS {
        let page = others.iter().find(|page| page.contains(fault.from));
        pages.push(planted(&terminal, page.expect(fault.name), fault));
    }
    terminal.put("sound.html", &report);
    pages.push("sound.html".into());
    // A study may have a panel without a name and no choice of measures.
    let bare = report.replacen(" data-panel=", " data-none=", 1);
    terminal.put(
        "bare.html",
        bare.replacen("id=\"measure\"", "id=\"none\"", 1),
    );
    pages.push("bare.html".into());
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let Some(output) = looked(&terminal, &pages, Some(1280)) else {
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for Fault { name, words, .. } in OF_REPORT.iter().chain(OF_OTHERS) {
        let of_it = format!("{name}.html, 1280 wide, light: ");
        let mut lines = said.lines().filter(|line| line.starts_with(&of_it));
        assert!(lines.any(|line| line.contains(words)), "{name}: {said}");
    }
    said.never_says("sound.html");
    said.never_says("bare.html");
    // On a phone: its height, and what does not open.
    let fold = fault(
        "fold",
        "fold(!one.classList.contains(\"k-folded\"))",
        "0",
        "",
    );
    let fold = planted(&terminal, &report, &fold);
    let pages = [&*fold, "sound.html<1000"];
    let output = looked(&terminal, &pages, Some(390)).expect("a browser");
    let said = String::from_utf8_lossy(&output.stdout);
    for words in [
        "fold.html, 390 wide, light: fold 0 does not open",
        "high, not within 1000",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}
