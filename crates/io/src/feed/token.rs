//! The token that senders and readers must show.

use std::env::VarError;
use std::sync::Arc;

/// The environment variable with the token. Where it is set, every server and TCP feed demands it;
/// where others than this machine can reach one, it must be.
pub const TOKEN: &str = "KLERO_TOKEN";

/// No token is shorter: it must not be guessed.
const SHORTEST: usize = 16;

/// What is wrong with a token, and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenError {
    /// What is wrong.
    pub what: &'static str,
    /// What to put into the variable.
    pub put: &'static str,
}

/// The token of this process; none where the variable is not set.
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
    // Whoever sets it means to have one: a script may have failed to fill it in.
    if token.is_empty() {
        return Err(TokenError {
            what: "the token is empty",
            put: "put what `openssl rand -hex 16` prints into",
        });
    }
    // What a header can carry and a shell can show.
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(TokenError {
            what: "the token has blanks or characters that are not ASCII",
            put: "put letters, digits and signs without blanks into",
        });
    }
    if token.len() < SHORTEST {
        return Err(TokenError {
            what: "the token is shorter than 16 characters",
            put: "put what `openssl rand -hex 16` prints into",
        });
    }
    Ok(())
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
    }
}
