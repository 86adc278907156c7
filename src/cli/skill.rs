//! The pages that show how to begin: `klero skill`, and `klero` alone.

use super::failure::{Failure, print};

/// The page for programs that write configs and read results.
const PAGE: &str = include_str!("skill.md");

/// The text that `klero` prints without arguments.
pub const WAYS: &str = "\
klero compares selection policies on the same people, and says how sure the comparison is.

A preset, to see it work (`klero list presets` names them):
  klero run committee-syn6

People of your own, in a CSV file or as a JSON record a line:
  klero init people.csv -o my.toml       (an organiser's quotas: klero init people.csv quotas.csv)
  klero run my.toml --out results
  klero report results                   (the page is results/report.html)

A live stream, with a journal of all who came and a board to look at:
  klero init --live http -o live.toml
  klero live live.toml --out run1

All commands: klero --help. On one page, for a program that uses klero: klero skill.
";

/// Prints the page.
///
/// # Errors
/// Fails if the page can't be printed.
pub fn skill() -> Result<(), Failure> {
    print(PAGE)
}
