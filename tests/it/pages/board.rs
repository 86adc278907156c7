//! The board in headless Chromium: what a person sees of a run in each state, that it moves, that
//! it finds a server again that was restarted, that it asks for nothing from outside. `.ci/test`
//! installs what that takes and names its folder in KLERO_BROWSER.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use axum::routing::get;
use kleroterion::compare::Versus;
use kleroterion::protocol::Ending;
use kleroterion::protocol::Stop;
use kleroterion::watch::Stage;
use kleroterion::web::{Services, board};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::support::ports::free_address;
use crate::support::process::Place;
use crate::support::programs::{browser, looks};
use crate::support::script::{Part, Script, part};

const TWO: [Part; 2] = [
    part("quota queue", 0.32, 0.02),
    part("first come", 0.2, 0.09),
];

const FOUR: [Part; 4] = [
    part("quota queue", 0.42, 0.02),
    part("first come", 0.3, 0.09),
    part("learner", 0.36, 0.05),
    part("lottery", 0.2, 0.07),
];

const EIGHT: [Part; 8] = [
    part("greedy .05", 0.3, 0.02),
    part("greedy .1", 0.34, 0.05),
    part("a queue with a long name that goes on", 0.28, 0.01),
    part("<em>odd</em>", 0.26, 0.03),
    part("first come", 0.2, 0.09),
    part("learner", 0.31, 0.04),
    part("lottery", 0.21, 0.06),
    part("оптимум", 0.36, 0.07),
];

/// A server of the board's pages alone; ends with it.
struct Server {
    runtime: Runtime,
    address: SocketAddr,
}

impl Server {
    /// On an address, which one that was there before may still be leaving.
    fn start(script: &Script, address: SocketAddr) -> Self {
        let watched = &script.watched;
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let services = Services {
            watched: Arc::clone(watched),
            intake: None,
            interviews: None,
            board: true,
            token: None,
            origins: Default::default(),
        };
        let listener = runtime.block_on(async {
            loop {
                match TcpListener::bind(address).await {
                    Ok(listener) => break listener,
                    Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                }
            }
        });
        let address = listener.local_addr().expect("it is bound");
        // What the run itself knows of each round, for who holds the board against it.
        let past = Arc::clone(&script.past);
        let past = get(move || async move { format!("{:?}", past.lock().expect("no one panics")) });
        let router = board::routes().with_state(services).route("/past", past);
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { runtime, address }
    }

    /// Closes every connection.
    fn stop(self) -> SocketAddr {
        self.runtime.shutdown_timeout(Duration::from_secs(10));
        self.address
    }
}

/// What a run looks like in a state.
fn scene(name: &str) -> Script {
    let baseline = || Versus::Baseline("first come".into());
    let two = || Script::new(&TWO, None, baseline());
    match name {
        "nothing" => two(),
        "early" => {
            let mut script = two();
            script.play(4, 1);
            script
        }
        "undecided" => {
            let parts = [
                part("quota queue", 0.23, 0.02),
                part("first come", 0.2, 0.09),
            ];
            let mut script = Script::new(&parts, None, baseline());
            script.play(240, 2);
            script
        }
        "decided" => {
            let mut script = two().seats(1_000);
            script.play(3_000, 12);
            let gauges = &script.watched.gauges;
            gauges.refused.set(3);
            gauges.duplicates.set(12);
            gauges.lanes[0].waiting.set(2);
            gauges.deliveries.set(1);
            script
        }
        "replaying" => {
            let mut script = two();
            script.play(500, 2);
            script.watched.stage.send_replace(Stage::Replaying);
            script
        }
        "over" => {
            let mut script = two();
            script.play(1_500, 6);
            for lane in 0..2 {
                script.end(lane, Ending::Filled.into());
            }
            script.watched.stage.send_replace(Stage::Over);
            script
        }
        "ended" => {
            let parts = [TWO[0], TWO[1], part("my own", 0.5, 0.3)];
            let mut script = Script::new(&parts, None, Versus::Everyone);
            script.play(300, 2);
            let detail = "round 301: it chose slot 4 of a slate of 1";
            script.end(2, Stop::because(Ending::Disqualified, detail));
            script.play(700, 4);
            script
        }
        "acting" => {
            let mut script = Script::new(&TWO, Some(1), baseline()).seats(240);
            script.play(900, 4);
            script
        }
        "elsewhere" => {
            let mut script = two();
            script.play(1_200, 5);
            let gauges = &script.watched.gauges;
            gauges.handed.set(13_234);
            for (lane, persons) in gauges.lanes.iter().zip([1_200, 13_234]) {
                lane.plays_elsewhere();
                lane.persons.set(persons);
            }
            gauges.lanes[0].damaged.add(1);
            gauges.lanes[1].heard.now();
            script
        }
        "eight" => {
            let mut script = Script::new(&EIGHT, None, baseline());
            script.play(2_000, 10);
            script
        }
        "all" => {
            let mut script = Script::new(&FOUR, None, Versus::Everyone).seats(1_000);
            script.play(60, 1);
            script
        }
        "lags" => {
            let script = Script::new(&FOUR, None, Versus::Everyone).seats(1_000);
            let mut script = script.lagging(2, 25);
            script.play(60, 1);
            script
        }
        "behind" => {
            let script = Script::new(&FOUR, None, Versus::Everyone).seats(1_000);
            let mut script = script.standing(2, 88);
            script.play(900, 4);
            script
        }
        "pairs" => {
            let mut script = Script::new(&EIGHT, None, Versus::Everyone).seats(800);
            script.play(668, 4);
            script
        }
        "alone" => {
            let mut script = Script::new(&TWO[..1], None, Versus::Nobody);
            script.play(100, 1);
            script
        }
        other => panic!("there is no scene called {other}"),
    }
}

/// Goes on with a scene, some rounds at a time, until `stop` is set.
struct Playing {
    stop: Arc<AtomicBool>,
    thread: thread::JoinHandle<Script>,
}

impl Playing {
    fn of(mut script: Script) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                script.play(10, 5);
                thread::sleep(Duration::from_millis(50));
            }
            script
        });
        Self { stop, thread }
    }

    fn stop(self) -> Script {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("it plays")
    }
}

#[test]
fn the_board_holds_in_a_browser() {
    let Some(modules) = browser() else {
        return;
    };
    let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
    let mut server = Some(Server::start(&scene("nothing"), anywhere));
    let address = server.as_ref().expect("it was started").address;
    let mut playing: Option<Playing> = None;
    look(&modules, address, None, |what| {
        match what.split_once(' ').unwrap_or((what, "")) {
            ("stop", _) => drop(server.take().map(Server::stop)),
            ("show", name) => {
                server.take().map(Server::stop);
                playing.take().map(Playing::stop);
                server = Some(Server::start(&scene(name), address));
            }
            ("play", name) => {
                server.take().map(Server::stop);
                let script = scene(name);
                server = Some(Server::start(&script, address));
                playing = Some(Playing::of(script));
            }
            ("start", _) => {
                let script = playing.take().expect("something plays").stop();
                server = Some(Server::start(&script, address));
                playing = Some(Playing::of(script));
            }
            _ => panic!("can't do {what}"),
        }
    });
    playing.take().map(Playing::stop);
}

/// Has the browser look; `act` does what it asks for before it goes on.
fn look(modules: &OsStr, address: SocketAddr, name: Option<&str>, act: impl FnMut(&str)) {
    let address = format!("http://{address}/");
    let args: Vec<&str> = [&*address].into_iter().chain(name).collect();
    looks("board.mjs", modules, &args, act);
}

/// Two policies for a minute and more.
const SHOW: &str = r#"name = "a show"
seed = 5
[source]
type = "categorical"
pace = "300/s"
shares = { gender = { F = 0.3, M = 0.7 } }
[target]
gender = { F = 0.5, M = 0.5 }
[rules]
choose = "at_most_one"
until = { rounds = 100_000 }
[[policy]]
label = "first come"
kind = "accept_all"
[[policy]]
label = "queue"
kind = "virtual_queue"
[report]
judge = ["selection_rate"]
baseline = "queue"
"#;

#[test]
fn a_paced_live_run_moves_in_a_browser_and_is_found_again_when_it_is_resumed() {
    let Some(modules) = browser() else {
        return;
    };
    let place = Place::new();
    let address = free_address();
    let board = format!("[board]\naddress = \"{address}\"\n");
    place.write("show.toml", &(SHOW.to_owned() + &board));
    let start = |args: &[&str]| {
        let mut live = place.start(args);
        assert_eq!(live.board(), address);
        live
    };
    let mut live = Some(start(&["live", "show.toml", "--out", "show"]));
    look(&modules, address, Some("a show"), |what| match what {
        "play early" => {}
        "stop" => {
            let (code, _, stderr) = live.take().expect("it plays").stop();
            assert_eq!(code, Some(130), "{stderr}");
        }
        "start" => live = Some(start(&["resume", "show"])),
        _ => panic!("can't do {what}"),
    });
}

/// Eight policies until each has 40 members, in a second or two.
const END: &str = r#"name = "the end"
seed = 5
[source]
type = "categorical"
pace = "200/s"
shares = { gender = { F = 0.3, M = 0.7 } }
[target]
gender = { F = 0.5, M = 0.5 }
[rules]
choose = "at_most_one"
until = { accepted = 40 }
[report]
judge = ["representation_loss", "selection_rate"]
[board]
address = "127.0.0.1:0"
[[policy]]
label = "first come"
kind = "accept_all"
"#;

/// A run that ends says so by itself, in which time, and leads to the report that it has written.
#[test]
fn the_end_of_a_live_run_is_seen_in_a_browser_and_leads_to_its_report() {
    let Some(modules) = browser() else {
        return;
    };
    let place = Place::new();
    let mut config = END.to_owned();
    for n in 1..8 {
        config +=
            &format!("[[policy]]\nlabel = \"greedy .{n}\"\nkind = \"greedy\"\ntolerance = 0.{n}\n");
    }
    place.write("end.toml", &config);
    let mut live = place.start(&["live", "end.toml", "--out", "end", "--stay"]);
    let address = format!("http://{}/", live.board());
    looks("end.mjs", &modules, &[&address], |_| ());
    assert!(place.path("end/report.html").exists());
    drop(live);
}
