use std::path::Path;

use super::CHECKS;
use crate::config::check::sections::Sections;
use crate::config::inputs::ConfigInputs;
use crate::config::keys::CONFIG;
use crate::document::{Document, read};
use crate::registry::Registry;

/// A config that is right: two people from a file in its order.
const RIGHT: &str = "replications = 1\n[source]\ntype = \"file\"\npath = \"people.csv\"\nid = \"id\"\n\
    order = \"file\"\nattributes = { sex = { column = \"sex\" } }\n[rules]\nchoose = \"any\"\nslate = 1\n\
    until = { rounds = 2 }\n[[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n";

/// For each check, what makes the config wrong by `--set`, and a part of the message.
const WRONG: [(&[&str], &str); CHECKS.len()] = [
    (&["replications=2"], "every replication would be the same"),
    (
        &["feedback.outcome={type=\"linear\",noise=1}"],
        "are worth nothing in particular",
    ),
    (&["feedback.outcome={type=\"reported\"}"], "from no feed"),
    (
        &[
            "source={type=\"categorical\",shares={sex={F=1.0}}}",
            "feedback.outcome={type=\"recorded\",column=\"c\"}",
        ],
        "who come from no file",
    ),
    (
        &[
            "source.utility=\"worth\"",
            "feedback.outcome={type=\"bernoulli\"}",
        ],
        "not all of it lies between 0 and 1",
    ),
    (
        &[
            "source.utility=\"worth\"",
            "rules.interviews=[{name=\"i\",cost=1,gain=1}]",
            "feedback.interview={type=\"recorded_looks\",sd=1}",
        ],
        "has no record of it",
    ),
    (
        &["rules.interviews=[{name=\"i\",cost=1,gain=1}]"],
        "nothing answers them",
    ),
    (
        &[
            "yield.type=\"people\"",
            "feedback.outcome={type=\"exec\",command=[\"true\"]}",
        ],
        "a program answers the rest",
    ),
    (
        &[
            "rules.quota={sex={F=[0,1]}}",
            "rules.enforce=true",
            "yield.rate=0.5",
        ],
        "no choice is sure to keep the quotas",
    ),
    (
        &["source={type=\"categorical\",shares={\"a\"={\"b:c\"=1.0},\"a:b\"={c=1.0}}}"],
        "results would call two things `a:b:c`",
    ),
    (
        &["source.features={constant=true,numeric=[\"constant\"]}"],
        "two features have the name `constant`",
    ),
    (&["letters.rate=0.1"], "there are none"),
    (
        &["letters.rate=0.1", "target.sex={F=0.5,M=0.5}"],
        "none is to be filled",
    ),
    (&["sweep.seed=[1,2]"], "this is one of them"),
];

/// Returns the problems that one check alone finds.
fn found(at: usize, set: &[&str], folder: &Path) -> String {
    let mut document = Document::parse(RIGHT).unwrap();
    for text in set {
        document.set(text).unwrap();
    }
    let (registry, inputs) = (Registry::default(), ConfigInputs::of_folder(folder));
    let read = |check: bool| {
        let found = read(&document, |mut top| {
            top.declare(CONFIG.to_vec());
            let sections = Sections::read(&registry, &mut top, "config", &inputs.handed);
            if check {
                (CHECKS[at].run)(&sections);
            }
            top.finish();
            Some(())
        });
        found.err().map_or_else(Vec::new, |problems| problems.0)
    };
    let before = read(false);
    let after = read(true)
        .into_iter()
        .filter(|problem| !before.contains(problem));
    after.map(|problem| format!("{problem}\n")).collect()
}

#[test]
fn each_check_finds_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let people = "id,sex,worth,constant\n1,F,0.5,1\n2,M,2,3\n";
    std::fs::write(folder.path().join("people.csv"), people).unwrap();
    for (at, (set, message)) in WRONG.iter().enumerate() {
        let holds = CHECKS[at].holds;
        assert_eq!(
            found(at, &[], folder.path()),
            "",
            "of a config that is right: {holds}"
        );
        let found = found(at, set, folder.path());
        assert!(found.contains(message), "{holds}\n{found}");
    }
}
