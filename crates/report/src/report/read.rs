//! Readers of `replications.csv` and `endings.csv`, whose values are summarised again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::csv::{ENDINGS, HEADER};
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{LaneResult, Layouts, MetricAt, PolicyRun};
use kleroterion_io::record::read_row;

/// The advice for a file that differs from what the run wrote.
const CHANGED: &str = "the file was changed or cut short since: run it again";

/// Lanes read back, by label and replication.
pub type LanesByLabel = ByLane<LaneResult>;

/// Something of each lane, by label and replication.
type ByLane<T> = BTreeMap<String, BTreeMap<u64, T>>;

/// A file to read: its text, and its path for problems.
pub struct InputFile<'a, R> {
    /// The path of the file.
    pub path: &'a Path,
    /// The text of the file.
    pub text: R,
}

/// Reads the lanes of `replications.csv` and `endings.csv` back.
///
/// # Errors
/// All that is wrong with the two files.
pub fn read_lanes(
    replications: InputFile<'_, impl Read>,
    endings: InputFile<'_, impl Read>,
) -> Result<LanesByLabel, Problems> {
    let mut values = Values::default();
    let mut reading = LineReader::new(replications.path);
    reading.read(HEADER, replications.text, |reading, record| {
        values.take(reading, record);
    });
    let mut ends = ByLane::new();
    let mut of_endings = LineReader::new(endings.path);
    of_endings.read(ENDINGS, endings.text, |reading, record| {
        take_ending(&mut ends, reading, record);
    });
    let lanes = values.lanes(ends, &mut reading);
    reading.problems.0.extend(of_endings.problems.0);
    reading.problems.or(lanes)
}

/// Returns the lanes as policies, each with the kind that `kind` knows for its label. Replications
/// must count from 0 without gaps. Otherwise values of different replications would be paired.
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

/// Reads the records of one file, and notes what is wrong with them.
struct LineReader<'a> {
    path: &'a Path,
    line: Option<u64>,
    problems: Problems,
}

impl<'a> LineReader<'a> {
    fn new(path: &'a Path) -> Self {
        Self {
            path,
            line: None,
            problems: Problems::default(),
        }
    }

    /// Hands on the records after the header. A file with another header has none.
    fn read<const N: usize>(
        &mut self,
        header: [&str; N],
        text: impl Read,
        mut take: impl FnMut(&mut Self, &::csv::StringRecord),
    ) {
        let mut csv = ::csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(text);
        let mut record = ::csv::StringRecord::new();
        let mut headed = false;
        loop {
            match csv.read_record(&mut record) {
                Ok(true) if headed => {
                    self.line = record.position().map(::csv::Position::line);
                    take(self, &read_row(&record));
                }
                Ok(more) if !headed && (!more || record != header[..]) => {
                    self.line = Some(1);
                    self.problem(None, "this is not the header of such a file of a run");
                    self.help(format!("the first line is {}", header.join(",")));
                    return;
                }
                Ok(true) => headed = true,
                Ok(false) => return,
                Err(error) => {
                    self.line = error.position().map(::csv::Position::line);
                    self.problem(None, error.to_string());
                    if error.is_io_error() {
                        return;
                    }
                }
            }
        }
    }

    fn problem(&mut self, column: Option<u64>, what: impl Into<String>) {
        let place = Place::field(self.path, self.line, column);
        self.problems.push(Problem::new(place, what).help(CHANGED));
    }

    /// Advice on the problem just noted, in place of the usual one.
    fn help(&mut self, help: impl Into<String>) {
        if let Some(problem) = self.problems.0.last_mut() {
            problem.help = Some(help.into());
        }
    }

    fn whole(&mut self, column: u64, text: &str) -> Option<u64> {
        let number = text.parse().ok();
        if number.is_none() {
            let what = format!("`{text}` is not a whole number from 0");
            self.problem(Some(column), what);
        }
        number
    }
}

/// The place for something of a lane; no label is copied twice.
fn entry<'a, T>(all: &'a mut ByLane<T>, label: &str) -> &'a mut BTreeMap<u64, T> {
    if !all.contains_key(label) {
        all.insert(label.to_owned(), BTreeMap::new());
    }
    all.get_mut(label).expect("it was put there")
}

/// The values of `replications.csv`.
#[derive(Default)]
struct Values {
    lanes: ByLane<Vec<(MetricAt, f64)>>,
    names: BTreeSet<Arc<str>>,
}

impl Values {
    /// Takes a record of five fields, or notes what is wrong with it.
    fn take(&mut self, reading: &mut LineReader<'_>, record: &::csv::StringRecord) {
        let field = |column| record.get(column).unwrap_or_default();
        let Some(replication) = reading.whole(1, field(0)) else {
            return;
        };
        let at = match field(3) {
            "" => Some(None),
            at => reading.whole(4, at).map(Some),
        };
        let value = field(4)
            .parse()
            .ok()
            .filter(|value: &f64| value.is_finite());
        if value.is_none() {
            let what = format!("`{}` is not a finite number", field(4));
            reading.problem(Some(5), what);
        }
        if let (Some(at), Some(value)) = (at, value) {
            let metric = self.name(field(2));
            let lanes = entry(&mut self.lanes, field(1));
            let lane = lanes.entry(replication).or_default();
            lane.push((MetricAt { metric, at }, value));
        }
    }

    /// Returns the shared name of a metric. There is one allocation for each name and not for each
    /// row.
    fn name(&mut self, metric: &str) -> Arc<str> {
        if let Some(name) = self.names.get(metric) {
            return Arc::clone(name);
        }
        let name: Arc<str> = metric.into();
        self.names.insert(Arc::clone(&name));
        name
    }

    /// The lanes that ended, with their values.
    fn lanes(
        mut self,
        ends: ByLane<(Ending, Option<String>)>,
        reading: &mut LineReader<'_>,
    ) -> LanesByLabel {
        let mut whole = LanesByLabel::new();
        for (label, ends) in ends {
            let mut of_label = self.lanes.remove(&label).unwrap_or_default();
            let layouts = Layouts::default();
            let lane = |(replication, (ending, detail))| {
                let rows = of_label.remove(&replication).unwrap_or_default();
                let (places, values) = rows.into_iter().unzip();
                let lane = LaneResult::laid_out(ending, detail, layouts.of(places), values);
                (replication, lane)
            };
            whole.insert(label.clone(), ends.into_iter().map(lane).collect());
            self.lanes.insert(label, of_label);
        }
        reading.line = None;
        for (label, lanes) in &self.lanes {
            for replication in lanes.keys() {
                let what = format!("replication {replication} of `{label}` has no ending");
                reading.problem(None, what);
            }
        }
        whole
    }
}

/// Takes a record of `endings.csv`, or notes what is wrong with it.
fn take_ending(
    ends: &mut ByLane<(Ending, Option<String>)>,
    reading: &mut LineReader<'_>,
    record: &::csv::StringRecord,
) {
    let field = |column| record.get(column).unwrap_or_default();
    let Some(replication) = reading.whole(1, field(0)) else {
        return;
    };
    let ending = match field(2).parse() {
        Ok(ending) => ending,
        Err(error) => return reading.problem(Some(3), format!("{error}")),
    };
    let detail = Some(field(3).to_owned()).filter(|detail| !detail.is_empty());
    let before = entry(ends, field(1)).insert(replication, (ending, detail));
    if before.is_some() {
        let what = format!("replication {replication} of `{}` ends twice", field(1));
        reading.problem(None, what);
        reading.help("merge only shards that share no replication");
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::samples::{endings, lane, row, run, written};
    use super::*;
    use crate::report::json::summary_json;
    use kleroterion_stats::RunResult;
    use kleroterion_stats::{Judge, Summary, Versus};

    fn read(values: &str, endings: &str) -> Result<LanesByLabel, Problems> {
        let file = |path, text| InputFile {
            path: Path::new(path),
            text,
        };
        read_lanes(
            file("r.csv", values.as_bytes()),
            file("e.csv", endings.as_bytes()),
        )
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
            policies: policies_of(&text, &endings(&run)),
            ..run.clone()
        };
        assert_eq!(written(&again), text);
        assert_eq!(endings(&again), endings(&run));
        let summary = |run| summary_json(&Summary::of(run, &judge));
        assert_eq!(summary(&again), summary(&run));
    }

    fn policies_of(text: &str, endings: &str) -> Vec<PolicyRun> {
        policies(read(text, endings).unwrap(), |label| {
            format!("kind of {label}")
        })
        .unwrap()
    }

    #[test]
    fn an_empty_run_reads_back() {
        let text = written(&run(&[]));
        assert_eq!(text, "replication,policy,metric,at,value\n");
        assert_eq!(read(&text, &endings(&run(&[]))), Ok(LanesByLabel::new()));
    }

    #[test]
    fn all_that_is_wrong_is_told_with_its_place() {
        let values = "replication,policy,metric,at,value\n\
            0,a,loss,,0.5\n\
            x,a,loss,,0.5\n\
            0,a,loss,-1,NaN\n\
            0,a,loss\n\
            1,a,loss,,inf\n";
        let endings = "replication,policy,ending,detail\n\
            0,a,finished,\n\
            0,b,filled,\n\
            0,b,filled,\n\
            -1,b,filled,\n";
        let problems = read(values, endings).unwrap_err().0;
        let told: Vec<_> = problems.iter().map(ToString::to_string).collect();
        let known = [
            "r.csv:3:1: `x` is not a whole number from 0",
            "r.csv:4:4: `-1` is not a whole number from 0",
            "r.csv:4:5: `NaN` is not a finite number",
            "r.csv:5: ",
            "r.csv:6:5: `inf` is not a finite number",
            "r.csv: replication 0 of `a` has no ending",
            "e.csv:2:3: `finished` is no ending",
            "e.csv:4: replication 0 of `b` ends twice",
            "e.csv:5:1: `-1` is not a whole number from 0",
        ];
        assert!(problems.iter().all(|problem| problem.help.is_some()));
        assert_eq!(told.len(), known.len(), "{told:#?}");
        for (told, known) in told.iter().zip(known) {
            assert!(told.starts_with(known), "{told} against {known}");
        }
    }

    #[test]
    fn another_file_is_refused() {
        for text in ["", "a,b\n1,2\n", "replication,policy,metric,value,at\n"] {
            let problems = read(text, "replication,policy,ending,detail\n");
            let problems = problems.unwrap_err().to_string();
            assert!(
                problems.contains("replication,policy,metric,at,value"),
                "{problems}"
            );
        }
    }

    #[test]
    fn a_gap_between_replications_is_told() {
        let endings = "replication,policy,ending,detail\n0,a,filled,\n2,a,filled,\n";
        let lanes = read("replication,policy,metric,at,value\n", endings).unwrap();
        let problems = policies(lanes, str::to_owned).unwrap_err();
        assert!(
            problems
                .to_string()
                .starts_with("replication 1 of `a` is missing")
        );
    }

    /// Words on an ending are read back; those of several lines are one.
    #[test]
    fn details_of_endings_are_kept() {
        let told = LaneResult::new(Ending::Panicked, Some("at 3, \"x\"\nof 4".into()), []);
        let one = run(&[("a", vec![told])]);
        let text = endings(&one);
        let again = policies_of(&written(&one), &text);
        let details: Vec<_> = again[0].details().values().collect();
        assert_eq!(details, ["at 3, \"x\"⟨U+000A⟩of 4"]);
    }
}
