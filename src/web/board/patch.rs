//! What has changed in a section: pieces of its markup, so that little is sent.

/// The pieces of markup: each begins with a tag, but the first may be text.
fn pieces(html: &str) -> Vec<&str> {
    let starts = html.match_indices('<').map(|(at, _)| at);
    let mut cuts: Vec<usize> = starts.filter(|at| *at > 0).collect();
    cuts.push(html.len());
    let mut from = 0;
    let piece = cuts
        .into_iter()
        .map(|to| &html[std::mem::replace(&mut from, to)..to]);
    piece.collect()
}

/// The places and new texts of the pieces that differ, where both have as many.
pub(super) fn patch<'a>(before: &str, now: &'a str) -> Option<Vec<(usize, &'a str)>> {
    let (before, now) = (pieces(before), pieces(now));
    if before.len() != now.len() {
        return None;
    }
    let both = before.iter().zip(&now).enumerate();
    let differ = both.filter(|(_, (before, now))| before != now);
    Some(differ.map(|(at, (_, now))| (at, *now)).collect())
}

/// About the bytes that a patch takes in an event, or the whole where there is none.
pub(super) fn cost(before: &str, now: &str) -> usize {
    /// A number, quotes, brackets, escapes.
    const EACH: usize = 14;
    let of = |patch: Vec<(usize, &str)>| -> usize {
        patch.iter().map(|(_, piece)| piece.len() + EACH).sum()
    };
    patch(before, now)
        .map_or(now.len(), of)
        .min(now.len() + EACH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_put_in_place() {
        let (before, now) = ("<p>1</p><b>x</b>", "<p>2</p><b>x</b>");
        assert_eq!(patch(before, now), Some(vec![(0, "<p>2")]));
        assert_eq!(patch(before, before), Some(vec![]));
        assert_eq!(patch(before, "<p>2</p>"), None);
        assert_eq!(pieces("a<b>c"), ["a", "<b>c"]);
        assert_eq!(pieces(""), [""]);
        let mut put: Vec<&str> = pieces(before);
        for (at, piece) in patch(before, now).unwrap() {
            put[at] = piece;
        }
        assert_eq!(put.concat(), now);
    }
}
