//! What a text says, asserted.

/// A text of which tests assert what it says.
pub trait Says {
    /// Asserts that it has this part.
    fn says(&self, part: &str);

    /// Asserts that it has not.
    fn never_says(&self, part: &str);
}

impl<T: AsRef<str> + ?Sized> Says for T {
    #[track_caller]
    fn says(&self, part: &str) {
        let text = self.as_ref();
        assert!(text.contains(part), "not said: {part}\n{text}");
    }

    #[track_caller]
    fn never_says(&self, part: &str) {
        let text = self.as_ref();
        assert!(!text.contains(part), "said: {part}\n{text}");
    }
}
