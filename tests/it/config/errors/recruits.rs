//! Letters and drop-out.

use super::{ORGANISER, Page, with};
use crate::support::terminal::Terminal;

const CATEGORIES: &str = "feature,value,min,max
gender,female,1,3
gender,male,1,3
age,18-39,1,3
age,40+,1,3
";

const RESPONDENTS: &str = "id,gender,age,leaves,none
a,female,18-39,0.1,
b,male,18-39,0,x
c,female,40+,1,-0.1
d,male,40+,.25,1.5
e,female,40+,1e-3,nan
f,male,18-39,0.5,0.5
";

fn page(page: &mut Page, name: &str, config: &str) {
    let terminal = Terminal::new();
    terminal.put("my.toml", config);
    terminal.put("categories.csv", CATEGORIES);
    terminal.put("respondents.csv", RESPONDENTS);
    terminal.put("types.csv", "gender,age,p\nfemale,18-39,0.5\nmal,40+,0.5\n");
    terminal.put("half.csv", "gender,p\nfemale,0.5\nmale,0.5\n");
    page.config(name, &terminal, "my.toml");
}

#[test]
fn wrong_letters() {
    let mut all = Page::default();
    let rules = "[rules]\nchoose";
    for (name, section) in [
        ("nothing", ""),
        (
            "wrong rates",
            "rate = 3\nby.gender = { female = 0.0, male = \"few\" }\nsure = 1",
        ),
        (
            "wrong counts",
            "rate = { invited = 10, answered = 11 }\n\
                by.gender = { female = { invited = 0, answered = 0 }, male = { invited = 5 } }",
        ),
        (
            "attributes and values that are not there, a value without a rate",
            "by = { gendre = { female = 0.1 }, age = { 18-29 = 0.1 }, gender = { male = 0.1 } }",
        ),
        ("an unknown key", "rates = 0.03"),
        (
            "types of other people",
            "rate = 0.03\npopulation = \"types.csv\"",
        ),
        (
            "types that lack an attribute",
            "rate = 0.03\npopulation = \"half.csv\"",
        ),
        (
            "types that are not there",
            "rate = 0.03\npopulation = \"typs.csv\"",
        ),
    ] {
        let section = section.replace("18-29 =", "\"18-29\" =");
        let text = with(
            ORGANISER,
            &[(rules, &format!("[letters]\n{section}\n\n{rules}"))],
        );
        page(&mut all, name, &text);
    }
    let rounds = [
        (rules, "[letters]\nrate = 0.03\n\n[rules]\nchoose"),
        ("until = { accepted = 4 }", "until = { rounds = 4 }"),
        ("kind = \"quota_lookahead\"", "kind = \"accept_all\""),
    ];
    page(&mut all, "no committee", &with(ORGANISER, &rounds));
    let source = "type = \"respondents\"\npath = \"respondents.csv\"\nid = \"id\"";
    let file = "type = \"file\"\npath = \"respondents.csv\"\norder = \"shuffled\"\n\
        attributes = { gender = { column = \"gender\" } }";
    let free = [
        (rules, "[letters]\nrate = 0.03\n\n[rules]\nchoose"),
        (source, file),
        ("[target]\ncategories = \"categories.csv\"\n", ""),
        ("kind = \"greedy\"", "kind = \"accept_all\""),
        ("kind = \"quota_lookahead\"", "kind = \"accept_all\""),
    ];
    page(&mut all, "no target", &with(ORGANISER, &free));
    insta::assert_snapshot!(all.text());
}

#[test]
fn wrong_drop_out() {
    let mut all = Page::default();
    let rules = "[rules]\nchoose";
    let edited = |section: &str, more: &[(&str, &str)]| {
        let section = format!("[dropout]\n{section}\n\n{rules}");
        with(ORGANISER, &[&[(rules, &*section)], more].concat())
    };
    for (name, section) in [
        ("nothing", ""),
        (
            "wrong rates",
            "rate = 1.5\nby = { gender = { female = -0.1, mail = 0.1 }, sex = { male = 0.1 } }",
        ),
        ("a column and a rate", "column = \"leaves\"\nrate = 0.1"),
        ("a column that is not there", "column = \"leave\""),
        ("cells that are no probability", "column = \"none\""),
        ("an unknown key", "rate = 0.1\ncolum = \"leaves\""),
    ] {
        page(&mut all, name, &edited(section, &[]));
    }
    let source = "type = \"respondents\"\npath = \"respondents.csv\"\nid = \"id\"";
    let file = "type = \"file\"\npath = \"respondents.csv\"\norder = \"shuffled\"\n\
        attributes = { gender = { column = \"gender\" }, age = { column = \"age\" } }";
    let text = edited("column = \"leaves\"", &[(source, file)]);
    page(&mut all, "a column of another file", &text);
    let again = format!("{source}\norder = \"resampled\"");
    let text = edited("rate = 0.1", &[(source, &again)]);
    page(&mut all, "people who are drawn", &text);
    insta::assert_snapshot!(all.text());
}
