use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::super::tests::doubles::{ABSENT, Broker, plain, stream as described, wanted};
use super::*;

#[test]
fn what_is_lost_goes_by_replicas() {
    let of = |replicas, synced| losses("S", replicas, synced).join("\n");
    assert!(of(Some(1), false).contains("machine loses power"));
    assert!(of(Some(1), true).contains("its disk alone"));
    assert!(of(Some(3), false).contains("2 machines"));
    assert!(of(Some(5), true).contains("3 disks"));
    assert!(of(None, false).contains("one replica") && of(None, false).contains("three"));
}

#[test]
fn versions_before_2_10_are_old() {
    for (version, old) in [
        ("2.9.10", true),
        ("1.4.1", true),
        ("2.10.0", false),
        ("2.15.1", false),
        ("3.0.0-beta", false),
        ("", false),
    ] {
        assert_eq!(is_old(version), old, "{version}");
    }
}

#[test]
fn times_are_shown_as_they_are_said() {
    for (millis, text) in [(120_000, "2 min"), (10_000, "10 s"), (500, "0.5 s")] {
        assert_eq!(shown(Duration::from_millis(millis)), text);
    }
}

fn monitor() -> NatsMonitor {
    NatsMonitor {
        authority: "h:8222".into(),
        path: "/n".into(),
    }
}

fn info(config: &str, cluster: &str) -> Info {
    serde_json::from_str(&described(config, cluster)).unwrap()
}

/// The two sentences of a problem.
fn texts(problem: &Problem) -> (&str, &str) {
    (&problem.what, problem.help.as_deref().expect("help"))
}

#[test]
fn a_server_that_may_not_sync_first_is_refused_with_a_remedy() {
    let server = |syncing, version: &str, is_named| MonitoredServer {
        name: "one".into(),
        is_named,
        version: version.into(),
        syncing,
    };
    let every = Some(Syncing::Every(Duration::from_secs(10)));
    let unsaid = Some(Syncing::Unsaid);
    for (server, what, help) in [
        (
            server(every, "2.12.0", true),
            "the NATS server one (http://h:8222/n) syncs every 10 s, and may lose what it \
             acknowledged since",
            "write into its config, and start it again: ",
        ),
        (
            server(unsaid, "2.9.10", false),
            "the NATS server at http://h:8222/n has version 2.9.10, which can't sync before it \
             acknowledges",
            "install nats-server 2.10 or later, and write into its config: ",
        ),
        (
            server(unsaid, "2.10.0", false),
            "the NATS server at http://h:8222/n does not say that it syncs before it acknowledges",
            "write into its config, and start it again: ",
        ),
    ] {
        let problem = unsynced(&monitor(), &server).expect("it may lose messages");
        let help = format!("{help}{ALWAYS}; {ACCEPT}");
        assert_eq!(texts(&problem), (what, &*help));
    }
    // A server that keeps no stream loses none.
    for syncing in [Some(Syncing::Always), None] {
        let server = server(syncing, "2.9.10", true);
        assert_eq!(unsynced(&monitor(), &server), None);
    }
}

#[test]
fn a_stream_in_memory_or_written_later_is_refused() {
    let whats = |config: &str| -> Vec<String> {
        let problems = careless(&info(config, "null"));
        let what = |problem: &Problem| {
            let (what, help) = texts(problem);
            assert!(help.starts_with("make one whose ") && help.ends_with(ACCEPT));
            what.to_owned()
        };
        problems.iter().map(what).collect()
    };
    let memory = "the stream \"PEOPLE\" is in memory: a server that ends loses it";
    let later = "the stream \"PEOPLE\" acknowledges messages before it writes them";
    let none: [&str; 0] = [];
    assert_eq!(whats(r#""storage":"file","num_replicas":1"#), none);
    let sync = r#""storage":"file","num_replicas":1,"persist_mode":"default""#;
    assert_eq!(whats(sync), none);
    assert_eq!(whats(r#""storage":"memory","num_replicas":1"#), [memory]);
    let both = r#""storage":"memory","num_replicas":1,"persist_mode":"async""#;
    assert_eq!(whats(both), [memory, later]);
    assert_eq!(whats(&both.replace("memory", "file")), [later]);
}

const FILE: &str = r#""storage":"file","num_replicas":3"#;
const THREE: &str = r#"{"leader":"b","replicas":[{"name":"a","current":true,"active":1},
    {"name":"c","current":true,"active":1}]}"#;

#[test]
fn servers_of_the_stream_that_are_not_asked_are_named() {
    let of = |cluster, asked: &[&str]| {
        let asked: Vec<String> = asked.iter().map(|name| (*name).to_owned()).collect();
        unnamed(&info(FILE, cluster), &asked).map(|problem| problem.what)
    };
    let what = |who| {
        Some(format!(
            "klero can't know how {who} syncs, which has the stream \"PEOPLE\""
        ))
    };
    assert_eq!(of(THREE, &["a", "b", "c", "d"]), None);
    assert_eq!(of(THREE, &["c", "a"]), what("b"));
    assert_eq!(of(THREE, &[]), what("b, a, c"));
    assert_eq!(of("null", &[]), None);
}

/// A page of a monitoring address, once.
async fn page(text: &str) -> NatsMonitor {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let authority = listener.local_addr().unwrap().to_string().into();
    let text = text.to_owned();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut [0; 1024]).await;
        let _ = stream.write_all(text.as_bytes()).await;
    });
    let path = "".into();
    NatsMonitor { authority, path }
}

async fn varz(name: &str, config: &str) -> NatsMonitor {
    page(&format!(
        "HTTP/1.0 200 OK\r\n\r\n{{\"server_id\":\"N\",\"server_name\":\"{name}\",\
         \"version\":\"2.12.0\",\"jetstream\":{{\"config\":{{{config}}}}}}}"
    ))
    .await
}

/// A server that syncs always.
async fn careful(name: &str) -> NatsMonitor {
    varz(name, "\"sync_always\":true").await
}

/// Returns the findings about a stream: the number of problems of each kind, and the notes.
async fn asked(
    stream: &str,
    monitors: Vec<NatsMonitor>,
    sync: NatsSync,
) -> ([usize; 3], Vec<String>) {
    let broker = Broker::of(stream).await;
    let wanted = NatsConsumer {
        monitors: monitors.into(),
        sync,
        ..wanted(&broker.url)
    };
    let mut promise = ServerPromise::default();
    ask(&wanted, &mut promise).await;
    let counts = [&promise.broken, &promise.silent, &promise.unknown].map(Vec::len);
    let notes = promise.notes.into_iter();
    let notes = notes.map(|note| note.replace(&broker.url, "URL"));
    (counts, notes.collect())
}

#[tokio::test]
async fn a_promise_holds_where_all_servers_of_the_stream_sync_always() {
    let one = |are_synced| losses("PEOPLE", Some(1), are_synced);
    let three = |are_synced| losses("PEOPLE", Some(3), are_synced);
    let cluster = described(FILE, THREE);
    let memory = described(r#""storage":"memory","num_replicas":1"#, "null");
    let always = NatsSync::Always;
    let careful_ones = vec![careful("a").await, careful("b").await, careful("c").await];
    let late = varz("n", "\"sync_interval\":1000000000").await;
    for (stream, monitors, sync, counts, notes) in [
        (
            plain(),
            vec![careful("n").await],
            always,
            [0, 0, 0],
            one(true),
        ),
        (plain(), vec![late], always, [1, 0, 0], one(false)),
        (
            plain(),
            vec![page("SSH").await],
            always,
            [1, 0, 0],
            one(false),
        ),
        (
            memory.clone(),
            vec![careful("n").await],
            always,
            [1, 0, 0],
            one(false),
        ),
        (
            cluster.clone(),
            careful_ones,
            always,
            [0, 0, 0],
            three(true),
        ),
        // Another server has it too.
        (
            cluster.clone(),
            vec![careful("b").await],
            always,
            [0, 0, 1],
            three(false),
        ),
        // No server is asked, which is said once.
        (cluster, Vec::new(), always, [0, 0, 1], three(false)),
        // The user accepts all that.
        (memory, Vec::new(), NatsSync::Any, [0, 0, 0], one(false)),
        (
            plain(),
            vec![careful("n").await],
            NatsSync::Any,
            [0, 0, 0],
            one(false),
        ),
    ] {
        let what = format!("{monitors:?}: {stream}");
        assert_eq!(
            asked(&stream, monitors, sync).await,
            (counts, notes),
            "{what}"
        );
    }
}

/// It may be the one that is not known of.
#[tokio::test]
async fn a_silent_server_is_named_alone() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let authority = listener.local_addr().unwrap().to_string();
    drop(listener);
    let monitor = NatsMonitor {
        authority: authority.clone().into(),
        path: "".into(),
    };
    let cluster = described(FILE, THREE);
    let found = asked(&cluster, vec![monitor.clone()], NatsSync::Always).await;
    assert_eq!(found, ([0, 1, 0], losses("PEOPLE", Some(3), false)));
    let mut promise = ServerPromise::default();
    assert!(servers(&[monitor], &mut promise).await.is_empty());
    let what = format!("no NATS server says at http://{authority} how it syncs: ");
    let (found, help) = texts(&promise.silent[0]);
    assert!(
        found.starts_with(&what) && help.contains("`monitor`"),
        "{found}"
    );
}

#[tokio::test]
async fn what_answers_at_a_monitoring_address_is_named() {
    let monitors = [page("INFO {}").await, careful("a").await];
    let mut promise = ServerPromise::default();
    assert_eq!(servers(&monitors, &mut promise).await, ["a"]);
    let what = format!(
        "at {} is the port for clients of a NATS server",
        monitors[0]
    );
    let (found, help) = texts(&promise.broken[0]);
    assert!(found == what && help.contains("`http_port`"), "{found}");
    let mut promise = ServerPromise::default();
    assert!(servers(&[], &mut promise).await.is_empty());
    let (found, help) = texts(&promise.unknown[0]);
    assert!(found.ends_with("[source] has no `monitor`") && help.contains("http://HOST:8222"));
}

#[tokio::test]
async fn a_stream_that_is_not_found_may_have_any_replicas() {
    let both = losses("PEOPLE", None, true);
    let failed = ABSENT.replace("404", "503");
    let why = "the stream \"PEOPLE\" can't be had from URL: ";
    for (stream, first) in [
        (ABSENT, "the stream \"PEOPLE\" is not there yet"),
        (&failed, why),
    ] {
        let monitors = vec![careful("n").await];
        let (counts, notes) = asked(stream, monitors, NatsSync::Always).await;
        assert_eq!((counts, &notes[1..]), ([0, 0, 0], &both[..]));
        assert!(notes[0].starts_with(first), "{notes:?}");
        assert_eq!(notes[0] == first, stream == ABSENT);
    }
}

/// From where no runtime is.
#[test]
fn a_server_that_does_not_answer_is_noted() {
    let wanted = NatsConsumer {
        sync: NatsSync::Any,
        ..wanted("nats://127.0.0.1:1")
    };
    let promise = promised(&wanted);
    let first = "no NATS server answers at nats://127.0.0.1:1: ";
    assert!(promise.notes[0].starts_with(first), "{promise:?}");
    assert_eq!(promise.notes[1..], losses("PEOPLE", None, false));
}
