//! Programs that fail: each once, in its own way, in a round that it never decided before.

use crate::support::programs::exec;

/// A way to fail.
struct Way {
    /// The commands of a shell.
    does: &'static str,
    /// Whether it breaks a rule: a program does so again wherever it is asked the same.
    is_foul: bool,
    /// The consequence of a late answer.
    on_timeout: &'static str,
}

const fn way(does: &'static str) -> Way {
    Way {
        does,
        is_foul: false,
        on_timeout: "forfeit",
    }
}

const WAYS: [Way; 9] = [
    way("exit 3"),
    way("kill -9 $$"),
    way("exec sleep 100"),
    Way {
        on_timeout: "leave",
        ..way("exec sleep 100")
    },
    way("exec >&-; exec sleep 100"),
    Way {
        is_foul: true,
        ..way("echo rubbish; continue")
    },
    way("head -c 1100000 /dev/zero | tr '\\0' x; exec sleep 100"),
    Way {
        is_foul: true,
        ..way("exec yes '{\"type\":\"select\",\"round\":0,\"chosen\":[]}'")
    },
    way("sleep 0.2"),
];

/// A program that fails once.
pub struct Odd {
    /// Its label.
    pub label: String,
    /// The number of the kill before which it fails: it chooses the way.
    pub number: usize,
    /// It fails in this life of the run, or later.
    pub life: usize,
    /// It fails in this round, or later.
    pub round: usize,
    /// Whether it buys an interview of the first candidate of each slate.
    pub looks: bool,
    /// The slots that it chooses, in rounds that this many divides; in others it chooses none.
    pub chosen: (&'static str, usize),
}

impl Odd {
    /// The policy of a config. The program finds the number of the life in the file `life`, and is
    /// slow in lives with an odd number. It keeps how far it ever decided, and where it failed.
    pub fn policy(&self) -> String {
        let Way {
            does,
            is_foul,
            on_timeout,
        } = WAYS[self.number % WAYS.len()];
        let Self {
            label,
            life,
            round,
            looks,
            chosen: (chosen, every),
            ..
        } = self;
        let again = is_foul || (self.number / WAYS.len()).is_multiple_of(2);
        let (again, looks) = (u8::from(again), u8::from(*looks));
        // Where it buys interviews, it fails before or after it does.
        let fails = (self.number / 2 % 2) as u8 * looks;
        let program = format!(
            r#"read -r hello; echo '{{"type":"ready"}}'
asked=0; broke=0; read -r life < life
[ -e {label}.asked ] && while read -r round; do asked=$round; done < {label}.asked
[ -e {label}.broke ] && {{ read -r broke < {label}.broke || broke=0; }}
while read -r message; do
  case $message in
    *'"bye"'*) exit 0;;
    *'"type":"slate"'*) answers=0;;
    *'"type":"answers"'*) answers=1;;
    *) continue;;
  esac
  n=${{message#*'"round":'}}; n=${{n%%,*}}
  if [ $answers -ne {fails} ]; then :
  elif [ $broke -gt 0 ]; then
    if [ $broke -eq $n ] && [ {again} -eq 1 ]; then {does}; fi
  elif [ $life -ge {life} ] && [ $n -ge {round} ] && [ $n -gt $asked ]; then
    broke=$n; echo $n >> {label}.broke
    {does}
  fi
  if [ $((life % 2)) -eq 1 ]; then sleep 0.01; fi
  if [ {looks} -gt $answers ]; then
    echo "{{\"type\":\"interview\",\"round\":$n,\"looks\":[{{\"slot\":0,\"kind\":\"phone\"}}]}}"
  else
    if [ $n -gt $asked ]; then asked=$n; echo $n >> {label}.asked; fi
    chosen='[]'; [ $((n % {every})) -eq 0 ] && chosen='{chosen}'
    echo "{{\"type\":\"select\",\"round\":$n,\"chosen\":$chosen}}"
  fi
done"#
        );
        let policy = exec(label, &["sh", "-c", &program]);
        format!("{policy}deadline = \"100ms\"\non_timeout = \"{on_timeout}\"\n")
    }
}
