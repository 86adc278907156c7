//! Draws that were tampered with in generated ways: each is named, and each check ends.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kleroterion::drawing::draw_file;

use super::{CONFIG, all, draw, town};
use crate::support::long;
use crate::support::terminal::{Said, Terminal, on_one_line, typed};

/// As long a check may take, on a machine that has much else to do.
const AT_MOST: Duration = Duration::from_secs(60);

/// The folders of draws of all kinds.
const DRAWS: [&str; 8] = [
    "plain", "fair", "second", "hidden", "sheet", "list", "number", "by-hand",
];

fn place() -> Terminal {
    let terminal = town();
    let config = CONFIG.replace("kind = \"accept_all\"", "kind = \"leximin\"");
    terminal.put("my.toml", &config);
    let hiding = "id = \"id\"\nwhere = [\"id != 'p07'\"]";
    terminal.put("hides.toml", config.replace("id = \"id\"", hiding));
    terminal.done(&draw("1 2 3", "plain"));
    terminal.done(&draw("4 5 6", "other"));
    let fair = "draw commit my.toml --policy 'all, really' --randomness r --out fair";
    terminal.done(&typed(fair));
    terminal.done(&typed("draw fair --seed-from '7 8 9' --chances 20"));
    let panel = terminal.read("plain/panel.csv");
    let stays: String = panel.split_inclusive('\n').take(9).collect();
    terminal.put("stays.csv", stays);
    let second = "draw --after plain --keep stays.csv --seed-from 'd e f' --out second";
    terminal.done(&typed(second));
    let hidden = "draw hides.toml --policy first --seed-from 'g h' --out hidden --title 'A town'";
    terminal.done(&typed(hidden));
    let sheet = draw("i j", "sheet");
    let more = ["--for", "spreadsheet", "--publish-ids"];
    terminal.done(&[&sheet[..], &more].concat());
    for list in ["list", "number", "by-hand"] {
        let numbered =
            "draw numbered my.toml --policy 'all, really' --panels 30 --randomness r --out";
        terminal.done(&[&typed(numbered)[..], &[list]].concat());
    }
    terminal.done(&typed("draw ./number --seed-from 'k l m'"));
    terminal.done(&typed("draw by-hand --number 17"));
    terminal
}

/// Numbers that follow from a seed.
struct Chances(u64);

impl Chances {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }
}

/// A change of a file's bytes.
type Change = fn(&[u8], &mut Chances) -> Vec<u8>;
/// What is put in a file's place.
type Place = fn(&Path, &[u8]);

/// Ways to change the bytes of a file.
const CHANGES: [(&str, Change); 11] = [
    ("a byte is another", |bytes, chances| {
        let mut bytes = bytes.to_vec();
        if !bytes.is_empty() {
            let at = chances.below(bytes.len());
            bytes[at] ^= 1 << chances.below(7);
        }
        bytes
    }),
    ("a digit is another", |bytes, chances| {
        let mut bytes = bytes.to_vec();
        let digits = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit());
        let digits: Vec<usize> = digits.collect();
        if let Some(at) = digits.get(chances.below(digits.len())) {
            bytes[*at] = b'0' + (bytes[*at] - b'0' + 1 + chances.below(9) as u8) % 10;
        }
        bytes
    }),
    ("a number is huge", |bytes, chances| {
        let digits = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit());
        let digits: Vec<usize> = digits.collect();
        let Some(at) = digits.get(chances.below(digits.len())) else {
            return bytes.to_vec();
        };
        let huge: &[u8] = [&b"1000000000000"[..], b"4000000000"][chances.below(2)];
        [&bytes[..*at], huge, &bytes[at + 1..]].concat()
    }),
    ("a line is missing", |bytes, chances| {
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
        if !lines.is_empty() {
            lines.remove(chances.below(lines.len()));
        }
        lines.concat()
    }),
    ("a line comes twice", |bytes, chances| {
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
        if !lines.is_empty() {
            let at = chances.below(lines.len());
            lines.insert(at, lines[at]);
        }
        lines.concat()
    }),
    ("two lines are swapped", |bytes, chances| {
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
        if lines.len() > 1 {
            let at = chances.below(lines.len() - 1);
            lines.swap(at, at + 1);
        }
        lines.concat()
    }),
    ("lines end otherwise", |bytes, _| {
        let text = String::from_utf8_lossy(bytes);
        text.replace('\n', "\r\n").into_bytes()
    }),
    ("it has a comment", |bytes, _| {
        [b"# a comment\n", bytes].concat()
    }),
    ("it has a blank at its end", |bytes, _| {
        [bytes, b" "].concat()
    }),
    ("its end is missing", |bytes, chances| {
        bytes[..chances.below(bytes.len())].to_vec()
    }),
    ("it is empty", |_, _| Vec::new()),
];

/// Ways to put something else in the place of a file; `other`: a file of another draw.
const PLACES: [(&str, Place); 7] = [
    ("it is gone", |_, _| {}),
    ("it is a folder", |path, _| {
        fs::create_dir(path).expect("a folder")
    }),
    ("it is a pipe", |path, _| {
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo is there").success());
    }),
    ("it is a link to its bytes", |path, bytes| {
        let kept = path.with_extension("kept");
        fs::write(&kept, bytes).expect("a file");
        std::os::unix::fs::symlink(kept.file_name().expect("a name"), path).expect("a link");
    }),
    ("it is a link to zeros without end", |path, _| {
        std::os::unix::fs::symlink("/dev/zero", path).expect("a link");
    }),
    ("it is huge", |path, bytes| {
        fs::write(path, bytes).expect("a file");
        let file = fs::OpenOptions::new().write(true).open(path);
        file.expect("a file").set_len(1 << 33).expect("it has room");
    }),
    ("it is another's", |path, _| {
        fs::write(path, "id\np00\n").expect("a file")
    }),
];

/// Checks a draw; it must end.
fn checked(terminal: &Terminal, folder: &str) -> Said {
    let mut command = terminal.command(&["draw", "verify", folder]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().expect("the binary runs");
    let started = Instant::now();
    while running.try_wait().expect("it can be asked").is_none() {
        if started.elapsed() > AT_MOST {
            running.kill().expect("it runs");
            panic!("the check of {folder} does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = running.wait_with_output().expect("it ended");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Said {
        code: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// The files of which one at least is to be named where this one is another.
fn due(name: &str) -> Vec<&str> {
    match name {
        // The title and who is named on the page are the record's alone: the page then differs.
        "draw.json" => vec![name, "index.html", "chances.csv"],
        name => vec![name],
    }
}

#[test]
fn each_draw_that_was_tampered_with_is_named() {
    let terminal = place();
    for folder in DRAWS {
        assert_eq!(checked(&terminal, folder).code, Some(0), "{folder}");
    }
    let tampered = if long() > 1 { 480 } else { 48 };
    let mut chances = Chances(17);
    let mut tried = 0;
    while tried < tampered {
        let folder = DRAWS[tried % DRAWS.len()];
        let files = all(&terminal, folder);
        let names: Vec<&String> = files.keys().collect();
        let name = names[chances.below(names.len())].clone();
        let path = terminal.path(&format!("{folder}/{name}"));
        let bytes = &files[&name];
        let at = chances.below(CHANGES.len() + PLACES.len());
        fs::remove_file(&path).expect("it is there");
        let how = match CHANGES.get(at) {
            Some((how, change)) => {
                fs::write(&path, change(bytes, &mut chances)).expect("a file");
                how
            }
            None => {
                let (how, put) = PLACES[at - CHANGES.len()];
                put(&path, bytes);
                how
            }
        };
        let is_same = path.is_file() && !path.is_symlink() && {
            let found = path.metadata().expect("it is there");
            found.len() == bytes.len() as u64 && fs::read(&path).expect("a file") == *bytes
        };
        if !is_same {
            tried += 1;
            let said = checked(&terminal, folder);
            let words = on_one_line(&format!("{}{}", said.stdout, said.stderr));
            let is_unread = draw_file(&name).is_some_and(|file| file.is_unread());
            let what = format!("{folder}/{name}: {how}: {words}");
            assert!(matches!(said.code, Some(0..=2)), "{what}");
            if is_unread {
                assert_eq!(said.code, Some(0), "{what}");
            } else {
                assert_ne!(said.code, Some(0), "{what}");
                assert!(due(&name).iter().any(|name| words.contains(name)), "{what}");
            }
        }
        // As it was.
        let removed = match path.is_dir() && !path.is_symlink() {
            true => fs::remove_dir(&path),
            false => fs::remove_file(&path),
        };
        drop(removed);
        drop(fs::remove_file(path.with_extension("kept")));
        fs::write(&path, bytes).expect("a file");
    }
    for folder in DRAWS {
        assert_eq!(checked(&terminal, folder).code, Some(0), "{folder}");
    }
}

/// Files that change places, those of another draw, links in place of folders, and files of others.
#[test]
fn what_is_of_another_draw_is_named() {
    let terminal = place();
    for folder in ["plain", "second", "number"] {
        let files = all(&terminal, folder);
        for (one, other) in [
            ("panel.csv", "alternates.csv"),
            ("draw.json", "commitment.json"),
        ] {
            terminal.put(&format!("{folder}/{one}"), &files[other]);
            terminal.put(&format!("{folder}/{other}"), &files[one]);
            let said = checked(&terminal, folder);
            assert!(matches!(said.code, Some(1 | 2)), "{said:?}");
            let words = on_one_line(&format!("{}{}", said.stdout, said.stderr));
            assert!(words.contains(one) || words.contains(other), "{words}");
            for name in [one, other] {
                terminal.put(&format!("{folder}/{name}"), &files[name]);
            }
        }
    }
    let files = all(&terminal, "plain");
    for (name, bytes) in all(&terminal, "other") {
        if bytes == files[&name] {
            continue;
        }
        terminal.put(&format!("plain/{name}"), bytes);
        let said = checked(&terminal, "plain");
        assert_eq!(said.code, Some(1), "{name}: {said:?}");
        let mut wrong = said.stdout.lines().filter(|line| line.starts_with("NO"));
        assert!(wrong.any(|line| line.contains(&name)), "{name}: {said:?}");
        terminal.put(&format!("plain/{name}"), &files[&name]);
    }
    fs::rename(terminal.path("plain/inputs"), terminal.path("elsewhere")).expect("it is there");
    std::os::unix::fs::symlink("../elsewhere", terminal.path("plain/inputs")).expect("a link");
    let said = checked(&terminal, "plain");
    assert_eq!(said.code, Some(1));
    assert!(
        said.stdout.contains("NO  inputs: a folder of the draw"),
        "{said:?}"
    );
    fs::remove_file(terminal.path("plain/inputs")).expect("a link");
    fs::rename(terminal.path("elsewhere"), terminal.path("plain/inputs")).expect("it is there");
    for name in [
        "notes.txt",
        ".klero.lock",
        "a/b.csv",
        "inputs/more.csv",
        "lotteries/x.json",
    ] {
        terminal.put(&format!("plain/{name}"), "id\np00\n");
        let said = checked(&terminal, "plain");
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.stdout.contains(&format!("--  {name}: ")), "{said:?}");
        fs::remove_file(terminal.path(&format!("plain/{name}"))).expect("it is there");
    }
    // A loop of links is listed, not followed.
    for name in ["loop", "other-loop"] {
        std::os::unix::fs::symlink(".", terminal.path(&format!("plain/{name}"))).expect("a link");
    }
    terminal.done(&["draw", "files", "plain"]);
    assert_eq!(checked(&terminal, "plain").code, Some(0));
}
