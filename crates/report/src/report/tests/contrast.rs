//! The contrast of colours, which tests check.

/// Red, green and blue as linear light, 0 to 1.
pub(in crate::report) type Colour = [f64; 3];

/// Linear light of `#rrggbb`.
pub(in crate::report) fn light_of(hex: &str) -> Colour {
    [1, 3, 5].map(|i| {
        let channel = f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap()) / 255.0;
        if channel <= 0.04045 {
            channel / 12.92
        } else {
            libm::pow((channel + 0.055) / 1.055, 2.4)
        }
    })
}

/// The contrast ratio of WCAG 2.2: from 1 to 21.
pub(in crate::report) fn contrast(a: &str, b: &str) -> f64 {
    let luminance = |hex| {
        let [r, g, b] = light_of(hex);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn the_measure_of_contrast_is_right() {
    assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
    assert!((contrast("#777777", "#ffffff") - 4.478).abs() < 1e-3);
}
