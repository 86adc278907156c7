//! Lists of words in several languages.

/// Words or short phrases, with commas between.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub &'static str);

impl Words {
    /// The words in their order.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.split(',').map(str::trim)
    }

    /// Returns true if a text is one of the words.
    pub fn has(self, text: &str) -> bool {
        self.iter().any(|word| word == text)
    }

    /// Returns true if a text contains one of them as whole words: "e mail" in "e mail falls
    /// vorhanden".
    pub fn are_in(self, text: &str) -> bool {
        let padded = format!(" {text} ");
        self.iter()
            .any(|word| padded.contains(&format!(" {word} ")))
    }
}
