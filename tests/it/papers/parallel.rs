//! Several candidates interviewed at once (Do et al. 2021, the remark of Section 4): `slate = m`,
//! `choose = "any"`.

use std::path::Path;

use kleroterion::compare::RunResult;
use kleroterion::compare::Stats;

use crate::support::{config, many, near, plan, play, project, stats, values};

const SLATES: [u64; 4] = [1, 4, 16, 64];

fn with_slates(m: u64, choose: &str, policies: &str, replications: &str) -> RunResult {
    let text = config("committee-brexit-like.toml");
    let (world, _) = text.split_once("[[policy]]").expect("it has policies");
    let text = format!("{world}{policies}");
    let slate = format!("rules.slate={m}");
    let choose = format!("rules.choose={choose}");
    let set = [&*slate, &choose, "rules.until.accepted=50", replications];
    play(&plan(&text, Path::new(&project()), &set))
}

/// E of m ceil(tau/m), tau being the serial number screened: K + a negative binomial (Lemma 2), its
/// masses added up.
fn screened_in_slates(m: u64, members: u64, gain: f64) -> f64 {
    let mut mass = gain.powi(members as i32);
    let mut sum = 0.0;
    for t in members..100 * members {
        sum += mass * (t.div_ceil(m) * m) as f64;
        mass *= t as f64 / (t - members + 1) as f64 * (1.0 - gain);
    }
    sum
}

/// A stationary policy keeps its guarantees: as many screened as one by one, but for who is left of
/// the last slate, and the same loss.
#[test]
fn a_stationary_policy_loses_nothing_but_the_rest_of_the_last_slate() {
    const CMDP: &str = "[[policy]]\nlabel = 'cmdp'\nkind = 'cmdp'\n";
    let mut losses: Vec<Stats> = Vec::new();
    for m in SLATES {
        let run = with_slates(m, "any", CMDP, &many(2000));
        let due = screened_in_slates(m, 50, 0.405_790_743_58);
        near(
            &format!("slates of {m}"),
            &stats(&run, "cmdp", "screened", None),
            due,
            0.0,
        );
        assert!(
            values(&run, "cmdp", "accepted", None)
                .iter()
                .all(|&n| n == 50.0)
        );
        losses.push(stats(&run, "cmdp", "representation_loss", None));
    }
    for loss in &losses {
        near("loss", loss, losses[0].mean, losses[0].se.unwrap());
        // The brief's canonical loss at K = 50.
        near("loss", loss, 0.1199, 0.0002);
    }
}

/// A policy without randomness of its own selects the very same people in slates as one by one.
#[test]
fn a_policy_without_luck_selects_the_same_committee() {
    const POLICIES: &str = "[[policy]]\nlabel = 'greedy'\nkind = 'greedy'\ntolerance = 0.1\n\
        [[policy]]\nlabel = 'quotas'\nkind = 'quota_lookahead'\n\
        [[policy]]\nlabel = 'all'\nkind = 'accept_all'\n\
        [[policy]]\nlabel = 'queue'\nkind = 'virtual_queue'\n";
    let shares = |run: &RunResult, label: &str| -> Vec<_> {
        let names = [
            "share.ethnicity:White",
            "share.region:London",
            "share.vote:Leave",
            "representation_loss",
        ];
        names
            .iter()
            .map(|name| values(run, label, name, None))
            .collect()
    };
    let alone = with_slates(1, "any", POLICIES, "replications=20");
    for m in SLATES {
        let run = with_slates(m, "any", POLICIES, "replications=20");
        for label in ["greedy", "quotas", "all", "queue"] {
            let (serial, screened) = (
                values(&alone, label, "screened", None),
                values(&run, label, "screened", None),
            );
            let due: Vec<f64> = serial
                .iter()
                .map(|&n| ((n as u64).div_ceil(m) * m) as f64)
                .collect();
            assert_eq!(screened, due, "{label}, slates of {m}");
            assert_eq!(
                shares(&run, label),
                shares(&alone, label),
                "{label}, slates of {m}"
            );
        }
    }
}

#[test]
fn at_most_a_given_number_of_a_slate_are_accepted() {
    let policies = "[[policy]]\nlabel = 'all'\nkind = 'accept_all'\n";
    for (choose, each) in [("any", 16), ("{at_most=3}", 3), ("at_most_one", 1)] {
        let run = with_slates(16, choose, policies, "replications=3");
        let slates = 50_u64.div_ceil(each);
        assert_eq!(
            values(&run, "all", "screened", None),
            vec![(16 * slates) as f64; 3],
            "{choose}"
        );
    }
}
