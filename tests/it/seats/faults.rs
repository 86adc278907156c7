//! A faulty program ends its own lane, with a reason; other lanes go on.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kleroterion::protocol::Ending;
use kleroterion::run::{Settings, run};
use kleroterion::score::{LaneResult, PolicyRun};
use kleroterion::seat::MOST_LINE;

use super::{SEATED, exec};
use crate::support::plan;
use crate::support::terminal::Terminal;

/// Long enough for any machine: no sound answer comes near it.
const LONG: Duration = Duration::from_secs(120);

/// Short enough for a test that waits for it to pass.
const SHORT: Duration = Duration::from_millis(500);

const COMPANY: &str = "[[policy]]\nlabel = \"in\"\nkind = \"virtual_queue\"\n[[policy]]\n\
    label = \"all\"\nkind = \"accept_all\"\n";

/// Eight candidates, with looks for sale.
const LOOKS: &str = r#"
seed = 8
replications = 2
[source]
type = "arms"
means = { linear = { n = 8, from = 0.0, to = 1.0 } }
[rules]
slate = "all"
choose = { exactly = 1 }
until = { rounds = 5 }
interviews = [{ name = "weak", cost = 1, gain = 1 }, { name = "strong", cost = 2, gain = 5 }]
interview_cap = 10
[feedback.interview]
type = "gaussian_looks"
sd = 0.1
[[policy]]
label = "in"
kind = "swap"
[[policy]]
label = "all"
kind = "uniform_interviews"
"#;

/// Accepts everybody, until in its third round it does something else first.
fn third(fault: &str) -> String {
    format!(
        r#"read -r hello; echo '{{"type":"ready"}}'; n=0
        while read -r message; do
            case $message in *'"bye"'*) exit 0;; esac
            n=$((n+1)); if [ $n -eq 3 ]; then {fault}
            fi; echo "{{\"type\":\"select\",\"round\":$n,\"chosen\":[0]}}"
        done"#
    )
}

fn play(config: &str, patience: Duration, batch: usize) -> Vec<PolicyRun> {
    let mut plan = plan(config, Path::new("."), &[]);
    for lane in plan.lanes_mut() {
        lane.policy.outside = lane.policy.outside.as_deref().map(|spec| {
            let mut spec = spec.clone();
            spec.patience = patience;
            Arc::new(spec)
        });
    }
    let settings = Settings {
        batch: Some(batch),
        threads: 2,
        ..Settings::default()
    };
    run(&plan, &settings, |_| Ok(()))
        .expect("the run goes through")
        .policies
}

/// The faulty lane, alike in all replications and with all batches; its company is as it is without
/// it.
#[track_caller]
fn lane(world: &str, command: &[&str], patience: Duration) -> LaneResult {
    let alone = play(world, patience, 64);
    let mut found: Option<LaneResult> = None;
    for batch in [1, 1024] {
        let config = format!("{world}{}", exec("faulty", command));
        let mut all = play(&config, patience, batch);
        let faulty = all.pop().expect("the last policy");
        assert!(all == alone, "batch {batch}: the others are harmed");
        for lane in faulty.lanes() {
            let first = found.get_or_insert_with(|| lane.clone());
            assert_eq!((first.ending, &first.detail), (lane.ending, &lane.detail));
        }
    }
    found.expect("it was played")
}

/// What becomes of a fault in the third round: the two before count.
#[track_caller]
fn fault(fault: &str, patience: Duration, ending: Ending, words: &[&str]) {
    let world = format!("{SEATED}{COMPANY}");
    let lane = lane(&world, &["sh", "-c", &third(fault)], patience);
    ended(&lane, ending, words);
    assert_eq!(lane.at_end("screened"), Some(2.0));
}

#[track_caller]
fn ended(lane: &LaneResult, ending: Ending, words: &[&str]) {
    let detail = lane.detail.clone().unwrap_or_default();
    assert_eq!(lane.ending, ending, "{detail}");
    for word in words {
        assert!(detail.contains(word), "{word:?} is not in: {detail}");
    }
}

#[test]
fn one_that_dies_has_left() {
    fault(
        "exit 3",
        LONG,
        Ending::Left,
        &["its program ended (exit status: 3)"],
    );
    fault("kill -9 $$", LONG, Ending::Left, &["signal: 9"]);
}

#[test]
fn one_that_hangs_has_left() {
    fault(
        "exec sleep 600",
        SHORT,
        Ending::Left,
        &["was silent for 0.5 s after round 3"],
    );
}

/// What a launcher started does not outlive it.
#[cfg(target_os = "linux")]
#[test]
fn what_one_that_hangs_has_started_ends_with_it() {
    let terminal = Terminal::new();
    let pids = terminal.path("pids").display().to_string();
    let hang = format!("sleep 600 & echo $! >> '{pids}'; wait");
    fault(&hang, SHORT, Ending::Left, &["was silent"]);
    for pid in terminal.read("pids").lines() {
        let state = || std::fs::read_to_string(format!("/proc/{pid}/stat")).ok();
        let runs = || state().is_some_and(|stat| !stat.contains(") Z "));
        let start = std::time::Instant::now();
        while runs() {
            assert!(start.elapsed() < LONG, "{pid} goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn one_that_prints_rubbish_is_disqualified_with_its_words() {
    let expected = [
        "round 3: line 4 of its output is no message",
        "`interview`, `select` or `stall` was expected: I'd take the first",
    ];
    fault(
        r#"echo "I'd take the first""#,
        LONG,
        Ending::Disqualified,
        &expected,
    );
    // Of a long line the beginning, and no bytes that would move a cursor.
    let long = "printf '\\033[2J%0500d\\n' 7";
    let shown = format!("⟨U+001B⟩[2J{}…", "0".repeat(109));
    fault(long, LONG, Ending::Disqualified, &[&shown]);
    let almost = r#"echo '{"type":"select","round":3,"choosen":[0]}'"#;
    fault(
        almost,
        LONG,
        Ending::Disqualified,
        &["unknown field `choosen`"],
    );
    fault(
        r"printf '\377\376\n'",
        LONG,
        Ending::Disqualified,
        &["no message"],
    );
    let again = r#"echo '{"type":"ready"}'"#;
    fault(
        again,
        LONG,
        Ending::Disqualified,
        &["line 4 of its output is `ready` again"],
    );
}

#[test]
fn one_that_says_a_member_twice_or_nests_without_end_is_disqualified() {
    let select = |more: &str| format!(r#"{{"type":"select","round":3,"chosen":[0]{more}}}"#);
    let deep = format!(
        r#","measures":{{"a":{}{}}}"#,
        "[".repeat(31),
        "]".repeat(31)
    );
    for (message, words) in [
        (
            select(r#","chosen":[]"#),
            "the member 'chosen' is there twice",
        ),
        (
            select(r#","chosen":[0]"#),
            "the member 'chosen' is there twice",
        ),
        (
            select(r#","type":"stall""#),
            "the member 'type' is there twice",
        ),
        (
            select(r#","\u0072ound":4"#),
            "the member 'round' is there twice",
        ),
        (
            select(r#","measures":{"a":1,"b":0,"a":2}"#),
            "the member 'a' is there twice in `measures`",
        ),
        (
            select(r#","reason":{"a":1,"a":1}"#),
            "the member 'a' is there twice in `reason`",
        ),
        (
            r#"{"type":"interview","round":3,"looks":[{"slot":0,"kind":"k","slot":1}]}"#.into(),
            "the member 'slot' is there twice in `looks`",
        ),
        (
            select(&deep),
            "objects and lists are more than 32 deep in `a` in `measures`",
        ),
        (
            select(r#","reason":{"\ud800":1}"#),
            "no character in `reason`",
        ),
        (select(r#","p":1E400"#), "number out of range"),
        (
            select(r#","round":3.0"#),
            "the member 'round' is there twice",
        ),
        (select("").replace('3', "3.0"), "is no message"),
        (select("").replace("[0]", "[-0]"), "is no message"),
    ] {
        let said = format!(r"printf '%s\n' '{message}'");
        let words = ["round 3: line 4 of its output", words];
        fault(&said, LONG, Ending::Disqualified, &words);
    }
    let hello =
        r#"read -r hello; echo '{"type":"ready","corrects":true,"corrects":false}'; cat >&2"#;
    let lane = lane(&format!("{SEATED}{COMPANY}"), &["sh", "-c", hello], LONG);
    ended(
        &lane,
        Ending::Disqualified,
        &["the member 'corrects' is there twice"],
    );
}

#[test]
fn one_that_answers_twice_is_disqualified() {
    let twice = third(r#"echo '{"type":"select","round":3,"chosen":[]}'"#);
    let lane = lane(&format!("{SEATED}{COMPANY}"), &["sh", "-c", &twice], LONG);
    let words = ["round 4: line 5 of its output answered round 3 twice"];
    ended(&lane, Ending::Disqualified, &words);
    assert_eq!(lane.at_end("screened"), Some(3.0));
}

#[test]
fn one_that_answers_for_another_round_is_disqualified() {
    let other = r#"echo '{"type":"select","round":7,"chosen":[]}'"#;
    let words = ["answered round 7 where round 3 was asked", "\"round\":7"];
    fault(other, LONG, Ending::Disqualified, &words);
}

#[test]
fn one_that_chooses_who_is_not_there_or_too_many_is_disqualified() {
    let nobody = r#"echo '{"type":"select","round":3,"chosen":[5]}'"#;
    fault(
        nobody,
        LONG,
        Ending::Disqualified,
        &["round 3: chose slot 5 of a slate of 1"],
    );
    let many = r#"echo '{"type":"select","round":3,"chosen":[0,1]}'"#;
    fault(
        many,
        LONG,
        Ending::Disqualified,
        &["round 3: chose 2 where 0 to 1 may be chosen"],
    );
    let unlikely = r#"echo '{"type":"select","round":3,"chosen":[0],"p":0}'"#;
    fault(unlikely, LONG, Ending::Disqualified, &["the probability 0"]);
    let name = r#"echo '{"type":"select","round":3,"chosen":[0],"measures":{"forfeits":0}}'"#;
    fault(
        name,
        LONG,
        Ending::Disqualified,
        &["a measure called `forfeits`"],
    );
}

#[test]
fn one_that_names_without_end_is_disqualified() {
    let named = |member: &str, names: Vec<String>| {
        let names: Vec<_> = names.iter().map(|name| format!("\"{name}\":1")).collect();
        let names = names.join(",");
        format!(r#"echo '{{"type":"select","round":3,"chosen":[],"{member}":{{{names}}}}}'"#)
    };
    let some = |many: usize| (0..many).map(|n| format!("n{n}")).collect::<Vec<_>>();
    for (member, names, words) in [
        (
            "reason",
            some(257),
            "has 257 terms in `reason`, and 256 are the most",
        ),
        (
            "measures",
            some(300),
            "has 300 names in `measures`, and 256 are the most",
        ),
        (
            "reason",
            vec!["x".repeat(8193)],
            "names of 8193 bytes in `reason`",
        ),
    ] {
        fault(
            &named(member, names),
            LONG,
            Ending::Disqualified,
            &["round 3", words],
        );
    }
    // Ever new ones: as many as may be in the first two rounds of it, and one more.
    let fresh = r#"round=0; while read -r line; do case "$line" in
*hello*) echo '{"type":"ready"}';;
*slate*) round=$((round+1)); names=; for n in $(seq 128); do names="$names,\"m$round-$n\":1"; done
  echo "{\"type\":\"select\",\"round\":$round,\"chosen\":[],\"measures\":{${names#,}}}";;
esac; done"#;
    let lane = lane(&format!("{SEATED}{COMPANY}"), &["sh", "-c", fresh], LONG);
    let words = ["round 3: its measures have more than 256 names in all"];
    ended(&lane, Ending::Disqualified, &words);
    assert_eq!(lane.at_end("m2-128"), Some(1.0));
}

#[test]
fn one_that_asks_for_looks_that_are_not_for_sale_is_disqualified() {
    let look = |kind: &str| {
        format!(r#"echo '{{"type":"interview","looks":[{{"slot":0,"kind":"{kind}"}}]}}'"#)
    };
    let words = ["round 3: asked for an interview, but the rules sell none"];
    fault(&look("weak"), LONG, Ending::Disqualified, &words);
    let medium = third(&look("medium"));
    let lane = lane(LOOKS, &["sh", "-c", &medium], LONG);
    let words = ["unknown kind `medium` (there are weak, strong)"];
    ended(&lane, Ending::Disqualified, &words);
}

#[test]
fn one_that_writes_without_end_has_left_and_is_not_read_on() {
    let words = format!("wrote more than {MOST_LINE} bytes without a newline");
    fault(
        "exec head -c 1000000000 /dev/zero",
        LONG,
        Ending::Left,
        &[&words],
    );
}

#[test]
fn one_that_closes_its_output_and_goes_on_has_left() {
    let words = ["closed its standard output and went on"];
    fault("exec >&-; exec sleep 600", LONG, Ending::Left, &words);
    // Its patience is for what it says: that it says no more is known before.
    fault("exec >&-; exec sleep 600", SHORT, Ending::Left, &words);
}

#[test]
fn one_that_is_never_ready_plays_no_round() {
    let world = format!("{SEATED}{COMPANY}");
    let greet = |script: &str, patience| {
        let lane = lane(&world, &["sh", "-c", script], patience);
        assert_eq!(lane.at_end("screened"), Some(0.0));
        lane
    };
    let silent = greet("exec sleep 600", SHORT);
    ended(
        &silent,
        Ending::Left,
        &["was silent for 0.5 s after `hello`"],
    );
    let other = greet(r#"echo '{"type":"ready","protocol":2}'; read -r x"#, LONG);
    ended(
        &other,
        Ending::Disqualified,
        &["speaks protocol 2, and this is protocol 1"],
    );
    let loud = greet("echo Hello; read -r x", LONG);
    ended(
        &loud,
        Ending::Disqualified,
        &["line 1 of its output is no message", "Hello"],
    );
    let eager = greet(
        r#"echo '{"type":"select","round":1,"chosen":[]}'; read -r x"#,
        LONG,
    );
    ended(
        &eager,
        Ending::Disqualified,
        &["was expected after `hello`"],
    );
    let gone = greet("exit 0", LONG);
    ended(&gone, Ending::Left, &["its program ended (exit status: 0)"]);
}

#[cfg(unix)]
#[test]
fn one_that_can_not_be_started_has_left() {
    use std::os::unix::fs::PermissionsExt;
    let terminal = Terminal::new();
    terminal.put("policy", "#!/no/such/interpreter\n");
    let path = terminal.path("policy");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let path = path.display().to_string();
    let lane = lane(&format!("{SEATED}{COMPANY}"), &[&path], LONG);
    ended(&lane, Ending::Left, &["can't be started", &path]);
}

/// It may fall behind its mail and ahead of it: neither side waits for the other for ever.
#[test]
fn one_that_reads_nothing_and_answers_all_the_same_is_served() {
    let blind = r#"read -r hello; echo '{"type":"ready"}'; n=0
        while [ $n -lt 400 ]; do n=$((n+1)); echo "{\"type\":\"select\",\"round\":$n,\"chosen\":[]}"; done
        exec cat >&2 2>/dev/null"#;
    let blind = blind.replace(">&2 2>/dev/null", "> /dev/null");
    let lane = lane(&format!("{SEATED}{COMPANY}"), &["sh", "-c", &blind], LONG);
    assert_eq!(
        (lane.ending, lane.at_end("screened")),
        (Ending::Stalled, Some(400.0))
    );
}

/// The whole of a run says why a lane broke off, and only `--strict` makes that a failure.
#[test]
fn the_command_line_goes_on_without_it() {
    let terminal = Terminal::new();
    let config = format!(
        "{SEATED}{COMPANY}{}",
        exec("faulty", &["sh", "-c", &third("exit 3")])
    );
    terminal.put("my.toml", config);
    let table = terminal.done(&["run", "my.toml", "-q"]);
    assert!(table.contains("left 2"), "{table}");
    let strict = terminal.klero(&["run", "my.toml", "-q", "--strict"]);
    assert_eq!(strict.code, Some(1));
    assert!(strict.stderr.contains("faulty left"), "{}", strict.stderr);
}
