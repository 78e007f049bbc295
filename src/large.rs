//! Numbers that are not negative and may be far beyond the range of `f64`: sizes of trees.
//!
//! A tree of a few thousand levels has more nodes than the largest `f64`, about 10^308. So the exponent stands
//! apart. As long as a number is within the range of `f64`, sums and products are rounded as those of `f64`.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul};

/// A number `mantissa * 2^exponent`, the mantissa from 1 inclusive to 2 exclusive; or 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Large {
    mantissa: f64,
    /// The least of all if the number is 0, so that numbers are compared by their exponents first.
    exponent: i64,
}

/// What the exponent of an `f64` is stored with.
const BIAS: i64 = 1023;

/// The bits of a mantissa.
const BITS: u32 = 52;

impl Large {
    /// 0.
    pub const ZERO: Large = Large { mantissa: 0.0, exponent: i64::MIN };

    /// 1.
    pub const ONE: Large = Large { mantissa: 1.0, exponent: 0 };

    /// The largest; nothing in this world is as large.
    pub const MAX: Large = Large { mantissa: 1.0, exponent: i64::MAX };

    /// A number in the range of `f64`; 0 in place of what is negative or no number.
    pub fn new(number: f64) -> Self {
        match number > 0.0 {
            true => Large::scaled(number.min(f64::MAX), 0),
            false => Large::ZERO,
        }
    }

    /// The number of which this is the natural logarithm.
    pub fn from_ln(logarithm: f64) -> Self {
        let exponent = (logarithm / std::f64::consts::LN_2).floor();
        let rest = logarithm - exponent * std::f64::consts::LN_2;
        Large::scaled(rest.exp(), exponent as i64)
    }

    /// `number * 2^exponent`, of a number that is positive and finite.
    fn scaled(number: f64, exponent: i64) -> Self {
        // Subnormal numbers have no exponent of their own.
        let (number, exponent) = match number < f64::MIN_POSITIVE {
            true => (number * 2f64.powi(64), exponent.saturating_sub(64)),
            false => (number, exponent),
        };
        let bits = number.to_bits();
        let own = (bits >> BITS) as i64 - BIAS;
        let mantissa = bits & ((1 << BITS) - 1) | (BIAS as u64) << BITS;
        Large { mantissa: f64::from_bits(mantissa), exponent: exponent.saturating_add(own) }
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    /// The nearest `f64`, which is infinite if the number is beyond the range.
    pub fn to_f64(self) -> f64 {
        match self.exponent {
            // In two steps: what is subnormal is rounded once, in the second.
            -1100..-900 => self.mantissa * 2f64.powi(-900) * 2f64.powi(self.exponent as i32 + 900),
            -900..=BIAS => self.mantissa * 2f64.powi(self.exponent as i32),
            ..-900 => 0.0,
            _ => f64::INFINITY,
        }
    }

    /// The natural logarithm; that of 0 is infinite.
    pub fn ln(self) -> f64 {
        match self.is_zero() {
            true => f64::NEG_INFINITY,
            false => self.mantissa.ln() + self.exponent as f64 * std::f64::consts::LN_2,
        }
    }

    /// The decimal logarithm; that of 0 is infinite.
    pub fn log10(self) -> f64 {
        match self.is_zero() {
            true => f64::NEG_INFINITY,
            false => self.mantissa.log10() + self.exponent as f64 * std::f64::consts::LOG10_2,
        }
    }
}

impl Default for Large {
    fn default() -> Self {
        Large::ZERO
    }
}

impl From<f64> for Large {
    fn from(number: f64) -> Self {
        Large::new(number)
    }
}

impl Eq for Large {}

impl Ord for Large {
    fn cmp(&self, other: &Self) -> Ordering {
        self.exponent.cmp(&other.exponent).then(self.mantissa.total_cmp(&other.mantissa))
    }
}

impl PartialOrd for Large {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for Large {
    type Output = Large;

    fn add(self, other: Large) -> Large {
        let (large, small) = if self < other { (other, self) } else { (self, other) };
        match large.exponent.saturating_sub(small.exponent) {
            // The smaller one makes no difference to the last bit.
            apart @ 0..=64 if !small.is_zero() => {
                let sum = large.mantissa + small.mantissa * 2f64.powi(-(apart as i32));
                Large::scaled(sum, large.exponent)
            }
            _ => large,
        }
    }
}

impl AddAssign for Large {
    fn add_assign(&mut self, other: Large) {
        *self = *self + other;
    }
}

impl Mul for Large {
    type Output = Large;

    fn mul(self, other: Large) -> Large {
        if self.is_zero() || other.is_zero() {
            return Large::ZERO;
        }
        let exponent = self.exponent.saturating_add(other.exponent);
        Large::scaled(self.mantissa * other.mantissa, exponent)
    }
}

impl Mul<f64> for Large {
    type Output = Large;

    fn mul(self, other: f64) -> Large {
        self * Large::new(other)
    }
}

impl Div for Large {
    type Output = Large;

    /// By what is not 0.
    fn div(self, other: Large) -> Large {
        assert!(!other.is_zero(), "nobody divides by 0");
        if self.is_zero() {
            return Large::ZERO;
        }
        let exponent = self.exponent.saturating_sub(other.exponent);
        Large::scaled(self.mantissa / other.mantissa, exponent)
    }
}

impl Sum for Large {
    fn sum<I: Iterator<Item = Large>>(numbers: I) -> Large {
        numbers.fold(Large::ZERO, Add::add)
    }
}

/// In three digits, with an exponent if the number is large.
impl fmt::Display for Large {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_f64() {
            0.0 if self.is_zero() => f.write_str("0"),
            number @ 0.001..1.0 => write!(f, "{number:.3}"),
            number @ 1.0..10.0 => write!(f, "{number:.2}"),
            number @ 10.0..100.0 => write!(f, "{number:.1}"),
            number @ 100.0..1e6 => write!(f, "{number:.0}"),
            number @ 1e-300..0.001 => write!(f, "{number:.1e}"),
            number @ 1e6..1e300 => write!(f, "{number:.2e}"),
            _ => {
                let logarithm = self.log10();
                // 9.996 would be written 10.00.
                let digits = (10f64.powf(logarithm - logarithm.floor()) * 100.0).round() / 100.0;
                let (digits, more) = if digits < 10.0 { (digits, 0.0) } else { (1.0, 1.0) };
                write!(f, "{digits:.2}e{:.0}", logarithm.floor() + more)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_the_range_of_f64_it_is_as_f64() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..10_000 {
            let mut number = || (random.f64() * 200.0 - 100.0).exp2() * f64::from(random.u8(0..9));
            let (a, b) = (number(), number());
            let (x, y) = (Large::new(a), Large::new(b));
            assert_eq!((x + y).to_f64(), a + b, "{a} + {b}");
            assert_eq!((x * y).to_f64(), a * b, "{a} * {b}");
            assert_eq!(x.cmp(&y), a.total_cmp(&b), "{a} and {b}");
            if b > 0.0 {
                assert_eq!((x / y).to_f64(), a / b, "{a} / {b}");
                assert!((y.ln() - b.ln()).abs() < 1e-9 && (y.log10() - b.log10()).abs() < 1e-9);
                assert!((Large::from_ln(b.ln()).to_f64() / b - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn there_is_no_largest_number() {
        let power = |base: f64, times: u32| {
            (0..times).fold(Large::ONE, |product, _| product * Large::new(base))
        };
        assert!((power(10.0, 5000).log10() - 5000.0).abs() < 1e-6);
        assert_eq!(power(10.0, 5000).to_f64(), f64::INFINITY);
        assert_eq!(power(0.1, 5000).to_f64(), 0.0);
        assert!(power(10.0, 301) < power(10.0, 302) && power(0.1, 9) < Large::ONE);
        assert_eq!(power(2.0, 2000) + Large::ONE, power(2.0, 2000));
        assert_eq!(power(2.0, 2000) / power(2.0, 1990), Large::new(1024.0));
        assert_eq!(Large::new(5e-324).to_f64(), 5e-324);
    }

    #[test]
    fn it_is_written_in_three_digits() {
        let text = |number: Large| number.to_string();
        let short = |number: f64| text(Large::new(number));
        assert_eq!(
            [0.0, 0.25, 2.0, 25.0, 123_456.0].map(short),
            ["0", "0.250", "2.00", "25.0", "123456"]
        );
        assert_eq!([1e-5, 1_234_567.0, 1e299].map(short), ["1.0e-5", "1.23e6", "1.00e299"]);
        assert_eq!(text(Large::from_ln(5000.0 * 10f64.ln() + 2f64.ln())), "2.00e5000");
        assert_eq!(text(Large::from_ln(400.0 * 10f64.ln() - 1e-6)), "1.00e400");
    }
}
