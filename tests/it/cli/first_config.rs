//! `klero init`: files as people have them become configs that run, or errors with a remedy.

use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, on_one_line};
use crate::support::wants::data;

/// 60 people as rows of separated text, with what each test changes.
struct People {
    delimiter: char,
    header: &'static str,
    end: &'static str,
}

const COMMAS: People = People {
    delimiter: ',',
    header: "id,gender,region,age",
    end: "\n",
};

impl People {
    fn rows(&self, cell: impl Fn(usize) -> String) -> String {
        let mut text = String::new();
        if !self.header.is_empty() {
            text += &self.header.replace(',', &self.delimiter.to_string());
            text += self.end;
        }
        for at in 0..60 {
            text += &cell(at).replace(',', &self.delimiter.to_string());
            text += self.end;
        }
        text
    }

    fn text(&self) -> String {
        self.rows(person)
    }
}

fn person(at: usize) -> String {
    let gender = match at {
        _ if at % 20 == 19 => "Other",
        _ => ["Woman", "Man"][usize::from(at % 3 == 1)],
    };
    let region = ["North", "South", "East"][at / 7 % 3];
    format!("P{at:03},{gender},{region},{}", 18 + at)
}

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| c as u8).collect()
}

/// A name, the bytes of the file, and what `init` says of them where they give no config.
fn files() -> Vec<(&'static str, Vec<u8>, Option<&'static str>)> {
    let with = |delimiter| {
        People {
            delimiter,
            ..COMMAS
        }
        .text()
        .into_bytes()
    };
    let header = |header| People { header, ..COMMAS };
    let accents = COMMAS.text().replace("North", "Nördlich");
    let people = |cell: fn(usize) -> String| COMMAS.rows(cell).into_bytes();
    let wide = |at: usize| -> String {
        let cells: Vec<String> = (0..300).map(|c| format!("{}", at * (c + 3) % 7)).collect();
        cells.join(",")
    };
    let names: Vec<String> = (0..300).map(|at| format!("q{at}")).collect();
    let mut many = names.join(",") + "\n";
    (0..60).for_each(|at| many += &(wide(at) + "\n"));
    let record = |at: usize| {
        format!(
            "{{\"id\":\"P{at}\",\"groups\":{{\"sex\":\"{}\"}},\"features\":{{\"x\":{}.5}},\"repaid\":{}}}\n",
            ["F", "M"][at % 2],
            at * 7 % 11,
            at / 3 % 2
        )
    };
    let records: String = (0..60).map(record).collect();
    vec![
        ("commas.csv", with(','), None),
        ("semicolons.csv", with(';'), None),
        ("tabs.tsv", with('\t'), None),
        ("bars.csv", with('|'), None),
        (
            "crlf.csv",
            People {
                end: "\r\n",
                ..COMMAS
            }
            .text()
            .into_bytes(),
            None,
        ),
        (
            "bom.csv",
            format!("\u{feff}{}", COMMAS.text()).into_bytes(),
            None,
        ),
        ("utf8.csv", accents.clone().into_bytes(), None),
        ("latin1.csv", latin1(&accents), None),
        ("utf16.csv", utf16(&accents), None),
        ("no header.csv", header("").text().into_bytes(), None),
        (
            "blanks in header.csv",
            header(" id , gender , region ,age").text().into_bytes(),
            None,
        ),
        (
            "upper case.csv",
            header("ID,GENDER,REGION,AGE").text().into_bytes(),
            None,
        ),
        (
            "quotes.csv",
            people(|at| format!("\"P{at}\",\"Wo\"\"man\",\"{}\",7", ["N", "S"][at % 2])),
            None,
        ),
        (
            "commas in quotes.csv",
            COMMAS
                .rows(person)
                .replace("North", "\"North, far\"")
                .into_bytes(),
            None,
        ),
        (
            "no id.csv",
            header("a,gender,region,age")
                .rows(|at| person(at % 9))
                .into_bytes(),
            None,
        ),
        (
            "blank cells.csv",
            people(|at| person(at).replace("Man", "")),
            None,
        ),
        (
            "dates.csv",
            header("id,gender,born,age")
                .rows(|at| format!("P{at},{},1980-01-{:02},7", ["F", "M"][at % 2], at % 28 + 1))
                .into_bytes(),
            None,
        ),
        (
            "codes.csv",
            people(|at| format!("{at},{},{},{}", at % 2 + 1, at % 5, 18 + at)),
            None,
        ),
        (
            "numbers alone.csv",
            header("id,x,y,z")
                .rows(|at| {
                    format!(
                        "P{at},{}.5,{}.25,{}.125",
                        at * 7 % 60,
                        at * 11 % 60,
                        at * 13 % 60
                    )
                })
                .into_bytes(),
            None,
        ),
        (
            "score.csv",
            header("id,gender,region,score").text().into_bytes(),
            None,
        ),
        (
            "outcome.csv",
            header("id,gender,age,hired")
                .rows(|at| format!("P{at},{},{}.5,{}", ["F", "M"][at % 2], 20 + at, at % 3 % 2))
                .into_bytes(),
            None,
        ),
        ("records.ndjson", records.clone().into_bytes(), None),
        (
            "blank lines.jsonl",
            records.replace('\n', "\n\n").into_bytes(),
            None,
        ),
        ("300 columns.csv", many.into_bytes(), None),
        (
            "twice.csv",
            header("id,gender,gender,age").text().into_bytes(),
            Some("two columns are called \"gender\""),
        ),
        (
            "odd names.csv",
            header("id,Geschlecht (m/w),Où?,age").text().into_bytes(),
            None,
        ),
        (
            "quote mark in a name.csv",
            header("id,\"a \"\"b\"\"\",region,age").text().into_bytes(),
            None,
        ),
        (
            "trailing newline lost.csv",
            COMMAS.text().trim_end().to_owned().into_bytes(),
            None,
        ),
        (
            "index of pandas.csv",
            header(",gender,region,age").text().into_bytes(),
            None,
        ),
        (
            "no rows.csv",
            b"id,gender\n".to_vec(),
            Some("holds no people"),
        ),
        ("empty.csv", Vec::new(), Some("the file is empty")),
        (
            "one column.csv",
            header("id").rows(|at| format!("P{at}")).into_bytes(),
            Some("no column groups people"),
        ),
        (
            "ragged.csv",
            people(|at| person(at) + if at == 9 { ",more" } else { "" }),
            Some("ragged.csv:11: the row has 5 cells and the first has 4"),
        ),
        ("book.xlsx", b"PK\x03\x04rest".to_vec(), Some("CSV UTF-8")),
        (
            "picture.csv",
            b"\x89PNG\0\0\0\x01\0\x02".to_vec(),
            Some("this is no text"),
        ),
        (
            "broken.ndjson",
            format!("{records}{{\"id\":\n").into_bytes(),
            Some("broken.ndjson:61:6: the line is not a JSON object"),
        ),
    ]
}

#[test]
fn files_as_people_have_them_give_configs_that_are_right_or_errors_with_remedies() {
    let terminal = Terminal::new();
    let files = files();
    assert!(files.len() > 30);
    let wrong: Vec<String> = files
        .into_iter()
        .filter_map(|(name, bytes, refused)| {
            terminal.put(name, bytes);
            let said = terminal.klero(&["init", name, "-o", "my.toml", "--force"]);
            let checked = || terminal.klero(&["check", "my.toml"]);
            let fault = match refused {
                None if said.code != Some(0) => said.stderr,
                None => {
                    let checked = checked();
                    (checked.code != Some(0)).then(|| checked.stderr + &terminal.read("my.toml"))?
                }
                Some(what) => {
                    let all = [what, "help:", "nothing was written"];
                    let complete = all.iter().all(|words| said.stderr.contains(words));
                    (said.code != Some(2) || !complete).then_some(said.stderr)?
                }
            };
            Some(format!("{name}: {fault}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// From files to a verdict by the goal and a page, in three commands.
fn journey(terminal: &Terminal, init: &[&str]) -> String {
    let start = std::time::Instant::now();
    terminal.done(&[&["init"], init, &["-o", "my.toml"]].concat());
    let table = terminal.done(&["run", "my.toml", "--out", "results", "-q"]);
    terminal.done(&["report", "results"]);
    println!("{init:?}: {:.1} s", start.elapsed().as_secs_f64());
    assert!(terminal.read("results/report.html").contains("<svg"));
    let answer = table.split("Answer: ").nth(1);
    on_one_line(answer.expect("a run ends with its answer"))
}

fn respondents() -> String {
    let pick = |at: usize, of: &[&str]| of[at % of.len()].to_owned();
    let row = |at: usize| {
        let draw = at * 7919 + at / 7 * 104_729;
        let gender = pick(draw / 3, &["Woman", "Man", "Woman", "Man", "Woman"]);
        let age = pick(draw / 5, &["16-34", "35-59", "60+", "60+"]);
        let region = pick(draw / 11, &["North", "South", "East"]);
        format!("R{at:04},{gender},{age},{region}\n")
    };
    let rows: String = (0..800).map(row).collect();
    format!("id,gender,age,region\n{rows}")
}

#[test]
fn an_organiser_reaches_a_verdict_by_the_goal_and_a_page_in_three_commands() {
    let terminal = Terminal::new();
    terminal.put("respondents.csv", respondents());
    let quotas = "category,name,min,max\ngender,Woman,19,21\ngender,Man,19,21\nage,16-34,9,11\nage,35-59,14,16\nage,60+,14,16\nregion,North,12,14\nregion,South,12,14\nregion,East,12,14\n";
    terminal.put("quotas.csv", quotas);
    let answer = journey(&terminal, &["respondents.csv", "quotas.csv"]);
    answer.says("those that surely meet the goal");
}

#[test]
fn a_lender_reaches_a_verdict_by_the_goal_and_a_page_in_three_commands() {
    let terminal = Terminal::new();
    let record = |at: usize| {
        let (income, ratio) = (20 + at * 37 % 41, at * 53 % 97);
        let repaid = usize::from(income * 2 + at * 29 % 31 > 75 + ratio / 4);
        let sex = ["F", "M"][at * 61 / 7 % 2];
        format!(
            "{{\"id\":\"a{at}\",\"groups\":{{\"sex\":\"{sex}\"}},\"features\":{{\"income\":{income},\"debt_ratio\":{ratio}}},\"repaid\":{repaid}}}\n"
        )
    };
    terminal.put("loans.ndjson", (0..800).map(record).collect::<String>());
    let answer = journey(&terminal, &["loans.ndjson"]);
    let goal = "has the most mean outcome of those that surely keep gap of true positive rates at most 10 points";
    answer.says(&format!("“fair greedy” {goal}"));
    let config = terminal.read("my.toml");
    assert!(config.contains("column = \"repaid\"") && config.contains("good = \">= 1\""));
}

#[test]
fn a_census_file_without_a_header_reaches_a_verdict_by_the_goal_and_a_page_in_three_commands() {
    let Some(adult) = data("adult.data") else {
        return;
    };
    let terminal = Terminal::new();
    terminal.put("adult.data", std::fs::read(adult).expect("it can be read"));
    let answer = journey(&terminal, &["adult.data"]);
    answer.says("those that surely meet the goal");
    let attributes = terminal.read("my.toml");
    assert_eq!(attributes.matches("{ column = ").count(), 6, "{attributes}");
}

#[test]
fn a_live_run_begins_with_a_config_whose_attributes_are_those_of_a_sample() {
    let terminal = Terminal::new();
    terminal.put("sample.csv", COMMAS.text());
    for doorway in ["http", "stdin", "tcp"] {
        let out = format!("{doorway}.toml");
        terminal.done(&["init", "--live", doorway, "-o", &out]);
        terminal.done(&["check", &out]);
    }
    terminal.done(&["init", "--live", "http", "sample.csv", "-o", "sample.toml"]);
    terminal.done(&["check", "sample.toml"]);
    let config = terminal.read("sample.toml");
    config.says("North = \"North\"");
}

#[test]
fn every_setting_begins_with_a_config_that_plays() {
    let terminal = Terminal::new();
    let row = |at: usize| {
        let (sex, score) = (["F", "M"][at % 2], 40 + at * 37 % 23);
        format!("{at},{sex},{score}.5,{}\n", usize::from(score > 50))
    };
    let rows: String = (0..60).map(row).collect();
    terminal.put("people.csv", format!("id,sex,score,hired\n{rows}"));
    for setting in ["committee", "merit", "cohort", "pool"] {
        terminal.done(&["init", "people.csv", "--setting", setting, "--force"]);
        terminal.done(&["run", "klero.toml", "-q", "--replications", "2"]);
    }
}

#[test]
fn wishes_that_files_cannot_meet_are_refused() {
    let terminal = Terminal::new();
    terminal.put("people.csv", COMMAS.text());
    terminal.put("there.toml", "");
    for (args, what) in [
        (&["init"][..], "no file of people is named"),
        (&["init", "nobody.csv"], "the file cannot be found"),
        (
            &["init", "people.csv", "-o", "there.toml"],
            "is there already",
        ),
        (
            &["init", "people.csv", "--id", "gendr"],
            "did you mean `gender`?",
        ),
        (
            &["init", "people.csv", "--setting", "merit"],
            "name it: --outcome",
        ),
        (
            &["init", "people.csv", "--setting", "cohort"],
            "name it: --score",
        ),
        (
            &["init", "people.csv", "--places", "61"],
            "can't fill a committee of 61",
        ),
        (
            &["init", "people.csv", "people.csv"],
            "no column of the quotas is known as category",
        ),
        (&["show", "organisr"], "did you mean organiser?"),
        (&["run", "organiser"], "klero show organiser --files ."),
        (&["run", "people.csv"], "klero init people.csv"),
    ] {
        let said = terminal.exits(2, args);
        assert!(said.stderr.contains(what), "{args:?}: {}", said.stderr);
    }
    assert_eq!(terminal.names("."), ["people.csv", "there.toml"]);
}

#[test]
fn presets_with_files_play_from_the_folder_that_show_writes() {
    let terminal = Terminal::new();
    for preset in ["organiser", "applicants", "pool-bandit"] {
        terminal.done(&["show", preset, "--files", "start"]);
        let config = format!("start/{preset}.toml");
        assert_eq!(terminal.read(&config), terminal.done(&["show", preset]));
        terminal.done(&["run", &config, "-q", "--replications", "2"]);
    }
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let terminal = Terminal::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = terminal.done(&["completions", shell]);
        assert!(script.contains("reproduce"), "{shell}");
    }
    assert!(terminal.done(&["man"]).contains(".TH klero 1"));
    terminal.done(&["man", "--out", "man1"]);
    let pages = terminal.names("man1");
    for page in ["klero.1", "klero-init.1", "klero-fit-scores.1"] {
        assert!(pages.iter().any(|name| name == page), "{pages:?}");
    }
}
