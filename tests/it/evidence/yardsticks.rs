//! Yardsticks are compared and drawn, and never the answer: all presets and configs of the project.

use std::collections::BTreeSet;

use kleroterion::compare::RunResult;
use kleroterion::compare::{Summary, Versus};
use kleroterion::config::{Document, Plan, check};
use kleroterion::presets::PRESETS;
use kleroterion::protocol::Role;
use kleroterion::report::account::RunReport;
use kleroterion::report::finished::Finished;
use kleroterion::report::medium::Medium;
use kleroterion::report::table::table;

use crate::support::{data, play, project};

/// The texts of all presets and of all files in `configs`, each once.
fn configs() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let presets = PRESETS.iter();
    let presets = presets.map(|preset| (preset.name.to_owned(), preset.text.to_owned()));
    let files = std::fs::read_dir(project().join("configs")).expect("the folder is there");
    let paths = files.map(|file| file.expect("it can be read").path());
    let paths: BTreeSet<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    let files = paths.into_iter().map(|path| {
        let name = path.display().to_string();
        (name, std::fs::read_to_string(path).expect("a config"))
    });
    for (name, text) in presets.chain(files) {
        if all.iter().all(|(_, known)| *known != text) {
            all.push((name, text));
        }
    }
    all
}

/// The plan of a config, made short; none of one that needs a file that is not there, a program, or
/// a feed.
fn plan(name: &str, text: &str) -> Option<Plan> {
    let mut document =
        Document::parse(text).unwrap_or_else(|problems| panic!("{name}: {problems}"));
    document.set("replications=3").expect("it can be set");
    document.take("sweep");
    let folder = data("adult.data").and_then(|path| path.parent().map(ToOwned::to_owned));
    let folder = folder.unwrap_or_else(|| project().join("configs"));
    let plan = [project().join("configs"), folder]
        .iter()
        .find_map(|folder| check(&document, folder).ok())?;
    plan.world.feed.is_none().then_some(plan)
}

/// What must not crown a yardstick: the headline, the answer's lists, the last line of the table,
/// the page's findings.
fn crowns(run: &RunResult, plan: &Plan) -> Vec<String> {
    let summary = Summary::of(run, &plan.judge);
    let table = table(run, &summary, &plan.judge, false, &Medium::default());
    let last = table.lines().rev().take_while(|line| !line.is_empty());
    let mut all = vec![
        summary.answer.headline.clone(),
        format!("{:?}", summary.answer.frontier),
        format!("{:?}", summary.answer.dominates),
        last.collect::<Vec<_>>().concat(),
    ];
    let page = RunReport::of(&Finished::so_far(run.clone(), &plan.judge), &[]).page;
    if let Some(found) = page.found {
        all.push(found.answer);
        all.extend(found.measures.into_iter().map(|measure| measure.answer));
    }
    all
}

#[test]
fn no_yardstick_leads_in_any_preset_or_config() {
    let (mut played, mut with) = (0, 0);
    for (name, text) in configs() {
        let Some(mut plan) = plan(&name, &text) else {
            continue;
        };
        plan.set_replications(3);
        let labels = plan
            .lanes
            .iter()
            .filter(|lane| lane.role == Role::Yardstick);
        let labels: Vec<String> = labels.map(|lane| lane.label.clone()).collect();
        assert_eq!(plan.judge.yardsticks, labels, "{name}");
        if labels.is_empty() || plan.judge.versus == Versus::Nobody {
            continue;
        }
        played += 1;
        let run = play(&plan);
        for crown in crowns(&run, &plan) {
            for label in &labels {
                let quoted = [format!("\u{201c}{label}\u{201d}"), format!("{label:?}")];
                let is_named = quoted.iter().any(|quoted| crown.contains(quoted));
                assert!(!is_named, "{name}: {crown}");
            }
        }
        with += labels.len();
    }
    assert!(
        played >= 5 && with >= 8,
        "{played} configs, {with} yardsticks"
    );
}
