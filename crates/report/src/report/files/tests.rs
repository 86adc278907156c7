use super::*;
use tempfile::TempDir;

fn text(bytes: &'static str) -> impl FnOnce(&mut dyn Write) -> io::Result<()> {
    move |out| out.write_all(bytes.as_bytes())
}

fn listed(path: &Path) -> Vec<String> {
    let names = names(path).unwrap().into_iter();
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| name != LOCK);
    names.sort();
    names
}

fn refusal(path: &Path, force: bool) -> Problem {
    let mut problems = Folder::create(path, force).unwrap_err().0;
    assert_eq!(problems.len(), 1);
    problems.remove(0)
}

#[test]
fn a_folder_is_made_with_its_parents_and_left_clean() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("runs/first");
    let folder = Folder::create(&path, false).unwrap();
    assert_eq!(listed(&path), [""; 0]);
    folder.write(SUMMARY, text("{}")).unwrap();
    assert_eq!(listed(&path), [SUMMARY]);
    assert_eq!(fs::read_to_string(folder.file(SUMMARY)).unwrap(), "{}");
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let home = TempDir::new().unwrap();
    let folder = Folder::create(home.path(), false).unwrap();
    folder.write("a.csv", text("whole")).unwrap();
    let half = |out: &mut dyn Write| {
        out.write_all(&[b'x'; 100_000])?;
        Err(io::Error::from(ErrorKind::StorageFull))
    };
    let problem = folder.write("a.csv", half).unwrap_err();
    assert!(problem.help.unwrap().contains("room"));
    assert_eq!(fs::read_to_string(folder.file("a.csv")).unwrap(), "whole");
    assert_eq!(listed(home.path()), ["a.csv"]);
    folder.write("a.csv", text("new")).unwrap();
    assert_eq!(fs::read_to_string(folder.file("a.csv")).unwrap(), "new");
}

#[test]
fn what_is_there_is_refused_with_a_remedy() {
    for (name, said, remedy) in [
        (SUMMARY, "already holds a run", "--force to overwrite"),
        (PROGRESS, "under way or was cut off", "--force to start"),
        ("notes.txt", "is not empty", "new or empty folder"),
    ] {
        let home = TempDir::new().unwrap();
        fs::write(home.path().join(name), "old").unwrap();
        let problem = refusal(home.path(), false);
        assert!(problem.what.contains(said), "{problem}");
        assert!(problem.help.unwrap().contains(remedy));
        assert_eq!(fs::read_to_string(home.path().join(name)).unwrap(), "old");
        assert!(Folder::create(home.path(), true).is_ok());
    }
}

#[test]
fn force_keeps_a_run_until_the_new_one_is_whole_and_takes_nothing_else() {
    let old = ["summary.json", "selected.csv", "config.toml", "notes.txt"];
    let home = TempDir::new().unwrap();
    for name in old {
        fs::write(home.path().join(name), "old").unwrap();
    }
    let folder = Folder::create(home.path(), true).unwrap();
    assert_eq!(listed(&folder.path), ["config.toml", "notes.txt", REPLACED]);
    let kept = ["config.toml", "selected.csv", "summary.json"];
    assert_eq!(listed(&folder.file(REPLACED)), kept);
    // Cut off, and begun again: the whole one is kept still.
    folder.write(PROGRESS, text("")).unwrap();
    folder.write("series.csv", text("half")).unwrap();
    drop(folder);
    let folder = Folder::create(home.path(), true).unwrap();
    assert_eq!(listed(&folder.path), ["config.toml", "notes.txt", REPLACED]);
    assert_eq!(listed(&folder.file(REPLACED)), kept);
    folder.write(SUMMARY, text("new")).unwrap();
    folder.finish().unwrap();
    assert_eq!(listed(&folder.path), ["config.toml", "notes.txt", SUMMARY]);
    fs::remove_file(folder.file(SUMMARY)).unwrap();
    drop(folder);
    // Without a run there, a file of that name is not ours.
    fs::write(home.path().join("selected.csv"), "mine").unwrap();
    drop(Folder::create(home.path(), true).unwrap());
    assert_eq!(
        listed(home.path()),
        ["config.toml", "notes.txt", "selected.csv"]
    );
}

#[test]
fn a_sweep_is_set_aside_with_its_runs() {
    let home = TempDir::new().unwrap();
    let put = |name: &str, text: &str| fs::write(home.path().join(name), text).unwrap();
    for point in ["point-001", "point-002"] {
        fs::create_dir(home.path().join(point)).unwrap();
        put(&format!("{point}/summary.json"), "{}");
        put(&format!("{point}/config.toml"), "");
    }
    put("point-002/mine.txt", "mine");
    put(POINTS, "point,seed\npoint-001,1\npoint-002,2\n");
    put("sweep.csv", "");
    put("summary.json", "{}");
    let folder = Folder::create(home.path(), true).unwrap();
    assert_eq!(listed(&folder.path), ["point-002", REPLACED]);
    assert_eq!(listed(&folder.file("point-002")), ["mine.txt"]);
    let kept = Folder::at(folder.file(REPLACED));
    assert_eq!(listed(&kept.file("point-002")), ["config.toml", SUMMARY]);
    folder.finish().unwrap();
    assert_eq!(listed(&folder.path), ["point-002"]);
}

/// A move that a crash cut off goes on: nothing of the old run is lost, and nothing is mixed.
#[test]
fn a_move_that_was_cut_off_goes_on() {
    let home = TempDir::new().unwrap();
    let put = |name: &str| fs::write(home.path().join(name), name).unwrap();
    put("selected.csv");
    put("config.toml");
    fs::create_dir(home.path().join(".replaced")).unwrap();
    put(".replaced/summary.json");
    let folder = Folder::create(home.path(), true).unwrap();
    let kept = ["config.toml", "selected.csv", "summary.json"];
    assert_eq!(listed(&folder.file(REPLACED)), kept);
    assert_eq!(listed(&folder.path), ["config.toml", REPLACED]);
}

#[test]
fn one_process_holds_a_folder() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("run");
    let first = Folder::create(&path, false).unwrap();
    let problem = refusal(&path, true);
    let process = format!("process {}", std::process::id());
    assert!(problem.what.contains(&process), "{problem}");
    assert!(Folder::hold(&path).is_err());
    drop(first);
    assert!(!path.join(LOCK).exists());
    // The file of a process that was killed holds nothing.
    fs::write(path.join(LOCK), "1").unwrap();
    drop(Folder::create(&path, false).unwrap());
    assert!(listed(&path).is_empty() && !path.join(LOCK).exists());
}

#[test]
fn what_a_killed_process_was_writing_is_removed() {
    let home = TempDir::new().unwrap();
    let ours = [".replications.csv.123.tmp", ".config.toml.9.tmp"];
    let others = [
        ".mine.csv.123.tmp",
        ".replications.csv.x.tmp",
        ".report.html.5.tmp",
    ];
    for name in ours.iter().chain(&others) {
        fs::write(home.path().join(name), "").unwrap();
    }
    let _folder = Folder::create(home.path(), true).unwrap();
    let mut others = others.to_vec();
    others.sort_unstable();
    assert_eq!(listed(home.path()), others);
}

#[test]
fn what_a_killed_process_was_writing_for_a_run_of_a_sweep_is_removed() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join(POINTS), "point,seed\npoint-001,1\n").unwrap();
    let point = home.path().join("point-001");
    fs::create_dir(&point).unwrap();
    for name in [".summary.csv.7.tmp", ".mine.csv.7.tmp", SUMMARY] {
        fs::write(point.join(name), "").unwrap();
    }
    let _folder = Folder::hold(home.path()).unwrap();
    assert_eq!(listed(&point), [".mine.csv.7.tmp", SUMMARY]);
}

#[test]
fn a_file_in_the_way_is_told() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("a");
    fs::write(&path, "old").unwrap();
    for force in [false, true] {
        let problem = refusal(&path, force);
        assert_eq!(problem.what, "this is a file, not a folder");
        assert!(refusal(&path.join("b"), force).help.is_some());
    }
    let folder = Folder::create(home.path().join("run"), false).unwrap();
    fs::create_dir(folder.file(SUMMARY)).unwrap();
    let problem = folder.write(SUMMARY, text("{}")).unwrap_err();
    assert!(problem.what.starts_with("cannot be written"), "{problem}");
    assert_eq!(listed(folder.path()), [SUMMARY]);
}

#[test]
fn removing_what_is_not_there_is_no_fault() {
    let home = TempDir::new().unwrap();
    let folder = Folder::create(home.path(), false).unwrap();
    assert_eq!(folder.remove(PROGRESS), Ok(()));
}
