//! What is wrong with a policy's parameters.

/// A parameter that a policy can't work with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}; it has to be {wants}")]
pub struct BadParameter {
    /// Which.
    pub name: &'static str,
    /// What it is.
    pub value: f64,
    /// What it has to be.
    pub wants: &'static str,
}

/// All the parameters that a policy can't work with; never empty when it is an error.
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
            self.0.push(BadParameter { name, value, wants });
        }
    }

    /// Notes a regularisation lambda that is not a finite number above 0 (with 0 the first rounds' estimate is undefined).
    pub(super) fn demand_lambda(&mut self, lambda: f64) {
        let right = lambda.is_finite() && lambda > 0.0;
        self.demand("lambda", lambda, right, "a finite number above 0");
    }

    /// `value` where nothing is wrong.
    pub(super) fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }
}
