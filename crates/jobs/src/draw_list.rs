//! The lists of people that make a draw a second one.

use std::path::{Path, PathBuf};

use crate::error::JobError;
use kleroterion_core::problem::{Place, Problem};
use kleroterion_drawing::{EARLIER, Earlier, Inputs, KEEP, WITHOUT};
use kleroterion_io::record::{MOST_WHOLE, read_given};

/// A list of people: an id or a code a line, or rows of `panel.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawList {
    /// The path of a file.
    File(PathBuf),
    /// The bytes of a file.
    Bytes(Vec<u8>),
}

/// Adds the lists that make the draw a second one.
pub(crate) fn add_lists(
    inputs: &mut Inputs,
    earlier: &Earlier,
    keep: Option<&DrawList>,
    without: Option<&DrawList>,
) -> Result<(), JobError> {
    let text = serde_json::to_string_pretty(earlier).unwrap_or_default();
    inputs.put(EARLIER, (text + "\n").into_bytes(), EARLIER.into());
    for (name, list) in [(KEEP, keep), (WITHOUT, without)] {
        match list {
            Some(DrawList::File(path)) => inputs.put(name, read(name, path)?, path.clone()),
            Some(DrawList::Bytes(bytes)) => {
                let path = Place::of_memory(name.trim_end_matches(".csv"), false);
                inputs.put(name, bytes.clone(), path);
            }
            None => {}
        }
    }
    Ok(())
}

fn read(name: &str, path: &Path) -> Result<Vec<u8>, Problem> {
    read_given(path, MOST_WHOLE).map_err(|error| {
        let what = format!("the file cannot be read: {error}");
        let help = "give a file with an id or a code a line, or rows of panel.csv";
        Problem::of_option(format!("{} {}", option(name), path.display()), what).help(help)
    })
}

/// The option that names this list.
pub(crate) fn option(list: &str) -> &'static str {
    match list {
        KEEP => "--keep",
        _ => "--without",
    }
}
