//! Lotteries of the package that organisers use, held against ours.

use std::ffi::OsString;
use std::process::Command;

use serde_json::Value;

use crate::support::programs::sortition;
use crate::support::project;
use crate::support::terminal::{Terminal, said};

/// Prints the package's maximin lottery; arguments: quotas, respondents, members, columns that name
/// a household.
const PEER: &str = r#"
import csv, sys
from pathlib import Path
from sortition_algorithms.adapters import CSVStringDataSource, SelectionData
from sortition_algorithms.committee_generation.maximin import find_distribution_maximin
from sortition_algorithms.settings import Settings

categories, respondents, members, homes = sys.argv[1:]
columns = homes.split(",") if homes else []
settings = Settings(
    id_column="nationbuilder_id",
    columns_to_keep=[],
    check_same_address=bool(columns),
    check_same_address_columns=columns,
)
source = CSVStringDataSource(Path(categories).read_text(), Path(respondents).read_text())
data = SelectionData(source)
features, _ = data.load_features(int(members))
people, _ = data.load_people(settings, features)
found = find_distribution_maximin(features, people, int(members), columns)
out = csv.writer(sys.stdout)
out.writerow(["panel", "probability", "id"])
for number, (panel, probability) in enumerate(zip(found[0], found[1])):
    for one in sorted(panel):
        out.writerow([number, repr(float(probability)), one])
"#;

/// The package's lottery for the example's two files.
fn lottery(python: &OsString, homes: &str) -> String {
    let files = ["categories.csv", "respondents.csv"];
    let files = files.map(|file| project().join("configs/organiser").join(file));
    let mut command = Command::new(python);
    command.args(["-c", PEER]).args(files).args(["40", homes]);
    let peer = said(command);
    assert_eq!(peer.code, Some(0), "{}", peer.stderr);
    // It says how far it is before.
    let from = peer.stdout.find("panel,probability,id");
    peer.stdout[from.expect("a header")..].to_owned()
}

#[test]
fn the_least_chance_is_that_of_the_package_that_organisers_use() {
    let Some(python) = sortition() else {
        return;
    };
    let terminal = Terminal::new();
    terminal.done(&["show", "organiser", "--files", "."]);
    let households = ["rules.unique=[\"address\",\"postcode\"]"];
    for (homes, set) in [("", &[][..]), ("address,postcode", &households[..])] {
        terminal.put("panels.csv", lottery(&python, homes));
        let mut args = vec!["verify", "lottery", "panels.csv", "organiser.toml"];
        args.extend(["--claim", "maximin", "--format", "json"]);
        set.iter().for_each(|set| args.extend(["--set", set]));
        let said = terminal.klero(&args);
        let found: Value = serde_json::from_str(&said.stdout).expect("it is JSON");
        let claim = &found["claim"];
        let of = |name: &str| claim[name].as_f64().expect(name);
        assert!((of("has") - of("best")).abs() < 1e-6, "{claim}");
        assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    }
}
