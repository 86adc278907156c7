//! A preset played in a program, with the report's page and the run's folder written.
//!
//! `cargo run --release --example report_from_library -- results`

use std::error::Error;
use std::path::Path;

use kleroterion::prelude::*;

/// Plays the preset, writes its folder and returns the title of its page.
pub fn report(folder: &Path) -> Result<String, Box<dyn Error>> {
    let request = JobRequest {
        replications: Some(100),
        ..JobRequest::default()
    };
    let mut finished = Job::load(request)?.play(&JobWatch::default())?;
    finished.write(folder, false)?;
    let page = finished.runs[0].report()?;
    std::fs::write(folder.join("page.html"), &page.html)?;
    let title = page
        .html
        .split(['<', '>'])
        .skip_while(|part| *part != "title")
        .nth(1);
    Ok(format!(
        "{}, {} figures\n",
        title.unwrap_or_default(),
        page.figures.len()
    ))
}

#[allow(dead_code, reason = "tests name the folder themselves")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "results".to_owned());
    print!("{}", report(Path::new(&folder))?);
    Ok(())
}
