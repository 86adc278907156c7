//! Shards without an engine: whoever plays them and in which order, a merge has the bytes of one
//! machine, or says what is not there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kleroterion::run::Leaf;
use kleroterion::units::{PLAN, SweepPlan, Units};

use super::{one_machine, same_folders, until_decided};
use crate::support::refusals::Page;
use crate::support::says::Says as _;
use crate::support::terminal::{Said, Terminal, on_one_line, said, typed};

/// Plays a shard of a plan into a folder.
fn shard(terminal: &Terminal, plan: &str, shard: &str, folder: &str, threads: &str) -> Said {
    let args = [
        "sweep",
        plan,
        "--shard",
        shard,
        "--out",
        folder,
        "--threads",
        threads,
    ];
    terminal.klero(&args)
}

/// The files of the units in a folder, by name.
fn units(terminal: &Terminal, folder: &str) -> Vec<PathBuf> {
    let names = terminal.names(&format!("{folder}/units"));
    let folder = terminal.path(folder).join("units");
    names.iter().map(|name| folder.join(name)).collect()
}

fn merged(terminal: &Terminal, folders: &[&str], out: &str) -> Said {
    let mut args = vec!["merge"];
    args.extend(folders);
    args.extend(["--out", out, "--quiet"]);
    terminal.klero(&args)
}

#[test]
fn any_sharding_gives_the_bytes_of_one_machine() {
    let terminal = Terminal::new();
    let one = one_machine(&terminal, [5, 8]);
    terminal.done(&["sweep", "my.toml", "--plan", "plan.json"]);
    let both = [1, 3, 7].into_iter().flat_map(|of| [(of, "1"), (of, "2")]);
    for (of, threads) in both.chain([(2, "1"), (64, "1")]) {
        let (folder, out) = (
            format!("shards{of}-{threads}"),
            format!("merged{of}-{threads}"),
        );
        // The last ones first; those without a unit are there too.
        for number in (0..of.min(8)).rev() {
            let said = shard(
                &terminal,
                "plan.json",
                &format!("{number}/{of}"),
                &folder,
                threads,
            );
            assert_eq!(said.code, Some(0), "{}", said.stderr);
        }
        assert_eq!(units(&terminal, &folder).len(), 6, "{of}");
        let said = merged(&terminal, &[&folder], &out);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        same_folders(&one, &terminal.path(&out));
    }
    // Folders of machines that share none.
    for number in 0..3 {
        let folder = format!("machine{number}");
        let said = shard(&terminal, "plan.json", &format!("{number}/3"), &folder, "2");
        assert_eq!(said.code, Some(0), "{}", said.stderr);
    }
    let said = merged(&terminal, &["machine2", "machine0", "machine1"], "apart");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    same_folders(&one, &terminal.path("apart"));
}

/// Kills a shard once a unit of its is whole, later each time, until it ends by itself; how often.
#[cfg(unix)]
fn killed_until_it_ends(terminal: &Terminal) -> usize {
    let args = ["sweep", "plan.json", "--shard", "0/1", "--out", "shards"];
    let started = Instant::now();
    let (mut kills, mut wait) = (0, Duration::from_millis(40));
    loop {
        let mut command: Command = terminal.command(&args);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary runs");
        std::thread::sleep(wait);
        wait = wait * 5 / 4;
        if let Some(ended) = child.try_wait().expect("it is ours") {
            assert!(ended.success(), "{ended:?}");
            return kills;
        }
        child.kill().expect("it lives");
        child.wait().expect("it ends");
        kills += 1;
        assert!(
            started.elapsed() < Duration::from_secs(240),
            "it never ends"
        );
    }
}

#[test]
#[cfg(unix)]
fn a_shard_that_is_killed_goes_on_and_plays_no_unit_twice() {
    let terminal = Terminal::new();
    let one = one_machine(&terminal, [5, 8]);
    terminal.done(&["sweep", "my.toml", "--plan", "plan.json"]);
    assert!(killed_until_it_ends(&terminal) > 1);
    let again = shard(&terminal, "plan.json", "0/1", "shards", "1");
    let known = "shard 0/1: 0 units played, 6 were there, 0 failed";
    again.stderr.says(known);
    assert_eq!(merged(&terminal, &["shards"], "out").code, Some(0));
    same_folders(&one, &terminal.path("out"));
}

/// A merge that is refused: its exit code, and stderr on one line.
fn refused(terminal: &Terminal, folders: &[&str]) -> (Option<i32>, String, String) {
    let said = merged(terminal, folders, "never");
    assert!(!terminal.path("never/summary.csv").exists());
    (said.code, on_one_line(&said.stderr), said.stdout)
}

#[test]
fn units_that_are_not_whole_or_not_of_the_plan_are_refused_by_name() {
    let terminal = Terminal::new();
    one_machine(&terminal, [5, 8]);
    terminal.done(&["sweep", "my.toml", "--plan", "plan.json"]);
    assert_eq!(
        shard(&terminal, "plan.json", "0/1", "good", "2").code,
        Some(0)
    );
    let files = units(&terminal, "good");
    let whole = fs::read(&files[2]).expect("a unit");
    let name = files[2]
        .file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let spoil = |bytes: Vec<u8>| fs::write(&files[2], bytes).expect("it can be written");
    // Cut off, and a bit of each region changed.
    let cuts = [0, 3, 10, whole.len() / 2, whole.len() - 1].map(|end| whole[..end].to_vec());
    let flips = [1, 9, 30, whole.len() / 2, whole.len() - 1].map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        bytes
    });
    for bytes in cuts.into_iter().chain(flips) {
        spoil(bytes);
        let (code, said, array) = refused(&terminal, &["good"]);
        assert_eq!(code, Some(1), "{said}");
        said.says(&name);
        said.says("cut off or damaged");
        assert!(array.starts_with("--array="), "{array}");
    }
    // A shard takes it for what it is, and plays it again.
    let again = shard(&terminal, "plan.json", "0/1", "good", "1");
    again.stderr.says("1 units played, 5 were there");
    assert_eq!(fs::read(&files[2]).expect("a unit"), whole);
    // Missing.
    fs::remove_file(&files[2]).expect("it is there");
    let (code, said, array) = refused(&terminal, &["good"]);
    assert_eq!(code, Some(1), "{said}");
    said.says(&name);
    said.says("is missing");
    assert_eq!(array, "--array=0\n");
    let status = terminal.done(&["sweep", "status", "good", "--format", "json"]);
    let status: serde_json::Value = serde_json::from_str(&status).expect("JSON");
    assert_eq!((&status["units"], &status["whole"]), (&6.into(), &5.into()));
    assert_eq!(status["open"][0]["why"], "missing");
    spoil(whole);
    // Of another plan.
    terminal.done(&typed("sweep my.toml --set seed=99 --plan other.json"));
    assert_eq!(
        shard(&terminal, "other.json", "0/1", "other", "2").code,
        Some(0)
    );
    let stranger = units(&terminal, "other")[0].clone();
    let stray = stranger.file_name().expect("a name");
    let at = terminal.path("good/units").join(stray);
    fs::copy(&stranger, &at).expect("it can be copied");
    let (code, said, _) = refused(&terminal, &["good"]);
    assert_eq!(code, Some(2), "{said}");
    said.says("is of another plan");
    fs::remove_file(&at).expect("it is there");
    let (code, said, _) = refused(&terminal, &["good", "other"]);
    assert_eq!(code, Some(2), "{said}");
    doubled(&terminal);
    of_another_build(&terminal);
}

/// A unit that is in two folders, with other bytes in one of them.
fn doubled(terminal: &Terminal) {
    let plan = SweepPlan::read(&terminal.path("good").join(PLAN)).expect("a plan");
    fs::create_dir_all(terminal.path("twice/units")).expect("a folder");
    fs::copy(
        terminal.path("good/plan.json"),
        terminal.path("twice/plan.json"),
    )
    .expect("a plan");
    let unit = plan.units().next().expect("units");
    let units = Units::at(&terminal.path("twice"));
    units
        .write(&plan, unit, &Leaf::default())
        .expect("it can be written");
    let (code, said, _) = refused(terminal, &["good", "twice"]);
    assert_eq!(code, Some(2), "{said}");
    let known = format!("{} is in", plan.names(unit));
    said.says(&known);
    said.says("with other bytes");
}

/// A unit that a program with other bytes played: it may compute otherwise.
fn of_another_build(terminal: &Terminal) {
    let ours = terminal.command(&[]).get_program().to_owned();
    let mut bytes = fs::read(ours).expect("the binary");
    bytes.push(b'\n');
    terminal.put("klero-other", bytes);
    let program = terminal.path("klero-other");
    make_runnable(&program);
    let mut command = Command::new(&program);
    let args = ["sweep", "my.toml", "--shard", "0/6", "--out", "elsewhere"];
    command.args(args).current_dir(terminal.path("."));
    let other = said(command);
    assert_eq!(other.code, Some(0), "{}", other.stderr);
    let stranger = units(terminal, "elsewhere")[0].clone();
    let at = terminal
        .path("good/units")
        .join(stranger.file_name().expect("a name"));
    fs::copy(&stranger, &at).expect("it can be copied");
    let (code, said, _) = refused(terminal, &["good"]);
    assert_eq!(code, Some(2), "{said}");
    said.says("played by another build of klero");
    // Its folder takes no unit of ours.
    let ours = shard(terminal, "plan.json", "1/6", "elsewhere", "1");
    assert_eq!(ours.code, Some(2), "{}", ours.stderr);
}

fn make_runnable(program: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
}

/// What failed once may have been the machine's fault: the same words again play it again.
#[test]
fn a_unit_that_failed_is_played_again_by_the_same_words() {
    let terminal = Terminal::new();
    let one = one_machine(&terminal, [5, 8]);
    terminal.done(&["sweep", "my.toml", "--plan", "plan.json"]);
    let said = shard(&terminal, "plan.json", "0/1", "out/shards", "2");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let unit = units(&terminal, "out/shards")[3].clone();
    fs::remove_file(&unit).expect("it is there");
    fs::write(unit.with_extension("failed"), "no memory\n").expect("a mark");
    let status = terminal.done(&["sweep", "status", "out/shards"]);
    status.says("no memory");
    // A bar, and of the points only the one that is not whole.
    assert!(
        status
            .lines()
            .any(|line| line.starts_with("[#") && line.ends_with(" %")),
        "{status}"
    );
    let points = status.lines().filter(|line| line.starts_with("point-"));
    assert_eq!(points.count(), 1, "{status}");
    let on_local = [
        "sweep", "my.toml", "--on", "local", "--out", "out", "--quiet",
    ];
    terminal.exits(0, &on_local);
    same_folders(&one, &terminal.path("out"));
}

#[test]
fn waves_end_where_one_machine_does() {
    let terminal = Terminal::new();
    let one = until_decided(&terminal);
    terminal.done(&["sweep", "my.toml", "--plan", "plan.json", "--shards", "2"]);
    let mut waves = Vec::new();
    loop {
        for number in ["0/2", "1/2"] {
            let said = shard(&terminal, "plan.json", number, "shards", "1");
            assert_eq!(said.code, Some(0), "{}", said.stderr);
        }
        waves.push(units(&terminal, "shards").len());
        let said = merged(&terminal, &["shards"], "out");
        match said.code {
            Some(0) => break,
            Some(1) => assert!(said.stdout.starts_with("--array="), "{}", said.stdout),
            _ => panic!("{}", said.stderr),
        }
        assert!(waves.len() < 5, "{waves:?}");
    }
    assert_eq!(waves, [1, 3, 5]);
    same_folders(&one, &terminal.path("out"));
}

#[test]
fn what_shards_and_merges_cannot_do_is_said_with_a_remedy() {
    let terminal = Terminal::new();
    one_machine(&terminal, [5, 8]);
    terminal.done(&["sweep", "my.toml", "--plan", "plan.json"]);
    terminal.put(
        "changed.json",
        terminal.read("plan.json").replace("2500", "2501"),
    );
    terminal.put("full/letter.txt", "mine");
    let mut page = Page::default();
    for args in [
        &["sweep", "plan.json", "--shard", "3/3", "--out", "d"][..],
        &["sweep", "plan.json", "--shard", "x/3", "--out", "d"],
        &["sweep", "plan.json", "--shard=-1/2", "--out", "d"],
        &["sweep", "plan.json", "--shard", "0", "--out", "d"],
        &["sweep", "plan.json", "--shard", "0/2"],
        &["sweep", "plan.json", "--shards", "2", "--out", "d"],
        &["sweep", "plan.json", "--shard", "0/2", "--out", "full"],
        &[
            "sweep",
            "plan.json",
            "--set",
            "seed=3",
            "--shard",
            "0/2",
            "--out",
            "d",
        ],
        &["sweep", "changed.json", "--shard", "0/2", "--out", "d"],
        &["sweep", "none.json", "--shard", "0/2", "--out", "d"],
        &["merge", "d", "--out", "m"],
        &["merge", "full", "--out", "full"],
        &["merge", "full"],
        &["sweep", "status", "full"],
    ] {
        let said = terminal.klero(args);
        assert_eq!(
            (said.code, &*said.stdout),
            (Some(2), ""),
            "{args:?} {}",
            said.stderr
        );
        page.add(&args.join(" "), &terminal.plain(&said.stderr));
    }
    insta::assert_snapshot!(page.text());
}
