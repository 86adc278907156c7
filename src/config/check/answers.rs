//! Looks and outcomes, checked against the rules and the source.

use super::parts::Parts;
use crate::document::Field;
use crate::protocol::Fact;

impl Parts<'_> {
    /// Writes the noise of looks and outcomes into what may be known of the world.
    pub(super) fn share_noise(&mut self, notes: &mut Vec<String>) {
        let answers = self.answers.as_ref().is();
        if let (Some(world), Some(answers)) = (&mut self.world, answers) {
            if let Some(noise) = answers.outcomes {
                world.world.known.outcome_noise = Fact::Exact(noise);
            }
            if let Some(noise) = &answers.looks {
                world.world.known.look_noise = noise.clone();
                if answers.replays && !world.records {
                    self.feedback_field.refuse(
                        "recorded_looks replays what reviewers said, and this source \
                         has no record of it",
                        "set type = \"gaussian_looks\", take a source of type \
                         \"admissions\", or name the columns of a file: reviews = \
                         [\"first_review\", \"second_review\"] in [source]",
                    );
                }
            }
        }
        let are_replayed = answers.is_some_and(|answers| answers.replays);
        let are_recorded = self.world.as_ref().is_some_and(|world| world.records);
        if are_recorded && !are_replayed && !self.answers.is_bad() {
            notes.push(
                "the recorded reviews are not used: [feedback.interview] is not of type \
                 \"recorded_looks\""
                    .into(),
            );
        }
    }

    /// Joins the rules with what answers interviews and how late outcomes come.
    pub(super) fn settle_rules(&mut self, notes: &mut Vec<String>) {
        let Some(rules) = &mut self.rules else {
            return;
        };
        notes.append(&mut rules.notes);
        let answers = self.answers.as_ref().is();
        let are_answered = answers.is_some_and(|answers| answers.looks.is_some());
        let are_sold = !rules.rules.interviews.is_empty();
        if are_answered != are_sold && !self.answers.is_bad() {
            unanswered(are_answered, &self.feedback_field, &self.rules_field);
        }
        if let Some(answers) = answers {
            rules.rules.delay = answers.delay;
        }
    }
}

/// Notes that interviews are answered but not for sale, or for sale but not answered.
fn unanswered(looks: bool, feedback: &Field<'_>, rules: &Field<'_>) {
    if looks {
        feedback.refuse(
            "interviews are answered here, and the rules sell none",
            "set interviews = [{ name = \"weak\", cost = 1, gain = 1 }] in [rules], or \
             leave out [feedback.interview]",
        );
    } else {
        rules.refuse(
            "the rules sell interviews, and nothing answers them",
            "for example: [feedback.interview] with type = \"gaussian_looks\" and sd = 0.1",
        );
    }
}
