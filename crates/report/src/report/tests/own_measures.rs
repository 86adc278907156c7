//! Tests of policies' own measures: played, written and read back.

use super::super::csv::{write_endings, write_replications};
use super::super::read::{InputFile, read_lanes};
use kleroterion_core::arena::Blind;
use kleroterion_core::protocol::Ending;
use kleroterion_core::protocol::{Move, View};
use kleroterion_core::score::PolicyRun;
use kleroterion_policies::Policy;
use kleroterion_run::config::{Document, PlanBuilder};
use kleroterion_run::run::{Settings, run};
use std::path::Path;

const CONFIG: &str = "seed = 1\n[source]\ntype = \"categorical\"\nshares = { a = { x = 0.5, y = 0.5 } }\n\
    [rules]\nchoose = \"at_most_one\"\nuntil = { rounds = 5 }\n[[policy]]\nlabel = \"honest\"\n\
    kind = \"accept_all\"\n[report]\nat = [2, 4]\n";

/// Accepts every other person and says what it likes of itself.
#[derive(Clone)]
struct Boaster(&'static str, bool);

impl Policy for Boaster {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        view.measure(self.0, 0.125);
        self.1 = !self.1;
        Move::decide(self.1)
    }
}

/// The boaster, the values and the endings of its run.
fn boast(name: &'static str) -> (PolicyRun, String, String) {
    let plan = PlanBuilder::of(Document::parse(CONFIG).unwrap());
    let plan = plan.own_policy("boaster", Box::new(Blind(Boaster(name, false))));
    let plan = plan.build().unwrap();
    let mut result = run(&plan, &Settings::default(), |_| Ok(())).unwrap();
    let (mut values, mut endings) = (Vec::new(), Vec::new());
    write_replications(&result, &mut values).unwrap();
    write_endings(&result, &mut endings).unwrap();
    let file = |text| InputFile {
        path: Path::new("r.csv"),
        text,
    };
    read_lanes(file(&values[..]), file(&endings[..])).expect("it can be read back");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (result.policies.remove(1), text(values), text(endings))
}

#[test]
fn a_measure_of_its_own_is_a_metric() {
    let (policy, rows, _) = boast("converged");
    assert_eq!(policy.lanes()[0].ending, Ending::Horizon);
    for at in ["2", "4", ""] {
        assert!(
            rows.contains(&format!("0,boaster,converged,{at},0.125\n")),
            "{rows}"
        );
    }
}

#[test]
fn a_measure_under_a_name_of_the_run_disqualifies() {
    for name in ["selection_rate", "screened", "share.x"] {
        let (policy, rows, endings) = boast(name);
        let lane = &policy.lanes()[0];
        assert_eq!(lane.ending, Ending::Disqualified, "{name}");
        assert!(lane.detail.as_ref().unwrap().contains(name));
        assert!(!rows.contains("0.125"), "{rows}");
        // What the run measured is kept.
        assert!(rows.contains("0,boaster,screened,,5\n"), "{rows}");
        assert!(rows.contains("0,boaster,selection_rate,4,0.5\n"), "{rows}");
        let ends = "0,boaster,disqualified,\"reported a measure called";
        assert!(endings.contains(ends), "{endings}");
        assert!(endings.contains("0,honest,horizon,\n"), "{endings}");
    }
}
