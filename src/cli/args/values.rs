//! Values of flags: numbers, times, sizes, colors, names of kinds and formats.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::branch::{RULES, Rule};
use crate::import::{EXPORTERS, Exporter, Format, IMPORTERS};
use crate::puzzle;
use crate::solutions::format::{FORMATS, SolutionFormat};
use crate::solutions::jsonl::JSONL;

/// A number that is `least` or more.
pub fn at_least<N: FlagNumber>(least: N) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| *number >= least);
        number.ok_or_else(|| match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true if text.len() > 9 => format!("expected a number from {least} to {}", N::MOST),
            _ => format!("expected a number from {least}"),
        })
    }
}

/// A number from `least` to `most`.
pub fn range<N: FlagNumber>(least: N, most: N) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("expected a number from {least} to {most}"))
    }
}

/// The numbers that flags have.
pub trait FlagNumber: Copy + PartialOrd + Display + FromStr + Send + Sync + 'static {
    /// The largest.
    const MOST: Self;
}

impl FlagNumber for u32 {
    const MOST: u32 = u32::MAX;
}

impl FlagNumber for u64 {
    const MOST: u64 = u64::MAX;
}

impl FlagNumber for usize {
    const MOST: usize = usize::MAX;
}

/// The name of a kind, from any of its aliases.
pub fn kind(name: &str) -> Result<&'static str, String> {
    puzzle::find(name).map(|kind| kind.name()).ok_or_else(|| {
        let guess = puzzle::near(name).map(|near| format!("; did you mean `{near}`?"));
        format!("expected {}{}", puzzle::names(), guess.unwrap_or_default())
    })
}

/// A value with its help, which begins with a capital letter.
fn value(name: &'static str, help: &str) -> PossibleValue {
    let mut chars = help.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    PossibleValue::new(name).help(first.into_iter().chain(chars).collect::<String>())
}

/// The names of all kinds, for completion.
#[cfg(feature = "completions")]
pub fn kinds() -> PossibleValuesParser {
    puzzle::KINDS.iter().map(|kind| PossibleValue::new(kind.name())).collect::<Vec<_>>().into()
}

/// A format that boards are written in, by its name.
pub fn exporter() -> impl TypedValueParser<Value = &'static Exporter> {
    let names = EXPORTERS.iter().map(|one| value(one.name, one.about));
    PossibleValuesParser::new(names).map(|name| {
        EXPORTERS.iter().find(|one| one.name == name).expect("the parser knows these names alone")
    })
}

/// A format that boards are read from, by its name.
pub fn board_format() -> impl TypedValueParser<Value = Format> {
    let names = IMPORTERS.iter().map(|one| value(one.format().name(), one.about()));
    PossibleValuesParser::new(names).map(|name| {
        let importer = IMPORTERS.iter().find(|one| one.format().name() == name);
        importer.expect("the parser knows these names alone").format()
    })
}

/// A branching rule, by its name.
pub fn branching_rule() -> impl TypedValueParser<Value = &'static Rule> {
    let names = RULES.iter().map(|rule| value(rule.name, rule.help));
    PossibleValuesParser::new(names).map(|name| {
        RULES.iter().find(|rule| rule.name == name).expect("the parser knows these names alone")
    })
}

/// A format of solutions, by its name.
pub fn solution_format() -> impl TypedValueParser<Value = &'static SolutionFormat> {
    let names = FORMATS.iter().map(|format| value(format.name, format.help));
    // `estimate` and --stats call it json.
    let names =
        names.map(|name| if name.matches(JSONL.name, false) { name.alias("json") } else { name });
    PossibleValuesParser::new(names).map(|name| match &*name {
        "json" => &JSONL,
        name => SolutionFormat::find(name).expect("the parser knows these names alone"),
    })
}

/// A duration with a unit, or a number of seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = || text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    let parsed = humantime::parse_duration(text).ok().or_else(seconds);
    parsed.ok_or_else(|| "expected a time such as 10s, 500ms, 2m or 1h30m".into())
}

/// A number of bytes, with K, M, G or T for powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = match text[digits.len()..]
        .to_ascii_uppercase()
        .trim_end_matches("IB")
        .trim_end_matches('B')
    {
        "" => Some(0),
        "K" => Some(1),
        "M" => Some(2),
        "G" => Some(3),
        "T" => Some(4),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.zip(power).and_then(|(n, power)| n.checked_mul(1 << (10 * power)));
    bytes.ok_or_else(|| "expected a size such as 500M or 2G".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times_and_sizes() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2.5"), Ok(Duration::from_millis(2500)));
        assert!(duration("-1").is_err() && duration("soon").is_err() && duration("1e400").is_err());
        assert_eq!((size("2G"), size("17"), size("3KiB")), (Ok(2 << 30), Ok(17), Ok(3072)));
        assert!(size("99999999999T").is_err() && size("G").is_err() && size("1X").is_err());
    }
}
