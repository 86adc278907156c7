//! Studies that rest on files of the paper's own people.

use roxmltree::Document;

use super::studies::{claims, every_field, texts};
use crate::support::data;
use crate::support::terminal::Terminal;

/// The studies of Puranik et al. that rest on files: what is found is said of every sentence, the
/// law school's parameters are those printed, and German credit's are not, which is said.
#[test]
fn scores_of_the_papers_people_are_compared_with_what_is_printed() {
    let (Some(law), Some(_)) = (data("lawschool.csv"), data("german.data")) else {
        return;
    };
    let terminal = Terminal::new();
    let studies = [
        "puranik2022-fig1e",
        "puranik2022-fig3",
        "puranik2022-table1",
    ];
    let args = [&["reproduce", "--quick", "--out", "out"], &studies[..]].concat();
    let mut command = terminal.command(&args);
    command.env("KLERO_DATA", law.parent().expect("a folder"));
    let said = crate::support::terminal::said(command);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
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
    // With gender the difference of the means is .497 for .53, without .174 for .22.
    let law = "reproduced";
    let german = ["reproduced in shape", "not reproduced"];
    assert_eq!(printed, [law, german[0], law, german[1]]);
}

/// Of a study that rests on files in part, the sentences that need none are judged.
#[test]
fn sentences_that_need_no_file_are_judged_without_it() {
    let terminal = Terminal::new();
    terminal.done(&["reproduce", "puranik2022-table1", "--quick", "--out", "out"]);
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
    let said = terminal.klero(&["reproduce", "puranik2022-fig1e"]);
    assert_eq!(said.code, Some(1));
    assert!(
        said.stderr
            .contains("lawschool.csv:1: there is no column `race7`"),
        "{}",
        said.stderr
    );
}

/// Of other people under the file's name, what is printed does not hold; what needs the other file
/// is not run.
#[test]
fn sentences_about_the_people_can_fail() {
    let terminal = Terminal::new();
    let row = |i: u32| {
        let mut cells = ["1"; 21].map(str::to_owned);
        cells[4] = (1 << (i % 11)).to_string();
        cells[8] = ["A92", "A93"][(i % 2) as usize].into();
        cells[20] = ["1", "2"][usize::from(i * i % 13 < 5)].into();
        cells.join("\t") + "\n"
    };
    terminal.put("german.data", (0..2000).map(row).collect::<String>());
    let said = terminal.klero(&["reproduce", "puranik2022-fig3", "--out", "out"]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let all = claims(&terminal, "out");
    let found = all["studies"][0]["claims"].as_array().expect("claims");
    let verdict = |end: &str| {
        let claim = found
            .iter()
            .find(|claim| texts(claim, &["place"])[0].ends_with(end));
        texts(claim.expect("a claim"), &["verdict"])[0]
    };
    assert_eq!(verdict("where the pool starts"), "not reproduced");
    assert_eq!(verdict("the parameters"), "not reproduced");
    assert_eq!(verdict("by a test"), "not reproduced");
    assert_eq!(verdict("closer than the law school"), "not run");
}
