//! How much of the tree a search has visited, from its choices alone (TAOCP 7.2.2, and `dlx2`'s
//! progress reports).
//!
//! If the search is at the `k`-th of `d` choices on a level, it has done `(k - 1) / d` of the
//! subtree there; and the choices below split one such part again. Half of the last part is added,
//! since we do not know how far in it we are.

use crate::solution::Choices;

/// An estimate of the part of the tree that was visited, between 0 and 1.
pub fn fraction(choices: &dyn Choices) -> f64 {
    let mut done = 0.0;
    let mut part = 1.0;
    for level in 0..choices.levels() {
        let choice = choices.choice(level);
        part /= f64::from(choice.degree);
        done += part * f64::from(choice.rank - 1);
        if part < f64::EPSILON {
            break;
        }
    }
    done + part / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{ItemId, OptionId};
    use crate::solution::Choice;

    #[test]
    fn the_second_of_three_then_the_first_of_two_is_five_twelfths() {
        let choice = |rank, degree| Choice {
            option: Some(OptionId::new(0)),
            item: ItemId::new(0),
            rank,
            degree,
        };
        let choices = vec![choice(2, 3), choice(1, 2)];
        // 1/3 is done, and half of the next 1/6.
        assert!((fraction(&choices) - 5.0 / 12.0).abs() < 1e-12);
    }
}
