//! An interval as a line of characters: `--==o==--  |`.

/// The least and the most cells of a bar.
const CELLS: [usize; 2] = [25, 45];
/// The columns of a terminal from which bars are longer.
const WIDE: usize = 120;

/// Returns the number of cells of a bar in lines of this width: a quarter of what is beyond 120
/// columns is added, so that there is room for notes behind it.
pub(super) fn cells(width: usize) -> usize {
    let [least, most] = CELLS;
    (least + width.saturating_sub(WIDE) / 4).min(most)
}

/// The values of one row: its mean, its standard error and the limits of its interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) mean: f64,
    pub(super) se: Option<f64>,
    pub(super) lo: f64,
    pub(super) hi: f64,
}

/// A bar for each row, all on one scale that holds 0; empty for a row without an interval. `-` is
/// the interval, `=` the mean with its standard error on both sides, `o` the mean, `|` zero. None
/// where no row has an interval of some width.
pub(super) fn bars(rows: &[Option<Interval>], cells: usize) -> Option<Vec<String>> {
    let ends = || rows.iter().flatten().flat_map(|row| [row.lo, row.hi]);
    let least = ends().fold(0.0, f64::min);
    let most = ends().fold(0.0, f64::max);
    let is_scale = most > least && (most - least).is_finite();
    let cell = |value: f64| {
        let share = (value - least) / (most - least);
        ((share * (cells - 1) as f64).round() as usize).min(cells - 1)
    };
    let bar = |row: &Option<Interval>| {
        row.as_ref()
            .map_or_else(String::new, |row| drawn(row, cells, cell))
    };
    is_scale.then(|| rows.iter().map(bar).collect())
}

fn drawn(row: &Interval, count: usize, cell: impl Fn(f64) -> usize) -> String {
    let mut cells = vec![' '; count];
    cells[cell(row.lo)..=cell(row.hi)].fill('-');
    if let Some(se) = row.se {
        let (from, to) = (cell(row.mean - se), cell(row.mean + se));
        cells[from..=to].fill('=');
    }
    cells[cell(0.0)] = '|';
    cells[cell(row.mean)] = 'o';
    cells.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mean: f64, se: f64, half: f64) -> Option<Interval> {
        Some(Interval {
            mean,
            se: Some(se),
            lo: mean - half,
            hi: mean + half,
        })
    }

    #[test]
    fn all_rows_share_a_scale_on_which_zero_is_marked() {
        let zero = Interval {
            mean: 0.0,
            se: None,
            lo: 0.0,
            hi: 0.0,
        };
        let rows = [
            row(-8.0, 1.0, 2.0),
            Some(zero),
            None,
            row(1.0, 2.0, 4.0),
            row(10.0, 0.0, 4.0),
        ];
        let known = [
            "-=o=-     |              ",
            "          o              ",
            "",
            "       --=|o==--         ",
            "          |     ----o----",
        ];
        assert_eq!(bars(&rows, 25).unwrap(), known);
    }

    #[test]
    fn where_no_interval_has_a_width_there_are_no_bars() {
        assert_eq!(bars(&[None, row(0.0, 0.0, 0.0)], 25), None);
        assert_eq!(bars(&[row(0.0, 1.0, f64::INFINITY)], 25), None);
        // An end at 0 is no reason for none; the error may reach beyond the interval.
        let shown = bars(&[row(2.0, 3.0, 2.0)], 25).unwrap();
        assert_eq!(shown, ["|===========o============"]);
    }

    #[test]
    fn bars_are_longer_on_a_wide_terminal() {
        assert_eq!([80, 120, 140, 200, 400].map(cells), [25, 25, 30, 45, 45]);
        let long = bars(&[row(2.0, 3.0, 2.0)], 45).unwrap();
        assert_eq!(long[0].chars().count(), 45);
    }
}
