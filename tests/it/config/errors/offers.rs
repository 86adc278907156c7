//! `[yield]`: who takes the place.

use super::{ORGANISER, Page, SOUND, with};
use crate::support::config;
use crate::support::terminal::Terminal;

const CATEGORIES: &str = "feature,value,min,max
gender,female,1,3
gender,male,1,3
age,18-39,1,3
age,40+,1,3
";

const RESPONDENTS: &str = "id,gender,age,comes,none
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
    page.config(name, &terminal, "my.toml");
}

#[test]
fn wrong_offers() {
    let mut all = Page::default();
    let rules = "[rules]\nchoose";
    let edited = |section: &str| {
        with(
            ORGANISER,
            &[(rules, &format!("[yield]\n{section}\n\n{rules}"))],
        )
    };
    for (name, section) in [
        ("nothing", ""),
        (
            "wrong rates",
            "rate = 1.5\nby = { gender = { female = -0.1, mail = 0.1 }, sex = { male = 0.1 } }\n\
             refill = \"yes\"",
        ),
        ("a column and a rate", "column = \"comes\"\nrate = 0.1"),
        ("a column that is not there", "column = \"come\""),
        ("cells that are no probability", "column = \"none\""),
        ("an unknown key", "rate = 0.1\nrefil = true"),
        ("an unknown type", "type = \"person\""),
        ("people and a rate", "type = \"people\"\nrate = 0.5"),
    ] {
        page(&mut all, name, &edited(section));
    }
    let text = with(
        SOUND,
        &[("[rules]\n", "[yield]\ncolumn = \"comes\"\n\n[rules]\n")],
    );
    page(&mut all, "people who are drawn", &text);
    let rule = "choose = { exactly = 3 }";
    let enforced = format!("{rule}\nquota = {{ group = {{ 0 = [1, 2] }} }}\nenforce = true");
    let text = with(
        &config("schumann2019-t2.toml"),
        &[
            (rule, &enforced),
            ("[feedback", "[yield]\nrate = 0.5\n\n[feedback"),
        ],
    );
    page(&mut all, "quotas that are enforced", &text);
    let refill = "[yield]\nrate = 0.5\nrefill = true\n\n[feedback";
    for name in ["schumann2019-t2.toml", "grazzi2022-fig1.toml"] {
        let text = with(&config(name), &[("[feedback", refill)]);
        page(&mut all, "policies that choose once", &text);
    }
    let weighs = (
        "kind = \"swap\"\nobjective",
        "kind = \"swap\"\nweigh_yield = true\nobjective",
    );
    for section in [
        "",
        "[yield]\nrate = 0.5\n\n",
        "[yield]\nrate = 0.5\nrefill = true\n\n",
    ] {
        let feedback = format!("{section}[feedback");
        let text = with(
            &config("schumann2019-t2.toml"),
            &[("[feedback", &feedback), weighs],
        );
        page(&mut all, "yields that are weighed", &text);
    }
    let name = "{ name = \"weak\"";
    let text = with(
        &config("schumann2019-t2.toml"),
        &[(name, "{ name = \"offer\"")],
    );
    page(&mut all, "an interview called offer", &text);
    insta::assert_snapshot!(all.text());
}
