//! Respondents who are known beforehand, from whom a policy's committee is to be completed.

use kleroterion_core::protocol::{Shown, View};
use kleroterion_sortition::completion::Completion;

/// The respondents from whom a committee is to be completed. It is empty once no completion is
/// known, or if the respondents never were known.
#[derive(Clone, Debug, Default)]
pub struct KnownPool {
    completion: Option<Completion>,
    /// True if slates have several candidates.
    several: bool,
    /// The people seated who have declined since the last slate.
    declined: Vec<u32>,
    /// Programs that were not decided, as reported.
    reported: u64,
}

impl KnownPool {
    /// Makes the pool of a completion's respondents; `several` says that slates have several
    /// candidates.
    pub fn new(completion: Completion, several: bool) -> Self {
        Self {
            completion: Some(completion),
            several,
            declined: Vec::new(),
            reported: 0,
        }
    }

    /// Records a slate, before its first candidate is judged.
    pub fn meet(&mut self, view: &View<'_>) {
        let declined = std::mem::take(&mut self.declined);
        let Some(completion) = &mut self.completion else {
            return;
        };
        if !self.several && declined.is_empty() {
            return;
        }
        let shown = view.slate().candidates().map(Shown::respondent);
        let Some(shown) = shown.collect::<Option<Vec<u32>>>() else {
            self.completion = None;
            return;
        };
        if !declined.is_empty() && !completion.unseat(&declined, &shown) {
            self.completion = None;
            return;
        }
        if self.several {
            completion.meet(&shown, view.places().max);
        }
    }

    /// Records that a member has declined. The next slate shows who can take the seat.
    pub fn decline(&mut self, person: Shown<'_>) {
        self.declined.extend(person.respondent());
    }

    /// Returns true if the committee can be completed once a candidate has a seat. `None` if that
    /// is not known.
    #[inline]
    pub fn may_seat(&mut self, person: Shown<'_>) -> Option<bool> {
        let completion = self.completion.as_mut()?;
        Some(completion.may_seat(person.respondent()?))
    }

    /// Returns true if the committee can be completed without a candidate. `None` if that is not
    /// known.
    #[inline]
    pub fn may_pass(&mut self, person: Shown<'_>) -> Option<bool> {
        let completion = self.completion.as_mut()?;
        Some(completion.may_pass(person.respondent()?))
    }

    /// Records that a candidate gets a seat.
    #[inline]
    pub fn seat(&mut self, person: Shown<'_>) {
        self.note(person, Completion::seat);
    }

    /// Records that a candidate is passed over.
    #[inline]
    pub fn pass(&mut self, person: Shown<'_>) {
        self.note(person, Completion::pass);
    }

    fn note(&mut self, person: Shown<'_>, note: impl Fn(&mut Completion, u32) -> bool) {
        if let Some(completion) = &mut self.completion {
            let holds = person.respondent().is_some_and(|one| note(completion, one));
            if !holds {
                self.completion = None;
            }
        }
    }

    /// Reports how many programs were not decided, where there were some.
    pub fn report(&mut self, view: &mut View<'_>) {
        let undecided = self.completion.as_ref().map(|one| one.effort().undecided);
        if let Some(undecided) = undecided.filter(|undecided| *undecided > self.reported) {
            self.reported = undecided;
            view.measure("undecided_programs", undecided as f64);
        }
    }
}
