//! The keys of a config as a page.

use super::check::across::CHECKS;
use super::keys::CONFIG;
use crate::document::param::{Entry, Param, Shape};
use crate::registry::Registry;

/// Returns the reference of a config's keys, of the built-in kinds.
#[must_use]
pub fn reference() -> String {
    Registry::default().reference()
}

impl Registry {
    /// Returns the reference of a config's keys as Markdown: a section for each table, and a line
    /// for each key.
    #[must_use]
    pub fn reference(&self) -> String {
        let mut page = String::from(
            "# Config reference\n\n\
             The program writes this page from the declarations that it reads configs by. \
             `klero schema config` prints the same as a JSON Schema for editors.\n",
        );
        page += "\n## The config\n\n";
        lines(CONFIG, "", &mut page);
        for param in CONFIG {
            let title = format!("[{}]", param.key);
            let (shape, title) = match &param.shape {
                Shape::Table(params) => {
                    section(self, &title, params, &mut page);
                    continue;
                }
                Shape::List(member) => (*member, format!("[{title}]")),
                shape => (shape, title),
            };
            if let Some((tag, entries)) = self.kinds_of(shape) {
                kinds(&title, tag, &entries, &mut page);
            }
        }
        page += "\n## What holds across sections\n\n";
        for check in &CHECKS {
            page += &format!("- {}\n", check.holds);
        }
        page
    }
}

fn section(registry: &Registry, title: &str, params: &[Param], page: &mut String) {
    *page += &format!("\n## {title}\n\n");
    lines(params, "", page);
    for param in params {
        if let Some((tag, entries)) = registry.kinds_of(&param.shape) {
            let inner = format!("{}.{}]", title.trim_end_matches(']'), param.key);
            kinds(&inner, tag, &entries, page);
        }
    }
}

fn kinds(title: &str, tag: &str, entries: &[Entry], page: &mut String) {
    *page += &format!("\n## {title}\n");
    for entry in entries {
        *page += &format!("\n### {tag} = \"{}\"\n\n", entry.name);
        if !entry.about.is_empty() {
            *page += &format!("{}.\n\n", entry.about.trim_end_matches('.'));
        }
        lines(&entry.params, "", page);
    }
}

/// A line for each key; the keys of a table within follow, indented.
fn lines(params: &[Param], indent: &str, page: &mut String) {
    for param in params {
        let words = param.shape.words();
        let facts = [
            param.is_needed.then(|| "needed".to_owned()),
            (!words.is_empty()).then_some(words),
            param.default.map(|default| format!("default {default}")),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        let mut line = format!("{indent}- `{}`", param.key);
        if !param.about.is_empty() {
            line += &format!(": {}", param.about);
        }
        if !facts.is_empty() {
            line += &format!(" ({})", facts.join("; "));
        }
        *page += &format!("{line}\n");
        let inner = match param.shape {
            Shape::Table(params) => params,
            Shape::List(&Shape::Table(params)) | Shape::Map(&Shape::Table(params)) => params,
            _ => continue,
        };
        if indent.is_empty() && !param.about.is_empty() {
            lines(inner, "  ", page);
        }
    }
}
