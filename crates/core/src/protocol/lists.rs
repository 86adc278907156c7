//! Lists of lists in one vector.

/// A list of lists: all items in one vector, and where each list ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists<T> {
    pub(super) items: Vec<T>,
    pub(super) ends: Vec<u32>,
}

impl<T> Lists<T> {
    /// Ends the list under way.
    #[inline]
    pub(super) fn close(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    /// The place of the first item of a list; of the one after the last, how many items are in
    /// closed lists.
    pub(super) fn start(&self, at: usize) -> usize {
        if at == 0 {
            0
        } else {
            self.ends[at - 1] as usize
        }
    }

    /// The items of a closed list.
    pub(super) fn get(&self, at: usize) -> &[T] {
        &self.items[self.start(at)..self.ends[at] as usize]
    }

    /// Drops all that was added since the last list was closed, and the lists after the first
    /// `lists`.
    pub(super) fn truncate(&mut self, lists: usize) {
        self.ends.truncate(lists);
        self.items.truncate(self.start(self.ends.len()));
    }
}
