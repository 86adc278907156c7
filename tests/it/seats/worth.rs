//! What is measured of a cohort does not depend on whose policy chose it.

use super::{exec, python};
use crate::support::terminal::Terminal;

const WORLD: &str = r#"
name = "twins"
seed = 12
replications = 8
[source]
type = "arms"
means = { normal = { n = 12, mean = 5.0, sd = 1.0 } }
groups = { modulo = 3 }
[rules]
slate = "all"
choose = { exactly = 4 }
until = { rounds = 1 }
interviews = [{ name = "weak", cost = 1, gain = 1 }, { name = "strong", cost = 2, gain = 5 }]
interview_cap = 1000
budget = 36
[feedback.interview]
type = "gaussian_looks"
sd = 0.8
[[policy]]
label = "built in"
kind = "uniform_interviews"
[[policy]]
label = "first come"
kind = "accept_all"
"#;

/// Uniform interviews: weak at each, strong at each, until the money is at an end, which is for two
/// whole turns; then the highest means.
const TWIN: &str = r#"
import json, sys
gain = {"weak": 1.0, "strong": 5.0}
def say(message):
    print(json.dumps(message), flush=True)
def ask(kind):
    say({"type": "interview", "looks": [{"slot": slot, "kind": kind} for slot in range(n)]})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "slate":
        n, turn, places = len(message["candidates"]), 0, message["places"]["max"]
        weight, total = [0.0] * n, [0.0] * n
        ask("weak")
    elif message["type"] == "answers":
        for look in message["looks"]:
            weight[look["slot"]] += gain[look["kind"]]
            total[look["slot"]] += gain[look["kind"]] * look["value"]
        turn += 1
        if message["looks_left"] > 0:
            ask(["weak", "strong"][turn % 2])
        else:
            order = sorted(range(n), key=lambda slot: (-total[slot] / weight[slot], slot))
            say({"type": "select", "round": message["round"], "chosen": sorted(order[:places])})
"#;

/// The rows of a policy: replication, metric and value.
fn rows(csv: &str, label: &str) -> Vec<(String, String, String)> {
    let cells = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let of = cells.filter(|cells| cells.get(1) == Some(&label));
    of.map(|cells| {
        (
            cells[0].to_owned(),
            cells[2].to_owned(),
            cells[4].to_owned(),
        )
    })
    .collect()
}

const MEASURES: [&str; 4] = ["cohort_value", "optimal", "sqrt_top_k", "mean_merit"];

#[test]
fn a_seat_in_python_with_interviews_is_measured_as_its_built_in_twin() {
    if !python() {
        return;
    }
    let terminal = Terminal::new();
    terminal.put("twin.py", TWIN);
    terminal.put(
        "my.toml",
        format!("{WORLD}{}", exec("twin", &["python3", "twin.py"])),
    );
    let csv = terminal.done(&["run", "my.toml", "-q", "--format", "csv", "--keep", "all"]);
    let [built_in, twin, first] = ["built in", "twin", "first come"].map(|label| rows(&csv, label));
    let measured = |rows: &[(String, String, String)]| -> Vec<_> {
        let judged = ["cost", "pulls", "accepted"].iter().chain(&MEASURES);
        let judged: Vec<&str> = judged.copied().collect();
        let of = rows.iter().filter(|row| judged.contains(&&*row.1));
        of.cloned().collect()
    };
    assert_eq!(measured(&built_in).len(), 8 * 7, "{csv}");
    assert_eq!(measured(&twin), measured(&built_in));
    let value = |rows: &[(String, String, String)], metric: &str| -> Vec<f64> {
        let of = rows.iter().filter(|row| row.1 == metric);
        of.map(|row| row.2.parse().expect("a number")).collect()
    };
    // A policy of another setting is measured too, and chooses worse.
    for metric in MEASURES {
        assert_eq!(value(&first, metric).len(), 8, "{metric}");
    }
    let sum = |rows: &[(String, String, String)]| value(rows, "cohort_value").iter().sum::<f64>();
    assert!(sum(&first) < sum(&built_in), "{csv}");
    for (worth, merit) in value(&first, "cohort_value")
        .iter()
        .zip(value(&first, "mean_merit"))
    {
        assert!((worth - 4.0 * merit).abs() < 1e-9);
    }
    let optimal = value(&first, "optimal");
    assert!(optimal.iter().all(|is| *is == 0.0), "{optimal:?}");
}
