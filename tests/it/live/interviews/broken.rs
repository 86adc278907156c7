//! A program that had people asked for an interview, and fails as the run is taken up again.

use super::kit::{HTTP, PEOPLE, TWO, again, answer_all, config, get, people};
use crate::support::process::{Place, live, post};
use crate::support::programs::exec;
use crate::support::says::Says as _;

/// A program that wants an interview of the last candidate; with a file `broken` it fails so instead.
fn odd(fault: &str) -> String {
    let program = format!(
        r#"read -r hello; echo '{{"type":"ready"}}'
read -r slate
if [ -e broken ]; then {fault}; fi
echo '{{"type":"interview","round":1,"looks":[{{"slot":59,"kind":"visit"}}]}}'
read -r answers
echo '{{"type":"select","round":1,"chosen":[0,1,2,3,4,5,6,7]}}'
read -r bye"#
    );
    exec("odd", &["sh", "-c", &program])
}

#[test]
fn a_program_that_asked_and_then_fails_costs_its_own_lane_alone() {
    let acting = "[live]\nacting = \"odd\"\nfallback = \"SWAP\"\n";
    for (fault, ending) in [("exit 3", "left"), ("echo rubbish", "disqualified")] {
        for section in ["", acting] {
            let place = Place::new();
            let text = config(HTTP, PEOPLE, TWO, &format!("{section}{}", odd(fault)));
            place.write("http.toml", &text);
            let mut run = place.start(&live("run"));
            let address = run.feed();
            post(address, "/v1/candidates", &people());
            post(address, "/v1/slates", "{}");
            let is_asked = || get(address, "/v1/looks").to_string().contains("\"p59\"");
            while !is_asked() {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            run.kill();
            place.write("broken", "");
            // Taken up as often as it is killed.
            let mut run = place.start(&["resume", "run"]);
            run.feed();
            std::thread::sleep(std::time::Duration::from_millis(300));
            run.kill();
            let mut run = place.start(&["resume", "run"]);
            answer_all(run.feed());
            run.hears("no lane plays any more");
            let (code, _, stderr) = run.stop();
            assert_eq!(code, Some(0), "{fault}: {stderr}");
            let endings = place.read("run/endings.csv");
            endings.says(&format!("0,odd,{ending},"));
            endings.says("0,SWAP,horizon,");
            again(&place, "run");
        }
    }
}
