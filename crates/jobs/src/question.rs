//! The question asked of a finished run: which measures are judged, against which policy, by which
//! goal.

use std::path::Path;

use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_report::report::files::Folder;
use kleroterion_run::document::{Document, Node, Table, Value, read_text};

/// The config in the folder of a run.
const CONFIG: &str = "config.toml";

/// An example of a goal with a bound.
const EXAMPLE: &str = "--goal 'selection_rate where representation_loss <= 0.05'";

/// Changes of `[report]`: the question asked of a run. The default asks what the config asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunQuestion {
    /// The metrics to judge, in place of those that the config judges. Empty for those.
    pub judge: Vec<String>,
    /// The label of the policy with which the others are compared.
    pub baseline: Option<String>,
    /// The metric whose best value is sought, and bounds on others:
    /// `selection_rate where representation_loss <= 0.05, quotas_kept >= 0.9`.
    pub goal: Option<String>,
    /// Assignments `report.KEY=VALUE`.
    pub set: Vec<String>,
}

impl RunQuestion {
    /// Returns true if the question is the config's own.
    pub fn is_empty(&self) -> bool {
        self.judge.is_empty()
            && self.baseline.is_none()
            && self.goal.is_none()
            && self.set.is_empty()
    }

    /// Changes the question of a config.
    ///
    /// # Errors
    /// Returns all that is wrong with the question.
    pub fn put(&self, document: &mut Document) -> Result<(), Problems> {
        let mut problems = Problems::default();
        for (path, node) in self.nodes(&mut problems) {
            problems.0.extend(document.put(path, node).err());
        }
        for assignment in &self.set {
            let is_report = assignment.trim_start().starts_with("report.");
            if is_report {
                problems.0.extend(document.set(assignment).err());
                continue;
            }
            let what = "the run was played: only what is asked of it can change";
            let help = "set a key of [report], as --set report.alpha=0.01; all else takes another \
                        run: klero run";
            problems.push(Problem::of_option(format!("--set {assignment}"), what).help(help));
        }
        problems.or(())
    }

    /// The options as keys of `[report]` and their values.
    fn nodes(&self, problems: &mut Problems) -> Vec<(&'static str, Node)> {
        let mut nodes = Vec::new();
        if !self.judge.is_empty() {
            let place = Place::Option(format!("--judge {}", self.judge.join(",")));
            let text = |metric: &String| Value::Text(metric.trim().to_owned()).at(&place);
            let metrics = self.judge.iter().map(text).collect();
            nodes.push(("report.judge", Value::List(metrics).at(&place)));
        }
        if let Some(label) = &self.baseline {
            let place = Place::Option(format!("--baseline {label}"));
            nodes.push(("report.baseline", Value::Text(label.clone()).at(&place)));
        }
        if let Some(goal) = &self.goal {
            let place = Place::Option(format!("--goal {goal}"));
            match goal_of(goal, &place) {
                Some(value) => nodes.push(("report.goal", value.at(&place))),
                None => {
                    let what = "a goal is a metric, and bounds on others after `where`";
                    problems.push(Problem::new(place, what).help(format!("write {EXAMPLE}")));
                }
            }
        }
        nodes
    }
}

/// The table of a goal; `None` if a bound can't be read.
fn goal_of(goal: &str, place: &Place) -> Option<Value> {
    let mut words = goal.splitn(2, " where ");
    let best = words.next()?.trim();
    let mut table = Table::default();
    let text = |text: &str| Value::Text(text.to_owned()).at(place);
    table.set("best", text(best));
    if let Some(bounds) = words.next() {
        let mut all = Table::default();
        for bound in bounds.split(',') {
            let at = bound.find(['<', '>'])?;
            let (metric, bound) = bound.split_at(at);
            all.set(metric.trim(), text(bound.trim()));
        }
        table.set("where", Value::Table(all).at(place));
    }
    (!best.is_empty() && !best.contains(char::is_whitespace)).then_some(Value::Table(table))
}

/// Changes the question in the config of a live run that is resumed.
///
/// # Errors
/// Fails if the config can't be read or written, or the question is wrong.
pub fn keep_question(folder: &Path, question: &RunQuestion) -> Result<(), Problems> {
    if question.is_empty() {
        return Ok(());
    }
    let folder = Folder::at(folder);
    let mut document = Document::parse(&read_text(&folder.file(CONFIG))?)?;
    question.put(&mut document)?;
    let text = document.to_toml();
    folder.write(CONFIG, |out| out.write_all(text.as_bytes()))?;
    Ok(())
}
