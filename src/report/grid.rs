//! Aligned columns of plain text, broken into blocks where they are wider than a terminal.

use unicode_width::UnicodeWidthStr;

use super::number::{brief, decimals, fixed};
use crate::compare::{SeriesPoint, Stats};

/// Columns of a terminal that a block tries to keep to.
pub(super) const WIDTH: usize = 120;

/// The gap between two columns, and between the fields of one.
pub(super) const GAP: &str = "   ";
const PART_GAP: &str = "  ";

/// The mark of a value that is not there.
const MISSING: &str = "-";

/// A column: its head lines above its cells.
pub(super) struct GridColumn {
    heads: Vec<String>,
    cells: Vec<String>,
    right: bool,
}

/// What a cell shows of a metric.
#[derive(Clone, Copy)]
pub(super) struct MetricCell {
    n: u64,
    mean: f64,
    se: Option<f64>,
    median: f64,
}

/// A spread, or none where it is rounding alone: one loss computed in two ways.
pub(super) fn spread(se: f64, mean: f64) -> f64 {
    if se < 1e-13 * mean.abs() { 0.0 } else { se }
}

impl From<&Stats> for MetricCell {
    fn from(stats: &Stats) -> Self {
        Self {
            n: stats.n,
            mean: stats.mean,
            se: stats.se.map(|se| spread(se, stats.mean)),
            median: stats.median,
        }
    }
}

impl From<&SeriesPoint> for MetricCell {
    fn from(point: &SeriesPoint) -> Self {
        Self {
            n: point.n,
            mean: point.mean,
            se: point.se().map(|se| spread(se, point.mean)),
            median: point.median,
        }
    }
}

impl MetricCell {
    /// A value with the decimals that show two digits of the standard error.
    fn show(&self, value: f64) -> String {
        match decimals(self.se) {
            Some(decimals) => fixed(value, decimals),
            None => brief(value, 4),
        }
    }
}

impl GridColumn {
    /// Words, to the left.
    pub(super) fn words(head: &str, cells: Vec<String>) -> Self {
        Self {
            heads: vec![head.to_owned()],
            cells,
            right: false,
        }
    }

    /// Numbers, point under point.
    pub(super) fn numbers(head: &str, cells: Vec<String>) -> Self {
        Self {
            heads: vec![head.to_owned()],
            cells: under_points(cells),
            right: true,
        }
    }

    /// A metric, a cell per row: mean, standard error and, where asked for, median; and the number
    /// of values where it is not the row's `full`. Points stand under points. Where no row varies,
    /// the values alone.
    pub(super) fn figures(
        head: &str,
        rows: &[Option<MetricCell>],
        median: bool,
        full: &[u64],
    ) -> Self {
        let spread = rows.iter().flatten().any(|row| row.se > Some(0.0));
        let mut parts = vec![means(rows, spread)];
        if median && spread {
            let medians = texts(rows, |row| row.show(row.median));
            parts.push(part("median", under_points(medians)));
        }
        let counts = rows.iter().zip(full).map(|(row, full)| match row {
            Some(row) if row.n != *full => row.n.to_string(),
            _ => String::new(),
        });
        let counts: Vec<_> = counts.collect();
        if counts.iter().any(|count| !count.is_empty()) {
            parts.push(part("n", counts));
        }
        let mut lines = join(parts).into_iter();
        let subhead = lines.next().filter(|subhead| !subhead.trim().is_empty());
        Self {
            heads: std::iter::once(head.to_owned()).chain(subhead).collect(),
            cells: lines.collect(),
            right: true,
        }
    }

    fn width(&self) -> usize {
        let lines = self.heads.iter().chain(&self.cells);
        lines.map(|line| width(line)).max().unwrap_or(0)
    }

    /// Head lines (as many as `heads`, the missing ones above) and cells, all of one width.
    fn lines(&self, heads: usize) -> Vec<String> {
        let wide = self.width();
        let above = heads - self.heads.len();
        let blank = std::iter::repeat_n("", above);
        let lines = blank.chain(self.heads.iter().chain(&self.cells).map(String::as_str));
        lines.map(|line| pad(line, wide, self.right)).collect()
    }
}

/// Lines of the columns side by side, the leading ones repeated at the left of every block.
pub(super) fn render(lead: &[GridColumn], columns: &[GridColumn]) -> String {
    let mut text = String::new();
    let mut rest = columns;
    loop {
        let mut wide: usize = lead.iter().map(|column| column.width() + GAP.len()).sum();
        let fitting = rest.iter().take_while(|column| {
            wide += column.width();
            let fits = wide <= WIDTH;
            wide += GAP.len();
            fits
        });
        // A column that fits nowhere has a block of its own.
        let count = fitting.count().max(1).min(rest.len());
        let (here, later) = rest.split_at(count);
        text += &block(lead.iter().chain(here));
        rest = later;
        if rest.is_empty() {
            return text;
        }
        text.push('\n');
    }
}

/// Lines of the columns side by side, however wide.
pub(super) fn block<'a>(columns: impl Iterator<Item = &'a GridColumn> + Clone) -> String {
    let heads = columns.clone().map(|column| column.heads.len());
    let heads = heads.max().unwrap_or(0);
    let lines: Vec<_> = columns.map(|column| column.lines(heads)).collect();
    let mut text = String::new();
    for row in 0..lines.first().map_or(0, Vec::len) {
        let cells: Vec<_> = lines.iter().map(|lines| lines[row].as_str()).collect();
        text.push_str(cells.join(GAP).trim_end());
        text.push('\n');
    }
    text
}

/// The part `mean ± se`; the mean alone where no row has an error.
fn means(rows: &[Option<MetricCell>], spread: bool) -> Vec<String> {
    let means = under_points(texts(rows, |row| row.show(row.mean)));
    let errors = texts(rows, |row| {
        row.se.map_or_else(String::new, |se| row.show(se))
    });
    // To the left: an error is read with its mean, not with the error above.
    let wide = errors.iter().map(|error| width(error)).max().unwrap_or(0);
    let errors: Vec<_> = errors.iter().map(|error| pad(error, wide, false)).collect();
    let cells = rows.iter().zip(means.iter().zip(&errors));
    let cells = cells.map(|(row, (mean, error))| match row {
        None => MISSING.to_owned(),
        Some(_) if !spread => mean.clone(),
        Some(row) if row.se.is_none() => format!("{mean}   {error}"),
        Some(_) => format!("{mean} \u{b1} {error}"),
    });
    part(if spread { "mean \u{b1} se" } else { "" }, cells.collect())
}

/// A text per row, none where there is no figure.
fn texts(rows: &[Option<MetricCell>], text: impl Fn(&MetricCell) -> String) -> Vec<String> {
    let texts = rows
        .iter()
        .map(|row| row.as_ref().map_or_else(String::new, &text));
    texts.collect()
}

/// A head above its cells, all of one width, to the right.
fn part(head: &str, cells: Vec<String>) -> Vec<String> {
    let lines: Vec<_> = std::iter::once(head.to_owned()).chain(cells).collect();
    let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    lines.iter().map(|line| pad(line, wide, true)).collect()
}

/// Numbers of one width with their points in one column; whole numbers end where the points begin.
pub(super) fn under_points(cells: Vec<String>) -> Vec<String> {
    let after = |cell: &String| cell.find('.').map_or(0, |point| cell.len() - point);
    let most = cells.iter().map(after).max().unwrap_or(0);
    let cells: Vec<_> = cells
        .into_iter()
        .map(|cell| format!("{cell}{}", " ".repeat(most - after(&cell))))
        .collect();
    let wide = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
    cells.iter().map(|cell| pad(cell, wide, true)).collect()
}

/// Parts side by side, line by line.
fn join(parts: Vec<Vec<String>>) -> Vec<String> {
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or_default();
    parts.fold(first, |lines, part| {
        let pairs = lines.into_iter().zip(part);
        pairs
            .map(|(line, cell)| format!("{line}{PART_GAP}{cell}"))
            .collect()
    })
}

fn pad(text: &str, wide: usize, right: bool) -> String {
    let blank = " ".repeat(wide.saturating_sub(width(text)));
    if right {
        format!("{blank}{text}")
    } else {
        format!("{text}{blank}")
    }
}

/// How many columns of a terminal a text takes: Chinese, Japanese and Korean letters take two.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(head: &str, cells: &[&str]) -> GridColumn {
        GridColumn::words(head, cells.iter().map(|cell| (*cell).to_owned()).collect())
    }

    fn figure(values: &[f64]) -> Option<MetricCell> {
        Stats::of(values).as_ref().map(MetricCell::from)
    }

    #[test]
    fn labels_of_wide_letters_keep_the_columns_in_line() {
        let labels = words("policy", &["\u{5148}\u{7740}\u{9806}", "queue"]);
        let shown = render(&[labels], &[words("n", &["1", "2"])]);
        let ends: Vec<_> = shown.lines().map(width).collect();
        assert_eq!(ends, [10, 10, 10], "{shown}");
    }

    #[test]
    fn points_stand_under_points() {
        let rows = [
            figure(&[8000.0, 10000.0]),
            None,
            figure(&[1.5, 2.25]),
            figure(&[7.0, 7.0]),
            figure(&[3.25]),
        ];
        let first = words("policy", &["a", "b", "c", "d", "e"]);
        let column = GridColumn::figures("cost", &rows, true, &[2, 2, 2, 2, 2]);
        let known = "                               cost
policy        mean \u{b1} se   median  n
a        9000    \u{b1} 1000  9000
b                     -
c           1.88 \u{b1} 0.37     1.88
d           7    \u{b1} 0        7
e           3.25            3.25  1
";
        let shown = render(std::slice::from_ref(&first), &[column]);
        assert_eq!(shown, known, "\n{shown}\n{known}");
    }

    #[test]
    fn what_does_not_vary_shows_values_alone() {
        for (values, full) in [(vec![3.25], 1), (vec![3.25; 7], 7)] {
            let rows = [figure(&values), None];
            let column = GridColumn::figures("cost", &rows, true, &[full, full]);
            let shown = render(&[words("policy", &["a", "b"])], &[column]);
            assert_eq!(shown, "policy   cost\na        3.25\nb           -\n");
        }
    }

    #[test]
    fn rounding_is_no_spread() {
        // 0.3 in two ways of adding up.
        let rows = [figure(&[0.3, 0.1 + 0.2]), figure(&[0.5, 0.5])];
        let column = GridColumn::figures("loss", &rows, false, &[2, 2]);
        assert_eq!(column.cells, ["0.3", "0.5"]);
        let rows = [figure(&[0.3, 0.300_000_1])];
        let column = GridColumn::figures("loss", &rows, false, &[2]);
        assert!(column.cells[0].contains('\u{b1}'), "{:?}", column.cells);
    }

    #[test]
    fn blocks_repeat_the_first_column_and_keep_to_the_width() {
        let first = words("policy", &["a"]);
        let columns: Vec<_> = (0..5).map(|_| words(&"x".repeat(50), &["1"])).collect();
        let shown = render(std::slice::from_ref(&first), &columns);
        assert_eq!(shown.matches("policy").count(), 3);
        assert!(shown.lines().all(|line| width(line) <= WIDTH));
        let wide = [words(&"x".repeat(200), &["1"])];
        assert_eq!(
            render(std::slice::from_ref(&first), &wide).lines().count(),
            2
        );
        assert_eq!(render(std::slice::from_ref(&first), &[]), "policy\na\n");
    }
}
