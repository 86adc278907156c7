//! The conversion of a page to HTML.

use maud::{Markup, PreEscaped, html};

use super::super::figure::{page_style, sample_of};
use super::super::markup::{text, void};
use super::super::strip::{STRIP_SCRIPT, STRIP_STYLE};
use super::bullets::bullets_html;
use super::claims::{chips_html, claims_html, studies_html};
use super::hashes::hashes_html;
use super::map::map_html;
use super::order::order_html;
use super::pieces::{
    PageExtra, PageNumbers, STUDIES, figure_html, hash_of, inline, link, prose, table_html,
};
use super::rows::{findings_list, mood_class, verdicts_html};
use super::sortable::sortable_html;
use super::steps::steps_html;
use super::{AnswerNumber, Chart, Findings, Link, NextStep, Page, PagePart, PageSection};
use crate::limits::MOST_PAGE_BYTES;
use kleroterion_io::record::marks_spelt;

const STYLE: &str = include_str!("page.css");

/// The content policy: no script, font or picture from outside. Styles are the page's own.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self' file:";

/// The choice of a theme. The default is the reader's own.
pub const THEMES: PreEscaped<&str> = PreEscaped(
    r#"<fieldset class="theme"><legend class="unseen">Theme</legend><label><input type="radio" name="theme" id="theme-auto" checked="checked"/> auto</label><label><input type="radio" name="theme" id="theme-light"/> light</label><label><input type="radio" name="theme" id="theme-dark"/> dark</label></fieldset>
"#,
);

/// The fewest rows left to a table that is not a figure's own: nothing else shows its numbers.
const LEAST_ROWS: usize = 20;

impl Page {
    /// Returns the page as an HTML file of at most [`MOST_PAGE_BYTES`], unless figures and prose alone
    /// exceed it.
    pub fn html(&self) -> String {
        let mut page = String::new();
        for most_rows in [usize::MAX, 2000, 1000, 400, 200, 60, 20, 10, 5, 2] {
            page = marks_spelt(&page_html(self, most_rows).into_string()).into_owned();
            if page.len() <= MOST_PAGE_BYTES {
                break;
            }
        }
        page
    }
}

/// The layout of a strip of decisions, and what its columns say.
const STRIP: PageExtra = PageExtra {
    style: STRIP_STYLE,
    script: STRIP_SCRIPT,
};

/// The page, its tables of at most `most_rows` rows.
fn page_html(page: &Page, most_rows: usize) -> Markup {
    let mut numbers = PageNumbers::new(most_rows);
    if !page.counted.is_empty() {
        numbers.need(STUDIES);
    }
    let main = html! {
        @for (n, section) in (1..).zip(&page.sections) {
            (section_html(n, section, &mut numbers))
        }
    };
    let extras = numbers.extras.iter();
    let styles: String = extras.clone().map(|extra| extra.style).collect();
    let scripts = extras.map(|extra| extra.script);
    let mut scripts: Vec<&str> = scripts.filter(|script| !script.is_empty()).collect();
    // That of live figures is the first.
    scripts.sort_by_key(|script| *script != LIVE.script);
    let allowed = policy(&scripts);
    html! {
        (PreEscaped("<!doctype html>\n"))
        html lang="en" { "\n"
            head { "\n"
                meta charset="utf-8"; "\n"
                meta http-equiv="Content-Security-Policy" content=(allowed); "\n"
                meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                meta name="color-scheme" content="light dark"; "\n"
                link rel="icon" href="data:,"; "\n"
                title { (text(if page.tab.is_empty() { &page.title } else { &page.tab })) } "\n"
                style { "\n" (PreEscaped(style() + &styles)) "\n" } "\n"
            } "\n"
            body { "\n"
                header { "\n"
                    (THEMES) (pages(&page.links))
                    h1 { (text(&page.title)) } "\n"
                    @if let Some(found) = &page.found { (findings_html(found)) }
                    @if !page.lead.is_empty() { p.lead { (inline(&page.lead)) } "\n" }
                    @if !page.counted.is_empty() { (chips_html(page.counted.iter(), false)) }
                } "\n"
                (contents(&page.sections))
                main { "\n" (main) } "\n"
                @for script in scripts { script { (PreEscaped(script)) } "\n" }
            } "\n"
        } "\n"
    }
}

/// The content policy of a page with these scripts; no other runs.
fn policy(scripts: &[&str]) -> String {
    let hashes = scripts
        .iter()
        .map(|script| format!(" '{}'", hash_of(script)));
    match scripts.is_empty() {
        true => POLICY.to_owned(),
        false => format!("{POLICY}; script-src{}", hashes.collect::<String>()),
    }
}

/// Returns the style sheet of pages and of the figures on them.
pub fn style() -> String {
    STYLE.to_owned() + &page_style()
}

fn pages(links: &[Link]) -> Markup {
    html! {
        @if !links.is_empty() {
            nav.pages aria-label="Pages" { "\n"
                ul { "\n" @for to in links { li { (link(to)) } "\n" } } "\n"
            } "\n"
        }
    }
}

fn files_html(files: &[Link]) -> Markup {
    html! {
        p { "Files of this run:" @for file in files { " " (link(file)) } } "\n"
    }
}

fn contents(sections: &[PageSection]) -> Markup {
    html! {
        @if sections.len() >= 3 {
            nav aria-label="Contents" { "\n"
                ul { "\n"
                    @for (n, section) in (1..).zip(sections) {
                        li { a href={ "#section-" (n) } { (text(&section.heading)) } } "\n"
                    }
                } "\n"
            } "\n"
        }
    }
}

fn section_html(n: usize, section: &PageSection, numbers: &mut PageNumbers) -> Markup {
    html! {
        section aria-labelledby={ "section-" (n) } { "\n"
            h2 id={ "section-" (n) } { (text(&section.heading)) } "\n"
            @for part in &section.parts { (part_html(part, numbers)) }
        } "\n"
    }
}

fn part_html(part: &PagePart, numbers: &mut PageNumbers) -> Markup {
    match part {
        PagePart::Prose(words) => prose(words),
        PagePart::Code(code) => code_html(code, numbers),
        PagePart::Claims(claims) => claims_html(claims, numbers),
        PagePart::Verdicts(verdicts) => verdicts_html(verdicts, numbers),
        PagePart::Bullets(table) => bullets_html(table, numbers),
        PagePart::Steps(steps) => steps_html(steps, numbers),
        PagePart::Hashes(check) => hashes_html(check, numbers),
        PagePart::Strip(strip) => {
            numbers.need(STRIP);
            strip.html()
        }
        PagePart::Map(map) => {
            numbers.need(LIVE);
            map_html(map, numbers)
        }
        PagePart::Sortable(table) => sortable_html(table, numbers),
        PagePart::Files(files) => files_html(files),
        PagePart::Switches(names) => switches_html(names),
        PagePart::Chart(chart) => chart_html(chart, numbers),
        PagePart::Fold { summary, parts } => html! {
            details.fold { "\n"
                summary { (text(summary)) } "\n"
                @for part in parts { (part_html(part, numbers)) }
            } "\n"
        },
        PagePart::Studies(studies) => studies_html(studies, numbers),
        PagePart::Table { caption, table } => {
            let most_rows = numbers.most_rows.max(LEAST_ROWS);
            table_html(caption, table, most_rows, numbers)
        }
        PagePart::Figure { figure, file } => {
            let id = numbers.figure_id(file.as_deref());
            let (picture, table) = (figure.inline(&id), figure.table());
            figure_html(&id, figure, &picture, &table, file.as_deref(), numbers)
        }
    }
}

/// Text to be copied, line by line, unchanged.
fn code_html(code: &str, numbers: &mut PageNumbers) -> Markup {
    let label = format!("Text to copy {}", numbers.next_table());
    html! {
        pre tabindex="0" role="region" aria-label=(label) { code {
            @for (n, line) in code.trim_end().lines().enumerate() {
                @if n > 0 { "\n" }
                (text(line))
            }
        } } "\n"
    }
}

/// The script of live figures.
const LIVE: PageExtra = PageExtra {
    style: "",
    script: include_str!("page.js"),
};

/// The most places of a series that can be read; fewer where the page must be small.
const PLACES: usize = 24;

/// A figure with places to read.
fn chart_html(chart: &Chart, numbers: &mut PageNumbers) -> Markup {
    numbers.need(LIVE);
    let id = numbers.figure_id(chart.file.as_deref());
    let picture = chart.figure.live(&id, numbers.most_rows.min(PLACES));
    let own = chart.figure.table();
    let table = chart.table.as_ref().unwrap_or(&own);
    figure_html(
        &id,
        &chart.figure,
        &picture,
        table,
        chart.file.as_deref(),
        numbers,
    )
}

/// A box to tick for each name, by the number of its look, and a choice of the measure; the script
/// fills in the measures.
fn switches_html(names: &[(String, usize)]) -> Markup {
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
            label hidden="hidden" {
                "Measure " select id="measure" { option value="" { "all" } }
            } "\n"
        } "\n"
    }
}

/// The sentence, its numbers, the next step, and what else is to be said of it.
fn findings_html(found: &Findings) -> Markup {
    html! {
        div class={ "found " (mood_class(found.mood)) } { "\n"
            @if !found.question.is_empty() { p.question { (text(&found.question)) } "\n" }
            @if !found.answer.is_empty() {
                p.answer { (text(&found.answer)) "." } "\n"
            }
            @if !found.numbers.is_empty() {
                ul.numbers { "\n" @for one in &found.numbers { (number(one)) } } "\n"
            }
            @if let Some(NextStep { words, command }) = &found.next {
                p.next {
                    b { "Next:" } " " (inline(words))
                    @if !command.is_empty() {
                        " " code { (text(command)) } " "
                        button.save.copy type="button" hidden="hidden" { "copy" }
                    }
                } "\n"
            }
            @for line in &found.lines { p { (text(line)) } "\n" }
            @if let Some(order) = &found.order { (order_html(order)) }
            (findings_list(&found.measures))
        } "\n"
    }
}

fn number(one: &AnswerNumber) -> Markup {
    html! {
        li {
            b { (text(&one.value)) }
            @if !one.aside.is_empty() { " " span.aside { (text(&one.aside)) } }
            span.below { (text(&one.below)) }
        } "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::super::hashes::HASHES;
    use super::*;

    /// The words of a page are in the document, never in the script.
    #[test]
    fn the_script_asks_for_nothing_and_writes_no_markup() {
        for script in [LIVE.script, HASHES.script] {
            for word in ["fetch", "http", "import", "innerHTML", "eval", "</"] {
                assert!(!script.contains(word), "{word}");
            }
        }
    }
}
