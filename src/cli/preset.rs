//! `klero show`.

use std::path::{Path, PathBuf};

use clap::Args;
use kleroterion::document::meant;
use kleroterion::nearest::nearest;
use kleroterion::presets::{PRESETS, Preset, preset};
use kleroterion::problem::{Problem, Problems};

use super::failure::{Failure, print, unwritten};
use super::show;

/// Options of `klero show`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero show committee-syn6                        the preset's config
  klero show committee-syn6 > my.toml              a config to change
  klero show organiser --files start               the config and the files of people that it names")]
pub struct ShowArgs {
    /// The preset (`klero list presets`)
    preset: String,
    /// Write the config and the files that it names into this folder (made where it is missing)
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
    /// Overwrite files that are in the folder
    #[arg(long, requires = "files")]
    force: bool,
}

/// Prints a preset, or writes it with its files.
///
/// # Errors
/// Fails if there is no preset of this name, or it can't be written. The message is already
/// printed.
pub fn show(args: &ShowArgs) -> Result<(), Failure> {
    let wrong = |problems: Problems| unwritten(problems, "nothing was written");
    let preset = preset(&args.preset).ok_or_else(|| wrong(unknown(&args.preset).into()))?;
    let Some(folder) = &args.files else {
        return print(preset.text);
    };
    let config = write(preset, folder, args.force).map_err(wrong)?;
    show::say(&format!("wrote {0}; next: klero run {0}", config.display()));
    Ok(())
}

/// Writes a preset and its files. Returns the path of its config.
fn write(preset: &Preset, folder: &Path, force: bool) -> Result<PathBuf, Problems> {
    let config = format!("{}.toml", preset.name);
    let files = std::iter::once((&*config, preset.text)).chain(preset.files.iter().copied());
    let files: Vec<_> = files
        .map(|(name, text)| (folder.join(name), text))
        .collect();
    let there = files.iter().filter(|(path, _)| !force && path.exists());
    let there = there.map(|(path, _)| {
        let what = format!("{} is there already", path.display());
        Problem::of_request(what).help("name another folder, or overwrite it with --force")
    });
    Problems(there.collect()).or(())?;
    if folder.is_file() {
        let what = format!("{} is a file, not a folder", folder.display());
        return Err(Problem::of_request(what)
            .help("name a folder: --files .")
            .into());
    }
    for (path, text) in &files {
        let folder = path.parent().unwrap_or(folder);
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text));
        written.map_err(|error| {
            let what = format!("{} can't be written: {error}", path.display());
            Problem::of_request(what).help("name a folder that can be written to")
        })?;
    }
    Ok(folder.join(config))
}

fn unknown(name: &str) -> Problem {
    let near = nearest(name, PRESETS.iter().map(|preset| preset.name));
    let help = meant(near, "`klero list presets` names them all");
    Problem::of_request(format!("there is no preset {name:?}")).help(help)
}
