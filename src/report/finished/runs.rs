//! The folders of runs below a folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::report::files::{PROGRESS, SUMMARY};

/// The runs of a sweep below a folder: each one's path from it, `KEY=VALUE` by `KEY=VALUE`, in
/// order of name; empty where the folder holds none.
pub fn runs_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    below(folder, Path::new(""), &mut found);
    found.sort();
    found
}

fn below(root: &Path, path: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(root.join(path)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_point = name.to_str().is_some_and(|name| name.contains('='));
        let path = path.join(&name);
        let whole = root.join(&path);
        if !is_point || !whole.is_dir() {
            continue;
        }
        // One that was cut off is reported, not passed over.
        if whole.join(SUMMARY).exists() || whole.join(PROGRESS).exists() {
            found.push(path);
        } else {
            below(root, &path, found);
        }
    }
}
