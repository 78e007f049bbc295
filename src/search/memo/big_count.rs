//! Counts that are small until they are not.

use num_bigint::BigUint;

/// A number that takes a word as long as it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BigCount {
    /// Fits.
    Small(u64),
    /// Does not fit.
    Big(Box<BigUint>),
}

impl BigCount {
    /// 0.
    pub const ZERO: BigCount = BigCount::Small(0);
    /// 1.
    pub const ONE: BigCount = BigCount::Small(1);

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        *self == BigCount::ZERO
    }

    /// The same as a big number.
    pub fn big(&self) -> BigUint {
        match self {
            BigCount::Small(small) => BigUint::from(*small),
            BigCount::Big(big) => (**big).clone(),
        }
    }

    /// In as few words as it takes.
    pub fn from_big(big: BigUint) -> BigCount {
        match u64::try_from(&big) {
            Ok(small) => BigCount::Small(small),
            Err(_) => BigCount::Big(Box::new(big)),
        }
    }

    /// Sum.
    pub fn plus(&self, other: &BigCount) -> BigCount {
        if let (BigCount::Small(a), BigCount::Small(b)) = (self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            return BigCount::Small(sum);
        }
        BigCount::from_big(self.big() + other.big())
    }

    /// Product.
    pub fn times(&self, other: &BigCount) -> BigCount {
        if let (BigCount::Small(a), BigCount::Small(b)) = (self, other)
            && let Some(product) = a.checked_mul(*b)
        {
            return BigCount::Small(product);
        }
        BigCount::from_big(self.big() * other.big())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_grow_beyond_a_word() {
        let (mut number, mut wanted) = (BigCount::ONE, BigUint::from(1u32));
        for factor in 1..40u64 {
            number = number.times(&BigCount::Small(factor)).plus(&BigCount::Small(u64::MAX));
            wanted = wanted * factor + u64::MAX;
            assert_eq!(number.big(), wanted);
        }
        assert!(number.times(&BigCount::ZERO).is_zero());
        assert_eq!(BigCount::ZERO.plus(&BigCount::ONE), BigCount::ONE);
    }
}
