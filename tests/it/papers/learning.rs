//! Learning p (Do et al. 2021, Section 5) on the calibrated instance: three attributes (|X| = 8) and five (|X| = 48).

use kleroterion::score::RunResult;

use crate::support::{config, many, near, plan, play, project, stats, values};

/// A run of the config of Figure 2, with all but these lanes' policies replaced.
fn learn(policies: &str, replications: u64, set: &[&str]) -> RunResult {
    let text = config("do2021-fig2.toml");
    let (world, _) = text.split_once("[[policy]]").expect("it has policies");
    let tail = "[report]\nat = [250, 1000, 2000]\n";
    let many = many(replications);
    let set: Vec<&str> = set.iter().copied().chain([many.as_str()]).collect();
    play(&plan(&format!("{world}{policies}{tail}"), &project(), &set))
}

/// K; tau and its s.e.; loss and its s.e., where the reference prints one.
type Row = (u64, f64, f64, f64, Option<f64>);

/// How many simulations stand behind the losses that the reference prints without s.e. (50 to 200; its s.e. of tau say 50).
const REFERENCE: f64 = 50.0;

#[track_caller]
fn meets(run: &RunResult, label: &str, rows: &[Row]) {
    for &(at, tau, tau_se, loss, loss_se) in rows {
        let what = format!("{label} at {at}");
        near(&what, &stats(run, label, "screened", Some(at)), tau, tau_se);
        let ours = stats(run, label, "representation_loss", Some(at));
        let spread = ours.sd.unwrap_or(0.0) / REFERENCE.sqrt();
        near(&what, &ours, loss, loss_se.unwrap_or(spread));
    }
}

const LEARNERS: &str = "
[[policy]]
label = 'full'
kind = 'rl_cmdp'
confidence_scale = 0.1
[[policy]]
label = 'small'
kind = 'rl_cmdp'
confidence_scale = 0.1
program = 'small'
[[policy]]
label = 'plug-in'
kind = 'plugin_cmdp'
";

#[test]
fn three_attributes_at_a_tenth_of_the_radius() {
    let run = learn(LEARNERS, 200, &[]);
    meets(
        &run,
        "full",
        &[
            (250, 292.0, 2.0, 0.090, None),
            (1000, 1437.0, 13.0, 0.064, None),
            (2000, 3230.0, 25.0, 0.053, None),
        ],
    );
    meets(
        &run,
        "small",
        &[
            (250, 295.8, 1.7, 0.0858, Some(0.0008)),
            (1000, 1454.0, 9.0, 0.0592, Some(0.0004)),
            (2000, 3254.0, 17.0, 0.0490, Some(0.0004)),
        ],
    );
    meets(
        &run,
        "plug-in",
        &[
            (250, 620.0, 13.0, 0.045, None),
            (1000, 2469.0, 28.0, 0.022, None),
            (2000, 4937.0, 42.0, 0.015, None),
        ],
    );
}

#[test]
fn the_radius_as_printed_accepts_everybody_where_zeros_are_accepted() {
    let policy = "[[policy]]\nlabel = 'printed'\nkind = 'rl_cmdp'\nzero_rule = 'accept'\n";
    let run = learn(policy, 20, &[]);
    for at in [250, 1000, 2000] {
        assert!(
            values(&run, "printed", "screened", Some(at))
                .iter()
                .all(|&tau| tau == at as f64)
        );
    }
}

#[test]
fn the_gain_regret_is_what_the_counts_say() {
    let run = learn(LEARNERS, 5, &[]);
    let plan = plan(&config("do2021-fig2.toml"), &project(), &[]);
    let gain = plan.outlook.unwrap().gain;
    for label in ["full", "small", "plug-in"] {
        let screened = values(&run, label, "screened", Some(1000));
        let regret = values(&run, label, "gain_regret", Some(1000));
        assert_eq!(screened.len(), regret.len());
        for (screened, regret) in screened.iter().zip(regret) {
            assert!((regret - (gain * screened - 1000.0)).abs() < 1e-9);
        }
        // |N_j - rho_j N| = K times the loss, where the committee has K members.
        let losses = values(&run, label, "representation_loss", Some(1000));
        for (violation, loss) in values(&run, label, "constraint_violation", Some(1000))
            .iter()
            .zip(losses)
        {
            assert!((violation - 1000.0 * loss).abs() < 1e-9);
        }
    }
}
