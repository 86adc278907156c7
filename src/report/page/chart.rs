//! Live figures: values under the pointer or by the arrow keys, names that can be hidden.

use maud::{Markup, PreEscaped, html};

use super::super::figure::sample_of;
use super::super::markup::{text, void};
use super::Chart;
use super::pieces::{PageNumbers, figure_html};

/// What reads values and moves the cursor.
pub(super) const SCRIPT: &str = include_str!("page.js");

/// The script as the page's content policy names it; nothing else runs.
pub(super) const SCRIPT_HASH: &str = "sha256-YSM+mlKNNpfHdX3hNfqge3HqKFKeCpZ+McAEQcYTpOA=";

/// The most places of a series that can be read; fewer where the page must be small.
const MOST_PLACES: usize = 60;

/// A figure with places to read.
pub(super) fn chart_html(chart: &Chart, numbers: &mut PageNumbers) -> Markup {
    numbers.is_live = true;
    let id = format!("figure-{}", numbers.next_figure());
    let picture = chart.figure.live(&id, numbers.most_rows.min(MOST_PLACES));
    let own = chart.figure.table();
    let table = chart.table.as_ref().unwrap_or(&own);
    figure_html(
        &id,
        &chart.figure,
        &picture,
        table,
        Some(&chart.file),
        numbers,
    )
}

/// A box to tick for each name. What they do is in the style sheet, by the numbers of the looks.
pub(super) fn switches_html(names: &[(String, usize)]) -> Markup {
    html! {
        fieldset.show { "\n"
            legend { "Shown in the figures" } "\n"
            @for (name, look) in names {
                @let id = format!("show-{}", look + 1);
                label {
                    (void("input", &[("type", "checkbox"), ("id", &id), ("checked", "checked")]))
                    " " (PreEscaped(sample_of(*look))) (text(name))
                } "\n"
            }
        } "\n"
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    /// SHA-256 (FIPS 180-4), for this test alone.
    fn sha256(message: &[u8]) -> [u8; 32] {
        // Fractional parts of the square and cube roots of the first primes.
        let primes: Vec<u64> = (2..312_u64)
            .filter(|n| (2..*n).all(|d| n % d != 0))
            .collect();
        let part = |root: u128| (root & 0xffff_ffff) as u32;
        let root = |n: u64, power: u32| {
            let (mut lo, mut hi) = (0_u128, 1 << 42);
            let goal = u128::from(n) << (32 * power);
            while hi - lo > 1 {
                let middle = (lo + hi) / 2;
                if middle.checked_pow(power).is_some_and(|value| value <= goal) {
                    lo = middle;
                } else {
                    hi = middle;
                }
            }
            part(lo)
        };
        let k: Vec<u32> = primes[..64].iter().map(|n| root(*n, 3)).collect();
        let mut hash: Vec<u32> = primes[..8].iter().map(|n| root(*n, 2)).collect();
        let mut bytes = message.to_vec();
        bytes.push(0x80);
        while bytes.len() % 64 != 56 {
            bytes.push(0);
        }
        bytes.extend((message.len() as u64 * 8).to_be_bytes());
        for block in bytes.chunks(64) {
            let mut w: Vec<u32> = block
                .chunks(4)
                .map(|word| u32::from_be_bytes(word.try_into().unwrap()))
                .collect();
            for t in 16..64 {
                let (a, b) = (w[t - 15], w[t - 2]);
                let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
                let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
                w.push(
                    w[t - 16]
                        .wrapping_add(s0)
                        .wrapping_add(w[t - 7])
                        .wrapping_add(s1),
                );
            }
            let mut v = hash.clone();
            for (k, w) in k.iter().zip(w) {
                let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
                let choice = (v[4] & v[5]) ^ (!v[4] & v[6]);
                let first = v[7]
                    .wrapping_add(s1)
                    .wrapping_add(choice)
                    .wrapping_add(*k)
                    .wrapping_add(w);
                let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
                let most = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
                v.rotate_right(1);
                v[4] = v[4].wrapping_add(first);
                v[0] = first.wrapping_add(s0.wrapping_add(most));
            }
            for (sum, add) in hash.iter_mut().zip(v) {
                *sum = sum.wrapping_add(add);
            }
        }
        let bytes: Vec<u8> = hash.iter().flat_map(|word| word.to_be_bytes()).collect();
        bytes.try_into().unwrap()
    }

    /// A script whose hash is another does not run at all.
    #[test]
    fn the_policy_names_the_script() {
        let known = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let hex: String = sha256(b"")
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(hex, known);
        let hash = format!("sha256-{}", STANDARD.encode(sha256(SCRIPT.as_bytes())));
        assert_eq!(hash, SCRIPT_HASH);
    }

    /// The words of a page are in the document, never in the script.
    #[test]
    fn the_script_asks_for_nothing_and_writes_no_markup() {
        for word in ["fetch", "http", "import", "innerHTML", "eval", "</"] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
