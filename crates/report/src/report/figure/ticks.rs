//! The ticks of an axis and their labels.

use super::super::number::{minus, parted};

/// A tick on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// The value that it marks.
    pub(super) value: f64,
    /// The label. `None` for a minor tick.
    pub(super) label: Option<String>,
}

/// The distance between even ticks: `digit` times ten to the `exponent`, digit 1, 2 or 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TickStep {
    digit: i64,
    exponent: i32,
}

impl TickStep {
    /// The smallest step with at most `most` multiples (at least 2) within finite `lo < hi`.
    pub(super) fn of(lo: f64, hi: f64, most: usize) -> Self {
        let most = most.max(2);
        let mut exponent = exponent(hi - lo) - most.to_string().len() as i32 - 1;
        loop {
            for digit in [1, 2, 5] {
                let step = Self { digit, exponent };
                let (first, last) = step.within(lo, hi);
                if last.saturating_sub(first) < most as i64 {
                    return step;
                }
            }
            exponent += 1;
        }
    }

    /// The `n`th multiple, rounded once: 3 of 0.1 is 0.3.
    pub(super) fn times(self, n: i64) -> f64 {
        let whole = (n * self.digit) as f64;
        if self.exponent < 0 {
            whole / power(-self.exponent)
        } else {
            whole * power(self.exponent)
        }
    }

    /// The first and the last multiple within `lo..=hi`, a hair's breadth of rounding allowed.
    pub(super) fn within(self, lo: f64, hi: f64) -> (i64, i64) {
        let size = self.times(1);
        (
            (lo / size - 1e-9).ceil() as i64,
            (hi / size + 1e-9).floor() as i64,
        )
    }
}

/// Even ticks, at most `most`, within finite `lo < hi`.
pub(super) fn linear(lo: f64, hi: f64, most: usize) -> Vec<Tick> {
    even(lo, hi, TickStep::of(lo, hi, most))
}

/// Returns ticks at whole numbers.
pub(super) fn whole(lo: f64, hi: f64, most: usize) -> Vec<Tick> {
    const ONE: TickStep = TickStep {
        digit: 1,
        exponent: 0,
    };
    let step = TickStep::of(lo, hi, most);
    even(lo, hi, if step.exponent < 0 { ONE } else { step })
}

/// The multiples of a step.
fn even(lo: f64, hi: f64, step: TickStep) -> Vec<Tick> {
    let (first, last) = step.within(lo, hi);
    let values = || (first..=last).map(|n| step.times(n));
    let largest = values().fold(0.0, |most: f64, value| most.max(value.abs()));
    let (unit, letter) = unit(largest, step);
    let label = |value: f64| {
        if value == 0.0 {
            "0".to_owned()
        } else if !(1e-4..1e15).contains(&largest) {
            scientific(value)
        } else {
            let decimals = (unit - step.exponent).max(0) as usize;
            let digits = format!("{:.*}", decimals, value / power(unit));
            format!("{}{letter}", parted(&digits))
        }
    };
    values()
        .map(|value| Tick {
            value,
            label: Some(label(value)),
        })
        .collect()
}

/// Ticks of a logarithmic axis from `10^lo` to `10^hi`, about `most` of them labelled: decades, or
/// 1, 2 and 5 of each where decades are few, or even ones where those are few too. All else of 2 to
/// 9 is a minor tick.
pub(super) fn log(lo: f64, hi: f64, most: usize) -> Vec<Tick> {
    let (first, last) = ((lo - 1e-9).ceil() as i32, (hi + 1e-9).floor() as i32);
    let decades = (last - first + 1).max(0) as usize;
    let labelled: &[i32] = if decades >= 3 { &[1] } else { &[1, 2, 5] };
    let every = decades.div_ceil(most.max(2)).max(1) as i32;
    let plain = first >= -3 && last <= 14;
    let mut ticks = Vec::new();
    for decade in first - 1..=last {
        for digit in 1..=9 {
            let at = f64::from(decade) + libm::log10(f64::from(digit));
            let is_minor = !labelled.contains(&digit) || (decade - first) % every != 0;
            if at < lo - 1e-9 || at > hi + 1e-9 || (is_minor && every > 1 && digit > 1) {
                continue;
            }
            let value = TickStep {
                digit: digit.into(),
                exponent: decade,
            }
            .times(1);
            let label = (!is_minor).then(|| {
                if plain {
                    alone(value, digit, decade)
                } else {
                    scientific(value)
                }
            });
            ticks.push(Tick { value, label });
        }
    }
    if ticks.iter().filter(|tick| tick.label.is_some()).count() < 3 {
        return linear(libm::pow(10.0, lo), libm::pow(10.0, hi), most.min(5));
    }
    ticks
}

/// Returns numbers of 1 or 3 times a power of ten, downwards from the largest that is at most
/// `most`. Empty if `most` is not above 0.
pub(super) fn thirds(most: f64) -> impl Iterator<Item = f64> {
    let top = exponent(most);
    let all = (0..).flat_map(move |down| {
        [3, 1].map(|digit| TickStep {
            digit,
            exponent: top - down,
        })
    });
    let all = all
        .map(|step| step.times(1))
        .take_while(|bound| *bound > 0.0);
    all.skip_while(move |bound| *bound > most)
        .take(if most > 0.0 { usize::MAX } else { 0 })
}

/// The power of ten of the first digit of a positive number. By text, for a logarithm errs at the
/// powers of ten.
pub(super) fn exponent(value: f64) -> i32 {
    let text = format!("{value:e}");
    text.split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0)
}

/// Thousands, millions… where that is shorter: the power of ten and its letter.
fn unit(largest: f64, step: TickStep) -> (i32, &'static str) {
    [(12, "T"), (9, "B"), (6, "M"), (3, "k")]
        .into_iter()
        .find(|&(power_of_ten, _)| {
            let least = if power_of_ten == 3 {
                1e4
            } else {
                power(power_of_ten)
            };
            largest >= least && step.exponent >= power_of_ten - 2
        })
        .unwrap_or((0, ""))
}

/// A number above 0 of one digit that is not 0: 300, 3k, 3×10⁻⁹.
pub(super) fn one_digit(value: f64) -> String {
    let decade = exponent(value);
    match decade {
        -3..=14 => alone(
            value,
            (value / libm::pow(10.0, decade.into())).round() as i32,
            decade,
        ),
        _ => scientific(value),
    }
}

/// A number of one digit on a logarithmic axis.
fn alone(value: f64, digit: i32, decade: i32) -> String {
    if decade < 0 {
        return format!("{value:.*}", -decade as usize);
    }
    let letter = ["", "k", "M", "B", "T"][(decade as usize / 3).min(4)];
    let zeros = "0".repeat(decade as usize % 3);
    format!("{digit}{zeros}{letter}")
}

/// 2×10⁻⁵; 10⁻⁵ where the first factor is 1.
fn scientific(value: f64) -> String {
    let text = format!("{:.12e}", value);
    let (factor, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let factor = factor.trim_end_matches('0').trim_end_matches('.');
    let raised: String = exponent
        .chars()
        .map(|c| match c {
            '-' => '\u{207b}',
            '1' => '\u{b9}',
            '2' => '\u{b2}',
            '3' => '\u{b3}',
            '0' | '4'..='9' => char::from_u32(0x2070 + u32::from(c) - u32::from('0')).unwrap_or(c),
            _ => c,
        })
        .collect();
    match factor {
        "1" => format!("10{raised}"),
        "-1" => format!("\u{2212}10{raised}"),
        _ => format!("{}×10{raised}", minus(factor)),
    }
}

/// Ten to a power, exactly rounded.
fn power(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> String {
        let labels: Vec<&str> = ticks.iter().filter_map(|t| t.label.as_deref()).collect();
        labels.join(" ")
    }

    #[test]
    fn thirds_grow_about_threefold() {
        let first = |most| thirds(most).take(3).collect::<Vec<f64>>();
        assert_eq!(first(551.0), [300.0, 100.0, 30.0]);
        assert_eq!(first(0.25), [0.1, 0.03, 0.01]);
        assert_eq!(first(3.0), [3.0, 1.0, 0.3]);
        assert_eq!(first(0.0), [0.0; 0]);
        let texts = [300.0, 3e3, 0.01, 3e-9].map(one_digit);
        assert_eq!(texts, ["300", "3k", "0.01", "3×10⁻⁹"]);
    }

    #[test]
    fn linear_ticks_are_1_2_5() {
        for (lo, hi, most, known) in [
            (0.0, 1.0, 6, "0 0.2 0.4 0.6 0.8 1.0"),
            (0.0, 1.0, 11, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0"),
            (0.0, 1.0, 3, "0 0.5 1.0"),
            (0.0, 0.124, 6, "0 0.05 0.10"),
            (0.0, 0.124, 7, "0 0.02 0.04 0.06 0.08 0.10 0.12"),
            (-2.5, 2.5, 6, "\u{2212}2 \u{2212}1 0 1 2"),
            (0.0, 1040.0, 6, "0 200 400 600 800 1,000"),
            (0.0, 9_000.0, 6, "0 2,000 4,000 6,000 8,000"),
            (0.0, 25_000.0, 6, "0 5k 10k 15k 20k 25k"),
            (0.0, 12_000.0, 8, "0 2k 4k 6k 8k 10k 12k"),
            (9_000.0, 11_000.0, 5, "9.0k 9.5k 10.0k 10.5k 11.0k"),
            (0.0, 2.6e6, 6, "0 0.5M 1.0M 1.5M 2.0M 2.5M"),
            (0.0, 2e9, 5, "0 0.5B 1.0B 1.5B 2.0B"),
            (1_000_000.0, 1_000_010.0, 3, "1,000,000 1,000,005 1,000,010"),
            (
                0.0,
                5e-5,
                6,
                "0 10\u{207b}\u{2075} 2×10\u{207b}\u{2075} 3×10\u{207b}\u{2075} \
                 4×10\u{207b}\u{2075} 5×10\u{207b}\u{2075}",
            ),
            (0.1, 0.4, 4, "0.1 0.2 0.3 0.4"),
        ] {
            assert_eq!(labels(&linear(lo, hi, most)), known, "{lo}..{hi}");
        }
        let thirds: Vec<f64> = linear(0.1, 0.4, 4).iter().map(|t| t.value).collect();
        assert_eq!(thirds, [0.1, 0.2, 0.3, 0.4], "rounded once");
    }

    #[test]
    fn counts_have_ticks_at_whole_numbers() {
        for (lo, hi, known) in [
            (0.5, 1.5, "1"),
            (0.0, 2.1, "0 1 2"),
            (1.0, 3.0, "1 2 3"),
            (0.0, 1040.0, "0 200 400 600 800 1,000"),
        ] {
            assert_eq!(labels(&whole(lo, hi, 6)), known, "{lo}..{hi}");
        }
    }

    #[test]
    fn log_ticks_are_decades_with_minors() {
        let ticks = log(1.9, 5.4, 6);
        assert_eq!(labels(&ticks), "100 1k 10k 100k");
        let minors: Vec<f64> = ticks
            .iter()
            .filter(|t| t.label.is_none())
            .map(|t| t.value)
            .collect();
        assert_eq!(minors[..3], [80.0, 90.0, 200.0]);
        assert_eq!(minors.len(), 2 + 8 + 8 + 8 + 1);
        for (lo, hi, known) in [
            (-3.1, 0.1, "0.001 0.01 0.1 1"),
            (1.6, 3.1, "50 100 200 500 1k"),
            (-2.0, -0.5, "0.01 0.02 0.05 0.1 0.2"),
            (
                -6.0,
                -3.0,
                "10\u{207b}\u{2076} 10\u{207b}\u{2075} 10\u{207b}\u{2074} 10\u{207b}\u{b3}",
            ),
            (2.0, 2.2, "100 120 140"),
            (0.0, 12.0, "1 1k 1M 1B 1T"),
        ] {
            let most = if hi == 12.0 { 5 } else { 6 };
            assert_eq!(labels(&log(lo, hi, most)), known, "{lo}..{hi}");
        }
    }

    #[test]
    fn ticks_stay_within_and_are_few_whatever_the_range() {
        for lo in [-1e150_f64, -3.7, 0.0, 1e-150, 2.5, 1e9] {
            for spread in [1e-8_f64, 0.3, 7.0, 1e6, 1e149] {
                let hi = lo + spread.max(lo.abs() * 1e-8);
                for most in 2..12 {
                    let ticks = linear(lo, hi, most);
                    assert!(ticks.len() <= most, "{lo} {hi} {most}");
                    let slack = (hi - lo) * 1e-6;
                    assert!(
                        ticks
                            .iter()
                            .all(|t| t.value >= lo - slack && t.value <= hi + slack)
                    );
                }
            }
        }
    }
}
