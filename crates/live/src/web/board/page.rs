//! The page of the board: a place for each text, table and chart of the model, filled with its
//! current content. All numbers are on it without a script.

mod hiring;

use maud::{Markup, PreEscaped, html};

use super::changes::run_of;
use super::charts::CHARTS;
use super::committee::TABLES;
use super::decisions::BoardColumn;
use super::model::Words;
use super::moment::COLUMNS;
use super::pairs::is_matrix;
use super::shared::Board;
use crate::watch::Watched;
use kleroterion_core::protocol::Until;
use kleroterion_io::record::marks_spelt;
use kleroterion_report::report::figure::{PolicyLooks, class_of, sample_of};
use kleroterion_report::report::markup::text;
use kleroterion_report::report::page::THEMES;
use kleroterion_report::report::strip::{LABEL, said};

/// A board on its page.
struct BoardPage<'a> {
    board: &'a Board,
    watched: &'a Watched,
    /// The labels in their order, each with its colour and mark.
    looks: PolicyLooks,
}

/// The page of a board. `ago` is the time since the last person came, in milliseconds.
pub(super) fn page_html(watched: &Watched, board: &Board, ago: Option<u64>) -> String {
    let looks = PolicyLooks::of(watched.labels.iter().map(|label| &**label));
    let page = BoardPage {
        board,
        watched,
        looks,
    };
    let page = html! {
        (PreEscaped("<!doctype html>\n"))
        html lang="en" { "\n"
            head { "\n"
                meta charset="utf-8"; "\n"
                meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                meta name="color-scheme" content="light dark"; "\n"
                link rel="icon" href="data:,"; "\n"
                title { (text(&watched.name)) } "\n"
                link rel="stylesheet" href="board.css"; "\n"
                script src="strip.js" defer {} "\n"
                script src="charts.js" defer {} "\n"
                @if watched.desk.is_some() { (hiring::LINKS) }
                script src="board.js" defer {} "\n"
            } "\n"
            body.board data-run=(run_of(watched)) { "\n" (page.head(ago)) (page.main()) } "\n"
        } "\n"
    };
    marks_spelt(&page.into_string()).into_owned()
}

impl BoardPage<'_> {
    fn words(&self, id: &str) -> Words {
        let known = self.board.texts.get(id);
        known.map_or_else(Words::default, |known| known.value.clone())
    }

    /// A paragraph.
    fn p(&self, id: &str, class: &str) -> Markup {
        let words = self.words(id);
        html! { p id=(id) class=[words.class(class)] data-own=(class) { (words.html()) } "\n" }
    }

    /// The name of a measure with its unit.
    fn title(&self, metric: &str) -> String {
        self.watched.judge.catalogue.words(metric).head()
    }

    /// Words within a line.
    fn span(&self, id: &str, class: &str) -> Markup {
        let words = self.words(id);
        html! { span id=(id) class=[words.class(class)] data-own=(class) { (words.html()) } " " }
    }

    fn rows(&self, id: &str) -> Vec<Vec<Words>> {
        let known = self.board.tables.get(id);
        let row = |row: &Vec<super::shared::Since<Words>>| {
            row.iter().map(|cell| cell.value.clone()).collect()
        };
        known.map_or_else(Vec::new, |known| known.rows.iter().map(row).collect())
    }

    /// A list; each row has one or two texts.
    fn list(&self, id: &str, class: &str) -> Markup {
        html! {
            ul id=(id) class=(class) data-rows {
                @for row in self.rows(id) { li { @for cell in row { (cell_of("span", &cell)) } } }
            } "\n"
        }
    }

    /// A table with its head.
    fn table(&self, id: &str, class: &str, caption: &str) -> Markup {
        let rows = self.rows(id);
        let heads = rows.first().cloned().unwrap_or_default();
        html! {
            table id=(id) class=(class) data-rows role="table" {
                caption.unseen { (text(caption)) }
                (head_of(&heads))
                tbody role="rowgroup" {
                    @for row in rows.iter().skip(1) { (body_row(row, &heads)) "\n" }
                }
            } "\n"
        }
    }

    fn head(&self, ago: Option<u64>) -> Markup {
        html! {
            header { "\n"
                (THEMES)
                p.bar { button #pause type="button" hidden { "Pause" } } "\n"
                div.line {
                    h1 { (text(&self.watched.name)) } "\n"
                    p.now {
                        (self.span("stage", "stage")) (self.span("rate", ""))
                        span #fresh data-ago=[ago] {} " "
                        span.asof { "everything on this page is as of " b #n { (self.words("n").html()) } }
                    } "\n"
                }
                p.acts { (self.span("progress", "")) (self.span("slate", "")) (self.span("acts", "")) } "\n"
                p #lost hidden {} "\n"
                noscript {
                    p.lost {
                        "Without script this page stays as it is, and its charts are not drawn: load it \
                         again to see more."
                    }
                }
                p.ended { (self.span("end", ""))
                    a #report href="report/" data-own="" { (self.words("report").html()) } }
                (self.list("alerts", "alerts"))
                p id="said" class="unseen" role="status" {} "\n"
            } "\n"
        }
    }

    fn main(&self) -> Markup {
        html! {
            main.klero-figure { "\n"
                (self.flow("flow-first"))
                (self.answer())
                @if self.watched.desk.is_some() { (self.hiring()) }
                div.first { (self.funnel()) (self.policies()) (self.committee()) } "\n"
                (self.strip())
                (self.pairs())
                (self.lines())
                (self.groups())
                section.below aria-labelledby="health-head" {
                    h2 #health-head { "Health, as it is now" }
                    (self.flow("flow"))
                    (self.table("health", "claims", "How the policies are"))
                } "\n"
            } "\n"
        }
    }

    /// A list of names with their values.
    fn flow(&self, id: &str) -> Markup {
        html! {
            dl id=(id) class="flow" data-rows {
                @for row in self.rows(id) {
                    div { (cell_of("dt", &row[0])) (cell_of("dd", &row[1])) }
                }
            } "\n"
        }
    }

    fn answer(&self) -> Markup {
        html! {
            div.found aria-live="off" {
                (self.p("news", "answer news")) (self.list("news-lines", "more"))
                (self.p("question", "question"))
                (self.p("headline", "answer"))
                (self.list("findings", "findings"))
                (self.list("answer-lines", "more"))
            } "\n"
        }
    }

    fn funnel(&self) -> Markup {
        html! {
            figure #funnel.chart.klero-figure hidden[!self.is_drawn("funnel")] aria-labelledby="funnel-caption" data-kind="funnel"
                data-unit=(self.units()) {
                figcaption #funnel-caption {
                    b #funnel-title data-own="" { (self.words("funnel-title").html()) } " "
                    (self.span("funnel-measure", "measure"))
                    span.size {
                        (self.span("funnel-number", "number")) (self.span("funnel-says", ""))
                    }
                }
                div.k-panels {}
                p.note { "Band: the interval that holds at every look. Shaded: still to come." }
            } "\n"
        }
    }

    /// Returns true if a chart has points to draw.
    fn is_drawn(&self, id: &str) -> bool {
        let chart = self.board.charts.get(id);
        chart.is_some_and(|chart| !chart.points.is_empty())
    }

    /// The table of the policies, best first, one row each.
    fn policies(&self) -> Markup {
        let rows = self.rows("lanes");
        let heads = rows.first().cloned().unwrap_or_default();
        let in_order = self.board.order.value.iter();
        let in_order = in_order.filter_map(|place| Some((place, rows.get(place + 1)?)));
        html! {
            section.policies aria-labelledby="policies-head" {
                h2 #policies-head { "Policies, best first" }
                table #lanes role="table" data-rows {
                    caption.unseen { "The policies as they stand" }
                    (head_of(&heads))
                    tbody role="rowgroup" {
                        @for (place, row) in in_order {
                            (self.policy(*place, row, &heads)) "\n"
                        }
                    }
                }
            } "\n"
        }
    }

    fn policy(&self, place: usize, row: &[Words], heads: &[Words]) -> Markup {
        let (label, look) = &self.looks.pairs()[place];
        html! {
            tr role="row" data-lane=(place) class={ "c-" (class_of(*look)) } {
                th scope="row" role="rowheader" {
                    (PreEscaped(sample_of(*look))) span.name { (text(label)) } " "
                    span.tag.fill data-own="tag fill" { (row[0].html()) }
                }
                @for (cell, head) in row.iter().zip(heads).skip(1) { (td(cell, head)) }
            }
        }
    }

    fn committee(&self) -> Markup {
        let shown = self.board.foremost.value;
        let (before, after) = match self.watched.until {
            Some(Until::Accepted(_)) => ("Committee of", ""),
            _ => ("Chosen by", ""),
        };
        html! {
            section.committee.when aria-labelledby="committee-head" {
                h2 #committee-head {
                    label for="lane" { (before) " " }
                    select #lane { @for (place, (label, _)) in self.looks.pairs().iter().enumerate() {
                        option value=(place) selected[place == shown] { (text(label)) }
                    } }
                    (after)
                }
                ul #committee data-rows class={ "bullets c-" (class_of(self.looks.pairs()[shown].1)) } {
                    @for row in self.rows(&format!("committee-{shown}")) {
                        li { @for cell in row { (cell_of("span", &cell)) } }
                    }
                }
                p.note { "Share of those chosen; tick: the target, then the points from it." }
            } "\n"
        }
    }

    fn strip(&self) -> Markup {
        let columns = &self.board.columns;
        let empty = COLUMNS.saturating_sub(columns.len());
        let looks = self.looks.pairs();
        html! {
            section.latest aria-labelledby="latest-head" {
                h2 #latest-head { "The last people" }
                (self.p("newest", "newest"))
                (self.step())
                div #strip class="k-strip klero-figure" role="img" aria-label=(LABEL) {
                    div {
                        ul { @for (label, look) in looks {
                            li data-c=(class_of(*look)) {
                                (PreEscaped(sample_of(*look))) span { (text(label)) }
                            }
                        } }
                        ol {
                            @for _ in 0..empty { (column(None, looks)) }
                            @for one in columns { (column(Some(one), looks)) }
                        }
                    }
                } "\n"
                (said())
                (self.p("strip-about", "note"))
            } "\n"
        }
    }

    fn step(&self) -> Markup {
        let step = self.words("step");
        html! {
            div.when {
                p.first-step { "Send the first person: " button #copy type="button" hidden { "Copy" } }
                pre tabindex=[(!step.text.is_empty()).then_some("0")] role="region"
                    aria-label="A command to copy" { code #step data-own="" { (step.html()) } }
            } "\n"
        }
    }

    fn pairs(&self) -> Markup {
        let metrics = self.watched.judge.metrics.iter().enumerate();
        html! {
            section.below.when aria-labelledby="pairs-head" {
                h2 #pairs-head { "Pairs" }
                div.many { @for (at, metric) in metrics {
                    div.measure {
                        h3 { (text(&self.title(metric))) }
                        @if is_matrix(self.watched) {
                            div.scroll.matrix tabindex="0" role="group"
                                aria-label={ (text(&self.title(metric))) ", pair by pair: the arrow keys read each" } {
                                (self.table(&format!("pairs-{at}"), "matrix", "A pair stands in the row of who is ahead"))
                            }
                            p.tell role="status" {}
                        } @else {
                            (self.table(&format!("pairs-{at}"), "claims pairs", "The comparisons"))
                        }
                        (self.list(&format!("notes-{at}"), "more note"))
                    }
                } }
                (self.p("pairs-about", "note"))
            } "\n"
        }
    }

    fn lines(&self) -> Markup {
        let metrics = self.watched.judge.metrics.iter().take(CHARTS).enumerate();
        html! {
            section.below.charts aria-labelledby="charts-head" {
                h2 #charts-head { "Over the " (self.units()) }
                div.many { @for (at, metric) in metrics {
                    figure id={ "line-" (at) } class="chart klero-figure" data-kind="lines"
                        hidden[!self.is_drawn(&format!("line-{at}"))]
                        aria-labelledby={ "line-caption-" (at) } data-unit=(self.units()) {
                        figcaption id={ "line-caption-" (at) } { b { (text(&self.title(metric))) } ", so far" }
                        div.k-panels {}
                    }
                } }
            } "\n"
        }
    }

    fn units(&self) -> &'static str {
        if self.watched.one_by_one {
            "people"
        } else {
            "rounds"
        }
    }

    fn groups(&self) -> Markup {
        html! {
            details #groups.below {
                summary { h2 { "Shares, selection rates and outcomes by group" } }
                (self.p("group-nothing", "note"))
                @for at in 0..TABLES {
                    (self.p(&format!("group-about-{at}"), "caption"))
                    div.scroll tabindex="0" role="group" aria-labelledby={ "group-about-" (at) } {
                        (self.table(&format!("group-{at}"), "numbers", "By group"))
                    }
                    (self.p(&format!("group-note-{at}"), "note"))
                }
            } "\n"
        }
    }
}

fn cell_of(tag: &str, cell: &Words) -> Markup {
    let (class, tip, inner) = (cell.class(""), cell.tipped(), cell.html());
    html! {
        @match tag {
            "dt" => dt { (inner) },
            "dd" => dd { (inner) },
            _ => span class=[class] title=[tip] { (inner) },
        }
    }
}

fn head_of(heads: &[Words]) -> Markup {
    html! {
        thead role="rowgroup" { @if !heads.is_empty() {
            tr role="row" { @for head in heads {
                th scope="col" role="columnheader" { (head.html()) }
            } }
        } }
    }
}

fn td(cell: &Words, head: &Words) -> Markup {
    html! {
        td role="cell" class=[cell.class("")] data-tip=[cell.tipped()] data-of=[cell.sent()] data-head=(text(&head.text)) {
            (cell.html())
        }
    }
}

fn body_row(row: &[Words], heads: &[Words]) -> Markup {
    html! {
        tr role="row" {
            @for (at, cell) in row.iter().enumerate() {
                @match (at, heads.get(at)) {
                    (0, _) => th scope="row" role="rowheader" class=[cell.class("")] { (cell.html()) },
                    (_, head) => (td(cell, head.unwrap_or(&Words::default()))),
                }
            }
        }
    }
}

/// A column of the strip; an empty one for `None`.
fn column(column: Option<&BoardColumn>, looks: &[(String, usize)]) -> Markup {
    let letters = column.map_or("", |column| &*column.letters);
    let mut letters = letters.chars();
    let lit = column.and_then(|column| column.is_lit.then_some("x"));
    html! {
        li data-r=[column.map(|column| column.round)] class=[lit] {
            @for (_, look) in looks {
                i class=[letters.next().and_then(|letter| class(letter, *look))] {}
            }
            small { (text(column.map_or("", |column| &*column.groups))) }
        }
    }
}

fn class(letter: char, look: usize) -> Option<String> {
    let colour = class_of(look);
    match letter {
        '1' => Some(format!("y {colour}")),
        'u' => Some(format!("y u {colour}")),
        '0' => None,
        other => Some(other.to_string()),
    }
}
