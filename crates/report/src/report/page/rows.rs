//! Verdicts as a table: a row for each policy, and for each measure its value, its difference as a
//! bar, and its verdict. Eyes and screen readers get the same content.

use maud::{Markup, PreEscaped, html};

use super::super::figure::{Cell, FigureTable, NARROW, VerdictAxis, WIDE, better_side, progress};
use super::super::markup::{text, void};
use super::matrix::{is_matrix, matrix_html};
use super::pieces::{PageExtra, PageNumbers, table_html};
use super::verdicts::{brief, chip, chosen_by, name, said, within, words_of};
use super::{MeasureFinding, Mood, Progress, VerdictPicture, VerdictRow, Verdicts};
use kleroterion_core::score::Direction;

/// The fewest comparisons shown of each measure, however small the page must be.
const LEAST_ROWS: usize = 12;

/// The style of tables of verdicts.
const ROWS: PageExtra = PageExtra {
    style: include_str!("rows.css"),
    script: "",
};

/// A measure in a table: its rows, its place, and the axis of its bars. No axis if nothing is drawn.
struct Column<'a> {
    of: &'a Verdicts,
    place: usize,
    axis: Option<VerdictAxis>,
}

impl<'a> Column<'a> {
    fn of(tables: &'a [Verdicts]) -> Vec<Self> {
        let wide = if tables.len() > 1 { NARROW } else { WIDE };
        let column = |(place, of): (usize, &'a Verdicts)| {
            let is_drawn = of.rows.iter().any(|row| row.bar.is_some());
            let axis = is_drawn.then(|| of.axis(wide));
            Self { of, place, axis }
        };
        (1..).zip(tables).map(column).collect()
    }

    /// The class of its cells, by its place among the measures.
    fn class(&self, of: &str) -> String {
        format!("{of} m{}", self.place)
    }

    /// The row of the same policies.
    fn row(&self, like: &VerdictRow) -> Option<&'a VerdictRow> {
        let mut rows = self.of.rows.iter();
        rows.find(|row| row.who == like.who && row.against == like.against)
    }
}

/// The comparisons: one table if all are of policies on at most two measures, else a block for each
/// measure; of many pairs a matrix. Below are the findings, and all numbers in tables that open.
pub(super) fn verdicts_html(picture: &VerdictPicture, numbers: &mut PageNumbers) -> Markup {
    numbers.need(ROWS);
    let most = numbers.most_rows.max(LEAST_ROWS);
    let tables = picture.tables.as_slice();
    let is_joined = tables.len() == 2 && !tables.iter().any(Verdicts::is_of_pairs);
    let blocks = tables.chunks(if is_joined { 2 } else { 1 });
    let blocks: Vec<Markup> = blocks
        .map(|block| match block {
            [one] if is_matrix(one) => matrix_html(one, numbers),
            block => rows_html(block, most),
        })
        .collect();
    html! {
        @for block in blocks { (block) }
        (findings_list(&picture.findings))
        @for table in tables {
            @for note in &table.notes {
                p.caveat data-measure=(text(chosen_by(table))) { (text(note)) } "\n"
            }
        }
        @if !picture.about.is_empty() {
            p.about {
                (text(&picture.about))
                @if let Some(file) = &picture.file { " " a href=(text(file)) { (text(file)) } }
            } "\n"
        }
        @if !tables.is_empty() {
            details.fold { "\n"
                summary { "The numbers of the verdicts" } "\n"
                @for table in tables { (numbers_html(table, most, numbers)) }
            } "\n"
        }
    }
}

/// The table of some measures; on a phone each measure is a block of cards.
fn rows_html(tables: &[Verdicts], most: usize) -> Markup {
    let columns = Column::of(tables);
    let mut rows: Vec<&VerdictRow> = Vec::new();
    for row in tables.iter().flat_map(|table| &table.rows) {
        if !rows
            .iter()
            .any(|one| one.who == row.who && one.against == row.against)
        {
            rows.push(row);
        }
    }
    rows.sort_by_key(|row| row.who.is_yardstick && row.against.is_none());
    let class = if tables.len() > 1 {
        "verdicts two"
    } else {
        "verdicts"
    };
    html! {
        table class={ (class) " klero-figure" } role="table" aria-label="Verdicts" { "\n"
            (widths(&columns)) (head(&columns)) "\n"
            tbody role="rowgroup" { "\n"
                @for row in rows.iter().take(most) { (row_html(row, &columns)) }
            } "\n"
            tfoot aria-hidden="true" { tr {
                td {}
                @for column in &columns {
                    @if let Some(axis) = &column.axis {
                        @if column.of.means.is_some() { td class=(column.class("mean")) {} }
                        td class=(column.class("forest")) {
                            span.interval { (PreEscaped(axis.foot())) }
                        }
                        td class=(column.class("said")) {}
                    }
                }
            } } "\n"
        } "\n"
        @if rows.len() > most {
            p.caveat { "The first " (most) " of " (rows.len()) "; all are in summary.json." } "\n"
        }
    }
}

fn widths(columns: &[Column<'_>]) -> Markup {
    let col = |class: String| void("col", &[("class", &class)]);
    html! {
        colgroup {
            (void("col", &[]))
            @for column in columns {
                @if column.of.means.is_some() { (col(column.class("mean"))) }
                (col(column.class("forest")))
                (col(column.class("said")))
            }
        } "\n"
    }
}

/// The names of the measures, and what their columns have.
fn head(columns: &[Column<'_>]) -> Markup {
    let is_of_pairs = columns.iter().any(|column| column.of.is_of_pairs());
    let who = if is_of_pairs { "Pair" } else { "Policy" };
    html! {
        thead role="rowgroup" { "\n"
            tr role="row" {
                th scope="col" role="columnheader" rowspan="2" { (who) }
                @for column in columns {
                    @let of = column.of;
                    @let wide = 2 + usize::from(of.means.is_some());
                    th scope="colgroup" role="columnheader" colspan=(wide) class=(column.class("measure"))
                        data-measure=(text(chosen_by(of))) title={ (text(&of.measure)) ": " (text(&of.about)) } {
                        (text(&of.title))
                    }
                }
            } "\n"
            tr role="row" {
                @for column in columns {
                    @let of = column.of;
                    @if let Some(head) = of.means {
                        th scope="col" role="columnheader" class=(column.class("mean")) { (head) }
                    }
                    th scope="col" role="columnheader" class=(column.class("forest")) {
                        (text(&of.against))
                        @if let Some(side) = better_side(of.direction).filter(|_| column.axis.is_some()) {
                            " " span.side { (side) }
                        }
                    }
                    th scope="col" role="columnheader" class=(column.class("said")) { "Verdict" }
                }
            } "\n"
        }
    }
}

/// The role is spelled out because a table that is laid out as blocks loses it in some browsers.
fn row_html(row: &VerdictRow, columns: &[Column<'_>]) -> Markup {
    let aside = match row.who.is_yardstick && row.against.is_none() {
        true => " aside",
        false => "",
    };
    html! {
        tr role="row" class={ "n-" (row.who.look + 1) (aside) } {
            th scope="row" role="rowheader" { (who(row)) }
            @for column in columns { (cells(row, column)) }
        } "\n"
    }
}

fn who(row: &VerdictRow) -> Markup {
    html! {
        (name(&row.who))
        @if let Some(other) = &row.against { span.against { "against " (name(other)) } }
    }
}

/// The names once more, without marks.
fn again(row: &VerdictRow) -> Markup {
    html! {
        (text(&words_of(&row.who)))
        @if let Some(other) = &row.against { " against " (text(&words_of(other))) }
    }
}

/// The value, the bar and the verdict of a policy on a measure. The name is there once more for
/// phones, where each measure is a block of its own.
fn cells(like: &VerdictRow, column: &Column<'_>) -> Markup {
    let (none, of) = (VerdictRow::default(), column.of);
    let row = column.row(like).unwrap_or(&none);
    let words = [row.difference.clone(), within(&row.interval)].join(" ");
    let value = row
        .mean
        .split(" ± ")
        .next()
        .filter(|value| !value.is_empty());
    html! {
        @if of.means.is_some() {
            td role="cell" class=(column.class("mean")) {
                span.again aria-hidden="true" { (again(like)) }
                span { (text(value.unwrap_or("–"))) }
            }
        }
        td role="cell" class=(column.class("forest")) title=(text(words.trim())) {
            @if of.means.is_none() { span.again aria-hidden="true" { (again(like)) } }
            span.unseen { (text(words.trim())) }
            @if let Some(axis) = &column.axis {
                span.interval { (PreEscaped(axis.row(row.bar.as_ref(), like.who.look))) }
            }
        }
        td role="cell" class=(column.class("said")) {
            @if !row.verdict.is_empty() { (chip(row)) }
            @if !row.wins.is_empty() && of.direction != Direction::None {
                " " span.why { "wins " (row.wins) " of 100" }
            }
            @if let Some(progress) = &row.progress { " " (progress_html(progress)) }
            @if !row.note.is_empty() { " " span.why { (text(&row.note)) } }
        }
    }
}

/// The further number that may decide it; the whole sentence is a tip and among the numbers.
fn progress_html(of: &Progress) -> Markup {
    html! {
        @if let Some(whole) = of.whole {
            span.progress { (PreEscaped(progress(of.seen, whole))) } " "
        }
        span.why title=(text(&of.words)) { (text(brief(&of.words))) }
    }
}

/// The heads of the numbers. Columns without a value are left out.
const HEADS: [&str; 9] = [
    "policy",
    "against",
    "value",
    "difference",
    "interval",
    "verdict",
    "over",
    "to decide it",
    "note",
];

/// All numbers of a measure's comparisons.
fn numbers_html(of: &Verdicts, most: usize, numbers: &mut PageNumbers) -> Markup {
    let row = |row: &VerdictRow| {
        let against = row.against.as_ref().map_or_else(String::new, words_of);
        let progress = row.progress.as_ref();
        let notes = [row.note.as_str(), &row.aside].into_iter();
        let notes: Vec<&str> = notes.filter(|note| !note.is_empty()).collect();
        [
            words_of(&row.who),
            against,
            row.mean.clone(),
            row.difference.clone(),
            row.interval.clone(),
            said(row),
            row.counted.clone(),
            progress.map_or_else(String::new, |progress| progress.words.clone()),
            notes.join("; "),
        ]
    };
    let rows: Vec<[String; 9]> = of.rows.iter().take(most).map(row).collect();
    let is_filled = |at: &usize| rows.iter().any(|row| !row[*at].is_empty());
    let filled: Vec<usize> = (0..HEADS.len()).filter(is_filled).collect();
    let cells = rows.iter().map(|row| {
        let cells = filled.iter().map(|at| Cell::text(&row[*at]));
        cells.collect::<Vec<_>>()
    });
    let table = FigureTable::of(filled.iter().map(|at| HEADS[*at]), cells);
    let all = of.rows.len();
    let cut = match all > most {
        true => format!(" The first {most} of {all}; all are in summary.json."),
        false => String::new(),
    };
    let caption = format!("{}: {}.{cut}", of.title, of.about);
    html! { div data-measure=(text(chosen_by(of))) { (table_html(&caption, &table, most, numbers)) } }
}

/// A line for each measure.
pub(super) fn findings_list(findings: &[MeasureFinding]) -> Markup {
    html! {
        @if !findings.is_empty() {
            ul.findings { "\n" @for one in findings { (finding(one)) } } "\n"
        }
    }
}

fn finding(one: &MeasureFinding) -> Markup {
    html! {
        li class=(mood_class(one.mood)) {
            (text(&one.measure)) " " span.note { "(" (text(&one.side)) "):" } " "
            b { (text(&one.answer)) } (text(&one.detail))
        } "\n"
    }
}

/// The class of an answer.
pub(super) fn mood_class(mood: Mood) -> &'static str {
    match mood {
        Mood::Settled => "settled",
        Mood::Differs => "differs",
        Mood::SoFar => "sofar",
        Mood::Open => "unsettled",
    }
}
