//! `replications.csv` read back: resume and merge fold it again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::csv::HEADER;
use crate::problem::{Place, Problem, Problems};
use crate::protocol::Ending;
use crate::score::{ENDING, LaneResult, Layouts, MetricAt, MetricRow, PolicyRun};

/// What is to be done about a file that is not as a run wrote it.
const CHANGED: &str = "the file was changed or cut short since: run it again";

/// Lanes read back, by label and replication. Details of endings are not in the file.
pub type LanesByLabel = BTreeMap<String, BTreeMap<u64, LaneResult>>;

/// Reads `replications.csv` back; `path` is for the problems, all of which are reported.
pub fn read_replications(path: &Path, input: impl Read) -> Result<LanesByLabel, Problems> {
    let mut csv = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(input);
    let mut reading = LaneReading {
        path,
        problems: Problems::default(),
        names: BTreeSet::new(),
        lanes: BTreeMap::new(),
    };
    let mut record = ::csv::StringRecord::new();
    let mut headed = false;
    loop {
        match csv.read_record(&mut record) {
            Ok(true) if headed => reading.take(&record),
            Ok(more) if !headed && (!more || record != HEADER[..]) => {
                reading.header();
                return Err(reading.problems);
            }
            Ok(true) => headed = true,
            Ok(false) => return reading.finish(),
            Err(error) => {
                let line = error.position().map(::csv::Position::line);
                reading.problem(line, None, error.to_string());
                if error.is_io_error() {
                    return reading.finish();
                }
            }
        }
    }
}

/// The lanes as policies, each with the kind that `kind` knows for its label. Replications must
/// count from 0 without a gap, or a value would be paired with another replication's.
pub fn policies(
    lanes: LanesByLabel,
    kind: impl Fn(&str) -> String,
) -> Result<Vec<PolicyRun>, Problems> {
    let mut problems = Problems::default();
    let mut policies = Vec::with_capacity(lanes.len());
    for (label, lanes) in lanes {
        let gap = (0..).zip(lanes.keys()).find(|(number, key)| number != *key);
        if let Some((missing, _)) = gap {
            let what = format!("replication {missing} of `{label}` is missing");
            let help = "merge all the shards of a run, or run it again";
            problems.push(Problem::of_request(what).help(help));
        }
        let empty = PolicyRun::new(&*label, kind(&label));
        policies.push(empty.with(lanes.into_values()));
    }
    problems.or(policies)
}

/// What is known half-way through a file.
struct LaneReading<'a> {
    path: &'a Path,
    problems: Problems,
    names: BTreeSet<Arc<str>>,
    lanes: BTreeMap<String, BTreeMap<u64, PartialLane>>,
}

/// A lane half-way.
#[derive(Default)]
struct PartialLane {
    rows: Vec<MetricRow>,
    ending: Option<Ending>,
}

impl PartialLane {
    fn lane(self, ending: Ending, layouts: &Layouts) -> LaneResult {
        let place = |row: MetricRow| {
            let place = MetricAt {
                metric: row.metric,
                at: row.at,
            };
            (place, row.value)
        };
        let (places, values) = self.rows.into_iter().map(place).unzip();
        LaneResult::laid_out(ending, None, layouts.of(places), values)
    }
}

impl LaneReading<'_> {
    fn problem(&mut self, line: Option<u64>, column: Option<u64>, what: impl Into<String>) {
        let path = self.path.to_owned();
        let place = Place::File { path, line, column };
        self.problems.push(Problem::new(place, what).help(CHANGED));
    }

    /// Advice on the problem just noted.
    fn help(&mut self, help: impl Into<String>) {
        if let Some(problem) = self.problems.0.last_mut() {
            problem.help = Some(help.into());
        }
    }

    fn header(&mut self) {
        self.problem(
            Some(1),
            None,
            "this is not the header of a replications.csv",
        );
        self.help(format!("the first line is {}", HEADER.join(",")));
    }

    /// Takes a record of five fields, or notes what is wrong with it.
    fn take(&mut self, record: &::csv::StringRecord) {
        let line = record.position().map(::csv::Position::line);
        let field = |column| record.get(column).unwrap_or_default();
        let (label, metric) = (field(1), field(2));
        let Some(replication) = self.whole(line, 1, field(0)) else {
            return;
        };
        if metric == ENDING {
            match field(4).parse() {
                Ok(ending) => self.end(line, label, replication, ending),
                Err(error) => self.problem(line, Some(5), format!("{error}")),
            }
            return;
        }
        let at = match field(3) {
            "" => Some(None),
            at => self.whole(line, 4, at).map(Some),
        };
        let value = field(4)
            .parse()
            .ok()
            .filter(|value: &f64| value.is_finite());
        if value.is_none() {
            let what = format!("`{}` is not a finite number", field(4));
            self.problem(line, Some(5), what);
        }
        if let (Some(at), Some(value)) = (at, value) {
            let metric = self.name(metric);
            let row = MetricRow { metric, at, value };
            self.part(label, replication).rows.push(row);
        }
    }

    fn end(&mut self, line: Option<u64>, label: &str, replication: u64, ending: Ending) {
        let before = self.part(label, replication).ending.replace(ending);
        if before.is_some() {
            let what = format!("replication {replication} of `{label}` ends twice");
            self.problem(line, None, what);
            self.help("merge only shards that share no replication");
        }
    }

    fn whole(&mut self, line: Option<u64>, column: u64, text: &str) -> Option<u64> {
        let number = text.parse().ok();
        if number.is_none() {
            let what = format!("`{text}` is not a whole number from 0");
            self.problem(line, Some(column), what);
        }
        number
    }

    /// One allocation per name rather than per row.
    fn name(&mut self, metric: &str) -> Arc<str> {
        if let Some(name) = self.names.get(metric) {
            return Arc::clone(name);
        }
        let name: Arc<str> = metric.into();
        self.names.insert(Arc::clone(&name));
        name
    }

    fn part(&mut self, label: &str, replication: u64) -> &mut PartialLane {
        if !self.lanes.contains_key(label) {
            self.lanes.insert(label.to_owned(), BTreeMap::new());
        }
        let lanes = self.lanes.get_mut(label).expect("it was put there");
        lanes.entry(replication).or_default()
    }

    fn finish(mut self) -> Result<LanesByLabel, Problems> {
        let mut whole = LanesByLabel::new();
        for (label, parts) in std::mem::take(&mut self.lanes) {
            let mut lanes = BTreeMap::new();
            let layouts = Layouts::default();
            for (replication, part) in parts {
                let Some(ending) = part.ending else {
                    let what =
                        format!("replication {replication} of `{label}` has no `ending` row");
                    self.problem(None, None, what);
                    continue;
                };
                lanes.insert(replication, part.lane(ending, &layouts));
            }
            whole.insert(label, lanes);
        }
        self.problems.or(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{lane, row, run, written};
    use super::*;
    use crate::compare::RunResult;
    use crate::compare::{Judge, Summary, Versus};
    use crate::report::json::summary_json;

    fn read(text: &str) -> Result<LanesByLabel, Problems> {
        read_replications(Path::new("r.csv"), text.as_bytes())
    }

    /// The summary is a fold of the file: written, read and folded again it has the same bytes.
    #[test]
    fn the_summary_is_a_fold_of_the_file() {
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let labels = ["queue", "greedy .05", "a, \"b\"\nc", " ", "\u{e9}t\u{e9}"];
        let policies = labels.map(|label| {
            let lanes = (0..40).map(|number| {
                let mut rows = Vec::new();
                for metric in ["screened", "representation_loss", "share.F", "my, own"] {
                    for at in [Some(50), Some(u64::MAX), None] {
                        let value = (next() - 0.5) * 10_f64.powi(number - 20);
                        rows.push(row(metric, at, value));
                    }
                }
                rows.truncate(rows.len() - (next() * 4.0) as usize);
                lane(Ending::ALL[(next() * 10.0) as usize], rows)
            });
            (label, lanes.collect::<Vec<_>>())
        });
        let run = run(&policies);
        let judge = Judge {
            metrics: vec!["representation_loss".into(), "my, own".into()],
            versus: Versus::Everyone,
            alpha: 0.05,
            ..Judge::default()
        };
        let text = written(&run);
        let again = RunResult {
            policies: policies_of(&text),
            ..run.clone()
        };
        assert_eq!(written(&again), text);
        let summary = |run| summary_json(&Summary::of(run, &judge));
        assert_eq!(summary(&again), summary(&run));
    }

    fn policies_of(text: &str) -> Vec<PolicyRun> {
        policies(read(text).unwrap(), |label| format!("kind of {label}")).unwrap()
    }

    #[test]
    fn an_empty_run_reads_back() {
        let text = written(&run(&[]));
        assert_eq!(text, "replication,policy,metric,at,value\n");
        assert_eq!(read(&text), Ok(LanesByLabel::new()));
    }

    #[test]
    fn all_that_is_wrong_is_told_with_its_place() {
        let text = "replication,policy,metric,at,value\n\
            0,a,loss,,0.5\n\
            x,a,loss,,0.5\n\
            0,a,loss,-1,NaN\n\
            0,a,loss\n\
            0,a,ending,,finished\n\
            0,b,ending,,filled\n\
            0,b,ending,,filled\n\
            1,a,loss,,inf\n";
        let problems = read(text).unwrap_err().0;
        let told: Vec<_> = problems.iter().map(ToString::to_string).collect();
        let known = [
            "r.csv:3:1: `x` is not a whole number from 0",
            "r.csv:4:4: `-1` is not a whole number from 0",
            "r.csv:4:5: `NaN` is not a finite number",
            "r.csv:5: ",
            "r.csv:6:5: `finished` is no ending",
            "r.csv:8: replication 0 of `b` ends twice",
            "r.csv:9:5: `inf` is not a finite number",
            "r.csv: replication 0 of `a` has no `ending` row",
        ];
        assert_eq!(told.len(), known.len(), "{told:#?}");
        for (told, known) in told.iter().zip(known) {
            assert!(told.starts_with(known), "{told} against {known}");
        }
    }

    #[test]
    fn another_file_is_refused() {
        for text in ["", "a,b\n1,2\n", "replication,policy,metric,value,at\n"] {
            let problems = read(text).unwrap_err().to_string();
            assert!(
                problems.contains("replication,policy,metric,at,value"),
                "{problems}"
            );
        }
    }

    #[test]
    fn a_gap_between_replications_is_told() {
        let text = "replication,policy,metric,at,value\n0,a,ending,,filled\n2,a,ending,,filled\n";
        let problems = policies(read(text).unwrap(), str::to_owned).unwrap_err();
        assert!(
            problems
                .to_string()
                .starts_with("replication 1 of `a` is missing")
        );
    }
}
