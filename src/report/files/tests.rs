use super::*;
use tempfile::TempDir;

fn text(bytes: &'static str) -> impl FnOnce(&mut dyn Write) -> io::Result<()> {
    move |out| out.write_all(bytes.as_bytes())
}

fn listed(path: &Path) -> Vec<String> {
    let names = names(path).unwrap().into_iter();
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
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
fn force_removes_a_run_whole_and_nothing_else() {
    let old = ["summary.json", "selected.csv", "config.toml", "notes.txt"];
    let home = TempDir::new().unwrap();
    for name in old {
        fs::write(home.path().join(name), "old").unwrap();
    }
    Folder::create(home.path(), true).unwrap();
    assert_eq!(listed(home.path()), ["config.toml", "notes.txt"]);
    // Without a run there, a file of that name is not ours.
    fs::write(home.path().join("selected.csv"), "mine").unwrap();
    Folder::create(home.path(), true).unwrap();
    assert_eq!(listed(home.path()).len(), 3);
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
fn only_a_run_is_opened() {
    let home = TempDir::new().unwrap();
    let problems = Folder::open(home.path()).unwrap_err().to_string();
    assert!(problems.contains("holds no run"), "{problems}");
    fs::write(home.path().join(PROGRESS), "").unwrap();
    assert!(Folder::open(home.path()).is_ok());
    assert!(Folder::open(home.path().join("none")).is_err());
}

#[test]
fn removing_what_is_not_there_is_no_fault() {
    let home = TempDir::new().unwrap();
    let folder = Folder::create(home.path(), false).unwrap();
    assert_eq!(folder.remove(PROGRESS), Ok(()));
}
