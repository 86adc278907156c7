//! From a town's export to the published page of a draw.

use super::town;
use crate::support::terminal::Terminal;

#[test]
fn a_town_reaches_the_page_of_its_draw_in_nine_commands_without_editing_a_file() {
    let terminal = Terminal::new();
    terminal.put("anmeldungen.csv", town::export(120));
    terminal.put("quoten.csv", town::quotas());
    // 1. Everything that is odd is said, with its lines; what can be left out is.
    let said = terminal.klero(&["init", "anmeldungen.csv", "quoten.csv", "-o", "panel.toml"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for due in [
        "found: it is read as Latin-1 (Windows-1252)",
        "3 blank rows",
        "column `Nr`: id, by its name",
        "column `Name`: contact",
        "column `E-Mail`: contact",
        "column `Geschlecht`: attribute, the quotas name it",
        "column `Straße`: household",
        "column `PLZ`: household",
        "column `Kategorie` of the quotas: category",
        "lines 13 and 122 are one person, alike in all cells: they count once",
        "lines 29 and 123 are alike in all cells but `Nr`: one person",
        "line 42 has 'weibllich' in `Geschlecht`, a slip for 'weiblich': left out",
        "line 44 has 'Rieht' in `Stadtteil`, a slip for 'Rieth': left out",
        "line 45 has no `Altersgruppe`: left out",
        "line 46 has no `Bildung`: left out",
        "line 127 is a row of sums",
        "assumed: no two members are of one household: people with the same Straße and PLZ",
        "next: klero run panel.toml",
    ] {
        assert!(said.stderr.contains(due), "{due}: {}", said.stderr);
    }
    // No one's name or address is repeated.
    assert!(
        !said.stderr.contains("example.org") && !said.stderr.contains("Müller"),
        "{}",
        said.stderr
    );
    // 2 to 7.
    let checked = terminal.done(&["check", "panel.toml"]);
    assert!(checked.contains("2 policies"), "{checked}");
    let table = terminal.done(&[
        "run",
        "panel.toml",
        "--out",
        "results",
        "-q",
        "--replications",
        "20",
    ]);
    assert!(table.contains("quotas_kept"), "{table}");
    terminal.done(&["report", "results"]);
    terminal.done(&[
        "draw",
        "commit",
        "panel.toml",
        "--policy",
        "lottery",
        "--randomness",
        "the lottery of 3 May",
        "--out",
        "panel",
    ]);
    terminal.done(&["draw", "panel", "--seed-from", "3 14 15 26 35 49"]);
    let verified = terminal.done(&["draw", "verify", "panel"]);
    assert!(
        verified.contains("Every place is taken and every quota is kept"),
        "{verified}"
    );
    let page = terminal.read("panel/index.html");
    assert!(page.contains("20"), "{page}");
    assert!(
        !page.contains("Müller") && !page.contains("Gartenstra"),
        "the page names people"
    );
}
