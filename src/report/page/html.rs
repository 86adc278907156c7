//! A page as HTML.

use std::fmt::Write as _;

use super::super::figure::{Cell, Figure, Table, page_style};
use super::super::markup::escape;
use super::answers::{answers_html, pages_html, verdicts_html};
use super::chart::{SCRIPT, SCRIPT_HASH, chart_html, switches_html};
use super::claims::claims_html;
use super::tally::tally_html;
use super::{Link, Page, Part, Section};

const STYLE: &str = include_str!("page.css");

/// Nothing from outside: no script, no font, no picture; styles are the page's own.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self' file:";

/// The choice of a theme: where nothing is chosen, the reader's own.
pub(crate) const THEMES: &str = r#"<fieldset class="theme"><legend class="unseen">Theme</legend><label><input type="radio" name="theme" id="theme-auto" checked="checked"/> auto</label><label><input type="radio" name="theme" id="theme-light"/> light</label><label><input type="radio" name="theme" id="theme-dark"/> dark</label></fieldset>
"#;

/// A table that is not a figure's own is left so many rows: nothing else on the page shows its numbers.
const LEAST_ROWS: usize = 20;

/// The page, its tables of at most `most_rows` rows.
pub(super) fn page(page: &Page, most_rows: usize) -> String {
    let mut main = String::new();
    let mut numbers = Numbers {
        figures: 0,
        tables: 0,
        claims: 0,
        most_rows,
        is_live: false,
    };
    for (n, section) in (1..).zip(&page.sections) {
        section_html(&mut main, n, section, &mut numbers);
    }
    let title = escape(&page.title);
    let lead = match page.lead.as_str() {
        "" => String::new(),
        lead => format!("<p class=\"lead\">{}</p>\n", inline(lead)),
    };
    let (allowed, script) = match numbers.is_live {
        true => (
            format!("; script-src '{SCRIPT_HASH}'"),
            format!("<script>{SCRIPT}</script>\n"),
        ),
        false => Default::default(),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}{allowed}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>\n{}\n</style>\n</head>\n<body>\n\
         <header>\n{THEMES}{}<h1>{title}</h1>\n{lead}</header>\n{}<main>\n{main}</main>\n{script}</body>\n</html>\n",
        style(),
        pages(&page.links),
        contents(&page.sections),
    )
}

/// The style sheet of pages and of the figures on them.
pub(crate) fn style() -> String {
    STYLE.to_owned() + &page_style()
}

/// Parts that stand on a page of another make: they need no script, and their ids are unlike any other's there only once.
pub(crate) fn parts_html(parts: &[Part]) -> String {
    let mut numbers = Numbers {
        figures: 0,
        tables: 0,
        claims: 0,
        most_rows: usize::MAX,
        is_live: false,
    };
    let mut html = String::new();
    for part in parts {
        part_html(&mut html, part, &mut numbers);
    }
    html
}

/// What has been counted so far, for ids that are the page's own, and what the page is left.
pub(super) struct Numbers {
    figures: usize,
    tables: usize,
    claims: usize,
    /// Rows left to a table.
    pub(super) most_rows: usize,
    /// Whether something on the page needs the script.
    pub(super) is_live: bool,
}

impl Numbers {
    pub(super) fn next_figure(&mut self) -> usize {
        self.figures += 1;
        self.figures
    }

    fn next_table(&mut self) -> usize {
        self.tables += 1;
        self.tables
    }
}

/// A link.
pub(super) fn link(link: &Link) -> String {
    let [text, to] = [&link.text, &link.to].map(|text| escape(text));
    format!("<a href=\"{to}\">{text}</a>")
}

fn pages(links: &[Link]) -> String {
    if links.is_empty() {
        return String::new();
    }
    let items = links.iter().map(|to| format!("<li>{}</li>\n", link(to)));
    let items: String = items.collect();
    format!("<nav class=\"pages\" aria-label=\"Pages\">\n<ul>\n{items}</ul>\n</nav>\n")
}

fn contents(sections: &[Section]) -> String {
    if sections.len() < 3 {
        return String::new();
    }
    let links: String = (1..)
        .zip(sections)
        .map(|(n, section)| {
            format!(
                "<li><a href=\"#section-{n}\">{}</a></li>\n",
                escape(&section.heading)
            )
        })
        .collect();
    format!("<nav aria-label=\"Contents\">\n<ul>\n{links}</ul>\n</nav>\n")
}

fn section_html(html: &mut String, n: usize, section: &Section, numbers: &mut Numbers) {
    let heading = escape(&section.heading);
    let _ = writeln!(
        html,
        "<section aria-labelledby=\"section-{n}\">\n<h2 id=\"section-{n}\">{heading}</h2>"
    );
    for part in &section.parts {
        part_html(html, part, numbers);
    }
    html.push_str("</section>\n");
}

fn part_html(html: &mut String, part: &Part, numbers: &mut Numbers) {
    match part {
        Part::Prose(text) => html.push_str(&prose(text)),
        Part::Code(text) => {
            let label = "Text to copy";
            let _ = writeln!(
                html,
                "<pre tabindex=\"0\" role=\"region\" aria-label=\"{label} {}\"><code>{}</code></pre>",
                numbers.next_table(),
                text.trim_end()
                    .lines()
                    .map(escape)
                    .collect::<Vec<_>>()
                    .join("\n")
            );
        }
        Part::Claims(claims) => html.push_str(&claims_html(claims, &mut numbers.claims)),
        Part::Answers(answers) => html.push_str(&answers_html(answers)),
        Part::Verdicts(verdicts) => html.push_str(&verdicts_html(verdicts, numbers.most_rows)),
        Part::Pages(pages) => html.push_str(&pages_html(pages)),
        Part::Switches(names) => html.push_str(&switches_html(names)),
        Part::Chart(chart) => html.push_str(&chart_html(chart, numbers)),
        Part::Fold { summary, parts } => {
            let _ = writeln!(
                html,
                "<details class=\"fold\">\n<summary>{}</summary>",
                escape(summary)
            );
            for part in parts {
                part_html(html, part, numbers);
            }
            html.push_str("</details>\n");
        }
        Part::Tally(tally) => html.push_str(&tally_html(tally)),
        Part::Table { caption, table } => {
            let most_rows = numbers.most_rows.max(LEAST_ROWS);
            html.push_str(&table_html(caption, table, most_rows, numbers));
        }
        Part::Figure { figure, file } => {
            let id = format!("figure-{}", numbers.next_figure());
            let picture = figure.inline(&id);
            html.push_str(&figure_html(
                &id,
                figure,
                &picture,
                &figure.table(),
                file.as_deref(),
                numbers,
            ));
        }
    }
}

/// A figure: caption, picture, and its numbers in a table that opens.
pub(super) fn figure_html(
    id: &str,
    figure: &Figure,
    picture: &str,
    table: &Table,
    file: Option<&str>,
    numbers: &mut Numbers,
) -> String {
    let file = file.map_or(String::new(), |file| {
        format!("\n<a href=\"{0}\">{0}</a>", escape(file))
    });
    let title = escape(&figure.title);
    let table = table_html(&figure.title, table, numbers.most_rows, numbers);
    format!(
        "<figure aria-labelledby=\"{id}\">\n<figcaption id=\"{id}\"><b>{title}</b> {}</figcaption>\n{picture}\n\
         <div class=\"foot\">\n<details>\n<summary>The numbers of this figure<span class=\"unseen\">: {title}</span></summary>\n{table}</details>{file}\n</div>\n</figure>\n",
        inline(&figure.full_caption()),
    )
}

/// Paragraphs.
fn prose(text: &str) -> String {
    let mut paragraphs: Vec<String> = vec![String::new()];
    for line in text.lines().map(str::trim) {
        match paragraphs.last_mut() {
            Some(last) if !line.is_empty() => {
                last.push_str(if last.is_empty() { "" } else { " " });
                last.push_str(line);
            }
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs
        .iter()
        .filter(|paragraph| !paragraph.is_empty())
        .map(|paragraph| format!("<p>{}</p>\n", inline(paragraph)))
        .collect()
}

/// Text with what stands between two backticks as code.
pub(super) fn inline(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let mut html = String::new();
    for (i, piece) in pieces.iter().enumerate() {
        let is_closed = i + 1 < pieces.len();
        match (i % 2 == 1, is_closed) {
            (true, true) => {
                let _ = write!(html, "<code>{}</code>", escape(piece));
            }
            (true, false) => {
                html.push('`');
                html.push_str(&escape(piece));
            }
            (false, _) => html.push_str(&escape(piece)),
        }
    }
    html
}

/// A table in a box of its own that scrolls sideways where it must.
fn table_html(caption: &str, table: &Table, most_rows: usize, numbers: &mut Numbers) -> String {
    let is_number = |i: usize| {
        let mut column = table.rows.iter().filter_map(|row| row.get(i));
        column.all(|cell| !matches!(cell, Cell::Text(_)))
    };
    let class = |i: usize| if is_number(i) { " class=\"n\"" } else { "" };
    let heads: String = table
        .headers
        .iter()
        .enumerate()
        .map(|(i, head)| format!("<th scope=\"col\"{}>{}</th>", class(i), escape(head)))
        .collect();
    let classes: Vec<&str> = (0..table.headers.len()).map(class).collect();
    // A long table is thinned evenly, so that its course remains.
    let every = table.rows.len().div_ceil(most_rows).max(1);
    let rows: String = table
        .rows
        .iter()
        .step_by(every)
        .map(|row| {
            let cells: String = row
                .iter()
                .enumerate()
                .map(|(i, cell)| match i {
                    0 => format!(
                        "<th scope=\"row\"{}>{}</th>",
                        classes[i],
                        escape(&cell.brief())
                    ),
                    _ => format!(
                        "<td{}>{}</td>",
                        classes.get(i).copied().unwrap_or(""),
                        escape(&cell.brief())
                    ),
                })
                .collect();
            format!("<tr>{cells}</tr>\n")
        })
        .collect();
    let note = match every {
        1 => String::new(),
        _ => format!(
            " <span class=\"note\">One row in {every} of {} is shown.</span>",
            table.rows.len()
        ),
    };
    let id = format!("table-{}", numbers.next_table());
    format!(
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"{id}\"><table>\n\
         <caption id=\"{id}\">{}{note}</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n",
        inline(caption)
    )
}
