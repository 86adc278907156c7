//! Policies of a program's own in jobs: as a kind in a config, and as an object.

use std::sync::{Arc, Mutex};
use std::thread;

use super::*;
use kleroterion_core::arena::Blind;
use kleroterion_core::protocol::{Move, Policy, View};
use kleroterion_io::feed::{Fate, memory_feed};
use kleroterion_io::record::file::MemoryTable;
use kleroterion_run::Registry;
use kleroterion_run::document::ConfigKey;
use kleroterion_run::document::range::PROBABILITY;
use kleroterion_run::keys;
use kleroterion_run::registry::PolicyKind;

/// Accepts a share of all, by lot.
#[derive(Clone)]
struct Lot(f64);

impl Policy for Lot {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        Move::decide(view.draw().uniform() < self.0)
    }
}

const SHARE: ConfigKey<f64> = ConfigKey::number("share", PROBABILITY)
    .about("the part that it accepts")
    .or(0.5);

fn inputs() -> ConfigInputs {
    let lot = PolicyKind::new("lot", "accepts a share, by lot", |table, _| {
        Some(Lot(SHARE.value(table)?))
    });
    let registry = Registry::default().policy(lot.with(keys![SHARE]));
    ConfigInputs::default().with_registry(registry.expect("the name is free"))
}

/// The config with a policy of the program's own as the baseline.
fn config(kind: &str) -> String {
    let own = format!("[[policy]]\nlabel = \"ours\"\nkind = \"{kind}\"\n[report]");
    CONFIG
        .replace("[report]", &own)
        .replace("baseline = \"everybody\"", "baseline = \"ours\"")
}

fn of(text: &str, inputs: ConfigInputs) -> JobRequest {
    JobRequest {
        inputs,
        ..JobRequest::text("own.toml", text, ".")
    }
}

#[test]
fn a_kind_of_ones_own_is_the_baseline_and_is_swept() {
    let request = JobRequest {
        sweep: vec!["policy.ours.share=0.25,0.5".into()],
        ..of(&config("lot"), inputs())
    };
    let finished = Job::load(request).expect("it is sound");
    let finished = finished.play(&JobWatch::default()).expect("it plays");
    let rates = finished.runs.iter().map(|run| {
        assert!(run.summary.pairs.iter().all(|pair| pair.b == "ours"));
        run.summary.policies["ours"].metrics["selection_rate"].mean
    });
    let rates: Vec<f64> = rates.collect();
    assert!(
        rates.len() == 2 && rates[0] < 0.4 && rates[1] > 0.4,
        "{rates:?}"
    );
}

/// People who come from the memory of the program.
const LIVE: &str = r#"
seed = 3
[source]
type = "memory"
id = "id"
[source.attributes]
area = { column = "area", values = { town = "town", country = "country" } }
[rules]
choose = "at_most_one"
until = { rounds = 20 }
[live]
acting = "ours"
[[policy]]
label = "ours"
kind = "lot"
[[policy]]
label = "all"
kind = "accept_all"
"#;

/// Plays a live job while people come. Returns the numbers of those whom the acting policy chose,
/// and the number of its decisions.
fn played(job: LiveJob, sends: impl FnOnce() + Send + 'static) -> (Vec<String>, usize) {
    let sending = thread::spawn(sends);
    let following = Arc::<Mutex<Option<thread::JoinHandle<_>>>>::default();
    let begun = Arc::clone(&following);
    let hooks = LiveHooks {
        watching: Box::new(move |watched| {
            let follower = watched.follow(None).blocking().expect("a runtime");
            let all = move || follower.filter(|one| one.acts).collect::<Vec<_>>();
            *begun.lock().expect("no panic") = Some(thread::spawn(all));
        }),
        ..LiveHooks::default()
    };
    let played = job.play(&JobWatch::default(), hooks);
    played.unwrap_or_else(|error| panic!("{error}"));
    sending.join().expect("they are sent");
    let following = following.lock().expect("no panic").take();
    let acted = following.expect("it follows").join().expect("it ends");
    assert!(acted.iter().all(|one| one.event.decision.policy == "ours"));
    let chosen = acted
        .iter()
        .flat_map(|one| one.event.decision.chosen.clone());
    (chosen.collect(), acted.len())
}

fn person(id: u32) -> String {
    format!(r#"{{"id": "p{id}", "area": "town"}}"#)
}

#[test]
fn a_kind_of_ones_own_acts_live_and_its_decisions_come_back_before_and_after_a_stop() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("run");
    let (people, feed) = memory_feed(4);
    let request = of(LIVE, inputs().with_feed(feed));
    let job = LiveJob::load(request, &folder, false, LiveOptions::default());
    let job = job.unwrap_or_else(|error| panic!("{error}"));
    let (chosen, decided) = played(job, move || {
        for id in 0..12 {
            let sent = people.send_blocking(person(id)).expect("it is open");
            assert!(matches!(sent.fate_blocking(), Some(Fate::Answered(_))));
        }
    });
    assert_eq!(decided, 12);
    assert!(!chosen.is_empty() && chosen.len() < 12, "{chosen:?}");
    let lacking = LiveJob::resume(&folder, LiveChanges::default(), &JobWatch::default());
    let lacking = lacking.err().expect("the kind is unknown").to_string();
    assert!(lacking.contains("`lot`"), "{lacking}");

    let (people, feed) = memory_feed(4);
    let changes = LiveChanges {
        inputs: inputs().with_feed(feed),
        ..LiveChanges::default()
    };
    let job = LiveJob::resume(&folder, changes, &JobWatch::default());
    let job = job.unwrap_or_else(|error| panic!("{error}"));
    let (again, decided) = played(job, move || {
        for id in 12..20 {
            drop(people.send_blocking(person(id)));
        }
    });
    assert_eq!(decided, 20);
    assert_eq!(again[..chosen.len()], chosen);
}

/// A live run in memory decides as one in a folder, and its folder can be written afterwards.
#[test]
fn a_live_run_in_memory_decides_as_one_with_a_journal() {
    let home = tempfile::tempdir().expect("a folder");
    let [kept, written] = ["kept", "written"].map(|name| home.path().join(name));
    let options = LiveOptions {
        decisions: true,
        ..LiveOptions::default()
    };
    let request = |feed| of(LIVE, inputs().with_feed(feed));
    let send = |people: kleroterion_io::feed::MemorySender| {
        thread::spawn(move || {
            for id in 0..20 {
                let sent = people.send_blocking(person(id)).expect("it is open");
                assert!(matches!(sent.fate_blocking(), Some(Fate::Answered(_))));
            }
        })
    };
    let (people, feed) = memory_feed(4);
    let job = LiveJob::load(request(feed), &kept, false, options.clone()).expect("it is sound");
    let sending = send(people);
    let journaled = job.play(&JobWatch::default(), LiveHooks::default());
    sending.join().expect("they are sent");
    let (people, feed) = memory_feed(4);
    let job = LiveJob::in_memory(request(feed), options).expect("it is sound");
    let sending = send(people);
    let mut live = job.play(&JobWatch::default(), LiveHooks::default());
    sending.join().expect("they are sent");
    let memory = live.as_mut().expect("it plays");
    assert_eq!(memory.job.json(), journaled.expect("it plays").job.json());
    memory.job.write(&written, false).expect("there is none");
    for name in [
        "decisions.ndjson",
        "selected.csv",
        "summary.json",
        "config.toml",
    ] {
        let read = |folder: &Path| std::fs::read_to_string(folder.join(name)).expect(name);
        assert_eq!(read(&kept), read(&written), "{name}");
    }
}

fn object() -> ConfigInputs {
    ConfigInputs::default().with_policy("ours", Box::new(Blind(Lot(0.5))))
}

/// A report plays no policy, so it needs none of the program's objects.
#[test]
fn a_run_of_an_object_is_reported_without_it_and_resumed_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [stopped, plain] = ["stopped", "plain"].map(|name| folder.path().join(name));
    let request = || of(&config("custom"), object());
    interrupted(job(request()), &stopped, 4, 1);
    let lacking = Job::resume(&stopped, &ConfigInputs::default());
    let lacking = lacking.err().expect("it has no policy").to_string();
    assert!(
        lacking.contains("play it in the program that hands it in under this label"),
        "{lacking}"
    );
    let resumed = Job::resume(&stopped, &object()).expect("it is stopped");
    resumed.play(&JobWatch::default()).expect("it goes on");
    let mut whole = job(request()).play(&JobWatch::default()).expect("it plays");
    whole.write(&plain, false).expect("there is none");
    same(&stopped, &plain);

    let other = RunQuestion {
        baseline: Some("queue".into()),
        ..RunQuestion::default()
    };
    for question in [RunQuestion::default(), other] {
        let none = ConfigInputs::default();
        let report = FolderReport::read(&plain, &question, true, &none, &JobWatch::default());
        let report = report.unwrap_or_else(|problems| panic!("{problems}"));
        assert!(report.tables(&Default::default()).contains("ours"));
        if question.is_empty() {
            report.write().expect("it can be written");
            let page = std::fs::read_to_string(report.path()).expect("it is there");
            let own = whole.runs[0].report().expect("it has its files");
            assert_eq!(page, own.html);
        }
    }
}

/// A draw has copies of the tables, so that anybody can check it.
#[test]
fn a_draw_copies_tables_from_memory() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    let read = |name: &str| std::fs::read_to_string(configs.join(name)).expect("it is there");
    let table = |name: &str| MemoryTable::of_file(read(name).into_bytes());
    let folder = tempfile::tempdir().expect("a folder");
    let memory = |name: &str| format!("{{ memory = \"{name}\" }}");
    let config = read("organiser.toml")
        .replace("\"organiser/respondents.csv\"", &memory("people"))
        .replace("\"organiser/categories.csv\"", &memory("quotas"));
    let path = folder.path().join("own.toml");
    std::fs::write(&path, config).expect("it can be written");
    let asked = |config: String, inputs: ConfigInputs| {
        let request = DrawRequest {
            config: Some(ConfigSource::Named(config)),
            policy: Some("look-ahead".into()),
            out: Some(folder.path().join("panel")),
            outside: inputs,
            ..DrawRequest::default()
        };
        AskedDraw::of(&request, &JobWatch::default())
    };
    let inputs = ConfigInputs::default()
        .with_table("people", table("organiser/respondents.csv"))
        .with_table("quotas", table("organiser/categories.csv"));
    let mut held = asked(path.display().to_string(), inputs).expect("it is sound");
    let plain = asked(
        configs.join("organiser.toml").display().to_string(),
        ConfigInputs::default(),
    );
    let plain = plain.expect("it is sound");
    assert_eq!(held.inputs.files, plain.inputs.files);
    // A table from memory has no file to be found in.
    assert_eq!(
        (held.inputs.original(), plain.inputs.original().is_some()),
        (None, true)
    );
    assert!(
        held.inputs.files.len() == 2,
        "{:?}",
        held.inputs.files.keys()
    );
    held.stage_for(true, &JobWatch::default())
        .expect("it can be drawn");
}
