//! The numbers of the page as texts and tables. The page is drawn from them, and events carry their
//! changes.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde::{Serialize, Serializer};
use serde_json::Value;

use kleroterion_report::report::markup::text;

/// The id of the text that is held for a while, so that a reader has time to read it. It has no
/// numbers.
pub(super) const HELD: &str = "headline";

/// A text on the page, with its look.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    pub(super) text: String,
    /// The CSS classes of its place.
    pub(super) look: String,
    /// A second line.
    pub(super) below: String,
    /// The tooltip.
    pub(super) tip: String,
    /// The length of its bar, from 0 to 1; `None` without a bar.
    pub(super) share: Option<f64>,
    /// The place of a tick on its bar, from 0 to 1.
    pub(super) tick: Option<f64>,
    /// Data that the page's script draws or sends, as JSON in ASCII; empty if there is none.
    pub(super) data: String,
}

/// A share rounded as a bar has it: to a tenth of a percent.
fn bar(share: f64) -> Option<f64> {
    let share = (1e3 * share.clamp(0.0, 1.0)).round() / 1e3;
    share.is_finite().then_some(share)
}

impl Words {
    pub(super) fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            text,
            ..Self::default()
        }
    }

    pub(super) fn looking(self, look: impl Into<String>) -> Self {
        let look = look.into();
        Self { look, ..self }
    }

    pub(super) fn below(self, below: impl Into<String>) -> Self {
        let below = below.into();
        Self { below, ..self }
    }

    pub(super) fn tip(self, tip: impl Into<String>) -> Self {
        let tip = tip.into();
        Self { tip, ..self }
    }

    /// Sets a bar of this share.
    pub(super) fn share(self, share: f64) -> Self {
        let share = bar(share);
        Self { share, ..self }
    }

    /// Sets a tick on the bar.
    pub(super) fn tick(self, tick: Option<f64>) -> Self {
        let tick = tick.and_then(bar);
        Self { tick, ..self }
    }

    /// Sets the data that the page's script draws or sends. Letters beyond ASCII are escaped, so
    /// that an id stays as it is where texts are made legible.
    pub(super) fn data(self, data: Option<&Value>) -> Self {
        let data = data.map_or_else(String::new, ascii);
        Self { data, ..self }
    }

    /// The HTML within its place.
    pub(super) fn html(&self) -> Markup {
        html! {
            @if self.share.is_none() && self.below.is_empty() {
                (text(&self.text))
            } @else {
                @if let Some(share) = self.share {
                    svg.gauge aria-hidden="true" {
                        rect width=(percent(share)) height="100%" {}
                        @if let Some(tick) = self.tick {
                            rect.tick x=(percent(tick)) width="2" height="100%" {}
                        }
                    }
                }
                span { (text(&self.text)) }
                small { (text(&self.below)) }
            }
        }
    }

    /// Its classes together with those of its place; `None` without any.
    pub(super) fn class(&self, own: &str) -> Option<String> {
        let class = format!("{own} {}", self.look).trim().to_owned();
        (!class.is_empty()).then_some(class)
    }

    pub(super) fn sent(&self) -> Option<&str> {
        (!self.data.is_empty()).then_some(&*self.data)
    }

    pub(super) fn tipped(&self) -> Option<Markup> {
        (!self.tip.is_empty()).then(|| text(&self.tip))
    }
}

/// JSON in ASCII.
fn ascii(value: &Value) -> String {
    let mut escaped = String::new();
    for c in value.to_string().chars() {
        match c {
            ' '..='~' => escaped.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    escaped += &format!("\\u{unit:04x}");
                }
            }
        }
    }
    escaped
}

fn percent(share: f64) -> String {
    // Without what binary fractions leave.
    format!("{}%", (1e4 * share).round() / 100.0)
}

impl<T: Into<String>> From<T> for Words {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}

/// Serializes the parts with `|` between them, without empty parts at the end:
/// `text|look|below|tip|share|tick|data`. If a part has a `|` of its own, it serializes a list of the
/// parts.
impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = |part: Option<f64>| part.map_or_else(String::new, |part| part.to_string());
        let (share, tick) = (number(self.share), number(self.tick));
        let parts = [
            &self.text,
            &self.look,
            &self.below,
            &self.tip,
            &share,
            &tick,
            &self.data,
        ];
        let last = parts.iter().rposition(|part| !part.is_empty()).unwrap_or(0);
        let parts = parts.map(String::as_str);
        match parts.iter().any(|part| part.contains('|')) {
            false => serializer.serialize_str(&parts[..=last].join("|")),
            true => parts[..=last].serialize(serializer),
        }
    }
}

/// The rows of a table or a list; the first of a table is its head.
pub(super) type Rows = Vec<Vec<Words>>;

/// A point of a chart: `n`, and the value of each series there.
pub(super) type ChartPoint = (u64, Vec<Option<f64>>);

/// A chart, which the page's script draws.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chart {
    /// The subject of the chart. A new subject starts a new line.
    pub(super) of: String,
    /// All points up to now, for new viewers.
    pub(super) points: Vec<ChartPoint>,
    /// The marks: the `n` of each, and its words.
    pub(super) marks: Vec<(u64, String)>,
    /// The `n` at which it is expected to end; `None` if that is not known.
    pub(super) until: Option<u64>,
}

/// The content of the page at one moment.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// The texts, by the ids of their places.
    pub(super) texts: BTreeMap<String, Words>,
    /// The tables, by the ids of their places.
    pub(super) tables: BTreeMap<String, Rows>,
    pub(super) charts: BTreeMap<String, Chart>,
    /// The lanes, best first.
    pub(super) order: Vec<usize>,
    /// The lane whose committee is shown unless the viewer chose another.
    pub(super) foremost: usize,
}

impl Model {
    pub(super) fn text(&mut self, id: &str, words: impl Into<Words>) {
        self.texts.insert(id.to_owned(), words.into());
    }

    pub(super) fn table(&mut self, id: impl Into<String>, rows: Rows) {
        self.tables.insert(id.into(), rows);
    }

    /// Sets a list with one text per row.
    pub(super) fn list<T: Into<Words>>(&mut self, id: &str, rows: impl IntoIterator<Item = T>) {
        self.table(id, rows.into_iter().map(|row| vec![row.into()]).collect());
    }
}

/// A number rounded as an event has it: to four digits; `None` if it is not finite.
pub(super) fn short(value: f64) -> Option<f64> {
    format!("{value:.3e}")
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
}
