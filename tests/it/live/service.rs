//! A live run as a service: each block of docs/service.md is run, but for that of the proxy
//! (`proxy.rs`).
#![cfg(target_os = "linux")]

use std::process::Command;
use std::time::{Duration, Instant};

use super::people::{HTTP, config, lines, people};
use crate::support::machine::Machine;
use crate::support::process::{Live, PATIENCE, Place, ask, ask_with, post};
use crate::support::programs::{first_process, systemd};
use crate::support::says::Says as _;
use crate::support::sections;

const PAGE: &str = "docs/service.md";

/// The blocks of a section of the page, which has as many.
pub fn blocks<const N: usize>(section: &str) -> [(String, String); N] {
    let mut sections = sections(PAGE).into_iter();
    let found = sections.find(|(title, _)| title == section);
    let (_, blocks) = found.unwrap_or_else(|| panic!("{PAGE} has no section {section:?}"));
    let many = blocks.len();
    let blocks = blocks.try_into();
    blocks.unwrap_or_else(|_| panic!("{section:?} has {many} blocks, and tests run {N} of them"))
}

/// A block that is added to the page fails this test until another test runs it.
#[test]
fn each_block_of_the_page_is_run_by_a_test() {
    let tests = [include_str!("service.rs"), include_str!("proxy.rs")].concat();
    let sections = sections(PAGE);
    assert!(sections.len() >= 6, "{sections:?}");
    for (title, blocks) in sections {
        let (many, call) = (
            blocks.len(),
            format!("blocks::<{}>(\"{title}\")", blocks.len()),
        );
        assert!(
            tests.contains(&call),
            "no test runs the {many} blocks of {title:?}"
        );
    }
}

/// The unit of the page.
fn unit() -> String {
    let [(_, unit)] = blocks::<1>("systemd");
    unit
}

/// The command of the unit that begins the run or goes on with it.
fn begins() -> String {
    let unit = unit();
    let mut lines = unit.lines();
    let line = lines.find_map(|line| line.strip_prefix("ExecStart=/bin/sh -c "));
    line.expect("a command").trim_matches('\'').to_owned()
}

/// A folder with the config that the page names.
fn place() -> Place {
    let place = Place::new();
    place.write("panel.toml", &config(HTTP, "until = { rounds = 9000 }", ""));
    place
}

/// A machine on which the unit's run is under way.
fn served() -> Machine {
    let machine = Machine::new();
    let text = config(HTTP, "until = { rounds = 9000 }", "");
    machine.place.write("etc/klero/panel.toml", &text);
    machine.place.write("begin", &machine.here(&begins()));
    machine.runs("systemctl start klero");
    machine
}

/// Sends some people; how many of them were not known.
fn sent(machine: &Machine, some: &[String]) -> u64 {
    let answer = post(machine.feed(), "/v1/candidates", &lines(some));
    answer["accepted"].as_u64().expect("a number")
}

/// Starts a run twice and stops it by `stop`: the second start goes on with what the first had.
fn begins_and_goes_on(place: &Place, start: impl Fn() -> Live, stop: impl Fn(&Live)) {
    for n in 1..=2 {
        let mut run = start();
        let feed = run.feed();
        // All but the last fifty are repeats the second time.
        let answer = post(feed, "/v1/candidates", &lines(&people(50 * n)));
        assert_eq!(answer["accepted"], 50, "{answer}");
        stop(&run);
        let (code, _, stderr) = run.end();
        assert_eq!(code, Some(130), "{stderr}");
        assert!(place.read("panel/summary.json").contains("\"people\""));
        let verified = place.good(&["journal", "verify", "panel"]);
        let all = format!("of {} people", 50 * n);
        verified.says(&all);
    }
}

#[test]
fn systemd_finds_nothing_wrong_with_the_units() {
    if !systemd() {
        return;
    }
    let machine = Machine::new();
    machine.program("klero-backup", "#!/bin/sh\n");
    let [_, (_, service), (_, timer), _] = blocks::<4>("Copies by a timer");
    let verify = |name: &str, unit: &str| {
        machine.place.write(name, &machine.here(unit));
        let mut verify = Command::new("systemd-analyze");
        verify.args(["verify", "--man=no"]).arg(machine.path(name));
        let output = verify.output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // It speaks of the system's own units too.
        let of_ours = said.lines().filter(|line| line.contains("klero"));
        of_ours.map(|line| format!("{line}\n")).collect::<String>()
    };
    for (name, unit, key) in [
        ("klero.service", unit(), "TimeoutStopSec"),
        ("klero-backup.service", service, "StateDirectoryMode"),
        ("klero-backup.timer", timer, "OnCalendar"),
    ] {
        assert_eq!(verify(name, &unit), "", "{name}");
        // It would say so.
        let wrong = unit.replace(key, &format!("{key}s"));
        assert!(verify(name, &wrong).contains(&format!("{key}s")), "{name}");
        machine.place.write(name, &machine.here(&unit));
    }
}

#[test]
fn the_units_command_begins_a_run_and_goes_on_with_it() {
    let (unit, line, place) = (unit(), begins(), place());
    let line = line.replace("/etc/klero", &place.path("").display().to_string());
    for exit in ["SuccessExitStatus=130", "RestartPreventExitStatus=2"] {
        assert!(unit.contains(exit), "{exit}");
    }
    let start = || place.start_by("sh", &["-c", &line]);
    begins_and_goes_on(&place, start, |run| run.signal("-TERM"));
    place.write("panel.toml", "seed = \"one\"");
    std::fs::remove_dir_all(place.path("panel")).expect("a folder");
    assert_eq!(start().end().0, Some(2));
}

/// The first process of the container that an `unshare` made.
fn first_of(unshare: u32) -> String {
    let path = format!("/proc/{unshare}/task/{unshare}/children");
    let begun = Instant::now();
    loop {
        let children = std::fs::read_to_string(&path).expect("it lives");
        if let Some(child) = children.split_whitespace().next() {
            return child.to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "it never starts");
    }
}

#[test]
fn the_first_process_of_a_container_ends_with_its_results() {
    let Some(mut args) = first_process() else {
        return;
    };
    let place = place();
    let [_, (_, script), _, _] = blocks::<4>("A container");
    place.write("start", &script);
    args.extend(["sh", "start"]);
    let stop = |run: &Live| {
        let sent = Command::new("kill")
            .args(["-TERM", &first_of(run.id())])
            .status();
        assert!(sent.expect("kill is there").success());
    };
    begins_and_goes_on(&place, || place.start_by("unshare", &args), stop);
}

/// The image is made of files that the page has, and its process is the page's script.
#[test]
fn the_image_has_what_it_starts() {
    let machine = Machine::new();
    let [(language, image), ..] = blocks::<4>("A container");
    assert_eq!(language, "dockerfile");
    let of = |word: &str| -> Vec<&str> {
        let lines = image.lines().filter_map(|line| line.split_once(' '));
        let found = lines.filter(|(first, _)| *first == word);
        found.map(|(_, rest)| rest).collect()
    };
    let known = "FROM COPY RUN USER WORKDIR VOLUME EXPOSE STOPSIGNAL ENTRYPOINT";
    for line in image.lines() {
        let word = line.split(' ').next().unwrap_or_default();
        assert!(known.split(' ').any(|known| known == word), "{line}");
    }
    assert!(image.starts_with("FROM "), "{image}");
    let entry: Vec<String> = serde_json::from_str(of("ENTRYPOINT")[0]).expect("a JSON list");
    let (files, folder) = of("COPY")[0].rsplit_once(' ').expect("files and a folder");
    assert_eq!(files, "klero start");
    assert_eq!(entry, [format!("{folder}start")]);
    let [run] = of("RUN")[..] else {
        panic!("one command: {image}");
    };
    let [data] = of("VOLUME")[..] else {
        panic!("one volume: {image}");
    };
    machine.runs(&run.replace(data, &machine.path("data").display().to_string()));
    assert!(machine.path("data").is_dir(), "it makes the volume");
    assert_eq!(of("WORKDIR"), [data]);
    let (user, signal) = (of("USER"), of("STOPSIGNAL"));
    assert!(run.contains(&format!("--uid {} ", user[0])), "{run}");
    assert_eq!(signal, ["SIGTERM"]);
    for port in ["8090", "7717"] {
        assert!(of("EXPOSE")[0].contains(port), "{port}");
    }
}

/// The commands of the container, its config and its script.
#[test]
fn a_container_listens_where_others_reach_it_and_demands_the_token() {
    let machine = Machine::new();
    let [_, (_, start), (_, listens), (_, commands)] = blocks::<4>("A container");
    machine.program("start", &start);
    let (source, board) = listens.split_once("[board]").expect("a board");
    let source = source.replace("[source]\n", "").replace(":8090", ":0");
    let board = format!("[board]{}", board.replace(":7717", ":0"));
    machine.place.write(
        "panel.toml",
        &config(&source, "until = { rounds = 9000 }", &board),
    );
    // Without a token nothing is served there, and an empty one is none.
    for token in [None, Some("")] {
        let environment: Vec<(&str, &str)> = token
            .map(|token| ("KLERO_TOKEN", token))
            .into_iter()
            .collect();
        let args = ["live", "panel.toml", "--out", "open"];
        let (code, _, stderr) = machine.place.run_with(&args, &environment);
        assert_eq!(code, Some(2), "{stderr}");
        stderr.says("KLERO_TOKEN");
        assert!(!machine.path("open").exists());
    }
    let token = "0123456789abcdef";
    machine
        .place
        .write("etc/klero/token", &format!("KLERO_TOKEN={token}\n"));
    let (first, rest) = commands
        .split_once("podman exec")
        .expect("a copy while it runs");
    machine.runs(first);
    let kind = "content-type: application/json\r\n";
    let shown = format!("{kind}authorization: Bearer {token}\r\n");
    let send = |some: &[String]| {
        let feed = machine.feed();
        assert_eq!(ask(feed, "POST", "/v1/candidates", &lines(some)).0, 401);
        assert_eq!(ask(machine.board(), "GET", "/", "").0, 401);
        assert_eq!(ask_with(machine.board(), "GET", "/", &shown, "").0, 200);
        let (code, answer) = ask_with(feed, "POST", "/v1/candidates", &shown, &lines(some));
        assert_eq!(code, 202, "{answer}");
    };
    send(&people(20));
    // A copy, a stop, and a start that goes on.
    let copied = machine.runs(&format!("podman exec{rest}"));
    copied.says("entries of 20 people");
    send(&people(30));
    machine.runs("podman stop panel");
    let verified = machine.runs("klero journal verify /srv/panel/panel");
    verified.says("of 30 people");
}

#[test]
fn a_run_is_upgraded_step_by_step() {
    let [(_, tries), (_, compares), (_, installs)] = blocks::<3>("Upgrading");
    let machine = served();
    for version in ["klero-old", "klero-new"] {
        let klero = env!("CARGO_BIN_EXE_klero");
        machine.program(version, &format!("#!/bin/sh\nexec {klero} \"$@\"\n"));
    }
    std::fs::copy(
        machine.path("usr/local/bin/klero-new"),
        machine.path("klero-new"),
    )
    .expect("a file");
    assert_eq!(sent(&machine, &people(40)), 40);
    let tried = machine.runs(&tries);
    tried.says("whole: ");
    machine.runs(&compares);
    // Where both have chosen others the comparison says so.
    let mine = machine.path("var/lib/klero/panel/selected.csv");
    let text = std::fs::read_to_string(&mine).expect("results");
    std::fs::write(&mine, text.replace("p1,", "p100,")).expect("it can be written");
    assert!(
        !machine
            .tries(compares.split_once('\n').expect("two lines").1)
            .status
            .success()
    );
    let installed = machine.runs(&installs);
    installed.says("of 40 people");
    assert_eq!(sent(&machine, &people(50)), 10);
    machine
        .runs("klero journal verify /var/lib/klero-backup/panel-before-upgrade")
        .says("of 40 people");
    assert!(!machine.path("var/lib/klero/tryout").exists());
    machine.runs("systemctl stop klero");
}

/// The copies of a machine, by name.
fn copies(machine: &Machine) -> Vec<String> {
    let all = std::fs::read_dir(machine.path("var/lib/klero-backup")).expect("a folder");
    let mut names: Vec<String> = all
        .map(|one| one.expect("a copy").file_name().display().to_string())
        .collect();
    names.sort();
    names
}

#[test]
fn a_timer_makes_copies_and_deletes_old_ones_after_a_good_one_alone() {
    let [(_, script), (_, service), (_, timer), (language, cron)] =
        blocks::<4>("Copies by a timer");
    let machine = served();
    machine.program("klero-backup", &script);
    sent(&machine, &people(5));
    let starts = service
        .lines()
        .find_map(|line| line.strip_prefix("ExecStart="));
    let starts = starts.expect("a command");
    machine.runs(starts).says("of 5 people");
    assert_eq!(copies(&machine).len(), 1);
    assert!(timer.contains("OnCalendar=") && language == "cron");
    // One of long ago, and one that the operator made.
    let old = ["panel-2020-01-01-000000", "panel-before-upgrade"];
    for name in old {
        let path = format!("/var/lib/klero-backup/{name}");
        machine.runs(&format!("mkdir {path}; touch -d '20 days ago' {path}"));
    }
    // A copy has the second in its name.
    std::thread::sleep(Duration::from_millis(1100));
    let mut lines = cron.lines().rev();
    let line = lines.next().expect("a line");
    let words: Vec<&str> = line.splitn(7, ' ').collect();
    let is_time = |word: &&str| *word == "*" || word.parse::<u8>().is_ok_and(|at| at < 60);
    assert!(
        words[..5].iter().all(is_time) && words[5] == "klero",
        "{line}"
    );
    let path = lines.next().expect("a path");
    assert!(!line.contains('%'), "cron ends a command there: {line}");
    // A copy that fails deletes nothing.
    let by_cron = format!("{path} sh -c '{}'", words[6]);
    machine.runs("mv /var/lib/klero/panel /var/lib/klero/elsewhere");
    assert!(!machine.tries(&by_cron).status.success());
    assert_eq!(copies(&machine).len(), 3);
    machine.runs("mv /var/lib/klero/elsewhere /var/lib/klero/panel");
    machine.runs(&by_cron).says("whole: ");
    let left = copies(&machine);
    assert!(
        left.len() == 3 && !left.contains(&old[0].to_owned()),
        "{left:?}"
    );
    machine.runs("systemctl stop klero");
}

#[test]
fn a_folder_that_is_lost_is_restored_from_the_last_copy() {
    let [(_, restores)] = blocks::<1>("Restoring");
    let machine = served();
    for (many, name) in [(5, "2026-11-25-040000"), (10, "2026-11-26-040000")] {
        sent(&machine, &people(many));
        machine.runs(&format!(
            "klero journal backup /var/lib/klero/panel /var/lib/klero-backup/panel-{name}"
        ));
    }
    sent(&machine, &people(15));
    machine.runs(&restores).says("of 10 people");
    let note = machine.said("note: this run is a copy of ");
    note.says("with 10 people");
    assert_eq!(sent(&machine, &people(20)), 10);
    assert!(
        machine
            .path("var/lib/klero/panel.lost/journal.sqlite")
            .exists()
    );
    machine.runs("systemctl stop klero");
}
