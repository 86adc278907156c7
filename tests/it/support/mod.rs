//! What several tests need, a file a subject.

pub mod configs;
#[cfg(target_os = "linux")]
pub mod machine;
pub mod ports;
#[cfg(target_os = "linux")]
pub mod process;
pub mod programs;
pub mod refusals;
mod runs;
pub mod same;
pub mod says;
pub mod schema;
#[cfg(target_os = "linux")]
pub mod script;
#[cfg(target_os = "linux")]
pub mod slurm;
pub mod terminal;
pub mod towns;
pub mod walk;
pub mod worlds;

use std::path::PathBuf;

pub use kleroterion_testkit::{wants, workbooks};
pub use runs::{config, long, many, near, plan, play, stats, values};
pub use wants::data;

/// The sections of a page that have blocks, and their blocks: the language and the text of each.
pub fn sections(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let path = project().join(page);
    let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
    let mut sections: Vec<(String, Vec<(String, String)>)> = vec![Default::default()];
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push((title.to_owned(), Vec::new()));
        }
        let Some(language) = line.trim_start().strip_prefix("```") else {
            continue;
        };
        let body = lines
            .by_ref()
            .take_while(|line| !line.trim_start().starts_with("```"));
        let body = body.map(|line| format!("{line}\n")).collect();
        let (_, blocks) = sections.last_mut().expect("the page's head is one");
        blocks.push((language.to_owned(), body));
    }
    sections.retain(|(_, blocks)| !blocks.is_empty());
    sections
}

/// The folder of the project.
pub fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
