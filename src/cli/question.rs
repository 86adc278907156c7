//! The question asked of a finished run: which measures are judged, against which policy, by which
//! goal.

use std::path::Path;

use clap::Args;

use kleroterion::config::Document;
use kleroterion::document::{Node, Table, Value, read_text};
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::report::files::Folder;

/// The config in the folder of a run.
const CONFIG: &str = "config.toml";

/// An example of a goal with a bound.
const EXAMPLE: &str = "--goal 'selection_rate where representation_loss <= 0.05'";

/// Changes of `[report]`.
#[derive(Args, Clone, Debug, Default)]
pub struct QuestionArgs {
    /// Judge these metrics in place of those that the config judges
    #[arg(long, value_name = "METRIC,…", value_delimiter = ',')]
    judge: Vec<String>,
    /// Compare the other policies with this one
    #[arg(long, value_name = "LABEL")]
    baseline: Option<String>,
    /// The metric whose best value is sought, and bounds on others:
    /// 'selection_rate where representation_loss <= 0.05, quotas_kept >= 0.9'
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,
    /// Set a key of `[report]`: report.KEY=VALUE; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl QuestionArgs {
    /// Returns true if no option changes the question.
    pub fn is_empty(&self) -> bool {
        self.judge.is_empty()
            && self.baseline.is_none()
            && self.goal.is_none()
            && self.set.is_empty()
    }

    /// Changes the question of a config.
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
pub fn keep(folder: &Path, question: &QuestionArgs) -> Result<(), Problems> {
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
