//! Notes about an organiser's quotas: blank bounds, shares of the seats that became seats.

/// The notes to make about quotas that could be read.
#[derive(Default)]
pub(super) struct Said {
    /// The lines of blank minimums and blank maximums.
    pub(super) blank: [Vec<u64>; 2],
    /// The number of seats that each share became, in words.
    pub(super) shares: Vec<String>,
    /// The lines whose blank category is that of the row above.
    pub(super) merged: Vec<u64>,
    /// The lines that hold sums.
    pub(super) sums: Vec<u64>,
    /// The lines that state a quota and no value.
    pub(super) nameless: Vec<u64>,
}

impl Said {
    /// Returns the notes as sentences, for a committee of `members`.
    pub(super) fn notes(self, members: Option<u64>) -> Vec<String> {
        const SHOWN: usize = 12;
        let list = |texts: Vec<String>| {
            let more = if texts.len() > SHOWN { ", …" } else { "" };
            format!("{}{more}", texts[..texts.len().min(SHOWN)].join(", "))
        };
        let lines = |lines: &[u64]| {
            let word = if lines.len() == 1 { "line" } else { "lines" };
            format!(
                "{word} {}",
                list(lines.iter().map(u64::to_string).collect())
            )
        };
        let size = members.map_or("the committee's size".into(), |n| {
            format!("the committee's {n}")
        });
        let [min, max] = &self.blank;
        let blank = match (&min[..], &max[..]) {
            ([], []) => None,
            (min, []) => Some(format!("a blank minimum is 0 ({})", lines(min))),
            ([], max) => Some(format!("a blank maximum is {size} ({})", lines(max))),
            (min, max) => Some(format!(
                "a blank minimum is 0 ({}), a blank maximum {size} ({})",
                lines(min),
                lines(max)
            )),
        };
        let shares = (!self.shares.is_empty()).then(|| {
            format!(
                "shares of {} seats became seats, minimums rounded down and maximums up: {}",
                members.unwrap_or_default(),
                list(self.shares)
            )
        });
        let of_lines =
            |what: &str, of: &[u64]| (!of.is_empty()).then(|| format!("{what} ({})", lines(of)));
        let merged = of_lines("a blank category is that of the row above", &self.merged);
        let sums = of_lines("rows of sums are left out", &self.sums);
        let nameless = of_lines("rows that name no value are left out", &self.nameless);
        let all = [merged, sums, nameless, blank, shares];
        all.into_iter().flatten().collect()
    }
}
