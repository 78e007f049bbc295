//! The random numbers of the Stanford GraphBase: a subtractive generator (TAOCP 3.2.2, (5), and 3.6).
//!
//! The recurrence is `a[n] = (a[n-55] - a[n-24]) mod 2^31`. Numbers are made 55 at a time and handed
//! out from the last to the first.

const LONG_LAG: usize = 55;
const SHORT_LAG: usize = 24;

/// The generator.
#[derive(Clone, Debug)]
pub struct Flip {
    /// The latest 55 numbers of the recurrence, the oldest first.
    values: [u32; LONG_LAG],
    /// How many of them have not been handed out.
    left: usize,
}

/// Difference modulo 2^31.
const fn minus(a: u32, b: u32) -> u32 {
    a.wrapping_sub(b) & 0x7fff_ffff
}

impl Flip {
    /// The sequence that `seed` starts.
    pub fn new(seed: i32) -> Self {
        let start = minus(seed as u32, 0);
        let mut values = [0; LONG_LAG];
        // The places are filled in steps of 21 around the array, the last one first. (Numbered from
        // 1, the places are 55, 21, 42, 8, ...)
        values[LONG_LAG - 1] = start;
        let (mut rotated, mut before, mut next) = (start, start, 1);
        let mut place = 21;
        while place != 0 {
            values[place - 1] = next;
            let difference = minus(before, next);
            // The seed goes around in a circle of 31 bits.
            rotated = (rotated >> 1) | ((rotated & 1) << 30);
            before = next;
            next = minus(difference, rotated);
            place = (place + 21) % LONG_LAG;
        }
        let mut flip = Flip { values, left: 0 };
        for _ in 0..5 {
            flip.cycle();
        }
        // The last number of the fifth cycle is never handed out.
        flip.left -= 1;
        flip
    }

    /// Makes the next 55 numbers.
    fn cycle(&mut self) {
        for n in 0..LONG_LAG {
            let short = (n + LONG_LAG - SHORT_LAG) % LONG_LAG;
            self.values[n] = minus(self.values[n], self.values[short]);
        }
        self.left = LONG_LAG;
    }

    /// 31 random bits.
    pub fn next(&mut self) -> u32 {
        if self.left == 0 {
            self.cycle();
        }
        self.left -= 1;
        self.values[self.left]
    }

    /// A number less than `m`, all of them alike: what is left over at the upper end is thrown away.
    pub fn below(&mut self, m: u32) -> u32 {
        let whole = (1u32 << 31) - (1u32 << 31) % m;
        loop {
            let bits = self.next();
            if bits < whole {
                return bits % m;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two values that the GraphBase's own test expects.
    #[test]
    fn passes_the_test_of_the_graph_base() {
        let mut flip = Flip::new(-314_159);
        assert_eq!(flip.next(), 119_318_998);
        for _ in 0..133 {
            flip.next();
        }
        assert_eq!(flip.below(0x5555_5555), 748_103_812);
    }
}
