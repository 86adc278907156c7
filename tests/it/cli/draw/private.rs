//! Files with people's data are their user's alone, and are listed.

use std::fs;

use super::{CONFIG, all, draw, drawn, town};
use crate::support::project;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

/// Files that name no one, whatever the command.
const NAMELESS: [&str; 20] = [
    "commitment.json",
    "randomness",
    "draw.json",
    "index.html",
    "config.toml",
    "original.txt",
    "summary.json",
    "summary.csv",
    "verdicts.csv",
    "course.csv",
    "replications.csv",
    "endings.csv",
    "series.csv",
    "curves.csv",
    "long.csv",
    "report.html",
    "progress.ndjson",
    "categories.csv",
    "points.csv",
    "sweep.csv",
];

#[cfg(unix)]
#[track_caller]
fn private(terminal: &Terminal, folder: &str) {
    use std::os::unix::fs::PermissionsExt;
    let mut seen = 0;
    for name in all(terminal, folder).keys() {
        let last = name.rsplit('/').next().expect("a name");
        if NAMELESS.contains(&last) || name.contains("figures/") {
            continue;
        }
        let data = fs::metadata(terminal.path(&format!("{folder}/{name}"))).expect("a file");
        assert_eq!(data.permissions().mode() & 0o777, 0o600, "{folder}/{name}");
        seen += 1;
    }
    assert!(seen > 0, "{folder} has files of people");
}

#[cfg(unix)]
#[test]
fn every_file_with_people_is_its_users_alone() {
    let terminal = town();
    let lottery = "[[policy]]\nlabel = \"fair\"\nkind = \"leximin\"\n[report]\n";
    terminal.put("my.toml", CONFIG.replace("[report]\n", lottery));
    terminal.done(&[&draw("some text", "panel")[..], &["--chances", "10"]].concat());
    let panel = terminal.read("panel/panel.csv");
    terminal.put(
        "stay.csv",
        panel.split_inclusive('\n').take(9).collect::<String>(),
    );
    let second = ["--after", "panel", "--keep", "stay.csv"];
    terminal.done(
        &[
            &["draw", "--seed-from", "a b c", "--out", "two"],
            &second[..],
        ]
        .concat(),
    );
    let commit = typed("draw commit my.toml --policy first --randomness r --out");
    terminal.done(&[&commit[..], &["committed"]].concat());
    let run = [
        "run",
        "my.toml",
        "-q",
        "--replications",
        "2",
        "--people",
        "--trace",
        "decisions",
    ];
    terminal.done(&[&run[..], &["--out", "run"]].concat());
    let sweep = [
        "run",
        "my.toml",
        "-q",
        "--replications",
        "2",
        "--sweep",
        "seed=1,2",
    ];
    terminal.done(&[&sweep[..], &["--out", "sweep"]].concat());
    for folder in ["panel", "two", "committed", "run", "sweep"] {
        private(&terminal, folder);
    }
    // A report of traced decisions names who was chosen.
    terminal.done(&["report", "run"]);
    use std::os::unix::fs::PermissionsExt;
    let data = fs::metadata(terminal.path("run/report.html")).expect("a page");
    assert_eq!(data.permissions().mode() & 0o777, 0o600);
    // What is to be published can be read by all whom the user lets.
    let data = fs::metadata(terminal.path("panel/index.html")).expect("a page");
    assert_ne!(data.permissions().mode() & 0o044, 0, "it is public");
}

/// A config that leaves a person out by name names them, so it is its user's alone, and so is the
/// copy that a run keeps.
#[test]
fn a_config_that_names_people_is_its_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let terminal = Terminal::new();
    terminal.put(
        "people.csv",
        "id,gender,age\na,F,old\nb,M,young\nc,M,old\nd,F,young\ne,F,old\n",
    );
    let mode = |name: &str| {
        let data = fs::metadata(terminal.path(name)).expect("a file");
        data.permissions().mode() & 0o777
    };
    let init = ["init", "people.csv", "--yes", "-o", "named.toml"];
    terminal.done(&[&init[..], &["--where", "id != 'e'"]].concat());
    assert_eq!(mode("named.toml"), 0o600);
    terminal.done(&typed("run named.toml -q --replications 2 --out run"));
    assert_eq!(mode("run/config.toml"), 0o600);
    terminal.done(&typed("init people.csv --yes -o all.toml"));
    assert_ne!(mode("all.toml") & 0o044, 0, "it names no one");
}

#[test]
fn the_files_of_a_draw_are_listed_with_what_they_hold() {
    let terminal = town();
    drawn(&terminal, "some text", "panel");
    terminal.put("panel/notes.txt", "mine");
    let said = terminal.done(&["draw", "files", "panel"]);
    let line = |name: &str| {
        let found = said
            .lines()
            .find(|line| line.split_whitespace().next() == Some(name));
        found.unwrap_or_else(|| panic!("{name}: {said}")).to_owned()
    };
    for name in all(&terminal, "panel").keys() {
        line(name);
    }
    for (name, words) in [
        ("index.html", "the public  no one"),
        ("draw.json", "the public  no one"),
        ("panel.csv", "people: names and contacts"),
        ("remaining.csv", "people: names and contacts"),
        (
            "inputs/people.csv",
            "people: ids and the columns that decide",
        ),
        ("inputs/categories.csv", "no one"),
        ("notes.txt", "unknown"),
    ] {
        assert!(line(name).contains(words), "{name}: {}", line(name));
    }
    said.says("6 of 14 files hold people's data");
    let public = said
        .lines()
        .take(5)
        .filter(|line| line.contains("the public"));
    assert_eq!(public.count(), 4, "{said}");
    for (dir, due) in [
        ("nowhere", "there is no folder nowhere"),
        ("my.toml", "my.toml is a file"),
        (".", "holds neither a draw nor a commitment"),
    ] {
        let said = terminal.klero(&["draw", "files", dir]);
        assert_eq!(said.code, Some(2), "{dir}");
        said.stderr.says(due);
        said.stderr.says("help:");
    }
}

#[cfg(unix)]
#[test]
fn files_that_others_can_read_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let terminal = town();
    drawn(&terminal, "some text", "panel");
    assert!(
        !terminal
            .done(&["draw", "files", "panel"])
            .contains("other users")
    );
    let path = terminal.path("panel/panel.csv");
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).expect("it is ours");
    let said = terminal.done(&["draw", "files", "panel"]);
    said.says("other users of this machine can read panel.csv: chmod go= panel/panel.csv");
}

/// The table of docs/draws.md is the one that the command has.
#[test]
fn the_page_has_the_table_of_files() {
    use kleroterion::drawing::DRAW_FILES;
    let (from, to) = (
        "<!-- the files of a draw -->\n",
        "<!-- end of the files -->",
    );
    let path = project().join("docs/draws.md");
    let page = fs::read_to_string(&path).expect("the page");
    let mut table = "| file | for | people | what |\n|---|---|---|---|\n".to_owned();
    for file in DRAW_FILES {
        let (audience, people) = (file.audience.word(), file.people.unwrap_or("no one"));
        table += &format!(
            "| `{}` | {audience} | {people} | {} |\n",
            file.name, file.about
        );
    }
    let start = page.find(from).expect("a mark") + from.len();
    let end = page.find(to).expect("a mark");
    if std::env::var_os("KLERO_WRITE_DOCS").is_some() {
        let page = format!("{}{table}{}", &page[..start], &page[end..]);
        fs::write(path, page).expect("the page");
        return;
    }
    assert_eq!(&page[start..end], table, "KLERO_WRITE_DOCS=1 writes it");
}
