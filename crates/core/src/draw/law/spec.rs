//! The parameters of laws of numbers.

/// The reason why parameters make no law.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadLaw(pub String);

/// The parameters of a law of one number.
#[derive(Clone, Debug, PartialEq)]
pub enum LawSpec {
    /// The normal law.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation, 0 or more.
        sd: f64,
    },
    /// The law of a number whose logarithm is normal.
    LogNormal {
        /// The mean of the logarithm.
        mu: f64,
        /// The standard deviation of the logarithm, 0 or more.
        sigma: f64,
    },
    /// The beta law.
    Beta {
        /// The first shape, above 0.
        a: f64,
        /// The second shape, above 0.
        b: f64,
    },
    /// The gamma law.
    Gamma {
        /// The shape, above 0.
        shape: f64,
        /// The scale, above 0.
        scale: f64,
    },
    /// Student's law, moved and scaled.
    StudentT {
        /// The degrees of freedom, above 0.
        df: f64,
        /// The centre.
        location: f64,
        /// The factor, above 0.
        scale: f64,
    },
    /// The triangular law.
    Triangular {
        /// The least number.
        low: f64,
        /// The most likely number.
        mode: f64,
        /// The greatest number.
        high: f64,
    },
    /// The uniform law.
    Uniform {
        /// The least number.
        low: f64,
        /// The upper end, exclusive.
        high: f64,
    },
    /// The exponential law.
    Exponential {
        /// The mean, above 0.
        mean: f64,
    },
    /// Poisson's law of counts.
    Poisson {
        /// The mean, above 0 and at most [`MOST_COUNTED`](crate::limits::MOST_COUNTED).
        mean: f64,
    },
    /// Zipf's law of ranks: rank k in proportion to k^-s.
    Zipf {
        /// The last rank, from 1 to [`MOST_COUNTED`](crate::limits::MOST_COUNTED).
        n: u64,
        /// The exponent, 0 or more.
        s: f64,
    },
    /// A mixture of several laws, by weight.
    Mixture(Vec<(f64, LawSpec)>),
}
