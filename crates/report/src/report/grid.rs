//! Aligned columns of plain text, split into blocks if they are wider than a terminal.

use super::figure::{Cell, FigureTable};
use super::medium::{Medium, Weight, hung, width};
use super::number::{of_column, shown};
use super::plain;
use kleroterion_stats::{SeriesPoint, Stats};

/// The gap between two columns, and between the fields of one.
pub(super) const GAP: &str = "   ";
const PART_GAP: &str = "  ";

/// The mark of a value that is not there.
const MISSING: &str = "-";

/// The indent of a row's note on its own line.
const NOTE: &str = "    ";

/// A column: its heading lines above its cells.
#[derive(Clone)]
pub(super) struct GridColumn {
    /// The heading in one line.
    head: String,
    heads: Vec<String>,
    cells: Vec<String>,
    right: bool,
    /// The weight of each cell. Empty if all have normal weight.
    weights: Vec<Weight>,
    /// The fields of the cells, each with its head, where there are several.
    fields: Vec<Vec<String>>,
}

/// The statistics of a metric that a cell shows.
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

/// A value of a column, with its decimals.
fn show(value: f64, decimals: Option<i32>) -> String {
    shown(value, decimals).replace('\u{2212}', "-")
}

/// A heading in lines no wider than the cells below it, where its words allow that.
fn folded(head: &str, wide: usize) -> Vec<String> {
    let longest = head.split(' ').map(width).max().unwrap_or(0);
    let mut lines: Vec<String> = Vec::new();
    for word in head.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= wide.max(longest) => {
                *line = format!("{line} {word}");
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

impl GridColumn {
    /// Words, to the left.
    pub(super) fn words(head: &str, cells: Vec<String>) -> Self {
        Self::of(head, cells, false)
    }

    fn of(head: &str, cells: Vec<String>, right: bool) -> Self {
        Self {
            head: head.to_owned(),
            heads: vec![head.to_owned()],
            cells,
            right,
            weights: Vec::new(),
            fields: Vec::new(),
        }
    }

    /// Sets the weight of each cell.
    pub(super) fn weighing(self, weights: Vec<Weight>) -> Self {
        Self { weights, ..self }
    }

    /// Numbers, point under point.
    pub(super) fn numbers(head: &str, cells: Vec<String>) -> Self {
        Self::of(head, under_points(cells), true)
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
        let decimals = of_column(rows.iter().flatten().filter_map(|row| row.se));
        let mut parts = vec![means(rows, spread, decimals)];
        if median && spread {
            let medians = texts(rows, |row| show(row.median, decimals));
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
        let fields = parts.clone();
        let mut lines = join(parts).into_iter();
        let subhead = lines.next();
        let wide = subhead.as_deref().map_or(0, width);
        let subhead = subhead.filter(|subhead| !subhead.trim().is_empty());
        Self {
            heads: folded(head, wide).into_iter().chain(subhead).collect(),
            fields,
            head: head.to_owned(),
            ..Self::of(head, lines.collect(), true)
        }
    }

    pub(super) fn width(&self) -> usize {
        let lines = self.heads.iter().chain(&self.cells);
        lines.map(|line| width(line)).max().unwrap_or(0)
    }

    /// Head lines (as many as `heads`, the missing ones above) and cells, all of one width.
    fn lines(&self, heads: usize, medium: &Medium) -> Vec<String> {
        let wide = self.width();
        let above = heads - self.heads.len();
        let blank = std::iter::repeat_n("", above);
        let heads = blank.chain(self.heads.iter().map(String::as_str));
        let heads = heads.map(|head| (head, Weight::Strong));
        let weights = self.weights.iter().copied();
        let weights = weights.chain(std::iter::repeat(Weight::Normal));
        let cells = self.cells.iter().map(String::as_str).zip(weights);
        let lines = heads.chain(cells);
        lines
            .map(|(line, weight)| pad(&medium.dressed(line, weight), wide, self.right))
            .collect()
    }

    /// Breaks the headings after their dots, so that a key of a config has a word on each line.
    fn stacked(&self) -> Self {
        let pieces = |head: &String| {
            let mut is_quoted = false;
            let is_break = move |c: char| {
                is_quoted ^= c == '"';
                c == '.' && !is_quoted
            };
            let pieces = head.split_inclusive(is_break).map(str::to_owned);
            pieces.collect::<Vec<_>>()
        };
        let heads = self.heads.iter().flat_map(pieces).collect();
        Self {
            heads,
            ..self.clone()
        }
    }

    /// Each field with its head, for a table that has one line of heads.
    fn flat(&self) -> Vec<Vec<String>> {
        let head = &self.head;
        if self.fields.is_empty() {
            let lines = std::iter::once(head).chain(&self.cells);
            return vec![lines.cloned().collect()];
        }
        let fields = self.fields.iter().map(|field| {
            let first = format!("{head} {}", field[0].trim());
            std::iter::once(first).chain(field[1..].to_vec()).collect()
        });
        fields.collect()
    }
}

/// The width of columns side by side.
pub(super) fn wide<'a>(columns: impl Iterator<Item = &'a GridColumn>) -> usize {
    let wide: usize = columns.map(|column| column.width() + GAP.len()).sum();
    wide.saturating_sub(GAP.len())
}

/// Lines of the columns side by side, the leading ones repeated at the left of every block.
pub(super) fn render(lead: &[GridColumn], columns: &[GridColumn], medium: &Medium) -> String {
    render_with_notes(lead, columns, &[], medium)
}

/// Renders the columns with a note for each row. The note follows the row of the last block, or is
/// below it if the line has no room.
pub(super) fn render_with_notes(
    lead: &[GridColumn],
    columns: &[GridColumn],
    notes: &[String],
    medium: &Medium,
) -> String {
    if medium.is_markup() {
        return medium.table(&flat(lead.iter().chain(columns), notes));
    }
    let widest = columns.iter().map(GridColumn::width).max().unwrap_or(0);
    let stacked: Vec<GridColumn> = match wide(lead.iter()) + GAP.len() + widest > medium.width() {
        true => lead.iter().map(GridColumn::stacked).collect(),
        false => lead.to_vec(),
    };
    let lead = &stacked;
    let mut text = String::new();
    let mut rest = columns;
    loop {
        let mut used: usize = lead.iter().map(|column| column.width() + GAP.len()).sum();
        let fitting = rest.iter().take_while(|column| {
            used += column.width();
            let fits = used <= medium.width();
            used += GAP.len();
            fits
        });
        // A column that fits nowhere has a block of its own.
        let count = fitting.count().max(1).min(rest.len());
        let (here, later) = rest.split_at(count);
        let notes = if later.is_empty() { notes } else { &[] };
        text += &block(lead.iter().chain(here), notes, medium);
        rest = later;
        if rest.is_empty() {
            return text;
        }
        text.push('\n');
    }
}

/// The table in the columns of a terminal, or as Markdown.
#[must_use]
pub fn words_table(table: &FigureTable, medium: &Medium) -> String {
    table_text(table, 1, |_, cell| cell.exact(), medium)
}

/// Returns a table as text. Its first `led` columns lead each block; `show` writes a cell of a
/// column.
pub(super) fn table_text(
    table: &FigureTable,
    led: usize,
    show: impl Fn(usize, &Cell) -> String,
    medium: &Medium,
) -> String {
    let columns = table.headers.iter().enumerate().map(|(at, head)| {
        let cells: Vec<&Cell> = table.rows.iter().filter_map(|row| row.get(at)).collect();
        let texts = cells.iter().map(|cell| plain(&show(at, cell))).collect();
        match cells.iter().any(|cell| matches!(cell, Cell::Text(_))) {
            true => GridColumn::words(&plain(head), texts),
            false => GridColumn::numbers(&plain(head), texts),
        }
    });
    let columns: Vec<GridColumn> = columns.collect();
    let (lead, rest) = columns.split_at(led.min(columns.len()));
    render(lead, rest, medium)
}

/// Lines of the columns side by side, however wide, and the notes of their rows.
fn block<'a>(
    columns: impl Iterator<Item = &'a GridColumn> + Clone,
    notes: &[String],
    medium: &Medium,
) -> String {
    let heads = columns.clone().map(|column| column.heads.len());
    let heads = heads.max().unwrap_or(0);
    let columns: Vec<_> = columns.map(|column| column.lines(heads, medium)).collect();
    let line = |row: usize| {
        let cells: Vec<_> = columns.iter().map(|lines| lines[row].as_str()).collect();
        cells.join(GAP).trim_end().to_owned()
    };
    let lines: Vec<String> = (0..columns.first().map_or(0, Vec::len)).map(line).collect();
    let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    let mut text = String::new();
    for (row, line) in lines.iter().enumerate() {
        let note = row.checked_sub(heads).and_then(|row| notes.get(row));
        match note.map_or("", String::as_str) {
            "" => text += &format!("{line}\n"),
            note if wide + GAP.len() + width(note) <= medium.width() => {
                text += &format!("{}{GAP}{note}\n", pad(line, wide, false));
            }
            note => {
                let lines = hung(&format!("{NOTE}{note}"), medium.width(), NOTE);
                text += &format!("{line}\n{}\n", lines.join("\n"));
            }
        }
    }
    text
}

/// The columns as those of one table in a markup; the notes are its last column.
fn flat<'a>(
    columns: impl Iterator<Item = &'a GridColumn>,
    notes: &[String],
) -> Vec<(Vec<String>, bool)> {
    let squeezed = |lines: Vec<String>| lines.iter().map(|line| squeezed(line)).collect();
    let mut columns: Vec<(Vec<String>, bool)> = columns
        .flat_map(|column| {
            let fields = column.flat().into_iter();
            fields.map(move |field| (squeezed(field), column.right))
        })
        .collect();
    if notes.iter().any(|note| !note.is_empty()) {
        let lines = std::iter::once("note").chain(notes.iter().map(String::as_str));
        columns.push((lines.map(str::to_owned).collect(), false));
    }
    columns
}

/// A cell without the blanks that keep points under points.
fn squeezed(cell: &str) -> String {
    let cell = cell.split_whitespace().collect::<Vec<_>>().join(" ");
    cell.replace("[ ", "[")
}

/// The part `mean ± se`; the mean alone where no row has an error.
fn means(rows: &[Option<MetricCell>], spread: bool, decimals: Option<i32>) -> Vec<String> {
    let means = under_points(texts(rows, |row| show(row.mean, decimals)));
    let errors = texts(rows, |row| match row.se {
        Some(0.0) => "0".to_owned(),
        se => se.map_or_else(String::new, |se| show(se, decimals)),
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

#[cfg(test)]
mod tests;
