//! Lotteries over panels kept in files: `lotteries/KEY.json` next to a config or in the folder of a
//! draw. KEY is the hash of the question.
//!
//! A file has no people: it counts kinds of respondents. It is never trusted blindly, because a
//! draw hangs on it: its panels must keep the quotas, and its proof is gone through again.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::files::Folder;
use super::kept::{Kept, name};
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_policies::pool::optimal::fnv;
use kleroterion_sortition::PanelKinds;
use kleroterion_sortition::lottery::{AwaitedLottery, LotteryAnswer, LotteryWatch, NoLottery};

/// The name of a folder of kept lotteries.
pub const KEPT_LOTTERIES: &str = "lotteries";

/// Answers of another form, or computed in another way, are of no use.
const FORM: u32 = 1;

/// The folders in which lotteries are kept.
#[derive(Clone, Debug, Default)]
pub struct KeptLotteries {
    /// They are looked for in each, and written to the first.
    folders: Vec<PathBuf>,
}

/// The origin of a lottery.
#[derive(Clone, Debug, PartialEq)]
pub enum LotteryOrigin {
    /// It had been needed before.
    Known,
    /// It was read from this file.
    Read(PathBuf),
    /// It was computed. The problem says why a kept one could not be used, if there was one.
    Computed(Option<Problem>),
}

impl KeptLotteries {
    /// Keeps lotteries in the subfolder `lotteries` of some folders.
    #[must_use]
    pub fn of_folders<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Self {
        let folders = folders.into_iter();
        Self {
            folders: folders.map(|folder| folder.join(KEPT_LOTTERIES)).collect(),
        }
    }

    /// Makes sure that a lottery is known. A lottery that is not known yet is read from a file, or
    /// else computed.
    ///
    /// # Errors
    /// As [`AwaitedLottery::work_out_unless`].
    pub fn supply(
        &self,
        lottery: &AwaitedLottery,
        watch: &LotteryWatch<'_>,
    ) -> Result<LotteryOrigin, NoLottery> {
        if lottery.lottery().is_some() {
            return Ok(LotteryOrigin::Known);
        }
        let (read, unusable) = self.read(lottery, watch);
        if let Some(path) = read {
            return Ok(LotteryOrigin::Read(path));
        }
        lottery.work_out_unless(watch)?;
        Ok(LotteryOrigin::Computed(unusable))
    }

    /// Reads a kept lottery. Returns the file that it is from, and the problem with one that could
    /// not be used.
    pub fn read(
        &self,
        lottery: &AwaitedLottery,
        watch: &LotteryWatch<'_>,
    ) -> (Option<PathBuf>, Option<Problem>) {
        let parameters = parameters(lottery);
        let mut unusable = None;
        for folder in &self.folders {
            let path = folder.join(name(key(&parameters)));
            match taken(&path, &parameters, lottery, watch) {
                Ok(true) => return (Some(path), unusable),
                Ok(false) => {}
                Err(why) => unusable = Some(refused(path, &why)),
            }
        }
        (None, unusable)
    }

    /// Writes a known and proved lottery, if lotteries are kept and its file does not exist yet.
    ///
    /// # Errors
    /// Where the folder can't be made or written to.
    pub fn keep(&self, lottery: &AwaitedLottery) -> Result<(), Problems> {
        let (Some(folder), Some(answer)) = (self.folders.first(), lottery.answer()) else {
            return Ok(());
        };
        let parameters = parameters(lottery);
        let name = name(key(&parameters));
        let kept = Kept::<LotteryAnswer>::read(&folder.join(&name), &parameters, NOUN);
        if kept.is_ok_and(|kept| kept.is_some_and(|kept| kept.plan == *answer)) {
            return Ok(());
        }
        let folder = Folder::made(folder)?;
        Ok(Kept::new(parameters, answer.clone()).write(&folder, &name)?)
    }
}

const NOUN: &str = "lottery";

/// Returns true if the lottery of a file was taken, and false if there is no file.
///
/// # Errors
/// The reason why the file can't be used.
fn taken(
    path: &Path,
    parameters: &Value,
    lottery: &AwaitedLottery,
    watch: &LotteryWatch<'_>,
) -> Result<bool, String> {
    let Some(kept) = Kept::<LotteryAnswer>::read(path, parameters, NOUN)? else {
        return Ok(false);
    };
    if !kept.is_as_written() {
        return Err("holds other numbers than were written".into());
    }
    match lottery.take(kept.plan, watch) {
        true => Ok(true),
        false => Err("has panels that break a quota, or a proof that fails".into()),
    }
}

fn refused(path: PathBuf, why: &str) -> Problem {
    Problem::of_file(path, format!("this lottery {why}; it was computed anew"))
}

fn key(parameters: &Value) -> u64 {
    fnv(parameters.to_string().bytes())
}

/// The question of a lottery: rule, quotas, households and how many people of each kind.
fn parameters(lottery: &AwaitedLottery) -> Value {
    let kinds: PanelKinds = lottery.kinds();
    let bounds: Vec<Value> = kinds
        .bounds()
        .iter()
        .map(|bound| json!([bound.min, bound.max]))
        .collect();
    let homes = kinds.homes().iter().map(|homes| {
        let of = &kinds.kinds()[homes.kinds.clone()];
        let of: Vec<Value> = of
            .iter()
            .map(|kind| json!([kind.bounds, kind.people.iter().map(Vec::len).sum::<usize>()]))
            .collect();
        json!([homes.count, of])
    });
    json!({
        "form": FORM,
        "klero": env!("CARGO_PKG_VERSION"),
        "rule": lottery.rule().name(),
        "members": kinds.members(),
        "bounds": bounds,
        "households": homes.collect::<Vec<Value>>(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use kleroterion_core::protocol::{Quota, Respondents};
    use kleroterion_sortition::PanelQuestion;
    use kleroterion_sortition::lottery::LotteryRule;

    /// Women are seven for two places and men five for two; one man lives with a woman.
    fn question() -> PanelQuestion {
        let values = vec![0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1];
        let homes = vec![0, 1, 2, 3, 4, 5, 6, 0, 8, 9, 10, 11];
        let names = (0..12).map(|n: u32| n.to_string().into()).collect();
        let two = Quota { min: 2, max: 2 };
        PanelQuestion {
            respondents: Arc::new(Respondents::new(1, values, Some(homes), names)),
            quotas: vec![vec![two, two]],
            members: 4,
        }
    }

    fn supplied(kept: &KeptLotteries, rule: LotteryRule) -> (AwaitedLottery, LotteryOrigin) {
        let lottery = AwaitedLottery::new(rule, question());
        let origin = kept.supply(&lottery, &LotteryWatch::patient());
        let origin = origin.expect("there is one");
        assert_eq!(kept.keep(&lottery), Ok(()));
        (lottery, origin)
    }

    #[test]
    fn a_lottery_is_computed_once_and_comes_back_to_the_last_bit() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = KeptLotteries::of_folders([folder.path()]);
        for rule in LotteryRule::ALL {
            let (first, origin) = supplied(&kept, rule);
            assert_eq!(origin, LotteryOrigin::Computed(None), "{rule:?}");
            let (second, origin) = supplied(&kept, rule);
            assert!(
                matches!(origin, LotteryOrigin::Read(_)),
                "{rule:?}: {origin:?}"
            );
            assert_eq!(first.lottery(), second.lottery());
        }
        let files = std::fs::read_dir(folder.path().join(KEPT_LOTTERIES)).expect("a folder");
        assert_eq!(files.count(), 3);
    }

    #[test]
    fn a_file_that_is_not_whole_or_lies_is_computed_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = KeptLotteries::of_folders([folder.path()]);
        let (right, _) = supplied(&kept, LotteryRule::Leximin);
        let parameters = parameters(&right);
        let path = folder
            .path()
            .join(KEPT_LOTTERIES)
            .join(name(key(&parameters)));
        let whole = std::fs::read_to_string(&path).expect("it is there");
        let skewed = |change: &dyn Fn(&mut Value)| {
            let mut answer = serde_json::to_value(right.answer()).expect("JSON");
            change(&mut answer);
            let answer: LotteryAnswer = serde_json::from_value(answer).expect("an answer");
            let kept = Kept::new(parameters.clone(), answer);
            serde_json::to_string(&kept).expect("JSON")
        };
        let cases = [
            whole[..whole.len() / 2].to_owned(),
            whole.replace("leximin", "maximin"),
            whole.replace("0.", "0.0"),
            // A panel that breaks a quota, with a sum that is right.
            skewed(&|answer| answer["panels"][0][0][0][1] = json!(3)),
            // Probabilities of 2 in all.
            skewed(&|answer| answer["panels"][0][1] = json!(2.0)),
            // A proof of nothing.
            skewed(&|answer| answer["proofs"][0]["bound"] = json!(0.0)),
            skewed(&|answer| answer["proofs"] = json!([])),
        ];
        for (case, text) in cases.iter().enumerate() {
            std::fs::write(&path, text).expect("it can be written");
            let (lottery, origin) = supplied(&kept, LotteryRule::Leximin);
            assert!(
                matches!(origin, LotteryOrigin::Computed(Some(_))),
                "{case}: {origin:?}"
            );
            assert_eq!(lottery.lottery(), right.lottery(), "{case}");
            let again = std::fs::read_to_string(&path).expect("it is there");
            assert_eq!(again, whole, "{case}");
        }
    }
}
