//! A config's text, to show places in.

/// A config's text and the names of its files, to show places in.
pub struct ConfigText {
    /// All of it.
    pub text: String,
    /// The files that it was put together from, each with the line on which it begins.
    pub(super) files: Vec<(usize, String)>,
}

impl ConfigText {
    /// The text of one file.
    pub fn of(name: impl Into<String>, text: String) -> Self {
        let files = vec![(1, name.into())];
        Self { text, files }
    }

    /// Adds the text of another file behind it.
    pub fn add(&mut self, name: &str, text: &str) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        let line = self.text.matches('\n').count() + 1;
        self.files.push((line, name.to_owned()));
        self.text += text;
    }

    /// What the whole of it is called.
    pub fn name(&self) -> &str {
        &self.files[0].1
    }

    /// The file that a line is in, and which line of it that is.
    pub fn at(&self, line: usize) -> (&str, usize) {
        let begun = self.files.iter().rev().find(|(first, _)| *first <= line);
        let (first, name) = begun.unwrap_or(&self.files[0]);
        (name, line - first + 1)
    }
}
