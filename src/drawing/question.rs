//! The question of a draw: a plan of one policy, what a panel must be, the rows of the people.

use super::inputs::Inputs;
use crate::config::{Plan, check};
use crate::panel::PanelQuestion;
use crate::problem::{Problem, Problems};
use crate::report::files::Folder;
use crate::source::table::RawRows;

/// A draw to be made.
pub struct Question {
    /// The plan, of one policy.
    pub plan: Plan,
    /// What the panel must be.
    pub panel: PanelQuestion,
    /// The file of people.
    pub people: RawRows,
    /// The number of each respondent's row in it, from 1.
    rows: Vec<u64>,
}

impl Question {
    /// The question that some inputs ask.
    ///
    /// # Errors
    /// All that is wrong with the config and its files, and what can't be drawn from.
    pub fn of(inputs: &Inputs) -> Result<Self, Problems> {
        let unmade = |error: std::io::Error| {
            let what = format!("no temporary folder can be made: {error}");
            Problem::of_request(what).help("set TMPDIR to a folder that you may write to")
        };
        let copies = tempfile::tempdir().map_err(unmade)?;
        inputs.write(&Folder::at(copies.path()))?;
        let known = |problems| inputs.as_known(problems, copies.path());
        let plan = check(&inputs.document, copies.path()).map_err(known)?;
        let panel = suits(&plan)?;
        // What suits has a file.
        let file = plan.world.file.as_ref().ok_or_else(no_table)?;
        let people = RawRows::read(&file.path, file.delimiter, file.columns.as_deref());
        let people = people.map_err(|error| known(error.problems))?;
        let rows = file.rows.clone();
        Ok(Self {
            plan,
            panel,
            people,
            rows,
        })
    }

    /// The label and the kind of the policy.
    #[must_use]
    pub fn policy(&self) -> (&str, &'static str) {
        let lane = &self.plan.lanes[0];
        (&lane.label, lane.kind)
    }

    /// The row of a respondent.
    #[must_use]
    pub fn row(&self, respondent: u32) -> &[u8] {
        let number = self.rows[respondent as usize];
        // The numbers are those of rows that were read.
        let row = self.people.rows.get(number as usize - 1);
        row.map_or(&[], Vec::as_slice)
    }
}

/// What a panel of a plan must be, where one can be drawn.
fn suits(plan: &Plan) -> Result<PanelQuestion, Problems> {
    let mut problems = Problems::default();
    if plan.world.known.respondents.is_none() {
        let what = "a draw needs people who are known beforehand, each of whom comes once";
        let help = "give [source] type = \"respondents\", or type = \"file\" with order = \
                    \"shuffled\"; and leave out [pool]";
        problems.push(Problem::of_request(what).help(help));
    } else if plan.world.file.is_none() {
        problems.push(no_table());
    }
    if plan.committee.is_none() {
        let what = "a draw needs a number of members";
        let help = "give [rules] until = { accepted = 40 }";
        problems.push(Problem::of_request(what).help(help));
    }
    if plan.lanes.iter().any(|lane| lane.policy.outside.is_some()) {
        let what = "the policy is a program of its own, which no one else could run again as it is";
        let help = "name a policy of another kind than \"exec\"";
        problems.push(Problem::of_request(what).help(help));
    }
    problems.or(())?;
    plan.panel().ok_or_else(|| {
        let what = "the panel is too large to be drawn";
        Problem::of_request(what)
            .help("ask for fewer members")
            .into()
    })
}

fn no_table() -> Problem {
    let what = "a draw copies the rows of people as they are, and this file has none: it is JSON";
    Problem::of_request(what).help("save the people as CSV UTF-8, and name that file in [source]")
}
