//! `forecast` of the cohort policies, `score_bias` of a group.

use super::Page;
use crate::support::config;

const LEARNS: &str = "forecast = { spread = 0.62, doubt = 1, by = \"group\" }\n\n[[policy]]\n\
    label = \"learns and asks all\"";
const ANSWERS: &str = "[feedback.interview]\ntype = \"gaussian_looks\"\nsd = 1.0\n";
const LOOKS: &str = "sd = 1.0";

fn with(forecast: &str) -> String {
    format!("{forecast}\n\n[[policy]]\nlabel = \"learns and asks all\"")
}

#[test]
fn forecasts_that_are_wrong() {
    let seasons = config("hiring-seasons.toml");
    let mut page = Page::default();
    for (name, forecast) in [
        ("nothing in it", "forecast = {}"),
        ("no table", "forecast = true"),
        (
            "numbers that can't be",
            "forecast = { spread = 0, doubt = -1 }",
        ),
        (
            "no such attribute, no such key",
            "forecast = { spread = 1, doubt = 1, by = \"sex\", sigma = 1 }",
        ),
    ] {
        page.edited(name, &seasons, &[(LEARNS, &with(forecast))]);
    }
    page.edited("looks without noise", &seasons, &[(LOOKS, "sd = 0")]);
    page.edited("no looks", &seasons, &[(ANSWERS, "")]);
    page.edited(
        "a bias that is no number",
        &seasons,
        &[("score_bias = -0.8", "score_bias = \"much\"")],
    );
    page.edited(
        "no score to trust",
        &config("schumann2019-t2.toml"),
        &[(
            "label = \"SWAP\"\nkind = \"swap\"\n",
            "label = \"SWAP\"\nkind = \"swap\"\nforecast = { spread = 1, doubt = 0 }\n",
        )],
    );
    insta::assert_snapshot!(page.text());
}
