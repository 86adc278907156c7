//! Members by value of an attribute, each a row with a bar: the wanted range, the members, and the
//! members that a panel in proportion to the respondents would have.

use maud::{Markup, PreEscaped, html};

use super::super::figure::ValueSpan;
use super::super::markup::{px, text};
use super::pieces::{PageExtra, PageNumbers, verdict};

/// The members of a panel by value of each attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BulletTable {
    /// The caption.
    pub caption: String,
    /// The quantity that all bars show, for example "Members of 40".
    pub axis: String,
    /// The values, in order of their attributes.
    pub rows: Vec<Bullet>,
}

/// A value of an attribute: its members, and the numbers they are compared with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bullet {
    /// The attribute.
    pub group: String,
    /// The value.
    pub name: String,
    /// The least and the largest number of members wanted. `None` if none is wanted. The largest may
    /// be infinite.
    pub wanted: Option<ValueSpan>,
    /// The wanted number in words.
    pub words: String,
    /// The number of members.
    pub members: usize,
    /// The number of respondents.
    pub respondents: usize,
    /// The number of members of a panel in proportion to the respondents.
    pub even: f64,
    /// True if the quota is kept. `None` if there is none.
    pub is_kept: Option<bool>,
}

/// The layout of bars, of steps and of the check of hashes.
pub(super) const DRAW_STYLE: PageExtra = PageExtra {
    style: include_str!("draw.css"),
    script: "",
};

/// The room to the right of the farthest mark, as a share of the bar.
const EDGE: f64 = 0.04;

/// The table: rows of one attribute under its name. A phone shows the bar below the numbers.
pub(super) fn bullets_html(table: &BulletTable, numbers: &mut PageNumbers) -> Markup {
    numbers.need(DRAW_STYLE);
    let most = table.rows.iter().map(Bullet::farthest).fold(1.0, f64::max);
    let most = most * (1.0 + EDGE);
    let groups = table.rows.chunk_by(|one, other| one.group == other.group);
    html! {
        table.bullets role="table" { "\n"
            caption { (text(&table.caption)) " " (legend()) } "\n"
            thead role="rowgroup" { tr role="row" {
                th scope="col" role="columnheader" { "Value" }
                th scope="col" role="columnheader" class="bar" { (text(&table.axis)) }
                th scope="col" role="columnheader" class="n" { "Members" }
                th scope="col" role="columnheader" class="n" { "Wanted" }
                th scope="col" role="columnheader" class="n" { "Respondents" }
            } } "\n"
            @for rows in groups {
                tbody role="rowgroup" { "\n"
                    tr role="row" class="group" {
                        th scope="rowgroup" role="rowheader" colspan="5" { (text(&rows[0].group)) }
                    } "\n"
                    @for row in rows { (row_html(row, most)) }
                } "\n"
            }
        } "\n"
    }
}

fn row_html(row: &Bullet, most: f64) -> Markup {
    html! {
        tr role="row" {
            th scope="row" role="rowheader" { (text(&row.name)) }
            td role="cell" class="bar" { (PreEscaped(bar(row, most))) }
            td role="cell" class="n" data-head="Members" { (row.members) }
            td role="cell" class="n" data-head="Wanted" {
                (text(&row.words))
                @if let Some(is_kept) = row.is_kept {
                    " " (match is_kept {
                        true => verdict(("yes", "✓"), "kept"),
                        false => verdict(("no", "✗"), "not kept"),
                    })
                }
            }
            td role="cell" class="n" data-head="Respondents" { (row.respondents) }
        } "\n"
    }
}

/// The marks of the bar with their meanings.
fn legend() -> Markup {
    let sample = |marks: &str| {
        PreEscaped(format!(
            r#"<svg class="bullet" aria-hidden="true" width="28" height="16">{marks}</svg>"#
        ))
    };
    html! {
        span.note {
            (sample(r#"<rect class="want" y="3" width="28" height="10"/>"#)) " wanted, "
            (sample(r#"<circle cx="14" cy="8" r="4.5"/>"#)) " on the panel, "
            (sample(r#"<line x1="14" x2="14" y1="1" y2="15"/>"#))
            " as many as a panel in proportion to the respondents would have"
        }
    }
}

/// The bar of a row as SVG. Its positions are shares of the width, so that nothing is scaled.
fn bar(row: &Bullet, most: f64) -> String {
    let place = |value: f64| format!("{}%", px(100.0 * (value / most).clamp(0.0, 1.0)));
    let wanted = row.wanted.map(|wanted| {
        let (from, to) = (wanted.lo, wanted.hi.min(most));
        format!(
            r#"<rect class="want" x="{}" width="{}" y="4" height="14"/>"#,
            place(from),
            place((to - from).max(most / 200.0))
        )
    });
    let even = place(row.even);
    let class = match row.is_kept {
        Some(false) => r#" class="off""#,
        _ => "",
    };
    format!(
        r#"<svg class="bullet" aria-hidden="true" width="100%" height="22">{}<line x1="{even}" x2="{even}" y1="2" y2="20"/><circle{class} cx="{}" cy="11" r="5"/></svg>"#,
        wanted.unwrap_or_default(),
        place(row.members as f64),
    )
}

impl Bullet {
    /// The largest number that its bar shows.
    fn farthest(&self) -> f64 {
        let wanted = self.wanted.map(|wanted| match wanted.hi.is_finite() {
            true => wanted.hi,
            false => wanted.lo,
        });
        let members = self.members as f64;
        wanted.unwrap_or_default().max(members).max(self.even)
    }
}
