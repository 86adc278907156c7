//! Lines that end with a carriage return alone, as older spreadsheets of Apple's machines write
//! them.

/// Returns true if the lines of a text end with carriage returns and none with a line feed. A line
/// break within quotes ends no line.
pub(super) fn end_with_returns(text: &[u8]) -> bool {
    let mut ends = outside_quotes(text).map(|at| text[at]);
    let mut returns = 0;
    let no_feed = ends.all(|byte| {
        returns += usize::from(byte == b'\r');
        byte != b'\n'
    });
    no_feed && returns > 0
}

/// Ends the lines with line feeds.
pub(super) fn feed(text: &mut [u8]) {
    let returns: Vec<usize> = outside_quotes(text)
        .filter(|at| text[*at] == b'\r')
        .collect();
    for at in returns {
        text[at] = b'\n';
    }
}

/// The places of the bytes outside of quotation marks.
fn outside_quotes(text: &[u8]) -> impl Iterator<Item = usize> {
    let mut quoted = false;
    (0..text.len()).filter(move |at| {
        quoted ^= text[*at] == b'"';
        !quoted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_alone_end_lines() {
        for (text, due) in [
            ("a;b\r1;2\r", Some("a;b\n1;2\n")),
            ("a;b\r1;\"x\ny\"\r2;z", Some("a;b\n1;\"x\ny\"\n2;z")),
            ("a;b\r1;\"x\ry\"\r", Some("a;b\n1;\"x\ry\"\n")),
            ("a;b\r\n1;2\r\n", None),
            ("a;b\n1;\r2\n", None),
            ("a;b", None),
            ("\"a\rb\"", None),
            ("", None),
        ] {
            let mut bytes = text.as_bytes().to_vec();
            assert_eq!(end_with_returns(&bytes), due.is_some(), "{text:?}");
            if let Some(due) = due {
                feed(&mut bytes);
                assert_eq!(bytes, due.as_bytes(), "{text:?}");
            }
        }
    }
}
