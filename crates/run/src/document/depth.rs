//! The limit on nested brackets. The parser is recursive, so deep nesting could overflow its stack.

use std::ops::Range;

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// The most brackets that are open at once, and the most lists and tables within each other.
pub(super) const MOST: usize = 80;

/// The first bracket that is nested too deeply.
pub(super) fn too_deep(text: &str) -> Option<Range<usize>> {
    let mut depth = 0_usize;
    for token in Source::new(text).lex() {
        match token.kind() {
            TokenKind::LeftCurlyBracket | TokenKind::LeftSquareBracket => depth += 1,
            TokenKind::RightCurlyBracket | TokenKind::RightSquareBracket => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        if depth > MOST {
            let start = token.span().start();
            return Some(start..start + 1);
        }
    }
    None
}

/// Returns the problem and its remedy.
pub(super) fn words() -> (String, String) {
    (
        "lists and tables are nested too deeply here".into(),
        "take them apart: no key of a config needs more than a few levels".into(),
    )
}
