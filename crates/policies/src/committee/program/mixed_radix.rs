//! Numbers of cells: values packed in mixed radix, the first attribute most significant.

/// The places of a cell's values among the values of all the attributes.
pub(super) fn places(levels: &[usize], values: &[u16]) -> impl Iterator<Item = usize> {
    let mut first = 0;
    values.iter().zip(levels).map(move |(&value, n)| {
        let place = first + usize::from(value);
        first += n;
        place
    })
}

/// A cell's values, in mixed radix, the first attribute most significant.
pub(super) fn unpack(cell: u32, levels: &[usize], values: &mut [u16]) {
    let mut rest = cell as usize;
    for (value, &n) in values.iter_mut().zip(levels).rev() {
        *value = (rest % n) as u16;
        rest /= n;
    }
}
