//! The question of a draw: a plan of one policy, the panel to choose, and the rows of the people.

use super::code::Codes;
use super::inputs::Inputs;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_core::protocol::Quota;
use kleroterion_io::people::organisers::{Categories, Intersections, Roster};
use kleroterion_io::people::table::RawRows;
use kleroterion_report::report::files::Folder;
use kleroterion_run::config::{Plan, check};
use kleroterion_sortition::PanelQuestion;

/// A draw to be made.
pub struct DrawQuestion {
    /// The plan, of one policy.
    pub plan: Plan,
    /// The conditions on the panel.
    pub panel: PanelQuestion,
    /// The file of people among the inputs.
    pub people: RawRows,
    /// The rows without the columns that the draw added, if it added some.
    plain: Option<RawRows>,
    /// The columns that name households, of which the inputs have numbers.
    households: Vec<String>,
    /// The organiser's own file, row by row the same people, where it is there.
    original: Option<RawRows>,
    /// True if rows of it are written as they are, formulas and all.
    pub(super) is_whole: bool,
    /// The number of each respondent's row in it, from 1.
    rows: Vec<u64>,
    /// The quotas of an organiser's categories, where the config names them.
    pub(super) categories: Option<Categories>,
    /// The quotas on pairs of their values, where the config names them.
    pub(super) intersections: Option<Intersections>,
}

impl DrawQuestion {
    /// Reads the question that some inputs ask.
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
        let people = RawRows::read(&file.path, &file.how, file.columns.as_deref());
        let people = people.map_err(|error| known(error.problems))?;
        let rows = file.rows.clone();
        let own = inputs.taken.as_ref().filter(|taken| taken.own() > 0);
        let files = plan.organiser.clone();
        let (categories, intersections) = files
            .map(|files| (files.categories, files.intersections))
            .unzip();
        let intersections = intersections.flatten();
        Ok(Self {
            plan,
            panel,
            plain: own.map(|taken| taken.plain(&people)),
            households: own.map_or_else(Vec::new, |taken| taken.households.clone()),
            people,
            original: inputs.original.clone(),
            is_whole: inputs.taken.is_none(),
            rows,
            categories,
            intersections,
        })
    }

    /// The label and the kind of the policy.
    #[must_use]
    pub fn policy(&self) -> (&str, &'static str) {
        let lane = &self.plan.lanes[0];
        (&lane.label, lane.kind)
    }

    /// Returns the flexible bounds of a value's quota, if a file has them.
    pub(super) fn flexible(&self, attribute: &str, value: &str) -> Option<Quota> {
        let categories = self.categories.as_ref();
        if let Some(value) = categories.and_then(|all| all.value(attribute, value)) {
            return Some(value.flexible);
        }
        let mut pairs = self.intersections.as_ref()?.pairs().iter();
        let pair = pairs.find(|pair| pair.name() == attribute)?;
        Some(pair.value(value)?.quota.flexible)
    }

    /// The respondents as lists name them.
    pub(super) fn roster(&self, codes: &Codes) -> Roster {
        let roster = Roster::new(&self.panel.respondents).with_codes(codes.all().to_vec());
        let roster = roster.with_file(self.committed(), &self.rows);
        roster.with_columns(&self.households)
    }

    /// Returns true if a column names people. Otherwise their row numbers do.
    #[must_use]
    pub fn is_named(&self) -> bool {
        let file = self.plan.world.file.as_ref();
        file.is_some_and(|file| file.is_named)
    }

    /// Takes the organiser's own rows, or none.
    pub(super) fn hold(&mut self, original: Option<RawRows>) {
        self.original = original;
    }

    /// The people in all columns that there are.
    pub(super) fn table(&self) -> &RawRows {
        self.original.as_ref().unwrap_or_else(|| self.committed())
    }

    /// The people in the organiser's columns that are among the inputs.
    fn committed(&self) -> &RawRows {
        self.plain.as_ref().unwrap_or(&self.people)
    }

    /// The row of a respondent in a file of these people.
    pub(super) fn row<'a>(&self, of: &'a RawRows, respondent: u32) -> &'a [u8] {
        let number = self.rows[respondent as usize];
        // The numbers are those of rows that were read.
        let row = of.rows.get(number as usize - 1);
        row.map_or(&[], Vec::as_slice)
    }
}

/// Returns the panel that a plan asks for, or the problems if a draw can't be made from it.
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
    if plan.feedback.offers.is_some() {
        let what = "a draw draws the panel: who of it declines is not drawn with it";
        let help =
            "leave out [yield]; `klero draw --after DIR` fills the places of those who leave";
        problems.push(Problem::of_request(what).help(help));
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
    if plan.answering.looks.is_some() || plan.answering.outcomes.is_some() {
        let what = "a program of its own answers in [feedback], which no one else could run again \
                    as it is";
        let help = "leave [feedback] out, or give a type other than \"exec\"";
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
