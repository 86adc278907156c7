//! Files that hold only policies, which join a run.

use std::path::Path;

use crate::error::JobError;
use crate::parsed::{is_table, parse};
use crate::text::ConfigText;
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_run::document::{PlacedKey, read_text};

/// The text of a file that holds only policies, and their number.
///
/// # Errors
/// Fails if the file can't be read, or holds anything but policies.
pub(crate) fn policies(path: &Path) -> Result<(String, usize), JobError> {
    if is_table(&path.to_string_lossy()) {
        let what = format!("{} holds no policies, by its name", path.display());
        let help = "give a file of TOML with a [[policy]] section for each";
        return Err(Problem::of_request(what).help(help).into());
    }
    let text = read_text(path)?;
    let text = ConfigText::of(path.display().to_string(), text);
    let document = parse(&text)?;
    let keys = || document.root().iter().map(|(key, _)| key);
    let others = keys().filter(|key| key.name != "policy").map(|key| {
        let what = format!("`{}` is no policy", key.name);
        let help = "only [[policy]] sections may be added: all else is as the run was begun with";
        Problem::new(key.place.clone(), what).help(help)
    });
    let mut problems = Problems(others.collect());
    if let Some(PlacedKey { place, .. }) = keys().find(|key| key.name == "policy")
        && !is_section(place, &text.text)
    {
        // It is put behind a config, whose last section would take any other way of writing them
        // for its own.
        let what = "policies that are added are sections of their own";
        let help = "write each as [[policy]] with its keys on the lines below";
        problems.push(Problem::new(place.clone(), what).help(help));
    }
    let many = document.policies().len();
    if many == 0 && problems.0.is_empty() {
        let help = "write one as in a config: [[policy]] with a label and a kind; `klero list \
                    policies` names the kinds";
        problems.push(Problem::of_file(path, "there is no policy in this file").help(help));
    }
    match problems.0.is_empty() {
        true => Ok((text.text, many)),
        false => Err(JobError::in_text(problems, &text)),
    }
}

/// Returns true if a key is in double brackets.
fn is_section(place: &Place, text: &str) -> bool {
    match place {
        Place::Config { line, .. } => {
            let mut lines = text.lines().skip(line - 1);
            lines
                .next()
                .is_some_and(|line| line.trim_start().starts_with("[["))
        }
        _ => false,
    }
}
