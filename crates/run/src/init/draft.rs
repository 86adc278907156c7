//! The text of a config under construction, and the assumptions made in it.

use toml_writer::{ToTomlKey, ToTomlValue};

/// The column in which the comments behind keys begin.
const COMMENTS: usize = 44;

/// The widest line.
const WIDTH: usize = 100;

/// A config that is being written.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    text: String,
    /// The assumptions made, one sentence each.
    pub assumed: Vec<String>,
}

impl Draft {
    /// Returns the config's text: a head, the assumptions and the sections.
    #[must_use]
    pub fn finish(&self, head: &str) -> String {
        let mut text = String::new();
        comment(&mut text, head);
        if !self.assumed.is_empty() {
            comment(&mut text, "Assumed; change what does not fit:");
            for assumed in &self.assumed {
                comment(&mut text, &format!("- {assumed}"));
            }
        }
        text + &self.text
    }

    /// Names an assumption.
    pub(super) fn assume(&mut self, sentence: impl Into<String>) {
        self.assumed.push(sentence.into());
    }

    /// Begins a section: `[source]`, `[[policy]]`.
    pub(super) fn section(&mut self, header: &str) {
        self.text += &format!("\n{header}\n");
    }

    /// A comment on lines of its own.
    pub(super) fn comment(&mut self, sentence: &str) {
        comment(&mut self.text, sentence);
    }

    /// A key, its value in TOML, and what it is: behind it, or above it where that is too long.
    pub(super) fn key(&mut self, name: &str, value: &str, about: &str) {
        let line = format!("{name} = {value}");
        let behind = format!("{line:COMMENTS$}# {about}");
        if behind.chars().count() <= WIDTH && line.chars().count() < COMMENTS {
            self.text += &behind;
        } else {
            comment(&mut self.text, about);
            self.text += &line;
        }
        self.text.push('\n');
    }

    /// The rest of a config from a template, in which each `{name}` is a value in TOML. Comments
    /// behind keys begin in their column, however long the values are.
    pub(super) fn rest(&mut self, template: &str, values: &[(&str, &str)]) {
        let filled = |part: &str| {
            let fill = |part: String, (name, value): &(&str, &str)| {
                part.replace(&format!("{{{name}}}"), value)
            };
            values.iter().fold(part.to_owned(), fill)
        };
        for line in template.split_inclusive('\n') {
            self.text += &match line.split_once("  # ") {
                Some((key, about)) => {
                    let (key, before) = (filled(key.trim_end()), COMMENTS - 1);
                    format!("{key:before$} # {}", filled(about))
                }
                None => filled(line),
            };
        }
    }
}

/// Appends a comment, wrapped.
fn comment(text: &mut String, sentence: &str) {
    let mut line = String::from("#");
    for word in sentence.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            *text += &line;
            text.push('\n');
            line = if sentence.starts_with("- ") {
                "#  ".into()
            } else {
                "#".into()
            };
        }
        line.push(' ');
        line += word;
    }
    *text += line.trim_end();
    text.push('\n');
}

/// A text as a TOML value.
pub(super) fn text(text: &str) -> String {
    text.to_toml_value()
}

/// A text as a TOML key.
pub(super) fn key(text: &str) -> String {
    text.to_toml_key()
}

/// Some texts as a TOML list.
pub(super) fn list<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let texts: Vec<String> = texts.into_iter().map(text).collect();
    format!("[{}]", texts.join(", "))
}

/// Keys and values as a TOML table on one line.
pub(super) fn table(entries: impl IntoIterator<Item = (String, String)>) -> String {
    let entry = |(name, value): (String, String)| format!("{} = {value}", key(&name));
    let entries: Vec<String> = entries.into_iter().map(entry).collect();
    format!("{{ {} }}", entries.join(", "))
}

/// A number as TOML, infinities included.
pub(super) fn number(number: f64) -> String {
    number.to_toml_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_behind_keys_begin_in_one_column() {
        let mut draft = Draft::default();
        let template = "until = { accepted = {places} }             # how many there are\n\
                        slate = 1                                   # people come one by one\n\
                        # a comment alone\n\
                        sd = {sd}                                   # its {what}\n";
        let values = [
            ("places", "40"),
            ("sd", "0.12345678901234567890123456789012345678901234"),
            ("what", "spread"),
        ];
        draft.rest(template, &values);
        let lines: Vec<&str> = draft.text.lines().collect();
        let place = |line: &str| line.find("# ");
        assert_eq!(
            [0, 1].map(|n| place(lines[n])),
            [Some(COMMENTS); 2],
            "{lines:?}"
        );
        assert_eq!(lines[2], "# a comment alone");
        assert!(lines[3].ends_with("01234 # its spread"), "{}", lines[3]);
    }
}
