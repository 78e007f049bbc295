//! Counts that are small until they are not.

use num_bigint::BigUint;

/// A number that takes a word as long as it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// Fits.
    Small(u64),
    /// Does not fit.
    Big(Box<BigUint>),
}

impl Number {
    /// 0.
    pub const ZERO: Number = Number::Small(0);
    /// 1.
    pub const ONE: Number = Number::Small(1);

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        *self == Number::ZERO
    }

    /// The same as a big number.
    pub fn big(&self) -> BigUint {
        match self {
            Number::Small(small) => BigUint::from(*small),
            Number::Big(big) => (**big).clone(),
        }
    }

    /// In as few words as it takes.
    pub fn from_big(big: BigUint) -> Number {
        match u64::try_from(&big) {
            Ok(small) => Number::Small(small),
            Err(_) => Number::Big(Box::new(big)),
        }
    }

    /// Sum.
    pub fn plus(&self, other: &Number) -> Number {
        if let (Number::Small(a), Number::Small(b)) = (self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            return Number::Small(sum);
        }
        Number::from_big(self.big() + other.big())
    }

    /// Product.
    pub fn times(&self, other: &Number) -> Number {
        if let (Number::Small(a), Number::Small(b)) = (self, other)
            && let Some(product) = a.checked_mul(*b)
        {
            return Number::Small(product);
        }
        Number::from_big(self.big() * other.big())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_grow_beyond_a_word() {
        let (mut number, mut wanted) = (Number::ONE, BigUint::from(1u32));
        for factor in 1..40u64 {
            number = number.times(&Number::Small(factor)).plus(&Number::Small(u64::MAX));
            wanted = wanted * factor + u64::MAX;
            assert_eq!(number.big(), wanted);
        }
        assert!(number.times(&Number::ZERO).is_zero());
        assert_eq!(Number::ZERO.plus(&Number::ONE), Number::ONE);
    }
}
