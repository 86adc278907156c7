//! Names that a policy's own measures may not take.

use crate::protocol::Ending;
use crate::score::LaneResult;

/// Disqualifies a lane whose policy reported a measure under a name that the run keeps: one
/// that a scorer measures, whose value would stand aside for the policy's own. The scorers' rows
/// come first and stay.
///
/// This is detected only when the lane ends, because only the rows show which names the
/// scorers of a run have.
pub(super) fn keep_names(result: &mut LaneResult) {
    if let Some(name) = result.leave_out_doubles()
        && result.ending.is_comparable(false)
    {
        let detail = format!("reported a measure called `{name}`, a name that the run keeps");
        result.ending = Ending::Disqualified;
        result.detail = Some(detail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Blind;
    use crate::config::{Document, LanePlan, check};
    use crate::policy::Policy;
    use crate::protocol::{Move, View};
    use crate::report::csv::{write_endings, write_replications};
    use crate::report::read::{InputFile, read_lanes};
    use crate::run::{Settings, run};
    use crate::score::{MetricRow, PolicyRun};
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
        let mut plan = check(&Document::parse(CONFIG).unwrap(), Path::new("")).unwrap();
        let boaster = Box::new(Blind(Boaster(name, false)));
        plan.lanes.push(LanePlan::new("boaster", "custom", boaster));
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

    #[test]
    fn an_ending_that_says_more_stays() {
        let row = |metric: &str| MetricRow {
            metric: metric.into(),
            at: None,
            value: 1.0,
        };
        for ending in [Ending::Interrupted, Ending::Panicked] {
            let mut result = LaneResult::new(ending, None, vec![row("screened"), row("screened")]);
            keep_names(&mut result);
            assert_eq!((result.ending, result.rows().count()), (ending, 1));
        }
    }
}
