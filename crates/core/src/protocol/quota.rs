//! Quotas: the fewest and the most members of a committee with a value.

/// The fewest and the most members with a value; min <= max.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The fewest members.
    pub min: u32,
    /// The most members.
    pub max: u32,
}

impl Quota {
    /// The whole numbers on either side of a target share: floor(rho K + 1e-9) and ceil(rho
    /// K - 1e-9), because .14 x 50 is 7.000000000000001 in floating point.
    pub fn around(share: f64, members: u32) -> Self {
        let seats = share * f64::from(members);
        Self {
            min: (seats + 1e-9).floor().max(0.0) as u32,
            max: (seats - 1e-9).ceil().max(0.0) as u32,
        }
    }
}

/// A side of a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The minimum.
    Min,
    /// The maximum.
    Max,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_that_is_a_whole_number_of_seats_leaves_no_room() {
        let around = |share, members| {
            let quota = Quota::around(share, members);
            (quota.min, quota.max)
        };
        assert_eq!(around(0.14, 50), (7, 7));
        assert_eq!(around(0.55, 50), (27, 28));
        assert_eq!(around(0.29, 100), (29, 29)); // 28.999999999999996 in floating point
        assert_eq!(around(0.0, 50), (0, 0));
        assert_eq!(around(1.0, 50), (50, 50));
        assert_eq!(around(0.5, 0), (0, 0));
    }
}
