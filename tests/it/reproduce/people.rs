//! Studies that rest on files of the paper's own people.

use roxmltree::Document;

use super::studies::{claims, every_field, texts};
use crate::cli::terminal::Terminal;
use crate::support::data;

/// The studies of Puranik et al. that rest on files: what is found is said of every sentence, the law school's parameters are those
/// printed, and German credit's are not, which is said.
#[test]
fn scores_of_the_papers_people_stand_beside_what_is_printed() {
    let (Some(law), Some(_)) = (data("lawschool.csv"), data("german.data")) else {
        return;
    };
    let terminal = Terminal::new();
    let studies = ["puranik-fig1e", "puranik-fig3", "puranik-table1"];
    let args = [&["reproduce", "--quick", "--out", "out"], &studies[..]].concat();
    let mut command = terminal.command(&args);
    command.env("KLERO_DATA", law.parent().expect("a folder"));
    let said = crate::cli::terminal::said(command);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let all = claims(&terminal, "out");
    let mut printed = Vec::new();
    for (study, name) in all["studies"]
        .as_array()
        .expect("studies")
        .iter()
        .zip(studies)
    {
        for claim in study["claims"].as_array().expect("claims") {
            every_field(name, claim);
            assert_ne!(claim["verdict"], "not run", "{claim}");
            let [place, verdict, why] = texts(claim, &["place", "verdict", "why"])[..] else {
                panic!("three texts");
            };
            if place.ends_with("the parameters") || place.starts_with("Table 1: ") {
                assert_eq!(
                    why.contains("can't be had from this file by a converged fit"),
                    verdict != "reproduced"
                );
                printed.push(verdict);
            }
        }
        for figure in study["figures"].as_array().expect("figures") {
            let figure = figure.as_str().expect("a file");
            let svg = terminal.read(&format!("out/{figure}"));
            Document::parse(&svg).unwrap_or_else(|error| panic!("{figure}: {error}"));
        }
    }
    let [law, german] = ["reproduced", "reproduced in shape"];
    assert_eq!(printed, [law, german, law, german]);
}

/// Of a study that rests on files in part, the sentences that need none are judged.
#[test]
fn sentences_that_need_no_file_are_judged_without_it() {
    let terminal = Terminal::new();
    terminal.done(&["reproduce", "puranik-table1", "--quick", "--out", "out"]);
    let all = claims(&terminal, "out");
    let verdicts: Vec<&str> = all["studies"][0]["claims"]
        .as_array()
        .expect("claims")
        .iter()
        .map(|claim| texts(claim, &["verdict"])[0])
        .collect();
    assert!(
        verdicts[..2]
            .iter()
            .all(|verdict| verdict.starts_with("reproduced"))
    );
    assert_eq!(verdicts[2..], ["not run"; 4]);
    // A file that is another's is an error that says where.
    terminal.put("lawschool.csv", "lsat,bar1\n30,1\n");
    let said = terminal.klero(&["reproduce", "puranik-fig1e"]);
    assert_eq!(said.code, Some(1));
    assert!(
        said.stderr
            .contains("lawschool.csv:1: there is no column `race7`"),
        "{}",
        said.stderr
    );
}
