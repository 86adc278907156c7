//! The token that senders and readers must show.

use std::env::VarError;
use std::sync::Arc;

use crate::limits::SHORTEST_TOKEN;

/// The environment variable with the token. If it is set, every server and TCP feed demands the
/// token. It must be set where other machines can reach one.
pub const TOKEN: &str = "KLERO_TOKEN";

/// The fault of a token, with advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenError {
    /// The fault, in words.
    pub what: &'static str,
    /// Advice about the variable's value.
    pub put: &'static str,
}

/// Returns the token of this process, or `None` if the variable is not set.
///
/// # Errors
/// Where it can be no token.
pub fn token() -> Result<Option<Arc<str>>, TokenError> {
    match std::env::var(TOKEN) {
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(TokenError {
            what: "the token has bytes that are not UTF-8",
            put: "put text into",
        }),
        Ok(token) => checked(&token).map(|()| Some(token.into())),
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
            assert_eq!(checked(token).is_ok(), is_one, "{token:?}");
        }
        let empty = checked("").err().map(|error| error.what);
        assert_eq!(empty, Some("the token is empty"));
    }
}
