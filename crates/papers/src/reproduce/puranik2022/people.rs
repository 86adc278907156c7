//! The paper's people: a file for each data set, and the scores that a converged regression gives
//! them (Section 3, Appendix A.4.2).

use std::path::Path;

use crate::fit::{ApplicantScores, ApplicantsSpec, CellChoice, FitApplicants, GroupScores};
use crate::reproduce::prelude::*;
use crate::reproduce::study::absent;
use kleroterion_report::report::page::ClaimFinding;
use kleroterion_run::config::located;

/// A data set of the paper: the meaning of its file's columns, and the numbers that the paper
/// prints. The options are those of `klero fit scores`.
pub(super) struct DataSet {
    /// The paper's name for it.
    pub name: &'static str,
    /// The file, which does not come with the program.
    pub file: &'static str,
    /// The sensitive attribute.
    pub attribute: &'static str,
    /// The names of group u and of group v.
    pub groups: [&'static str; 2],
    delimiter: u8,
    header: bool,
    label: &'static str,
    group: &'static str,
    /// The columns of the attribute.
    columns: &'static [&'static str],
    /// The printed theta_0.
    pub start: f64,
    /// The printed rows of Table 1 with and without the attribute, each mu_u, mu_v, sigma^2_u,
    /// sigma^2_v.
    pub printed: [[f64; 4]; 2],
}

pub(super) const LAW: DataSet = DataSet {
    name: "law school",
    file: "lawschool.csv",
    attribute: "race",
    groups: ["non-white", "white"],
    delimiter: b',',
    header: true,
    label: "bar1",
    group: "race7=0",
    columns: &[
        "race1", "race2", "race3", "race4", "race5", "race6", "race7", "race8",
    ],
    start: 0.25,
    printed: [[-1.46, 0.79, 2.73, 3.16], [-1.33, 0.76, 2.85, 3.23]],
};

pub(super) const GERMAN: DataSet = DataSet {
    name: "German credit",
    file: "german.data",
    attribute: "gender",
    groups: ["women", "men"],
    delimiter: b'\t',
    header: false,
    label: "c21=1",
    group: "c9=A92,A95",
    columns: &["c9"],
    start: 0.31,
    printed: [[0.32, 0.85, 1.93, 2.06], [0.62, 0.84, 2.03, 2.14]],
};

/// The columns of Table 1.
pub(super) const PARAMETERS: [&str; 4] = ["μ_u", "μ_v", "σ²_u", "σ²_v"];

/// Returns the parameters of both groups' laws, in the order of Table 1.
pub(super) fn parameters([u, v]: &[GroupScores; 2]) -> [f64; 4] {
    [u.mean, v.mean, u.variance, v.variance]
}

/// Returns the difference of the means, v less u.
pub(super) fn gap([u, v]: &[GroupScores; 2]) -> f64 {
    v.mean - u.mean
}

/// Returns the difference of the means in standard deviations within the groups.
pub(super) fn effect(laws: &[GroupScores; 2]) -> f64 {
    let of = |law: &GroupScores| law.people as f64;
    let squares: f64 = laws.iter().map(|law| of(law) * law.variance).sum();
    gap(laws) / (squares / laws.iter().map(of).sum::<f64>()).sqrt()
}

/// The people of a file with the scores of one predictor, and with the score laws without each
/// person.
pub(super) struct FittedScores {
    pub people: FitApplicants,
    pub scores: ApplicantScores,
    /// The score laws of both groups without each person in turn, by person.
    rest: Vec<[GroupScores; 2]>,
}

impl DataSet {
    /// Returns the finding for a missing file, or `None` if the file is there.
    pub(super) fn absent(&self, data: Option<&Path>) -> Option<ClaimFinding> {
        absent(self.file, data)
    }

    /// Fits the scores, with or without the attribute.
    ///
    /// # Errors
    /// Where the file is not there or wrong, or nothing converges.
    pub(super) fn fitted(&self, with_attribute: bool, data: Option<&Path>) -> Result<FittedScores> {
        let choice = |text: &str| {
            let choice = text.parse::<CellChoice>();
            choice.map_err(StudyError::Missing)
        };
        let exclude = match with_attribute {
            true => vec![],
            false => self.columns.iter().map(|&name| name.to_owned()).collect(),
        };
        let spec = ApplicantsSpec {
            path: &located(self.file, Path::new("."), data),
            delimiter: Some(self.delimiter),
            header: self.header,
            label: &choice(self.label)?,
            group: &choice(self.group)?,
            exclude: &exclude,
            categories: &[],
            include: &[],
        };
        let people = spec.load()?;
        let wrong = |what: &str| StudyError::Missing(format!("{}: {what}", self.file));
        let scores = ApplicantScores::of(&people).map_err(|error| wrong(&error.to_string()))?;
        let rest = scores.without_each(&people);
        let rest = rest.ok_or_else(|| wrong("numbers have run over"))?;
        Ok(FittedScores {
            people,
            scores,
            rest,
        })
    }

    /// Returns the command that gives the same scores.
    pub(super) fn command(&self, with_attribute: bool) -> String {
        let mut words = format!("klero fit scores {}", self.file);
        if !self.header {
            words += " --delimiter tab --no-header";
        }
        words += &format!(" --label {} --group {}", self.label, self.group);
        if !with_attribute {
            words += &format!(" --exclude {}", self.columns.join(","));
        }
        words
    }

    /// Describes the people who are scored, and the command that scores them.
    pub(super) fn scoring(&self, with_attribute: bool) -> String {
        format!(
            "The people of {}, {} being u and {} v, are scored by `{}`.",
            self.file,
            self.groups[0],
            self.groups[1],
            self.command(with_attribute)
        )
    }
}

/// The description of the regression that fits scores.
pub(super) const FIT: &str = "That is one logistic regression of all people, numbers as they are, \
                              with a ridge of weight 1 and no intercept, converged. The paper says \
                              “logistic regression” and no more; this form meets its Table 1 of \
                              the law school.";

/// The description of the standard errors of numbers from a file.
pub(super) const ERRORS: &str = "± is the jackknife's standard error, as if these people had been \
                                 drawn from many others: each is left out in turn, and the \
                                 regression is then that of the others (by one of Newton's steps).";

impl FittedScores {
    /// Estimates a number from the laws of both groups, with the jackknife's standard error.
    pub(super) fn estimate(&self, of: impl Fn(&[GroupScores; 2]) -> f64) -> StudyEstimate {
        jackknife(self.rest.len(), |left_out| {
            of(left_out.map_or(&self.scores.groups, |at| &self.rest[at]))
        })
    }

    /// Estimates a number from the laws of these scores and of others of the same people.
    pub(super) fn compared(
        &self,
        other: &Self,
        of: impl Fn(&[GroupScores; 2], &[GroupScores; 2]) -> f64,
    ) -> StudyEstimate {
        let laws = |fit: &Self, left_out: Option<usize>| {
            left_out.map_or(fit.scores.groups, |at| fit.rest[at])
        };
        jackknife(self.rest.len(), |left_out| {
            of(&laws(self, left_out), &laws(other, left_out))
        })
    }

    /// Returns the scores of group u and those of group v.
    pub(super) fn parted(&self) -> [Vec<f64>; 2] {
        self.scores.parted(&self.people.inside)
    }
}

fn jackknife(n: usize, of: impl Fn(Option<usize>) -> f64) -> StudyEstimate {
    let alone = StudyEstimate {
        mean: of(None),
        se: None,
        n: n as u64,
    };
    StudyEstimate::jackknife(n, |left_out| Some(of(left_out))).unwrap_or(alone)
}

/// Returns the verdict on a sentence about exactly these people. `here` is true if it holds for
/// them; `surely` judges it for others like them too.
pub(super) fn of_people(surely: Holds, here: bool) -> ClaimFinding {
    match here {
        true => surely.verdict(
            Holds::Yes,
            "it is so of these people; of others like them it is not sure",
        ),
        false => Holds::No.verdict(Holds::No, "it is not so of these people"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{fig1f, fig4, table1};
    use super::*;
    use kleroterion_run::config::{Document, check};
    use kleroterion_run::presets::preset;

    /// The presets play what is printed.
    #[test]
    fn printed_parameters_are_those_of_the_presets() {
        for (data, presets) in [
            (&LAW, [fig1f::PRESET, table1::LAW]),
            (&GERMAN, [fig4::PRESET, table1::GERMAN]),
        ] {
            for (name, printed) in presets.into_iter().zip(data.printed) {
                let text = preset(name).unwrap().text;
                let plan = check(&Document::parse(text).unwrap(), Path::new(".")).unwrap();
                let [u, v] = plan.world.known.scores.get().unwrap()[..] else {
                    panic!("two groups");
                };
                let ours = [u.mean, v.mean, u.sd * u.sd, v.sd * v.sd];
                for (ours, printed) in ours.into_iter().zip(printed) {
                    assert!((ours - printed).abs() < 1e-12, "{name}: {ours} {printed}");
                }
                assert_eq!(plan.pool.as_ref().unwrap().start[0], data.start, "{name}");
                assert!(text.contains("that the paper prints"), "{name}");
            }
        }
    }

    #[test]
    fn differences_are_in_standard_deviations_within_the_groups() {
        let law = |people, mean, variance| GroupScores {
            people,
            mean,
            variance,
        };
        let laws = [law(10, 1.0, 2.0), law(30, 4.0, 10.0)];
        assert_eq!((gap(&laws), effect(&laws)), (3.0, 3.0 / 8.0_f64.sqrt()));
        assert_eq!(parameters(&laws), [1.0, 4.0, 2.0, 10.0]);
    }

    #[test]
    fn a_sentence_about_people_fails_where_it_is_not_so_of_them() {
        for (surely, here, word) in [
            (Holds::Yes, true, "reproduced"),
            (Holds::Unsure, true, "reproduced in shape"),
            (Holds::Unsure, false, "not reproduced"),
            (Holds::No, false, "not reproduced"),
        ] {
            assert_eq!(of_people(surely, here).word(), word);
        }
    }
}
