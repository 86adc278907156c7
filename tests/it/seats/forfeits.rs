//! Live, a deadline holds: who misses it forfeits the round, and whoever plays it again forfeits
//! the same rounds.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kleroterion::arena::{Arena, Carrier, LaneSpec};
use kleroterion::draw::Key;
use kleroterion::protocol::{Ending, Stop};
use kleroterion::score::{LaneResult, Moments, OwnMeasures, Scoreboard, SelectionRates, Spending};
use kleroterion::seat::{Forfeits, MOST_FORFEITS, ProgramWords, SeatTiming, end_programs};
use tokio::runtime::Builder;

use super::exec;
use crate::support::plan;
use crate::support::says::Says as _;

/// Exactly one of three is to be chosen, whoever is in time.
const WORLD: &str = r#"
seed = 8
[source]
type = "categorical"
shares = { gender = { M = 0.6, F = 0.4 } }
[rules]
slate = 3
choose = "exactly_one"
until = { rounds = 40 }
"#;

/// Chooses slot `n % 3` in round n, and answers the rounds of a list only when it is asked for the
/// next.
fn late(rounds: &str) -> String {
    format!(
        r#"read -r hello; echo '{{"type":"ready"}}'; n=0; due=
        while read -r message; do
            case $message in *'"bye"'*) exit 0;; esac
            n=$((n+1))
            if [ -n "$due" ]; then echo "$due"; due=; fi
            answer="{{\"type\":\"select\",\"round\":$n,\"chosen\":[$((n%3))],\"measures\":{{\"last\":$n}}}}"
            case " {rounds} " in
            *" all "*|*" $n "*) due=$answer;;
            *) echo "$answer";;
            esac
        done"#
    )
}

/// Knows what happened before, if anything did; notes what happens.
#[derive(Default)]
struct Memory {
    before: Option<Vec<(u64, u32)>>,
    /// The last round of which it knows, where not all.
    known: Option<u64>,
    noted: Mutex<Vec<(u64, u32)>>,
    ends: Mutex<Vec<(u64, u32, Stop)>>,
}

impl Forfeits for Memory {
    fn imposed(&self, round: u64, step: u32) -> Option<bool> {
        let is_late = |before: &Vec<_>| before.contains(&(round, step));
        match self.known {
            Some(last) => (round <= last).then_some(false),
            None => self.before.as_ref().map(is_late),
        }
    }

    fn note(&self, round: u64, step: u32) {
        self.noted.lock().unwrap().push((round, step));
    }

    fn note_end(&self, round: u64, step: u32, stop: &Stop) {
        self.ends.lock().unwrap().push((round, step, stop.clone()));
    }
}

fn play(script: &str, keys: &str, timing: SeatTiming, batch: usize) -> LaneResult {
    play_in(WORLD, script, keys, timing, batch)
}

fn play_in(world: &str, script: &str, keys: &str, timing: SeatTiming, batch: usize) -> LaneResult {
    let config = format!("{world}{}{keys}", exec("late", &["sh", "-c", script]));
    let plan = plan(&config, Path::new("."), &[]);
    let scorers: Vec<Box<dyn kleroterion::score::Scorer>> = vec![
        Box::new(SelectionRates::new(&plan.world.schema)),
        Box::new(Spending::default()),
        Box::new(OwnMeasures::default()),
    ];
    let key = Key::new(plan.seed, 0);
    let spec = plan.lanes[0]
        .policy
        .outside
        .as_ref()
        .expect("it sits outside");
    let arena = Arena {
        key,
        source: (plan.world.source)(key),
        feedback: plan.feedback.clone(),
        carrier: Carrier::Lane,
        lanes: vec![LaneSpec {
            label: "late",
            rules: Arc::clone(&plan.rules),
            prototype: &*plan.lanes[0].policy.prototype,
            pool: None,
            outside: Some(spec.maker(timing, ProgramWords::Shown)),
            answerer: None,
            scoreboard: Scoreboard::new(scorers, Moments::End),
            traced: false,
            itemised: false,
        }],
        persons: batch,
        interrupt: Arc::new(AtomicBool::new(false)),
    };
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let (board, stop) = runtime.block_on(arena.play()).unwrap().lanes.pop().unwrap();
    board.finish(stop)
}

#[test]
fn a_late_answer_costs_its_round_alone_and_is_discarded() {
    let memory = Arc::new(Memory::default());
    let timing = SeatTiming::Live(Some(Arc::clone(&memory) as Arc<dyn Forfeits>));
    let lane = play(&late("3 7 8"), "deadline = \"3s\"", timing, 7);
    assert_eq!((lane.ending, &lane.detail), (Ending::Horizon, &None));
    let forfeited = memory.noted.lock().unwrap().clone();
    assert_eq!(forfeited, [(3, 0), (7, 0), (8, 0)]);
    assert_eq!(lane.at_end("forfeits"), Some(3.0));
    // Those rounds choose no candidate, though the rules ask for one: no foul.
    assert_eq!(
        (lane.at_end("screened"), lane.at_end("accepted")),
        (Some(120.0), Some(37.0))
    );
    assert_eq!(lane.at_end("last"), Some(40.0));
    // Played again, the same rounds are forfeited, whatever the clock says.
    for batch in [1, 1024] {
        let memory = Arc::new(Memory {
            before: Some(forfeited.clone()),
            ..Memory::default()
        });
        let timing = SeatTiming::Live(Some(Arc::clone(&memory) as Arc<dyn Forfeits>));
        let again = play(&late("3 7 8"), "deadline = \"1ms\"", timing, batch);
        assert_eq!(again, lane, "batch {batch}");
        assert!(memory.noted.lock().unwrap().is_empty(), "nothing is new");
    }
    // The same program, had it been in time.
    let prompt = play(&late(""), "deadline = \"1ms\"", SeatTiming::Simulated, 64);
    assert_eq!(
        (prompt.at_end("accepted"), prompt.at_end("forfeits")),
        (Some(40.0), None)
    );
}

#[test]
fn one_that_is_late_too_often_in_a_row_has_left() {
    let memory = Arc::new(Memory::default());
    let timing = SeatTiming::Live(Some(Arc::clone(&memory) as Arc<dyn Forfeits>));
    let lane = play(&late("all"), "deadline = \"20ms\"", timing, 7);
    assert_eq!(lane.ending, Ending::Left);
    let words = format!("no answer within 20 ms, {MOST_FORFEITS} times in a row");
    assert!(
        lane.detail.as_ref().unwrap().contains(&words),
        "{:?}",
        lane.detail
    );
    let noted = memory.noted.lock().unwrap().clone();
    assert_eq!(noted.len(), MOST_FORFEITS as usize);
    let again = Memory {
        before: Some(noted),
        ..Memory::default()
    };
    let timing = SeatTiming::Live(Some(Arc::new(again)));
    assert_eq!(play(&late("all"), "deadline = \"20ms\"", timing, 1), lane);
}

/// The end of an output is no late answer: that it came is known at once, and only how the program ended is
/// waited for.
#[test]
fn one_that_closes_its_output_has_left_whatever_the_deadline() {
    for (fault, known) in [
        (
            "exec >&-; exec sleep 600",
            "closed its standard output and went on",
        ),
        (
            "exec >&-; sleep 1; exit 3",
            "its program ended (exit status: 3)",
        ),
    ] {
        for deadline in ["300ms", "10ms"] {
            let script = format!(
                r#"read -r hello; echo '{{"type":"ready"}}'; n=0
                while read -r message; do
                    n=$((n+1)); if [ $n -eq 3 ]; then {fault}; fi
                    echo "{{\"type\":\"select\",\"round\":$n,\"chosen\":[0]}}"
                done"#
            );
            let memory = Arc::new(Memory {
                // The first two are in time, whatever the clock says.
                known: Some(2),
                ..Memory::default()
            });
            let timing = SeatTiming::Live(Some(Arc::clone(&memory) as Arc<dyn Forfeits>));
            let lane = play(&script, &format!("deadline = \"{deadline}\""), timing, 1);
            let detail = lane.detail.clone().unwrap_or_default();
            assert_eq!(lane.ending, Ending::Left, "{fault}, {deadline}: {detail}");
            detail.says(known);
            assert_eq!(
                (lane.at_end("screened"), lane.at_end("forfeits")),
                (Some(6.0), None),
                "{fault}, {deadline}"
            );
            assert!(memory.noted.lock().unwrap().is_empty(), "{fault}");
        }
    }
}

#[test]
fn where_the_config_says_so_one_late_answer_is_enough() {
    let memory = Arc::new(Memory::default());
    let timing = SeatTiming::Live(Some(Arc::clone(&memory) as Arc<dyn Forfeits>));
    let keys = "deadline = \"3s\"\non_timeout = \"leave\"";
    let lane = play(&late("2"), keys, timing, 64);
    assert_eq!(
        (lane.ending, lane.at_end("screened")),
        (Ending::Left, Some(3.0))
    );
    assert_eq!(
        lane.detail.as_deref(),
        Some("round 2: no answer within 3000 ms")
    );
    let again = Memory {
        before: Some(memory.noted.lock().unwrap().clone()),
        ..Memory::default()
    };
    let timing = SeatTiming::Live(Some(Arc::new(again)));
    assert_eq!(play(&late("2"), keys, timing, 1), lane);
}

/// Of a round with looks, an answer that came in time counts, and a later one that is late costs
/// the round.
#[test]
fn looks_that_were_bought_in_time_are_paid_though_the_round_is_forfeited() {
    let config = r#"
seed = 8
[source]
type = "arms"
means = { linear = { n = 4, from = 0.0, to = 1.0 } }
[rules]
slate = "all"
choose = { exactly = 1 }
until = { rounds = 3 }
interviews = [{ name = "weak", cost = 1, gain = 1 }]
interview_cap = 10
[feedback.interview]
type = "gaussian_looks"
sd = 0.1
"#;
    // In round 2 it answers the answers only when the third slate has come.
    let script = r#"read -r hello; echo '{"type":"ready"}'; n=0; due=
        while read -r message; do
            case $message in
            *'"bye"'*) exit 0;;
            *'"slate"'*) n=$((n+1)); if [ -n "$due" ]; then echo "$due"; due=; fi
                echo '{"type":"interview","looks":[{"slot":0,"kind":"weak"}]}';;
            *) answer="{\"type\":\"select\",\"round\":$n,\"chosen\":[0]}"
                if [ $n -eq 2 ]; then due=$answer; else echo "$answer"; fi;;
            esac
        done"#;
    let memory = Arc::new(Memory::default());
    let timing = SeatTiming::Live(Some(Arc::clone(&memory) as Arc<dyn Forfeits>));
    let lane = play_in(config, script, "deadline = \"3s\"", timing, 7);
    assert_eq!((lane.ending, &lane.detail), (Ending::Horizon, &None));
    let noted = memory.noted.lock().unwrap().clone();
    assert_eq!(noted, [(2, 1)]);
    let end = |metric: &str| lane.at_end(metric);
    assert_eq!(
        (end("pulls"), end("accepted"), end("forfeits")),
        (Some(3.0), Some(2.0), Some(1.0))
    );
    let again = Memory {
        before: Some(noted),
        ..Memory::default()
    };
    let timing = SeatTiming::Live(Some(Arc::new(again)));
    assert_eq!(play_in(config, script, "", timing, 1), lane);
}

/// The second Ctrl-C ends the programs and then this process: in between nothing is noted of programs
/// that were ended so. Played in a process of its own, in which no program is started afterwards.
#[test]
fn what_ends_programs_to_exit_at_once_is_no_end_of_a_lane() {
    const CHILD: &str = "KLERO_ENDS_PROGRAMS";
    if std::env::var_os(CHILD).is_none() {
        let name = "seats::forfeits::what_ends_programs_to_exit_at_once_is_no_end_of_a_lane";
        let test = std::env::current_exe().expect("this test");
        let mut child = std::process::Command::new(test);
        let child = child.args(["--exact", name]).env(CHILD, "");
        let output = child.output().expect("it runs");
        assert_eq!(output.status.code(), Some(7), "{output:?}");
        return;
    }
    let memory = Arc::new(Memory::default());
    let noted = Arc::clone(&memory);
    std::thread::spawn(move || {
        let timing = SeatTiming::Live(Some(noted as Arc<dyn Forfeits>));
        let lane = play(&late("3"), "deadline = \"60s\"", timing, 1);
        println!("it ended: {:?}", lane.detail);
        std::process::exit(1);
    });
    std::thread::sleep(Duration::from_secs(1));
    end_programs();
    std::thread::sleep(Duration::from_secs(1));
    let ends = memory.ends.lock().unwrap().clone();
    std::process::exit(if ends.is_empty() { 7 } else { 1 });
}
