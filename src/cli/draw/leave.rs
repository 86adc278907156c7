//! `klero draw DIR --leave`: who steps in for members who leave.

use std::path::Path;

use clap::Args;

use super::asked::WhatArgs;
use super::files::columns;
use crate::cli::failure::{Failure, failed, print, print_words, unwritten};
use kleroterion::drawing::{
    ALTERNATES, DrawFolder, Leaving, Left, PANEL, QuotaRow, leave as answer,
};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::plain;

/// Members who leave.
#[derive(Args)]
pub(super) struct LeaveArgs {
    /// Of a draw that was made, members who leave, by their orders in panel.csv, codes or ids: who of
    /// the alternates steps in, and which quotas then hold
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    leave: Vec<String>,
    /// With --leave, alternates who have stepped in already
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "leave")]
    joined: Vec<String>,
    /// With --leave, alternates who can't step in
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "leave")]
    declined: Vec<String>,
}

impl LeaveArgs {
    /// Returns true if `--leave` is given.
    pub(super) fn is_asked(&self) -> bool {
        !self.leave.is_empty()
    }
}

/// Prints the alternates who step in, and the quotas that then hold. It writes no file. `others`
/// are the given options that only apply to a new draw.
pub(super) fn leave(
    what: &WhatArgs,
    args: &LeaveArgs,
    others: &[&str],
    is_json: bool,
) -> Result<(), Failure> {
    refuse(others)?;
    let folder = DrawFolder::at(Path::new(what.folder().map_err(said)?));
    let leaving = Leaving {
        members: args.leave.clone(),
        joined: args.joined.clone(),
        declined: args.declined.clone(),
    };
    let left = answer(&folder, &leaving).map_err(said)?;
    match is_json {
        true => print(&(serde_json::to_string_pretty(&left).unwrap_or_default() + "\n")),
        false => print_words(&text(&left, &folder)),
    }?;
    match left.is_kept() {
        true => Ok(()),
        false => Err(failed(
            "the panel would not be as it was asked for; a second draw can fill the places: klero draw \
             --after DIR --keep FILE",
        )),
    }
}

/// The failure with all problems of a request.
fn said(problems: impl Into<Problems>) -> Failure {
    unwritten(problems, "nothing was said")
}

/// Refuses options that only apply to a new draw.
fn refuse(options: &[&str]) -> Result<(), Failure> {
    let mut problems = Problems::default();
    for option in options {
        let what = "--leave asks about a draw that was made, and makes none";
        let help = format!("leave out {option}, or --leave");
        problems.push(Problem::of_option(*option, what).help(help));
    }
    problems.or(()).map_err(said)
}

/// The answer as text, with codes and orders by which the organiser's tables identify people.
fn text(left: &Left, folder: &DrawFolder) -> String {
    let mut text = String::new();
    for leaves in &left.leave {
        let mut steps = left.step_in.iter();
        let steps = steps.find(|steps| steps.replaces == leaves.order);
        let by = match steps {
            Some(steps) => format!(
                "alternate {} ({}) steps in",
                steps.alternate.order,
                plain(&steps.alternate.code)
            ),
            None => "no one new steps in".to_owned(),
        };
        text += &format!(
            "member {} ({}) leaves: {by}\n",
            leaves.order,
            plain(&leaves.code)
        );
    }
    if left.empty > 0 {
        text += &format!("empty places: {}\n", left.empty);
    }
    text += &quotas(&left.quotas);
    text += &match (left.broken.is_empty(), left.empty) {
        (true, 0) => "every place is taken and every quota is kept\n".to_owned(),
        (true, _) => "every quota is kept\n".to_owned(),
        (false, _) => {
            let broken = left.broken.iter();
            broken
                .map(|broken| format!("broken: {}\n", plain(broken)))
                .collect()
        }
    };
    if left.gap > 0 {
        text += &format!(
            "note: the search was given up: another choice could be better by {} seats\n",
            left.gap
        );
    }
    let at = folder.path().display();
    text += &format!("who they are: {at}/{PANEL} and {at}/{ALTERNATES}, by order\n");
    text
}

/// The quotas as a table.
fn quotas(rows: &[QuotaRow]) -> String {
    let cells = rows.iter().filter_map(|row| {
        let kept = if row.is_kept()? { "kept" } else { "BROKEN" };
        let wanted = match (row.min?, row.max) {
            (min, Some(max)) if min == max => min.to_string(),
            (min, Some(max)) => format!("{min} to {max}"),
            (min, None) => format!("at least {min}"),
        };
        let name = plain(&format!("{} = {}", row.attribute, row.value));
        Some([name, row.members.to_string(), wanted, kept.to_owned()])
    });
    let head = ["quota", "members", "wanted", ""].map(str::to_owned);
    let cells: Vec<[String; 4]> = std::iter::once(head).chain(cells).collect();
    if cells.len() == 1 {
        return String::new();
    }
    columns(&cells, [false, true, true, false])
}
