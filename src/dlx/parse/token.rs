//! The tokens of a line.

use crate::dlx::error::Fault;
use crate::dlx::is_blank;
use crate::problem::Bound;

/// The most digits of a bound, as in DLX3.
const BOUND_DIGITS: usize = 7;

/// Classes of bytes within an option.
pub(super) const BLANK: u8 = 1;
const COLON: u8 = 2;
pub(super) const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if is_blank(byte as u8) {
            class[byte] = BLANK;
        }
        byte += 1;
    }
    class[b':' as usize] = COLON;
    class
};

/// The number in a comment `| (from 12)`, as `dlx-pre` and `reduce` write it.
pub(super) fn origin(comment: &[u8]) -> Option<u64> {
    let text = comment.strip_prefix(b"|")?.trim_ascii();
    let digits = text.strip_prefix(b"(from ")?.strip_suffix(b")")?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

pub(super) fn skip_blanks(line: &[u8], mut at: usize) -> usize {
    while at < line.len() && CLASS[line[at] as usize] == BLANK {
        at += 1;
    }
    at
}

pub(super) fn token_end(line: &[u8], mut at: usize) -> usize {
    while at < line.len() && CLASS[line[at] as usize] != BLANK {
        at += 1;
    }
    at
}

/// The digits that `input` begins with, and what follows.
fn digits(input: &[u8]) -> (&[u8], &[u8]) {
    input.split_at(input.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

/// Reads `high|` or `low:high|` at the start of `token`; also tells its length. As in DLX3, a
/// missing number is 0.
pub(super) fn bound(token: &[u8]) -> Result<(Bound, usize), Fault> {
    let (low, high, rest) = match digits(token) {
        (low, [b':', rest @ ..]) => {
            let (high, rest) = digits(rest);
            (Some(low), high, rest)
        }
        (high, rest) => (None, high, rest),
    };
    let rest = match rest {
        [b'|', rest @ ..] => rest,
        _ if !token.contains(&b'|') => return Err(Fault::LowerWithoutUpper),
        _ => return Err(Fault::BoundDigit),
    };
    let number = |digits: &[u8]| match digits.len() {
        0..=BOUND_DIGITS => Ok(digits.iter().fold(0, |n, &d| n * 10 + u32::from(d - b'0'))),
        _ => Err(Fault::BoundTooLarge),
    };
    let high = number(high)?;
    let low = low.map_or(Ok(high), number)?;
    match (high, low) {
        _ if rest.is_empty() => Err(Fault::BoundWithoutName),
        (0, _) => Err(Fault::UpperZero),
        _ if low > high => Err(Fault::LowerAboveUpper),
        _ => Ok((Bound { low, high }, token.len() - rest.len())),
    }
}

/// Reads a cost: decimal digits and nothing else.
pub(super) fn cost(text: &[u8]) -> Result<u64, Fault> {
    match digits(text) {
        ([_, ..], []) => text
            .iter()
            .try_fold(0u64, |n, &d| n.checked_mul(10)?.checked_add(u64::from(d - b'0')))
            .ok_or(Fault::CostTooLarge),
        _ => Err(Fault::CostDigit),
    }
}
