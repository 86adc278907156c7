//! The beginning of a draw: the commitment that it follows, and its randomness.

use super::commitment::Commitment;
use super::draw::CheckedInputs;
use super::earlier::Earlier;
use super::folder::DrawFolder;
use super::inputs::Inputs;
use super::seed::Randomness;
use kleroterion_core::problem::{Problem, Problems};

impl DrawFolder {
    /// Returns the commitment that a draw of these inputs follows. It is the one in the folder,
    /// which must match the inputs, or else a new one. `alternates` and `title` are as the draw
    /// asks for them.
    ///
    /// # Errors
    /// Where something else was committed: each difference.
    pub fn followed(
        &self,
        inputs: &Inputs,
        stage: &CheckedInputs,
        alternates: Option<u32>,
        title: Option<&str>,
    ) -> Result<Commitment, Problems> {
        let policy = stage.question.policy();
        let Some(committed) = self.commitment()? else {
            return Ok(Commitment::to(inputs, policy, alternates, None, title));
        };
        let alternates = alternates.or(committed.alternates);
        let name = committed.randomness.as_deref();
        // One that is given for the draw is recorded with it, where none was committed.
        let own = committed.title.as_deref();
        let title = own.and(title.or(own));
        let now = Commitment::to(inputs, policy, alternates, name, title);
        let changes = committed.changes(&now.in_version(committed.schema, inputs));
        let help = "draw what was committed: klero draw DIR; or publish a new commitment in another \
                    folder, with randomness that is still to come";
        let changes = changes.into_iter();
        let problems = changes.map(|what| Problem::of_request(what).help(help));
        Problems(problems.collect()).or(committed)
    }

    /// Begins a draw by a commitment, and notes its randomness. The commitment is written if the
    /// folder has none. From then on the folder takes no other randomness.
    ///
    /// # Errors
    /// Where it is not fresh, other randomness is there already, or a file can't be written.
    pub fn begin(
        &self,
        inputs: &Inputs,
        commitment: &Commitment,
        randomness: &Randomness,
    ) -> Result<(), Problems> {
        if let Some(earlier) = Earlier::of(inputs)? {
            earlier.refuse_repeated(randomness)?;
        }
        if self.commitment()?.is_none() {
            self.commit(inputs, commitment)?;
        }
        self.take(randomness)
    }
}
