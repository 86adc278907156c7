//! Pages: reports, boards and studies as HTML, and the recipes of the docs.

#[cfg(target_os = "linux")]
mod board;
mod browser;
#[cfg(target_os = "linux")]
mod images;
mod recipes;
mod report;
pub mod studies;
