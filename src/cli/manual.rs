//! `klero completions` and `klero man`, generated from the command line's declarations.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use super::failure::Failure;
use super::show;
use kleroterion::problem::Problem;

/// Options of `klero completions`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero completions bash > ~/.local/share/bash-completion/completions/klero
  klero completions zsh > ~/.zfunc/_klero
  klero completions fish > ~/.config/fish/completions/klero.fish")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Options of `klero man`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero man | man -l -                             klero(1)
  klero man --out ~/.local/share/man/man1          a page a command")]
pub struct ManArgs {
    /// Write a page for every command into this folder (made where it is missing)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the script with which a shell completes the commands and options of `command`.
///
/// # Errors
/// Fails if the script can't be printed. The message is already printed.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "klero", &mut script);
    print(&script)
}

/// Prints the manual page of `command`, or writes a page for every command of it.
///
/// # Errors
/// Fails if a page can't be printed or written. The message is already printed.
pub fn man(args: &ManArgs, command: Command) -> Result<(), Failure> {
    let command = without_help(command);
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        let rendered = clap_mangen::Man::new(command).render(&mut page);
        return rendered.map_or_else(unwritten, |()| print(&page));
    };
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    let written = written.map_err(|error| {
        let what = match folder.is_file() {
            true => "this is a file, not a folder".to_owned(),
            false => format!("the pages can't be written there: {error}"),
        };
        Problem::of_option(format!("--out {}", folder.display()), what)
            .help("name a folder that you may write to")
    });
    written?;
    show::say(&format!("wrote the pages to {}", folder.display()));
    Ok(())
}

/// The command without `help`, which needs no page.
fn without_help(command: Command) -> Command {
    command
        .disable_help_subcommand(true)
        .mut_subcommands(without_help)
}

fn print(bytes: &[u8]) -> Result<(), Failure> {
    show::print(&String::from_utf8_lossy(bytes)).or_else(unwritten)
}

fn unwritten(error: impl std::fmt::Display) -> Result<(), Failure> {
    show::say(&format!("error: can't be written: {error}"));
    Err(Failure::Failed)
}
