//! `klero verify lottery`: lotteries that hold, and broken ones, each refuted with its reason.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::says::Says as _;
use crate::support::terminal::{Said, Terminal, typed};

/// Four women and two men, of whom the first two live together; a panel is a woman and a man.
fn town() -> Terminal {
    let terminal = Terminal::new();
    let people = "id,gender,home\na,F,1\nb,M,1\nc,F,2\nd,M,3\ne,F,4\nf,F,5\n";
    terminal.put("people.csv", people);
    terminal.put(
        "quotas.csv",
        "category,name,min,max\ngender,F,1,1\ngender,M,1,1\n",
    );
    terminal.put(
        "my.toml",
        r#"seed = 1
[source]
type = "respondents"
path = "people.csv"
id = "id"
[target]
categories = "quotas.csv"
[rules]
choose = "at_most_one"
until = { accepted = 2 }
unique = ["home"]
[[policy]]
label = "look-ahead"
kind = "quota_lookahead"
"#,
    );
    terminal
}

/// Each woman at .25 and each man at .5: the fairest by every rule. The first two never sit
/// together.
const FAIR: &str = "panel,probability,id
1,0.25,a\n1,0.25,d\n2,0.25,c\n2,0.25,b\n3,0.25,e\n3,0.25,b\n4,0.25,f\n4,0.25,d\n";

/// What the command says of a lottery.
fn judged(lottery: &str, more: &[&str]) -> Said {
    let terminal = town();
    terminal.put("panels.csv", lottery);
    terminal.put(
        "chances.csv",
        "id,chance\na,.25\nb,.5\nc,.25\nd,.5\ne,.25\nf,.25\n",
    );
    terminal.klero(&[&["verify", "lottery", "panels.csv", "my.toml"][..], more].concat())
}

#[test]
fn the_fairest_lottery_holds_by_every_rule() {
    for rule in ["maximin", "leximin", "nash"] {
        let said = judged(FAIR, &["--claim", rule, "--chances", "chances.csv"]);
        assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
        said.stdout.never_says("NO");
        said.stdout.says(&format!("ok  {rule}: "));
    }
    let said = judged(FAIR, &["--claim", "leximin"]);
    insta::assert_snapshot!(said.stdout);
}

/// A lottery, the options, and what is said of it.
type Broken = (&'static str, &'static [&'static str], &'static str);

const BROKEN: [Broken; 14] = [
    (
        "probability,members\n0.5,a d\n0.4,c b\n",
        &[],
        "the probabilities sum to 0.9",
    ),
    (
        "probability,members\n-0.5,a d\n1.5,c b\n",
        &[],
        "the panel of line 2: -0.5 is no probability",
    ),
    (
        "probability,members\n0.5,a d e\n0.5,c b\n",
        &[],
        "the panel of line 2: it has 3 members, and 2 are wanted; gender = F: 2 members, at most 1",
    ),
    (
        "probability,members\n1,a stranger\n",
        &[],
        "the panel of line 2: 1 of its members are no respondents; gender = M: 0 members, at least 1",
    ),
    (
        "probability,members\n1,d d\n",
        &[],
        "its member 1 sits twice",
    ),
    (
        "probability,members\n0.5,c d\n0.5,a b\n",
        &[],
        "the panel of line 3: its members 1 and 2 live in one household",
    ),
    (
        "probability,members\n1,a c\n",
        &[],
        "gender = F: 2 members, at most 1 are wanted; gender = M: 0 members, at least 1 are wanted",
    ),
    (
        "probability,members\n0.5,a d\n0.5,c b\n",
        &["--chances", "chances.csv"],
        "line 2 claims 0.25, the lottery gives 0.5",
    ),
    (
        "probability,members\n0.4,a d\n0.2,c b\n0.2,e b\n0.2,f d\n",
        &["--claim", "maximin"],
        "c has a chance of 0.200000 and could have 0.250000, 0.050000 more",
    ),
    (
        "probability,members\n0.25,a d\n0.15,c d\n0.1,c b\n0.25,e b\n0.25,f d\n",
        &["--claim", "leximin"],
        "b has a chance of 0.350000 and could have 0.500000, 0.150000 more",
    ),
    (
        "probability,members\n0.25,a d\n0.15,c d\n0.1,c b\n0.25,e b\n0.25,f d\n",
        &["--claim", "nash"],
        "b has a chance of 0.350000 and could have 0.500000",
    ),
    (
        "probability,members\n0.5,a d\n0.5,c b\n",
        &["--claim", "nash"],
        "e has a chance of 0.000000 and could have 0.250000",
    ),
    (
        "probability,members\n0.5,a d\n0.5,c b\n",
        &["--claim", "leximin"],
        "f has a chance of 0.000000 and could have 0.250000",
    ),
    ("probability,members\n", &[], "the file has no row of data"),
];

#[test]
fn broken_lotteries_are_refuted_with_the_reason() {
    for (lottery, more, why) in BROKEN {
        let said = judged(lottery, more);
        let is_empty = lottery.lines().count() == 1;
        let code = if is_empty { 2 } else { 1 };
        assert_eq!(
            said.code,
            Some(code),
            "{lottery}: {}{}",
            said.stdout,
            said.stderr
        );
        let text = said.stdout + &said.stderr;
        assert!(text.contains(why), "{lottery}: {text}");
        text.never_says("stranger");
    }
    // What holds by the least chance need not hold by the next.
    let uneven = BROKEN[9].0;
    assert_eq!(judged(uneven, &["--claim", "maximin"]).code, Some(0));
}

#[test]
fn all_that_is_refuted_is_said_at_once() {
    let lottery = "probability,members\n0.5,a c\n0.4,x b\n0.2,a b\n";
    let said = judged(lottery, &["--claim", "nash", "--chances", "chances.csv"]);
    assert_eq!(said.code, Some(1));
    assert_eq!(said.stdout.matches("NO  ").count(), 4, "{}", said.stdout);
    said.stderr.says("4 of 4 checks");
}

/// A run's own files, which have the lotteries of all its policies.
#[test]
fn the_lotteries_of_a_run_are_what_they_are_said_to_be() {
    let terminal = town();
    let rule = |rule: &str| format!("[[policy]]\nlabel = \"by {rule}\"\nkind = \"{rule}\"\n");
    let rules = ["maximin", "leximin", "nash"];
    let config = terminal.read("my.toml") + &rules.map(rule).concat();
    terminal.put("my.toml", config);
    terminal.done(&["run", "my.toml", "-q", "--out", "out"]);
    for rule in rules {
        let label = format!("by {rule}");
        let args = [
            "verify",
            "lottery",
            "out/lotteries.csv",
            "my.toml",
            "--policy",
            &label,
            "--claim",
            rule,
            "--chances",
            "out/lottery_chances.csv",
        ];
        terminal.done(&args);
    }
    for (more, why) in [
        (
            &[][..],
            "name one by --policy: by leximin, by maximin, by nash",
        ),
        (&["--policy", "by none"], "no policy 'by none'"),
    ] {
        let args = ["verify", "lottery", "out/lotteries.csv", "my.toml"];
        let said = terminal.exits(2, &[&args[..], more].concat());
        said.stderr.says(why);
    }
}

/// Rounded probabilities hold within a tolerance that is asked for.
#[test]
fn rounded_probabilities_hold_within_a_tolerance() {
    let rounded = FAIR.replace("0.25", "0.2499");
    assert_eq!(judged(&rounded, &["--claim", "leximin"]).code, Some(1));
    let more = ["--claim", "leximin", "--within", "0.001"];
    let said = judged(&rounded, &more);
    assert_eq!(said.code, Some(0), "{}", said.stdout);
}

/// The certificate of an answer for programs, checked by hand: under its weights no panel is
/// heavier than its bound, and each man's weight is there where he is settled.
#[test]
fn the_certificate_can_be_checked_by_hand() {
    let said = judged(FAIR, &["--claim", "leximin", "--format", "json"]);
    let object: Value = serde_json::from_str(&said.stdout).expect("it is JSON");
    assert_eq!(object["claim"]["verdict"], "holds");
    assert_eq!(object["chances"]["b"], 0.5);
    let stages = object["claim"]["certificate"].as_array().expect("stages");
    assert_eq!(stages.len(), 2);
    for stage in stages {
        let weight = |one: &str| stage["weights"][one].as_f64().unwrap_or(0.0);
        for (woman, man) in [("a", "d"), ("c", "b"), ("c", "d"), ("e", "b"), ("f", "d")] {
            let weight = weight(woman) + weight(man);
            assert!(weight <= stage["bound"].as_f64().unwrap() + 1e-9, "{stage}");
        }
    }
    let level = |at: usize| stages[at]["level"].as_f64().expect("a level");
    assert!((level(0) - 0.25).abs() < 1e-9 && (level(1) - 0.5).abs() < 1e-9);
}

/// Files of a spreadsheet in German or French: semicolons or tabs, decimal commas, percent.
#[test]
fn decimal_commas_are_read() {
    let panels = |mark: &str| FAIR.replace(',', mark).replace("0.25", "0,25");
    let percent = FAIR.replace(',', ";").replace("0.25", "25,0 %");
    for panels in [panels(";"), panels("\t"), percent] {
        let terminal = town();
        terminal.put("panels.csv", panels);
        for chances in [
            "id;chance\na;,25\nb;0,5\nc;0,25\nd;0,5\ne;0,25\nf;0,250\n",
            "id\tchance\na\t25 %\nb\t50,0 %\nc\t25 %\nd\t50 %\ne\t25 %\nf\t25 %\n",
            "id,chance\na,\"0,25\"\nb,\"0,5\"\nc,\"0,25\"\nd,\"0,5\"\ne,\"0,25\"\nf,\"0,25\"\n",
        ] {
            terminal.put("chances.csv", chances);
            let args =
                typed("verify lottery panels.csv my.toml --claim maximin --chances chances.csv");
            terminal.done(&args);
        }
    }
    let mixed = FAIR.replace(',', ";").replacen("0.25", "0,25", 1);
    let said = judged(&mixed, &[]);
    assert_eq!(said.code, Some(2));
    said.stderr.says("`probability` has decimal points");
}

#[test]
fn what_can_not_be_checked_is_a_wrong_request() {
    let terminal = town();
    terminal.put("panels.csv", "probability,members\nmuch,a\n");
    terminal.put("good.csv", FAIR);
    let cases: [(&[&str], &str); 6] = [
        (&["panel.csv", "my.toml"], "did you mean panels.csv?"),
        (
            &["panels.csv", "my.toml"],
            "the probability 'much' is not a number",
        ),
        (
            &["good.csv"],
            "the config's people are not known beforehand",
        ),
        (
            &["good.csv", "my.toml", "--chances", "people.csv"],
            "no column `chance`",
        ),
        (
            &["good.csv", "my.toml", "--claim", "fair"],
            "possible values: maximin, leximin, nash",
        ),
        (&["good.csv", "my.toml", "--within", "2"], "below 1"),
    ];
    for (args, why) in cases {
        let said = terminal.exits(2, &[&["verify", "lottery"][..], args].concat());
        assert!(said.stderr.contains(why), "{args:?}: {}", said.stderr);
    }
}

/// The codes of a draw name members as ids do; where a row has both, they are one person's.
#[test]
fn codes_are_read_and_held_against_ids() {
    let terminal = town();
    let draw = ["draw", "my.toml", "--policy", "look-ahead", "--out", "one"];
    terminal.done(&[&draw[..], &["--seed-from", "some value"]].concat());
    let mut codes = BTreeMap::new();
    for table in ["one/panel.csv", "one/passed-over.csv"] {
        let text = terminal.read(table);
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let header = rows.headers().expect("a header").clone();
        let at = |name: &str| header.iter().position(|column| column == name).expect(name);
        for row in rows.records().map(|row| row.expect("a row")) {
            codes.insert(row[at("id")].to_owned(), row[at("code")].to_owned());
        }
    }
    let judged = |lottery: &str| {
        terminal.put("panels.csv", lottery);
        terminal.klero(&["verify", "lottery", "panels.csv", "my.toml"])
    };
    let rows = |cells: &dyn Fn(&str) -> String| -> String {
        let rows = FAIR.lines().skip(1).map(|row| {
            let (panel, id) = row.rsplit_once(',').expect("a row");
            format!("{panel},{}\n", cells(id))
        });
        rows.collect()
    };
    let both = rows(&|id| format!("{},{id}", codes[id]));
    let both = format!("panel,probability,code,id\n{both}");
    let alone = format!("panel,probability,code\n{}", rows(&|id| codes[id].clone()));
    let more = rows(&|id| format!("x,{id},{}", codes[id]));
    let more = format!("panel,probability,Remark,ID,Code\n{more}");
    for lottery in [&both, &alone, &more] {
        let said = judged(lottery);
        assert_eq!(
            said.code,
            Some(0),
            "{lottery}{}{}",
            said.stdout,
            said.stderr
        );
    }
    let swapped = both.replacen(&codes["a"], &codes["c"], 1);
    let unknown = both.replacen(",d\n", ",Mallory\n", 1);
    for (lottery, due) in [
        (
            &swapped,
            "panels.csv:2:4: the code of this row is one respondent's and the id 'a'",
        ),
        (
            &unknown,
            "panels.csv:3:4: the code of this row is a respondent's, and the id is not",
        ),
    ] {
        let said = judged(lottery);
        assert_eq!(said.code, Some(2), "{lottery}{}", said.stdout);
        said.stderr.says(due);
        said.stderr.never_says("Mallory");
    }
    // The chances too.
    let chances = |swap: bool| {
        let line = |id: &str, chance: &str| {
            let code = &codes[if swap && id == "a" { "b" } else { id }];
            format!("{code},{id},{chance}\n")
        };
        let lines = [
            ("a", ".25"),
            ("b", ".5"),
            ("c", ".25"),
            ("d", ".5"),
            ("e", ".25"),
        ];
        let lines: String = lines.iter().map(|(id, chance)| line(id, chance)).collect();
        terminal.put("panels.csv", FAIR);
        terminal.put(
            "chances.csv",
            format!("code,id,chance\n{lines}{}", line("f", ".25")),
        );
        let args = typed("verify lottery panels.csv my.toml --chances chances.csv");
        terminal.klero(&args)
    };
    assert_eq!(chances(false).code, Some(0));
    let said = chances(true);
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    said.stderr.says("chances.csv:2:2: the code of this row");
}

/// The id of a respondent of the town with zeros at its front.
fn zeroed(id: &str) -> String {
    format!("{:03}", u32::from(id.as_bytes()[0] - b'a'))
}

/// Ids that a spreadsheet saved without the zeros at their front are named, and refute no lottery.
#[test]
fn ids_without_their_zeros_are_no_strangers() {
    let terminal = town();
    let zeros = |text: String| {
        let ids = text.split(',').map(|cell| match cell.split_once('\n') {
            Some((end, id)) if id.len() == 1 => format!("{end}\n{}", zeroed(id)),
            _ => cell.to_owned(),
        });
        ids.collect::<Vec<_>>().join(",")
    };
    terminal.put("people.csv", zeros(terminal.read("people.csv")));
    let panels: Vec<[&str; 2]> = vec![["a", "d"], ["c", "b"], ["e", "b"], ["f", "d"]];
    let number = |id: &str| zeroed(id).trim_start_matches('0').to_owned();
    let short = |id: &str| {
        if id == "a" {
            "0".to_owned()
        } else {
            number(id)
        }
    };
    let long = |name: &dyn Fn(&str) -> String| {
        let rows = panels.iter().zip(1..).flat_map(|(panel, at)| {
            let row = move |id: &&str| format!("{at},0.25,{}\n", name(id));
            panel.iter().map(row).collect::<Vec<_>>()
        });
        format!("panel,probability,id\n{}", rows.collect::<String>())
    };
    let wide = |name: &dyn Fn(&str) -> String| {
        let row = |panel: &[&str; 2]| format!("0.25,{},{}\n", name(panel[0]), name(panel[1]));
        panels.iter().map(row).collect::<String>()
    };
    let args = typed("verify lottery panels.csv my.toml --claim leximin");
    for text in [long(&zeroed), wide(&zeroed)] {
        terminal.put("panels.csv", text);
        terminal.done(&args);
    }
    for text in [long(&short), wide(&short)] {
        terminal.put("panels.csv", &text);
        let said = terminal.exits(2, &args);
        said.stderr.says("the line names no respondent");
        said.stderr
            .says("did you mean '003'? A spreadsheet drops zeros at the front");
        said.stderr.says("did you mean '000'?");
    }
    // Who is no respondent with zeros either refutes it.
    terminal.put("panels.csv", long(&|id| short(id).replace('3', "77")));
    let said = terminal.klero(&args);
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    terminal.put("panels.csv", long(&|id| zeroed(id).replace('3', "77")));
    let said = terminal.exits(1, &args);
    said.stdout.says("of its members are no respondents");
}
