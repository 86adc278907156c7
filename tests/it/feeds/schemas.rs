//! `klero schema`.

use serde_json::Value;

use crate::support::configs::FEED;
use crate::support::configs::SOUND;
use crate::support::refusals::refusal;
use crate::support::terminal::Terminal;

#[test]
fn a_record_of_any_run_and_of_one() {
    let terminal = Terminal::new();
    let any: Value = serde_json::from_str(&terminal.done(&["schema", "candidate"])).unwrap();
    assert_eq!(
        any["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    terminal.put("my.toml", FEED);
    insta::assert_snapshot!(terminal.done(&["schema", "candidate", "my.toml"]));
}

#[test]
fn a_config_without_a_feed_has_none() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let said = terminal.klero(&["schema", "candidate", "my.toml"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    assert!(
        said.stderr.contains("its [source] is no feed"),
        "{}",
        said.stderr
    );
    terminal.put("wrong.toml", "seed = x");
    refusal(&terminal, &["schema", "candidate", "wrong.toml"]);
}
