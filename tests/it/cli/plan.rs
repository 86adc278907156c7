//! `klero plan`: letters and alternates, as users meet them.

use serde_json::Value;

use crate::support::configs::{ORGANISER, with};
use crate::support::project;
use crate::support::refusals::refusal;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

const CATEGORIES: &str =
    "feature,value,min,max\nGender,F,8,10\nGender,M,0,2\nAge,young,2,8\nAge,old,2,8\n";

/// 100 people, half of each gender, half of each age.
fn respondents() -> String {
    let row = |k: u32| {
        let gender = ["F", "M"][(k % 2) as usize];
        let age = ["young", "old"][(k / 2 % 2) as usize];
        let leaves = ["0.1", "0.4"][(k / 4 % 2) as usize];
        format!("p{k},{gender},{age},{leaves}\n")
    };
    let rows: String = (0..100).map(row).collect();
    format!("id,Gender,Age,leaves\n{rows}")
}

/// A committee of ten, eight of them women at least.
fn terminal(source: &str, sections: &str) -> Terminal {
    let terminal = Terminal::new();
    let edits = [
        ("accepted = 4", "accepted = 10"),
        ("id = \"id\"", &format!("id = \"id\"\n{source}")),
        ("[rules]\n", &format!("{sections}\n[rules]\n")),
    ];
    terminal.put("my.toml", with(ORGANISER, &edits));
    terminal.put("categories.csv", CATEGORIES);
    terminal.put("respondents.csv", respondents());
    terminal
}

fn planned(terminal: &Terminal, more: &[&str]) -> Value {
    let args = [&["plan", "my.toml", "--format", "json"], more].concat();
    serde_json::from_str(&terminal.done(&args)).expect("it is JSON")
}

/// P(at least `least` of `n` succeed).
fn upper_tail(n: u64, p: f64, least: u32) -> f64 {
    let mut term = libm::exp(n as f64 * libm::log1p(-p));
    let mut below = 0.0;
    for k in 0..u64::from(least) {
        below += term;
        term *= (n as f64 - k as f64) / (k + 1) as f64 * p / (1.0 - p);
    }
    1.0 - below
}

#[test]
fn letters_to_wait_for_one_group_are_a_binomial() {
    let terminal = terminal("volunteering_rate = 0.04", "");
    for (sure, more) in [(0.95, &[][..]), (0.8, &["--sure", "0.8"])] {
        let found = planned(&terminal, more);
        let found = &found["letters"];
        let letters = found["letters"].as_u64().expect("a number");
        // Women are half of the 4 %, and eight are wanted.
        let suffices = upper_tail(letters, 0.02, 8);
        let se = (sure * (1.0 - sure) / 1_000.0_f64).sqrt();
        assert!(
            (suffices - sure).abs() <= 4.0 * se + 0.002,
            "{letters}: {suffices}"
        );
        assert_eq!(found["waits"][0]["value"], "F");
        assert_eq!(found["population"], "source");
        assert!(found["range"].is_null());
        let without = found["without"].as_array().expect("a list");
        assert_eq!(without[0]["attribute"], "Gender");
        assert!(without[0]["letters"].as_u64() < Some(letters * 3 / 4));
        assert_eq!(without[1]["letters"].as_u64(), Some(letters));
    }
    let said = terminal.done(&["plan", "my.toml"]);
    said.says("letters bring a pool with a committee");
    said.says("Gender F: at least 8");
    said.says("(4 % of letters are answered)");
    assert_eq!(terminal.done(&["plan", "my.toml"]), said);
    assert_ne!(terminal.done(&["plan", "my.toml", "--seed", "2"]), said);
}

#[test]
fn the_page_shows_what_is_printed() {
    let terminal = Terminal::new();
    terminal.done(&["show", "organiser", "--files", "configs"]);
    let said = terminal.done(&["plan", "configs/organiser.toml"]);
    let page = std::fs::read_to_string(project().join("docs/letters.md")).expect("it is there");
    assert!(page.contains(&said), "{said}");
}

#[test]
fn rates_by_group_and_their_uncertainty() {
    // The target wants 9 women of 10, so the population has as many; they answer at 2 %.
    let by = "[letters]\nby.Gender = { F = 0.02, M = 0.2 }\n";
    let known = planned(&terminal("", by), &[]);
    let letters = known["letters"]["letters"].as_u64().expect("a number");
    let suffices = upper_tail(letters, 0.9 * 0.02, 8);
    assert!(
        (suffices - 0.95).abs() < 4.0 * 0.0069 + 0.002,
        "{letters}: {suffices}"
    );
    assert_eq!(known["letters"]["population"], "target");
    let counted = "[letters]\nby.Gender = { F = { invited = 1000, answered = 20 }, M = 0.2 }\n";
    let unsure = planned(&terminal("", counted), &[]);
    let number = |value: &Value| value.as_u64().expect("a number");
    let more = number(&unsure["letters"]["letters"]);
    let [low, high] = [0, 1].map(|end| number(&unsure["letters"]["range"][end]));
    assert!(
        more > letters && low < letters && letters < high,
        "{letters} {more} {low} {high}"
    );
    let types = "[letters]\nrate = 0.02\npopulation = [{ Gender = \"F\", Age = \"old\", p = 0.2 }, \
        { Gender = \"F\", Age = \"young\", p = 0.2 }, { Gender = \"M\", Age = \"old\", p = 0.6 }]\n";
    let terminal = terminal("", types);
    let listed = planned(&terminal, &[]);
    let letters = number(&listed["letters"]["letters"]);
    let suffices = upper_tail(letters, 0.4 * 0.02, 8);
    assert!(
        (suffices - 0.95).abs() < 4.0 * 0.0069 + 0.002,
        "{letters}: {suffices}"
    );
    assert_eq!(listed["letters"]["population"], "types");
    // A run is the same with and without the section.
    let run = ["run", "my.toml", "--format", "csv"];
    let plain = super::plan::terminal("", "");
    assert_eq!(terminal.done(&run), plain.done(&run));
}

#[test]
fn quotas_on_pairs_take_letters_too() {
    let pairs = |max: u32| {
        let terminal = terminal("volunteering_rate = 0.04", "");
        let config = terminal.read("my.toml");
        let target = "categories = \"categories.csv\"";
        let both = format!("{target}\nintersections = \"pairs.csv\"");
        terminal.put("my.toml", with(&config, &[(target, &both)]));
        let head = "category 1,feature 1,category 2,feature 2,min,max";
        terminal.put("pairs.csv", format!("{head}\nGender,F,Age,old,{max},10\n"));
        let found = planned(&terminal, &[]);
        found["letters"]["letters"].as_u64().expect("a number")
    };
    // A quarter of the 4 % are women who are old: seven of them take longer than eight women.
    let letters = pairs(7);
    let suffices = upper_tail(letters, 0.01, 7);
    assert!((0.92..0.98).contains(&suffices), "{letters}: {suffices}");
    assert!(pairs(1) < letters * 2 / 3);
}

/// The first women and men of the file who keep the quotas.
const PANEL: &str = "role,id\nm,p0\nm,p2\nm,p4\nm,p6\nm,p8\nm,p10\nm,p12\nm,p14\nm,p1\nm,p3\n";

/// P(k of n leave).
fn binomial(n: u32, p: f64, k: u32) -> f64 {
    let choose: f64 = (0..k)
        .map(|i| f64::from(n - i) / f64::from(i + 1))
        .product();
    choose * libm::pow(p, f64::from(k)) * libm::pow(1.0 - p, f64::from(n - k))
}

#[test]
fn the_seats_off_without_alternates_have_a_closed_form() {
    let terminal = terminal("", "[dropout]\nrate = 0.2\n");
    terminal.put("panel.csv", PANEL);
    let found = planned(&terminal, &["--panel", "panel.csv", "--alternates", "4"]);
    let found = &found["alternates"];
    assert_eq!(found["breaches"], 0);
    assert!((found["leavers"].as_f64().unwrap() - 2.0).abs() < 1e-9);
    // Eight women of at least eight; five young and five old of at least two each.
    let short = |there: u32, least: u32| -> f64 {
        let of = |gone: u32| f64::from((least + gone).saturating_sub(there));
        (0..=there)
            .map(|gone| binomial(there, 0.2, gone) * of(gone))
            .sum()
    };
    let exact = short(8, 8) + 2.0 * short(5, 2);
    let rule = |at: usize| {
        let of = &found["expected"][at];
        let number = |key: &str| of[key].as_f64().expect("a number");
        (
            of["rule"].as_str().unwrap(),
            number("seats_off"),
            number("se"),
            number("kept"),
        )
    };
    let (name, off, se, _) = rule(2);
    assert_eq!(name, "none");
    assert!((off - exact).abs() <= 4.0 * se, "{off} {exact} {se}");
    // Four women replace up to four; five or more of eight leave seldom.
    let (name, off, se, kept) = rule(0);
    let seldom: f64 = (5..=8).map(|gone| binomial(8, 0.2, gone)).sum();
    assert_eq!(name, "chosen");
    assert!(
        (1.0 - kept - seldom).abs() < 0.01 && off <= 0.05 && se < 0.01,
        "{off} {kept}"
    );
    let alternates = found["alternates"].as_array().expect("a list");
    assert_eq!(alternates.len(), 4);
    for one in alternates {
        let number: u32 = one.as_str().unwrap()[1..]
            .parse()
            .expect("an id of the file");
        assert!(
            number.is_multiple_of(2) && number > 14,
            "{one} is a woman and no member"
        );
    }
    let said = terminal.done(&["plan", "my.toml", "--panel", "panel.csv"]);
    said.says("2 alternates of a panel of 10, of whom 2.0 leave");
}

#[test]
fn who_leaves_by_value_and_by_column() {
    let leavers = |section: &str| {
        let terminal = terminal("", section);
        terminal.put("panel.csv", PANEL);
        let found = planned(&terminal, &["--panel", "panel.csv"]);
        found["alternates"]["leavers"].as_f64().expect("a number")
    };
    // p0 to p3 and p8 to p11 leave with .1, the others with .4: of the panel p0, p1, p2, p3, p8,
    // p10 and p4, p6, p12, p14.
    let of_column = leavers("[dropout]\ncolumn = \"leaves\"\n");
    assert!(
        (of_column - (6.0 * 0.1 + 4.0 * 0.4)).abs() < 1e-9,
        "{of_column}"
    );
    // Who stays does so by each of the two: young p0, p1, p4, p8, p12 and old p2, p3, p6, p10, p14.
    let by =
        leavers("[dropout]\nrate = 0.1\nby = { Age = { young = 0.5 }, Gender = { M = 0.2 } }\n");
    let due = 4.0 * (1.0 - 0.9 * 0.5) + (1.0 - 0.9 * 0.5 * 0.8) + (1.0 - 0.9 * 0.8) + 4.0 * 0.1;
    assert!((by - due).abs() < 1e-9, "{by} {due}");
}

#[test]
fn what_can_not_be_planned() {
    let mut page = String::new();
    let mut refused = |terminal: &Terminal, args: &[&str]| {
        let said = refusal(terminal, &[&["plan", "my.toml"], args].concat());
        page += &format!("## {args:?}\n{said}\n");
    };
    let silent = terminal("", "");
    refused(&silent, &[]);
    silent.put("panel.csv", PANEL);
    refused(&silent, &["--panel", "panel.csv"]);
    let terminal = terminal("volunteering_rate = 0.04", "[dropout]\nrate = 0.1\n");
    terminal.put("panel.csv", PANEL.replace("m,p2\n", "m,pp\nm,p0\nm\n"));
    refused(&terminal, &["--panel", "panel.csv"]);
    terminal.put("panel.csv", format!("{PANEL}m,p16\n"));
    refused(&terminal, &["--panel", "panel.csv"]);
    refused(&terminal, &["--panel", "panels.csv"]);
    refused(&terminal, &["--alternates", "3"]);
    refused(&terminal, &["--sure", "1"]);
    refused(&terminal, &["--simulations", "0"]);
    // No one who answers is a man, and two old people who are not women are wanted.
    let config = terminal.read("my.toml");
    let listed = "[letters]\nrate = 0.1\npopulation = [{ Gender = \"F\", Age = \"old\", p = 1 }]\n\n[dropout]";
    terminal.put("my.toml", with(&config, &[("[dropout]", listed)]));
    refused(&terminal, &[]);
    insta::assert_snapshot!(terminal.plain(&page));
}
