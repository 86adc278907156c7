//! The order of policies as a picture: an arrow leads from each to those it is surely better than.

use maud::{Markup, PreEscaped, html};

use super::super::figure::{marker_of, shortened, width};
use super::super::markup::{at, escape, px, text};
use super::PolicyName;

/// The order of policies, as far as it is sure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SureOrder {
    /// The policies.
    pub policies: Vec<PolicyName>,
    /// The pairs of places in `policies` of which the first is surely better than the second.
    pub better: Vec<[usize; 2]>,
    /// A note on what is open.
    pub about: String,
}

/// The size of names, and the most room for one.
const SIZE: f64 = 13.0;
const NAME: f64 = 150.0;
/// The height of a row, and the room for arrows between two columns.
const ROW: f64 = 24.0;
const GAP: f64 = 44.0;
/// The room of a marker before its name.
const MARKER: f64 = 20.0;

/// A policy on the picture.
struct Node<'a> {
    of: &'a PolicyName,
    name: String,
    left: f64,
    right: f64,
    y: f64,
}

impl SureOrder {
    /// Returns true if the order says that the first is surely better than the second.
    fn is_better(&self, a: usize, b: usize) -> bool {
        self.better.contains(&[a, b])
    }

    /// The pairs that follow from no others.
    fn arrows(&self) -> Vec<[usize; 2]> {
        let all = 0..self.policies.len();
        let follows = |a, b| {
            (all.clone()).any(|between| self.is_better(a, between) && self.is_better(between, b))
        };
        let pairs = self.better.iter().copied();
        pairs.filter(|[a, b]| !follows(*a, *b)).collect()
    }

    /// The columns of the policies: each is right of all that are better.
    fn columns(&self, arrows: &[[usize; 2]]) -> Vec<usize> {
        let mut columns = vec![0; self.policies.len()];
        for _ in 0..columns.len() {
            for [a, b] in arrows {
                if *a < columns.len() && *b < columns.len() {
                    columns[*b] = columns[*b].max(columns[*a] + 1).min(columns.len());
                }
            }
        }
        columns
    }

    /// The places of the policies, and the size of the picture.
    fn nodes(&self, arrows: &[[usize; 2]]) -> (Vec<Node<'_>>, [f64; 2]) {
        let columns = &self.columns(arrows);
        let names = self
            .policies
            .iter()
            .map(|of| shortened(&of.label, SIZE, NAME));
        let names: Vec<String> = names.collect();
        let members = |column| {
            let places = 0..columns.len();
            places.filter(move |place| columns[*place] == column)
        };
        let all = columns.iter().max().map_or(0, |last| last + 1);
        let tall = (0..all).map(|column| members(column).count()).max();
        let high = tall.unwrap_or(0) as f64 * ROW;
        let (mut nodes, mut left) = (Vec::new(), 0.0);
        for column in 0..all {
            let wide = members(column).map(|place| MARKER + width(&names[place], SIZE));
            let right = left + wide.fold(0.0, f64::max);
            let top = (high - members(column).count() as f64 * ROW) / 2.0;
            nodes.extend((0..).zip(members(column)).map(|(row, place)| {
                let name = names[place].clone();
                let node = Node {
                    of: &self.policies[place],
                    left,
                    right: left + MARKER + width(&name, SIZE) + 4.0,
                    y: top + (f64::from(row) + 0.5) * ROW,
                    name,
                };
                (place, node)
            }));
            left = right + GAP;
        }
        nodes.sort_by_key(|(place, _)| *place);
        let nodes = nodes.into_iter().map(|(_, node)| node);
        (nodes.collect(), [(left - GAP + 4.0).max(0.0), high])
    }
}

/// The picture, in a box that scrolls sideways where it must, and what it says in words.
pub(super) fn order_html(order: &SureOrder) -> Markup {
    let arrows = order.arrows();
    let (nodes, [wide, high]) = order.nodes(&arrows);
    let paths = arrows.iter().filter_map(|[a, b]| {
        let (a, b) = (nodes.get(*a)?, nodes.get(*b)?);
        let (from, to) = (at(a.right, a.y), at(b.left - 4.0, b.y));
        let [one, other] = [at(b.left - 24.0, a.y), at(b.left - 24.0, b.y)];
        Some(format!("M{from}C{one} {other} {to}m-5 -4l5 4l-5 4"))
    });
    let path: String = paths.collect();
    let names: String = nodes.iter().map(name_svg).collect();
    let svg = format!(
        r#"<svg aria-hidden="true" width="{0}" height="{1}" viewBox="0 0 {0} {1}"><path class="l-muted" fill="none" stroke-width="1.25" d="{path}"/>{names}</svg>"#,
        px(wide),
        px(high)
    );
    html! {
        div.order.klero-figure role="region" tabindex="0" aria-label="The order, as far as it is sure" {
            (PreEscaped(svg))
            span.unseen { (text(&said(order, &arrows))) }
        } "\n"
        p.about { (text(&order.about)) } "\n"
    }
}

fn name_svg(node: &Node<'_>) -> String {
    let (top, x, y) = (px(node.y - 8.0), px(node.left + MARKER), px(node.y + 4.5));
    let wide = px(node.right - node.left);
    format!(
        r#"<rect class="paper" x="{0}" y="{top}" width="{wide}" height="16"/><g transform="translate({0} {top})">{1}</g><text class="f-ink" font-size="{SIZE}" x="{x}" y="{y}">{2}</text>"#,
        px(node.left),
        marker_of(node.of.look),
        escape(&node.name)
    )
}

/// The arrows in words.
fn said(order: &SureOrder, arrows: &[[usize; 2]]) -> String {
    let name = |place: usize| order.policies.get(place).map_or("", |of| &of.label);
    let of = |[a, b]: &[usize; 2]| format!("{} is surely better than {}", name(*a), name(*b));
    arrows.iter().map(of).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(policies: usize, better: &[[usize; 2]]) -> SureOrder {
        let name = |look: usize| PolicyName {
            label: format!("<{look}>"),
            look,
            is_yardstick: false,
        };
        SureOrder {
            policies: (0..policies).map(name).collect(),
            better: better.to_vec(),
            about: String::new(),
        }
    }

    /// A relation that follows from two arrows has none of its own, and the better is further left.
    #[test]
    fn an_order_has_the_fewest_arrows() {
        let order = order(4, &[[0, 1], [1, 2], [0, 2], [3, 2]]);
        let arrows = order.arrows();
        assert_eq!(arrows, [[0, 1], [1, 2], [3, 2]]);
        assert_eq!(order.columns(&arrows), [0, 1, 2, 0]);
        let html = order_html(&order).into_string();
        assert!(
            html.contains("&lt;0&gt; is surely better than &lt;1&gt;; "),
            "{html}"
        );
        assert!(!html.contains("<0>"));
        let (nodes, [wide, high]) = order.nodes(&arrows);
        assert!(
            nodes
                .iter()
                .all(|node| node.right <= wide + 0.01 && node.y < high)
        );
    }

    /// A circle or a place that is not there, which no run gives, ends nothing.
    #[test]
    fn an_impossible_order_is_drawn() {
        for better in [&[[0, 1], [1, 0]][..], &[[0, 7]], &[]] {
            order_html(&order(2, better));
        }
        order_html(&SureOrder::default());
    }
}
