//! A comparison that goes on: values come case by case, and the verdicts hold at every moment.

use std::collections::BTreeMap;

use super::question::{CompareRequest, facts};
use kleroterion_core::nearest::advice;
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_stats::{CaseQuestion, CaseTable, Comparison};

/// A comparison of policies on one measure, to which cases are added while they come. Its verdicts
/// hold at every moment, so you may look after each case and stop when you like.
///
/// ```
/// use kleroterion_jobs::{CompareRequest, Comparing, PerMeasure};
///
/// let request = CompareRequest {
///     measures: vec!["solved".into()],
///     ranges: PerMeasure::all((0.0, 1.0)),
///     ..CompareRequest::default()
/// };
/// let mut comparing = Comparing::new(["new", "old"], &request)?;
/// while comparing.comparison().pairs()[0].verdict.word() == "undecided" {
///     comparing.add([("new", 1.0), ("old", 0.0)])?;
/// }
/// assert_eq!(comparing.comparison().pairs()[0].n, 8);
/// # Ok::<(), kleroterion_core::problem::Problems>(())
/// ```
#[derive(Clone, Debug)]
pub struct Comparing {
    labels: Vec<String>,
    question: CaseQuestion,
    cases: CaseTable,
}

impl Comparing {
    /// Begins the comparison of some policies. The request's columns mean nothing here, and a
    /// measure without a name is called `value`.
    ///
    /// # Errors
    /// All that is wrong with the request: fewer than two policies, one that is named twice, several
    /// measures, or a measure without a range.
    pub fn new<L: Into<String>>(
        policies: impl IntoIterator<Item = L>,
        request: &CompareRequest,
    ) -> Result<Self, Problems> {
        let labels: Vec<String> = policies.into_iter().map(Into::into).collect();
        let mut problems = Problems::default();
        let name = match &request.measures[..] {
            [] => super::form::VALUE.to_owned(),
            [name] => name.clone(),
            _ => {
                let what = "values come on one measure";
                let help = "compare several measures as a table";
                return Err(Problem::of_request(what).help(help).into());
            }
        };
        let measures = request.measures(&[name], false, &mut problems);
        if measures.iter().any(|one| one.range.is_none()) && problems.0.is_empty() {
            let what = "without a range no verdict holds at every moment";
            let help = "state the least and the greatest value that can come, as --range 0..1";
            problems.push(Problem::of_request(what).help(help));
        }
        super::form::check_labels(&labels, &Place::Request, &mut problems);
        let versus = request.versus(&labels, &mut problems);
        problems.or(())?;
        let question = request.question(measures, versus, false);
        let cases = CaseTable::new(
            "comparison",
            labels.iter().map(String::as_str),
            &question.measures,
        );
        Ok(Self {
            labels,
            question,
            cases,
        })
    }

    /// Adds the next case: the values of the policies that have one. A case that lacks a policy is
    /// counted as incomplete.
    ///
    /// # Errors
    /// All that is wrong with the values, and then the case is not added: a policy that is not
    /// compared or is there twice, a value that is not finite or outside of the range.
    pub fn add<L: AsRef<str>>(
        &mut self,
        values: impl IntoIterator<Item = (L, f64)>,
    ) -> Result<(), Problems> {
        let mut problems = Problems::default();
        let mut found = BTreeMap::new();
        for (label, value) in values {
            let label = label.as_ref();
            match self.checked(label, value) {
                Ok(place) if found.insert(place, value).is_some() => {
                    let what = format!("the case has two values of `{label}`");
                    problems.push(Problem::of_request(what).help("give one for each policy"));
                }
                Ok(_) => {}
                Err(problem) => problems.push(problem),
            }
        }
        problems.or(())?;
        let value = |place| found.get(&place).copied().unwrap_or(f64::NAN);
        self.cases
            .add((0..self.labels.len()).map(|place| vec![value(place)]));
        Ok(())
    }

    /// The place of a policy whose value may be added.
    fn checked(&self, label: &str, value: f64) -> Result<usize, Problem> {
        let Some(place) = self.labels.iter().position(|known| known == label) else {
            let known: Vec<&str> = self.labels.iter().map(String::as_str).collect();
            let what = format!("`{label}` is not among the policies that are compared");
            let help = advice(label, &known, "policies");
            return Err(Problem::of_request(what).help(help));
        };
        let range = self.question.measures.iter().find_map(|one| one.range);
        let outside = range.map(|range| range.unit(value).err());
        match outside {
            _ if !value.is_finite() => {
                let what = format!("the value of `{label}` is not a finite number");
                let help = "leave the policy out of a case in which it has no value";
                Err(Problem::of_request(what).help(help))
            }
            Some(Some(outside)) => {
                let what = format!("the value of `{label}`: {outside}");
                let help = "begin again with a range that holds every value that can come";
                Err(Problem::of_request(what).help(help))
            }
            _ => Ok(place),
        }
    }

    /// The number of cases so far.
    #[must_use]
    pub const fn cases(&self) -> u64 {
        self.cases.len()
    }

    /// Compares the policies now. It takes time in proportion to the number of cases.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        let order = "in the order in which they were added";
        let facts = facts(&self.cases, &self.question, order);
        self.cases.compare(&self.question, &facts)
    }
}
