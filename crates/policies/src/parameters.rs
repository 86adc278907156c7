//! Problems with a policy's parameters.

use std::fmt;

/// A parameter with a value that the policy can't use.
#[derive(Clone, Debug, PartialEq)]
pub struct BadParameter {
    /// The name of the parameter.
    pub name: &'static str,
    /// The parameter's value, if it is a number.
    pub value: Option<f64>,
    /// The requirement that the value does not meet.
    pub wants: &'static str,
}

impl fmt::Display for BadParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, wants } = self;
        match value {
            Some(value) => write!(f, "{name} is {value}; it has to be {wants}"),
            None => write!(f, "{name} has to be {wants}"),
        }
    }
}

impl std::error::Error for BadParameter {}

/// All the parameters that a policy can't use. Never empty when it is an error.
#[derive(Clone, Debug, Default, PartialEq, thiserror::Error)]
#[error("{}", self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct BadParameters(pub Vec<BadParameter>);

impl BadParameters {
    /// Notes a parameter that is not as it has to be.
    pub(super) fn demand(
        &mut self,
        name: &'static str,
        value: f64,
        right: bool,
        wants: &'static str,
    ) {
        if !right {
            let value = Some(value);
            self.0.push(BadParameter { name, value, wants });
        }
    }

    /// Notes one that is a word, and not the right one.
    pub(super) fn demand_word(&mut self, name: &'static str, right: bool, wants: &'static str) {
        if !right {
            let value = None;
            self.0.push(BadParameter { name, value, wants });
        }
    }

    /// Notes a regularisation lambda that is not a finite number above 0 (with 0 the first rounds'
    /// estimate is undefined).
    pub(super) fn demand_lambda(&mut self, lambda: f64) {
        let right = lambda.is_finite() && lambda > 0.0;
        self.demand("lambda", lambda, right, "a finite number above 0");
    }

    /// Returns `value` if there is no problem.
    pub(super) fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }
}
