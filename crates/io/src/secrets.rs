//! The secrets of servers and connections, as a program hands them in.

use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;

use crate::limits::SHORTEST_TOKEN;

/// The environment variable with the token. If it is set, every server and TCP feed demands the
/// token. It must be set where other machines can reach one.
pub const TOKEN: &str = "KLERO_TOKEN";
/// The environment variable with the token that NATS servers demand.
pub const NATS_TOKEN: &str = "KLERO_NATS_TOKEN";
/// The environment variable with the name that NATS servers demand, together with [`NATS_PASSWORD`].
pub const NATS_USER: &str = "KLERO_NATS_USER";
/// The environment variable with the password; see [`NATS_USER`].
pub const NATS_PASSWORD: &str = "KLERO_NATS_PASSWORD";

/// The environment variables that hold secrets.
pub(crate) const VARIABLES: [&str; 4] = [TOKEN, NATS_TOKEN, NATS_USER, NATS_PASSWORD];

/// The secrets of a program's servers and connections, each as the variable of its name has it. They
/// are never printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// The value of [`TOKEN`].
    pub token: Option<OsString>,
    /// The secrets for NATS servers.
    pub nats: NatsSecrets,
}

/// The secrets that NATS servers demand: a token, or a name and a password.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct NatsSecrets {
    /// The value of [`NATS_TOKEN`].
    pub token: Option<OsString>,
    /// The value of [`NATS_USER`].
    pub user: Option<OsString>,
    /// The value of [`NATS_PASSWORD`].
    pub password: Option<OsString>,
}

/// The fault of a token, with advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenError {
    /// The fault, in words.
    pub what: &'static str,
    /// Advice about the variable's value.
    pub put: &'static str,
}

impl Secrets {
    /// The secrets that `variable` returns for the names of the variables.
    ///
    /// ```
    /// use kleroterion_io::secrets::Secrets;
    ///
    /// let secrets = Secrets::of(|name| std::env::var_os(name));
    /// # drop(secrets);
    /// ```
    pub fn of(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        Self {
            token: variable(TOKEN),
            nats: NatsSecrets {
                token: variable(NATS_TOKEN),
                user: variable(NATS_USER),
                password: variable(NATS_PASSWORD),
            },
        }
    }

    /// Returns the token that senders and readers must show, or `None` if there is none.
    ///
    /// # Errors
    /// Where it can be no token.
    pub fn token(&self) -> Result<Option<Arc<str>>, TokenError> {
        let Some(token) = &self.token else {
            return Ok(None);
        };
        let token = token.to_str().ok_or(TokenError {
            what: "the token has bytes that are not UTF-8",
            put: "put text into",
        })?;
        checked(token).map(|()| Some(token.into()))
    }
}

/// No secret, only whether there are any.
impl fmt::Debug for Secrets {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Secrets")
            .field("has_token", &self.token.is_some())
            .field("nats", &self.nats)
            .finish()
    }
}

/// No secret, only whether there is one.
impl fmt::Debug for NatsSecrets {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_any = *self != Self::default();
        to.debug_struct("NatsSecrets")
            .field("is_any", &is_any)
            .finish()
    }
}

fn checked(token: &str) -> Result<(), TokenError> {
    let hex = "put what `openssl rand -hex 16` prints into";
    let (what, put) = match token {
        // Whoever sets it means to have one: a script may have failed to fill it in.
        "" => ("the token is empty", hex),
        // What a header can carry and a shell can show.
        _ if !token.bytes().all(|byte| byte.is_ascii_graphic()) => (
            "the token has blanks or characters that are not ASCII",
            "put letters, digits and signs without blanks into",
        ),
        _ if token.len() < SHORTEST_TOKEN => ("the token is shorter than 16 characters", hex),
        _ => return Ok(()),
    };
    Err(TokenError { what, put })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &str) -> Secrets {
        Secrets::of(|_| Some(value.into()))
    }

    #[test]
    fn a_token_is_long_and_fits_a_header() {
        for (token, is_one) in [
            ("0123456789abcdef", true),
            ("0123456789abcde", false),
            ("a", false),
            ("", false),
            ("                ", false),
            ("0123456789 abcdef", false),
            ("0123456789\nabcdef", false),
            ("0123456789abcdéf", false),
            ("0123456789abcdef=/+~", true),
        ] {
            assert_eq!(of(token).token().is_ok(), is_one, "{token:?}");
        }
        assert!(format!("{:?}", of("").token()).contains("the token is empty"));
        assert_eq!(Secrets::default().token(), Ok(None));
    }

    #[test]
    fn secrets_are_never_printed() {
        let printed = format!("{:?}", of("0123456789abcdef"));
        assert_eq!(
            printed,
            "Secrets { has_token: true, nats: NatsSecrets { is_any: true } }"
        );
    }
}
