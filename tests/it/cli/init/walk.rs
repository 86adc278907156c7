//! From a town's export to the published page of a draw.

use super::town;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

#[test]
fn a_town_reaches_the_page_of_its_draw_in_nine_commands_without_editing_a_file() {
    let terminal = Terminal::new();
    terminal.put("anmeldungen.csv", town::export(120));
    terminal.put("quoten.csv", town::quotas());
    // 1. Everything that is odd is said, with its lines; what can be left out is.
    let said = terminal.exits(
        0,
        &["init", "anmeldungen.csv", "quoten.csv", "-o", "panel.toml"],
    );
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
    said.stderr.never_says("example.org");
    said.stderr.never_says("Müller");
    // 2 to 7.
    let checked = terminal.done(&["check", "panel.toml"]);
    checked.says("2 policies");
    let table = terminal.done(&typed("run panel.toml --out results -q --replications 20"));
    table.says("quotas_kept");
    terminal.done(&["report", "results"]);
    terminal.done(&typed(
        "draw commit panel.toml --policy lottery --randomness 'the lottery of 3 May' --out panel",
    ));
    terminal.done(&["draw", "panel", "--seed-from", "3 14 15 26 35 49"]);
    let verified = terminal.done(&["draw", "verify", "panel"]);
    verified.says("Every place is taken and every quota is kept");
    let page = terminal.read("panel/index.html");
    page.says("20");
    page.never_says("Müller");
    page.never_says("Gartenstra");
}
