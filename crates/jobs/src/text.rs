//! The text of a config, in which problems are shown.

/// The text of a config and the names of its files, in which problems are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigText {
    /// The whole text.
    pub text: String,
    /// The files of which the text consists, each with its first line in the text.
    files: Vec<(usize, String)>,
}

impl ConfigText {
    /// Creates the text of one file.
    pub fn of(name: impl Into<String>, text: impl Into<String>) -> Self {
        let files = vec![(1, name.into())];
        let text = text.into();
        Self { text, files }
    }

    /// Appends the text of another file.
    pub fn add(&mut self, name: &str, text: &str) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        let line = self.text.matches('\n').count() + 1;
        self.files.push((line, name.to_owned()));
        self.text += text;
    }

    /// The name of the first file, which is the name of the whole.
    pub fn name(&self) -> &str {
        &self.files[0].1
    }

    /// The file of a line of the text, and the line's number in that file.
    pub fn at(&self, line: usize) -> (&str, usize) {
        let begun = self.files.iter().rev().find(|(first, _)| *first <= line);
        let (first, name) = begun.unwrap_or(&self.files[0]);
        (name, line - first + 1)
    }
}
