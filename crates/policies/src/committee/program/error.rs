//! The reasons why a program has no answer.

use std::fmt;

use kleroterion_core::problem::{Problem, Problems};

/// A value with a positive target that no acceptable candidate has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// The index of the attribute.
    pub attribute: usize,
    /// The index of the value.
    pub value: usize,
    /// The reason why the target can't be reached.
    pub cause: Cause,
}

/// The reason why a value cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// No candidate has it.
    Absent,
    /// Every candidate who has it also has some value whose target is 0.
    Excluded,
}

/// The reason why a program has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// The input is no law or no target on those levels; with every fault.
    Malformed(Vec<String>),
    /// These values have positive targets and cannot be reached.
    Unreachable(Vec<Unreachable>),
    /// Every value can be reached, but all the targets are kept only by accepting no one (or a
    /// ten-millionth of the bound).
    Incompatible,
    /// No method gave an answer that keeps to the targets; with the message of each method.
    Unsolved(Vec<String>),
}

impl ProgramError {
    /// Returns the error as problems for the user, with `name(attribute, value)` for the values
    /// (for example "gender = F").
    pub fn problems(&self, name: impl Fn(usize, usize) -> String) -> Problems {
        let problems = match self {
            Self::Malformed(faults) => faults.iter().map(Problem::of_request).collect(),
            Self::Unreachable(values) => values
                .iter()
                .map(|u| {
                    let name = name(u.attribute, u.value);
                    match u.cause {
                        Cause::Absent => Problem::of_request(format!(
                            "{name} has a positive target, but no candidate has this value"
                        ))
                        .help("set its target to 0 or give it a positive share in the source"),
                        Cause::Excluded => Problem::of_request(format!(
                            "{name} has a positive target, but every candidate with this value \
                             also has one whose target is 0"
                        ))
                        .help(
                            "set its target to 0 too, or raise the targets of the values that \
                             exclude it",
                        ),
                    }
                })
                .collect(),
            Self::Incompatible => vec![
                Problem::of_request(
                    "the targets cannot be met together: the candidates' values go together so \
                     that only accepting (next to) no one keeps every target",
                )
                .help(
                    "bring the targets nearer to the candidates' own shares, or drop an \
                     attribute",
                ),
            ],
            Self::Unsolved(failures) => failures
                .iter()
                .map(|why| {
                    Problem::of_request(format!("the committee program was not solved ({why})"))
                        .help(
                            "merge rare values, or choose a policy that needs no program \
                             (virtual_queue)",
                        )
                })
                .collect(),
        };
        Problems(problems)
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problems(|i, j| format!("value {j} of attribute {i}"))
            .fmt(f)
    }
}

impl std::error::Error for ProgramError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unreachable_value_is_named() {
        let error = ProgramError::Unreachable(vec![
            Unreachable {
                attribute: 0,
                value: 1,
                cause: Cause::Absent,
            },
            Unreachable {
                attribute: 2,
                value: 0,
                cause: Cause::Excluded,
            },
        ]);
        let names = [["M", "F"], ["S", "J"], ["N", "E"]];
        let problems = error.problems(|i, j| names[i][j].to_owned());
        assert_eq!(problems.0.len(), 2);
        assert!(problems.0[0].what.starts_with("F has"));
        assert!(problems.0[1].what.starts_with("N has"));
        assert!(error.to_string().contains("value 0 of attribute 2"));
    }
}
