//! Feeds: `[source]` of those who come from outside, and `pace`.

use super::{PEOPLE, Page, SOUND, with};
use crate::support::configs::FEED;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

const TYPE: &str = "type = \"tcp\"\naddress = \"127.0.0.1:0\"\n";
const SHARES: &str =
    "shares = { sex = { male = 0.5, female = 0.5 }, age = { young = 0.6, old = 0.4 } }\n";
const FEATURES: &str =
    "[source.features]\nconstant = true\nnumeric = [\"EDU\"]\none_hot = [\"sex\"]\n";

fn page(cases: &[(&str, &[(&str, &str)])]) -> String {
    let mut page = Page::default();
    for (name, edits) in cases {
        let terminal = Terminal::new();
        terminal.put("tape.ndjson", "{}\n");
        terminal.put("types.csv", "sex,age,p\nmale,young,0.5\nfemale,grey,0.5\n");
        terminal.put("my.toml", with(FEED, edits));
        page.config(name, &terminal, "my.toml");
    }
    page.text()
}

#[test]
fn the_sound_one_is_sound() {
    let terminal = Terminal::new();
    terminal.put("my.toml", FEED);
    let said = terminal.done(&["check", "my.toml"]);
    said.says("assumed (`shares`)");
}

#[test]
fn transports_that_are_wrong() {
    let text = page(&[
        ("an unknown type", &[("\"tcp\"", "\"tpc\"")]),
        ("no address", &[("address = \"127.0.0.1:0\"\n", "")]),
        ("an address without a port", &[("127.0.0.1:0", "127.0.0.1")]),
        (
            "an address for all, and no token",
            &[("127.0.0.1:0", "0.0.0.0:7718")],
        ),
        (
            "an address for all by HTTP, and no token",
            &[(TYPE, "type = \"http\"\naddress = \"[::]:7718\"\n")],
        ),
        (
            "a tape that is not there, too slow",
            &[(
                TYPE,
                "type = \"tape\"\npath = \"tapes.ndjson\"\nreplay.speed = 0\n",
            )],
        ),
        (
            "a tape of CSV",
            &[
                (
                    TYPE,
                    "type = \"tape\"\npath = \"tape.ndjson\"\nreplay.sped = 2\n",
                ),
                ("codec = \"json\"", "codec = \"csv\""),
            ],
        ),
        (
            "a file that is followed, read as one that is not",
            &[(
                TYPE,
                "type = \"file\"\nfollow = true\npath = \"later.csv\"\norder = \"shuffled\"\n\
                 header = true\n",
            )],
        ),
        (
            "a file that is perhaps followed",
            &[(
                TYPE,
                "type = \"file\"\nfollow = \"yes\"\npath = \"tape.ndjson\"\n",
            )],
        ),
        ("no path", &[(TYPE, "type = \"file\"\nfollow = true\n")]),
        (
            "a framing that is not known, of no length",
            &[(
                "framing.max_length = \"100KiB\"",
                "framing = { method = \"octet_counted\", max_length = 0, maximum = 1 }",
            )],
        ),
        (
            "records of a tape that are counted",
            &[(
                TYPE,
                "type = \"tape\"\npath = \"tape.ndjson\"\nframing.method = \"octet_counting\"\n",
            )],
        ),
        (
            "rows that are counted",
            &[(
                "decoding.codec = \"json\"",
                "framing.method = \"octet_counting\"\ndecoding.codec = \"csv\"",
            )],
        ),
        ("stdin at an address", &[("\"tcp\"", "\"stdin\"")]),
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn records_that_are_wrongly_described() {
    let text = page(&[
        (
            "an unknown codec",
            &[("codec = \"json\"", "codec = \"jsn\"")],
        ),
        (
            "columns of JSON",
            &[(
                "codec = \"json\"",
                "codec = \"json\"\ndecoding.columns = [\"a\"]\ndecoding.delimiter = \";\"",
            )],
        ),
        (
            "no columns, and a delimiter that is none",
            &[(
                "codec = \"json\"",
                "codec = \"csv\"\ndecoding.columns = []\ndecoding.delimiter = \"::\"",
            )],
        ),
        (
            "a column twice",
            &[(
                "codec = \"json\"",
                "codec = \"csv\"\ndecoding.columns = [\"a\", \"a\"]",
            )],
        ),
        ("a length in words", &[("\"100KiB\"", "\"long\"")]),
        ("a length of nothing", &[("\"100KiB\"", "1")]),
        (
            "a length of everything",
            &[("\"100KiB\"", "\"99999999999999MiB\"")],
        ),
        (
            "frames without a length",
            &[("framing.max_length = \"100KiB\"", "framing.maxlength = 100")],
        ),
        ("an unknown answer to errors", &[("\"skip\"", "\"ignore\"")]),
        ("a filter that is none", &[("AGE >= 18", "AGE => 18")]),
        ("an id that is no column", &[("id = \"id\"", "id = 1")]),
        (
            "values that come as they come",
            &[
                (", values = { \"1\" = \"male\", \"2\" = \"female\" }", ""),
                (FEATURES, ""),
                (SHARES, ""),
            ],
        ),
        (
            "features of columns, standardised",
            &[(
                "one_hot = [\"sex\"]",
                "one_hot = [\"SEX\", \"agee\"]\nstandardise = true",
            )],
        ),
        (
            "features of nothing",
            &[(
                "numeric = [\"EDU\"]\none_hot = [\"sex\"]",
                "missing = \"0\"",
            )],
        ),
        (
            "a group that is no attribute",
            &[("constant = true", "group = \"sexes\"")],
        ),
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn laws_that_do_not_fit_and_what_a_feed_has_not() {
    let text = page(&[
        (
            "shares of others",
            &[(
                SHARES,
                "shares = { sex = { male = 0.5, femal = 0.5 }, ages = { young = 1.0 } }\n",
            )],
        ),
        ("types of others", &[(SHARES, "joint = \"types.csv\"\n")]),
        (
            "two laws",
            &[(SHARES, &format!("{SHARES}joint = \"types.csv\"\n"))],
        ),
        (
            "replications",
            &[("seed = 1", "seed = 1\nreplications = 4")],
        ),
        (
            "replications of the policies' luck",
            &[(
                "seed = 1",
                "seed = 1\nreplications = 4\npolicy_noise_only = true",
            )],
        ),
        ("a pace that is none", &[("\"200/s\"", "\"200 a second\"")]),
        ("a pace of nothing", &[("\"200/s\"", "0")]),
        (
            "a policy that asks for the law",
            &[
                (SHARES, ""),
                ("kind = \"greedy\"\ntolerance = 0.05", "kind = \"cmdp\""),
            ],
        ),
        (
            "the weights of a feed",
            &[(
                "sex = { male = 0.5, female = 0.5 }\n",
                "from = \"weights\"\n",
            )],
        ),
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn a_pace_of_those_who_do_not_come_from_outside() {
    let mut page = Page::default();
    page.edited(
        "of generated people",
        SOUND,
        &[(
            "type = \"categorical\"",
            "type = \"categorical\"\npace = \"fast\"",
        )],
    );
    page.edited(
        "of a file",
        PEOPLE,
        &[("type = \"file\"", "type = \"file\"\npace = \"-1/s\"")],
    );
    insta::assert_snapshot!(page.text());
}

#[test]
fn origins_that_are_none() {
    let live = |origins: &str| format!("[live]\norigins = {origins}\n\n[rules]");
    let (all, one) = (
        live("[\"*\", \"example.org\", \"https://example.org/app\", \"http://example.org:80\", 7]"),
        live("\"https://example.org\""),
    );
    let text = page(&[
        ("some of a list", &[("[rules]", &all)]),
        ("no list", &[("[rules]", &one)]),
    ]);
    insta::assert_snapshot!(text);
}
