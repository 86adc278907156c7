//! Jobs played, written, interrupted and resumed through the library alone.

mod own;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::*;
use kleroterion_run::config::ConfigInputs;
use kleroterion_run::document::Document;

const CONFIG: &str = r#"
replications = 12
seed = 3
[source]
type = "categorical"
shares = { gender = { M = 0.6, F = 0.4 } }
[target]
gender = { M = 0.5, F = 0.5 }
[rules]
choose = "at_most_one"
until = { accepted = 20 }
[[policy]]
label = "everybody"
kind = "accept_all"
[[policy]]
label = "queue"
kind = "virtual_queue"
[report]
judge = ["representation_loss"]
baseline = "everybody"
"#;

fn request() -> JobRequest {
    JobRequest::text("my.toml", CONFIG, ".")
}

fn swept() -> JobRequest {
    JobRequest {
        sweep: vec!["rules.until.accepted=10,20,30".into()],
        ..request()
    }
}

/// A job with all tables.
fn job(request: JobRequest) -> Job {
    let mut job = Job::load(request).expect("it is sound");
    (job.options.people, job.options.decisions) = (true, true);
    job
}

/// The files of a folder and of those in it, but for the timing.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("it is a folder") {
        let entry = entry.expect("it is there");
        let name = entry.file_name().into_string().expect("it is a name");
        match entry.path().is_dir() {
            true => {
                let inner = self::files(&entry.path()).into_iter();
                files.extend(inner.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
            }
            false if name == "timing.json" => {}
            false => drop(files.insert(name, std::fs::read(entry.path()).expect("it is read"))),
        }
    }
    files
}

/// Fails if two folders differ.
fn same(ours: &Path, other: &Path) {
    let (ours, other) = (files(ours), files(other));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&ours), names(&other));
    for (name, bytes) in &ours {
        assert!(*bytes == other[name], "{name}");
    }
}

#[test]
fn a_job_in_memory_writes_what_a_job_in_a_folder_writes() {
    for request in [request(), swept()] {
        let folder = tempfile::tempdir().expect("a folder");
        let [played, written] = ["played", "written"].map(|name| folder.path().join(name));
        let into = job(request.clone()).into_folder(&played, false);
        let into = into.expect("there is none").play(&JobWatch::default());
        let mut memory = job(request).play(&JobWatch::default()).expect("it plays");
        memory.write(&written, false).expect("there is none");
        same(&played, &written);
        assert_eq!(into.expect("it plays").json(), memory.json());
        let again = memory.write(&written, false);
        assert!(
            again
                .expect_err("it is in use")
                .to_string()
                .contains("--force")
        );
        memory.write(&written, true).expect("it may");
        same(&played, &written);
    }
}

/// Plays a job into a folder, and interrupts it after `most` replications of the last run that
/// begins.
fn interrupted(job: Job, folder: &Path, most: u64, runs: u64) -> FinishedJob {
    let job = job.into_folder(folder, false).expect("there is none");
    let begun = std::cell::Cell::new(0);
    let mut watch = JobWatch::default();
    let interrupt = watch.interrupt.clone();
    watch.progress = Some(Box::new(move |progress| {
        if let JobProgress::Replications(played, _) = progress {
            begun.set(begun.get() + u64::from(played == 0));
            if begun.get() == runs && played == most {
                interrupt.store(true, Ordering::Relaxed);
            }
        }
    }));
    job.play(&watch).expect("some are played")
}

#[test]
fn a_resumed_job_ends_with_the_files_of_one_that_was_never_stopped() {
    for (request, runs) in [(request(), 1), (swept(), 2)] {
        let folder = tempfile::tempdir().expect("a folder");
        let [stopped, plain] = ["stopped", "plain"].map(|name| folder.path().join(name));
        let finished = interrupted(job(request.clone()), &stopped, 4, runs);
        assert!(finished.is_interrupted);
        assert!(was_played(&stopped));
        let resumed = Job::resume(&stopped, &ConfigInputs::default()).expect("it is stopped");
        resumed.play(&JobWatch::default()).expect("it goes on");
        let whole = job(request)
            .into_folder(&plain, false)
            .expect("there is none");
        whole.play(&JobWatch::default()).expect("it plays");
        same(&stopped, &plain);
        assert!(
            Job::resume(&stopped, &ConfigInputs::default()).is_err(),
            "it is finished"
        );
    }
}

/// Replications that keep all values.
fn keeping(replications: u64) -> JobRequest {
    JobRequest {
        replications: Some(replications),
        keep: Some("all".into()),
        ..request()
    }
}

fn played_into(request: JobRequest, folder: &Path) {
    let job = job(request).into_folder(folder, false);
    let job = job.expect("there is none");
    job.play(&JobWatch::default()).expect("it plays");
}

#[test]
fn a_finished_run_with_more_replications_has_the_files_of_one_of_so_many() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let none = ConfigInputs::default();
    played_into(keeping(12), &at("more"));
    played_into(keeping(150), &at("whole"));
    for (replications, stop_at) in [(40, None), (110, Some(70)), (150, None)] {
        let more = Job::extend(&at("more"), replications, &none).expect("it kept all");
        let mut watch = JobWatch::default();
        let interrupt = watch.interrupt.clone();
        watch.progress = Some(Box::new(move |progress| {
            if let (JobProgress::Replications(played, _), Some(stop)) = (progress, stop_at) {
                interrupt.fetch_or(played == stop, Ordering::Relaxed);
            }
        }));
        let played = more.play(&watch).expect("it goes on");
        assert_eq!(played.is_interrupted, stop_at.is_some());
    }
    same(&at("more"), &at("whole"));
}

#[test]
fn a_run_that_can_have_no_more_replications_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let refused = |name: &str, replications| {
        let refused = Job::extend(&at(name), replications, &ConfigInputs::default());
        refused.err().expect("it is refused").to_string()
    };
    played_into(keeping(12), &at("kept"));
    for replications in [0, 11, 12] {
        let said = refused("kept", replications);
        assert!(said.contains("12 replications already"), "{said}");
    }
    played_into(request(), &at("judged"));
    assert!(refused("judged", 20).contains("--keep all"));
    let hidden = at("hidden");
    let mut secret = job(keeping(12));
    secret.options.key = Some([7; 32]);
    let secret = secret.into_folder(&hidden, false).expect("there is none");
    secret.play(&JobWatch::default()).expect("it plays");
    assert!(refused("hidden", 20).contains("ids are hidden"));
    interrupted(job(swept()), &at("swept"), 4, 2);
    assert!(refused("swept", 20).contains("a sweep"));
    std::fs::create_dir(at("empty")).expect("there is none");
    assert!(refused("empty", 20).contains("holds no run"));
}

#[test]
fn an_interrupt_beforehand_is_an_error_or_no_replication_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let watch = JobWatch::default();
    watch.interrupt.store(true, Ordering::Relaxed);
    let job = job(request()).into_folder(folder.path().join("run"), false);
    let finished = job.expect("there is none").play(&watch);
    let finished = finished.expect("the first replication is cut short");
    assert!(finished.is_interrupted);
    let few = finished.runs[0].result.replications;
    assert!(few <= 1, "{few}");
}

#[test]
fn the_report_of_a_job_in_memory_is_that_of_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut finished = job(request()).play(&JobWatch::default()).expect("it plays");
    finished.write(folder.path(), true).expect("it is empty");
    let question = RunQuestion::default();
    let report = FolderReport::read(
        folder.path(),
        &question,
        true,
        &ConfigInputs::default(),
        &JobWatch::default(),
    );
    let report = report.unwrap_or_else(|problems| panic!("{problems}"));
    report.write().expect("it can be written");
    let page = finished.runs[0].report().expect("it has its tables");
    let written = std::fs::read_to_string(report.path()).expect("it is there");
    assert_eq!(page.html, written);
    assert!(!page.figures.is_empty());
    for (name, svg) in &page.figures {
        let path = folder.path().join("figures").join(name);
        assert_eq!(*svg, std::fs::read_to_string(path).expect("it is there"));
    }
    assert_eq!(report.json().expect("it has answers"), finished.json());
    let decisions = finished.runs[0].decisions().expect("they are read");
    let file = std::fs::read_to_string(folder.path().join("decisions.ndjson"));
    assert_eq!(decisions, file.ok());
}

#[test]
fn all_that_is_wrong_is_said_at_once_with_its_places() {
    let request = JobRequest {
        set: vec!["report.alpha=2".into(), "rules.chose=1".into()],
        only: vec!["nobody".into()],
        ..request()
    };
    let Err(JobError::Wrong(problems, Some(text))) = Job::load(request) else {
        panic!("it is wrong");
    };
    assert_eq!(text.name(), "my.toml");
    let said = problems.to_string();
    for part in ["--set report.alpha=2", "chose", "nobody"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_document_is_a_config_with_its_changes() {
    let mut document = Document::parse(CONFIG).expect("it is TOML");
    document.set("rules.until.accepted=5").expect("it is a key");
    let request = JobRequest {
        replications: Some(2),
        seed: Some(8),
        ..JobRequest::from(document)
    };
    let job = Job::load(request).expect("it is sound");
    let plan = &job.runs[0].plan;
    assert_eq!((plan.replications, plan.seed), (2, 8));
    let finished = job.play(&JobWatch::default()).expect("it plays");
    let run = finished.alone().expect("one run");
    assert_eq!(run.result.replications, 2);
    assert!(run.run.config().contains("accepted = 5"));
}

#[test]
fn an_attribute_that_nobody_has_is_not_dropped() {
    let mut job = Job::load(request()).expect("it is sound");
    job.options.dropped = vec!["gendr".into()];
    let error = job.play(&JobWatch::default()).err().expect("it is unknown");
    assert!(error.to_string().contains("gendr"), "{error}");
}
