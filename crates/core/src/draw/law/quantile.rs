//! Quantiles by bisection, where there is no formula.

/// The least number x with F(x) >= u, F being `cdf` as computed; an end of the range where there is
/// none within. Bisects the order of all numbers, so 64 steps settle it to the last bit.
pub(super) fn by_bisection(cdf: impl Fn(f64) -> f64, range: (f64, f64), u: f64) -> f64 {
    let (low, high) = range;
    if cdf(low) >= u {
        return low;
    }
    let (mut below, mut reaches) = (place(low), place(high));
    while reaches - below > 1 {
        let middle = below + (reaches - below) / 2;
        match cdf(number(middle)) >= u {
            true => reaches = middle,
            false => below = middle,
        }
    }
    number(reaches)
}

/// The place of a number in the order of all numbers.
fn place(x: f64) -> u64 {
    let bits = x.to_bits();
    match x.is_sign_negative() {
        true => !bits,
        false => bits | (1 << 63),
    }
}

/// The number at a place.
fn number(place: u64) -> f64 {
    f64::from_bits(match place >> 63 {
        0 => !place,
        _ => place & !(1 << 63),
    })
}
