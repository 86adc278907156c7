//! The lists of a second draw among its inputs. They have codes, so that no names and contacts are
//! published with them.

use std::collections::BTreeSet;

use super::draw::CheckedInputs;
use super::earlier::Earlier;
use super::inputs::{Inputs, KEEP, WITHOUT};
use super::lists::CODE;

impl Inputs {
    /// Replaces people in the lists of a second draw by their codes. `stage` holds these inputs,
    /// checked. Inputs of whole files stay as they are.
    pub fn list_by_code(&mut self, stage: &CheckedInputs) {
        let Some(again) = stage.again.as_ref().filter(|_| self.taken.is_some()) else {
            return;
        };
        // They were read when they were checked.
        let earlier = Earlier::of(self).ok().flatten().unwrap_or_default();
        let members: BTreeSet<&str> = earlier.members.iter().map(String::as_str).collect();
        let ids = again.whole.panel.respondents.names();
        let left = again.out.iter().copied();
        let left = left.filter(|one| !members.contains(&*ids[*one as usize]));
        for (name, who) in [(KEEP, again.kept.clone()), (WITHOUT, left.collect())] {
            if self.files.contains_key(name) {
                let origin = self.origin(name);
                self.put(name, list(stage, &who), origin);
            }
        }
    }
}

/// A list of some people: a column of codes.
fn list(stage: &CheckedInputs, who: &[u32]) -> Vec<u8> {
    let codes = who.iter().map(|one| stage.codes.code(*one));
    let lines = std::iter::once(CODE).chain(codes);
    let lines = lines.filter(|_| !who.is_empty());
    lines
        .flat_map(|line| [line, "\n"])
        .collect::<String>()
        .into_bytes()
}
