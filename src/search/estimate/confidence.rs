//! What independent probes, or walks, say together: a mean, and an interval that should have the truth in it.

use crate::large::Large;

/// An estimated number. It is between `low` and `high` with a probability of 95 percent, or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confidence {
    /// The estimate; 0 if there is none.
    pub mean: Large,
    /// The lower end.
    pub low: Large,
    /// The upper end.
    pub high: Large,
    /// Whether one may believe this.
    pub reliable: bool,
}

/// What is known of a number without any sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// So much was counted.
    pub least: Large,
    /// It cannot be more.
    pub most: Large,
}

/// How many standard deviations an interval extends, if they were known. Two would do for 95 percent of all samples
/// that are normal. These are not: what probes miss, they tend to miss together.
const DEVIATIONS: f64 = 4.0;

/// The least standard deviation of a mean, relative to it. Probes that agree exactly may have missed the same.
const LEAST: f64 = 0.005;

/// Markov's inequality: a mean of numbers that are not negative is so many times the truth with a probability of
/// at most one twentieth.
const MARKOV: f64 = 1.0 / 20.0;

impl Confidence {
    /// A number that was counted.
    pub fn exact(number: Large) -> Self {
        Confidence { mean: number, low: number, high: number, reliable: true }
    }

    /// Nothing but what was known before.
    pub(super) fn unknown(limits: Limits) -> Self {
        let Limits { least, most } = limits;
        Confidence { mean: Large::ZERO, low: least, high: most.max(least), reliable: false }
    }

    /// The same number in another unit, which is known up to a factor.
    pub fn times(self, factor: f64, width: f64) -> Self {
        let Confidence { mean, low, high, reliable } = self;
        let (low, high) = (low * (factor / width), high * (factor * width));
        Confidence { mean: mean * factor, low, high, reliable }
    }

    /// From the results of independent probes, each of which is right on average.
    pub(super) fn of(results: &[Large], limits: Limits) -> Self {
        let largest = results.iter().copied().max().unwrap_or_default();
        if results.len() < 2 || largest.is_zero() {
            return Confidence::unknown(limits);
        }
        let count = results.len() as f64;
        // As parts of the largest they are within the range of f64, and what vanishes is not missed.
        let parts: Vec<f64> = results.iter().map(|&result| (result / largest).to_f64()).collect();
        let sum: f64 = parts.iter().sum();
        let mean = sum / count;
        let squares: f64 = parts.iter().map(|part| (part - mean).powi(2)).sum();
        let relative = ((squares / (count - 1.0) / count).sqrt() / mean).max(LEAST);
        // Of the mean's logarithm, if the mean is log-normal.
        let deviation = relative.powi(2).ln_1p().sqrt();
        let width = quantile(count - 1.0) * deviation;
        let mean = largest * mean;
        let (low, high) = (mean * Large::from_ln(-width), mean * Large::from_ln(width));
        // Of few probes each is a large part of the sum.
        let interval = if sum * (2.0 / count).max(0.1) >= 1.0 {
            Confidence { mean, low, high, reliable: high <= low * 4.0 }
        } else {
            let high = high.max(skewed(results));
            Confidence { mean, low: low.min(mean * MARKOV), high, reliable: false }
        };
        interval.within(limits)
    }

    /// With what is known besides. An estimate that is less than what was counted is none to believe.
    pub(super) fn within(self, Limits { least, most }: Limits) -> Self {
        let fits = least <= self.high && self.low <= most;
        let [mean, low, high] =
            [self.mean, self.low, self.high].map(|number| number.min(most).max(least));
        Confidence { mean, low, high, reliable: self.reliable && fits }
    }

    /// What two samples of different kinds say, none of which is to be believed. Either may lack the largest part.
    pub(super) fn or(self, other: Confidence) -> Self {
        Confidence {
            mean: self.mean.max(other.mean),
            low: self.low.max(other.low),
            high: self.high.max(other.high),
            reliable: false,
        }
    }
}

/// Student's distribution in place of the normal one, with so many degrees of freedom: the beginning of its
/// expansion (Abramowitz and Stegun, 26.7.5).
fn quantile(freedom: f64) -> f64 {
    let z = DEVIATIONS;
    let (first, second) =
        ((z.powi(3) + z) / 4.0, (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0);
    z + first / freedom + second / freedom.powi(2)
}

/// The upper end for results that differ by orders of magnitude, so that their mean is that of the largest. We
/// take their logarithms for normal. Then the logarithm of the mean is `mu + s^2 / 2`, of a standard error that is
/// known as well (Zhou and Gao, Statistics in Medicine 16, 1997). A quarter of the second term is added for
/// distributions that have a longer tail than that. Only the upper half is looked at: probes that die out on their
/// way say nothing of the others. Few results say little of their spread, one says nothing.
fn skewed(results: &[Large]) -> Large {
    let mut logarithms: Vec<f64> =
        results.iter().filter(|result| !result.is_zero()).map(|result| result.ln()).collect();
    logarithms.sort_by(f64::total_cmp);
    let upper = &logarithms[logarithms.len() / 2..];
    let (median, count) = (upper[0], upper.len() as f64);
    let square = upper.iter().map(|one| (one - median).powi(2)).sum::<f64>() / count;
    let error = (square * 0.8 / count + square.powi(2) / (2.0 * count)).sqrt();
    match count > 1.0 {
        true => Large::from_ln(median + 0.625 * square + 3.0 * (1.0 + 4.0 / count) * error),
        false => Large::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Limits = Limits { least: Large::ONE, most: Large::ZERO };

    fn of(results: impl IntoIterator<Item = f64>) -> Confidence {
        let results: Vec<Large> = results.into_iter().map(Large::from_ln).collect();
        Confidence::of(&results, Limits { most: Large::from_ln(1e6), ..OPEN })
    }

    #[test]
    fn equal_results_are_not_certain() {
        let Confidence { mean, low, high, reliable } = of([1000.0; 40]);
        assert!((mean.ln() - 1000.0).abs() < 1e-9);
        assert!(reliable && low < mean && mean < high);
    }

    /// Log-normal numbers with logarithms of deviation 1 have the mean e^(1/2); those of deviation 30, e^450.
    #[test]
    fn results_that_differ_by_orders_of_magnitude_have_a_wide_interval() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut normal = || (0..12).map(|_| random.f64()).sum::<f64>() - 6.0;
        for deviation in [1.0, 5.0, 30.0] {
            let mut covered = 0;
            for _ in 0..100 {
                let found = of((0..200).map(|_| 5000.0 + deviation * normal()));
                let truth = Large::from_ln(5000.0 + deviation * deviation / 2.0);
                covered += usize::from(found.low <= truth && truth <= found.high);
                assert!(deviation < 5.0 || !found.reliable);
            }
            assert!(covered >= 95, "{covered}");
        }
    }

    #[test]
    fn what_was_counted_is_not_doubted() {
        let limits = Limits { least: Large::new(1e6), most: Large::new(1e9) };
        let found = Confidence::of(&[Large::ONE; 40], limits);
        assert_eq!((found.mean, found.low, found.reliable), (limits.least, limits.least, false));
        let found = Confidence::of(&[Large::new(1e12); 40], limits);
        assert_eq!((found.mean, found.high, found.reliable), (limits.most, limits.most, false));
        assert_eq!(Confidence::of(&[Large::ZERO; 40], limits), Confidence::unknown(limits));
    }
}
