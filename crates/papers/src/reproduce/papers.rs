//! All studies, by paper.

use super::study::Study;
use super::{do2021, grazzi2022, puranik2022, schumann2019};
use kleroterion_run::presets::renamed;

/// Iterates over all studies, paper by paper.
pub fn studies() -> impl Iterator<Item = &'static Study> {
    let papers = [
        do2021::STUDIES,
        grazzi2022::STUDIES,
        schumann2019::STUDIES,
        puranik2022::STUDIES,
    ];
    papers.into_iter().flatten()
}

/// Returns the study with this name, or `None`.
#[must_use]
pub fn study(name: &str) -> Option<&'static Study> {
    let name = renamed(name);
    studies().find(|study| study.name == name)
}
