//! Values of several forms: a word, or a table of one key.

use super::field::Field;
use super::node::{PlacedKey, Table, Value};
use super::words::{list_of, meant};
use kleroterion_core::nearest::nearest;
use kleroterion_core::problem::Problem;

impl<'a> Field<'a> {
    /// Reads a value with one of several forms, and returns its name and content. A word,
    /// `"at_most_one"`, has no content (a field that is not given). A table of one key, `{ exactly
    /// = 5 }`, has the key's value as content.
    pub(crate) fn form<'w>(
        &self,
        words: &[&'w str],
        keys: &[&'w str],
    ) -> Option<(&'w str, Field<'a>)> {
        let forms = Forms { words, keys };
        match self.value()? {
            Value::Text(word) => match known(word, words) {
                Some(word) => Some((word, self.without_value())),
                None => {
                    self.refuse_word(word, &forms);
                    None
                }
            },
            Value::Table(table) => {
                let mut members = table.iter();
                if let (Some((key, node)), None) = (members.next(), members.next())
                    && let Some(name) = known(&key.name, keys)
                {
                    return Some((name, self.child(&key.name, node)));
                }
                self.refuse_keys(table, &forms)
            }
            _ => self.expected(&forms.expected()),
        }
    }

    fn without_value(&self) -> Field<'a> {
        Field {
            node: None,
            ..self.clone()
        }
    }

    /// Notes that a word names no form.
    fn refuse_word(&self, word: &str, forms: &Forms<'_, '_>) {
        let what = match known(word, forms.keys) {
            Some(key) => format!("`{key}` for `{}` needs a value", self.path),
            None => format!("unknown word `{word}` for `{}`", self.path),
        };
        let near = nearest(word, forms.words.iter().chain(forms.keys).copied());
        let near = near.filter(|near| *near != word);
        let near = near.map(|near| format!("`{near}`"));
        self.refuse(what, meant(near, format!("write {}", forms.expected())));
    }

    /// Notes that the keys of a table name no form; always `None`.
    fn refuse_keys<T>(&self, table: &Table, forms: &Forms<'_, '_>) -> Option<T> {
        let help = format!("write {}", forms.expected());
        let is_unknown = |key: &&PlacedKey| known(&key.name, forms.keys).is_none();
        let keys: Vec<&PlacedKey> = table.iter().map(|(key, _)| key).collect();
        let unknown: Vec<&PlacedKey> = keys.iter().copied().filter(is_unknown).collect();
        match (&keys[..], &unknown[..]) {
            ([], _) => return self.expected(&forms.expected()),
            ([key], _) if known(&key.name, forms.words).is_some() => {
                let what = format!("`{}` for `{}` takes no value", key.name, self.path);
                self.report(Problem::new(key.place.clone(), what).help(help));
            }
            (_, []) => {
                let what = format!("`{}` takes one key, not {}", self.path, keys.len());
                self.refuse(what, help);
            }
            (_, unknown) => {
                for key in unknown {
                    let what = format!("unknown key `{}` in `{}`", key.name, self.path);
                    let near = nearest(&key.name, forms.keys.iter().copied());
                    let help = match (near, &keys[..]) {
                        // The other keys may be right.
                        (Some(near), [_, _, ..]) => format!("did you mean `{near}`?"),
                        (Some(near), _) => format!("did you mean `{near}`? {help}"),
                        (None, _) => help.clone(),
                    };
                    self.report(Problem::new(key.place.clone(), what).help(help));
                }
            }
        }
        None
    }
}

/// The forms that a value may have.
struct Forms<'f, 'w> {
    words: &'f [&'w str],
    keys: &'f [&'w str],
}

impl Forms<'_, '_> {
    fn expected(&self) -> String {
        format!("one of {}", list_of(self.words, self.keys))
    }
}

/// The known name that is `name`.
fn known<'w>(name: &str, names: &[&'w str]) -> Option<&'w str> {
    names.iter().copied().find(|known| *known == name)
}
