//! The pictures of `docs/images`: made from a run, a live run and a study as they are now.

use std::fs;
use std::path::Path;

use crate::support::process::Place;
use crate::support::programs::{browser, looks};
use crate::support::project;
use crate::support::terminal::Terminal;

/// The least and the most bytes of a picture.
const LEAST: u64 = 4_000;
const MOST: u64 = 300_000;
/// The pictures.
const PICTURES: [&str; 4] = ["board-dark.svg", "board.svg", "report.webp", "study.svg"];
/// Those that move.
const MOVING: [&str; 2] = ["board-dark.svg", "board.svg"];

/// With KLERO_WRITE_DOCS=1 the pictures in `docs/images` are made anew: of whole runs then, of short
/// ones otherwise.
#[test]
fn the_pictures_of_the_docs_can_be_made() {
    let Some(modules) = browser() else {
        return;
    };
    let is_wanted = std::env::var_os("KLERO_WRITE_DOCS").is_some();
    let place = Place::new();
    let terminal = Terminal::new();
    let short = |args: &[&'static str]| if is_wanted { vec![] } else { args.to_vec() };

    let run = ["run", "--quiet", "--out", "run"];
    terminal.done(&[&run[..], &short(&["--replications", "60"])].concat());
    terminal.done(&["report", "run"]);
    let study = ["reproduce", "do2021-fig1", "--quiet", "--out", "study"];
    terminal.done(&[&study[..], &short(&["--quick"])].concat());

    let port = "board.address=\"127.0.0.1:0\"";
    let show = ["live", "live-show", "--out", "show", "--set", port];
    let fast = short(&["--set", "source.pace=\"250/s\""]);
    let mut live = place.start(&[&show[..], &fast].concat());
    let board = format!("http://{}/", live.board());
    let seconds = if is_wanted { "6" } else { "0.4" };
    let folder = terminal.path("").display().to_string();
    let report = terminal.path("run/report.html").display().to_string();
    looks(
        "images.mjs",
        &modules,
        &[&folder, &report, &board, seconds],
        |_| {},
    );
    drop(live);

    let figures = terminal.names("study");
    let drawn = figures.iter().find(|name| name.ends_with(".svg"));
    let drawn = format!("study/{}", drawn.expect("a study has a figure"));
    fs::copy(terminal.path(&drawn), terminal.path("study.svg")).expect("it is there");

    for name in PICTURES {
        let bytes = fs::metadata(terminal.path(name)).expect("it is made").len();
        assert!(bytes >= LEAST, "{name}: {bytes} bytes");
        if is_wanted {
            is_bounded(&terminal.path(name));
            let kept = project().join("docs/images").join(name);
            fs::copy(terminal.path(name), kept).expect("docs/images is there");
        }
    }
    let [dark, light] = MOVING.map(|name| terminal.read(name));
    for moving in [&dark, &light] {
        roxmltree::Document::parse(moving).expect("it is XML");
    }
    assert_ne!(dark, light);
}

/// The README shows each picture that is kept, and no other.
#[test]
fn the_readme_shows_the_pictures() {
    let readme = fs::read_to_string(project().join("README.md")).expect("there is a README");
    let kept = fs::read_dir(project().join("docs/images")).expect("there are pictures");
    let mut kept: Vec<String> = kept
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    kept.sort();
    assert_eq!(kept, PICTURES);
    for name in PICTURES {
        is_bounded(&project().join("docs/images").join(name));
        assert!(readme.contains(&format!("docs/images/{name}")), "{name}");
    }
}

fn is_bounded(path: &Path) {
    let bytes = fs::metadata(path).expect("it is there").len();
    assert!(
        (LEAST..=MOST).contains(&bytes),
        "{}: {bytes} bytes",
        path.display()
    );
}
