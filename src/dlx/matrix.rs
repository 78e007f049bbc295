//! Exact cover problems in other clothes, turned into `.dlx` text: matrices of 0 and 1, and `.ec` files.
//!
//! ```text
//! 1,0,0,1      A,B,C,D       4 3             how many items, how many options
//! 0,1,1,0      1,0,0,1       A B C |D        the bar need not stand alone
//! 0,1,0,0      0,1,1,0       A D
//! ```
//!
//! A row of a matrix is an option, a column an item. Between the numbers are commas, semicolons, tabs or
//! blanks. The first line may have the names of the items, or they are `c1`, `c2`, ...; if its first field
//! is empty, the first column has names of rows, which are left out.
//!
//! Nothing that is a right `.dlx` file is taken for one of these: a right file has a name in its second line
//! that is in its first one.

use crate::diagnostic::Diagnostic;
use crate::dlx::is_blank;
use crate::encoding;
use std::collections::HashSet;

/// What a text may be instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherForm {
    /// A matrix with this byte between its numbers; a blank stands for all blanks.
    Matrix(u8),
    /// A line with the numbers of items and options, then a problem.
    Counted,
}

/// A problem as `.dlx` text, with as many lines as the original or one more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The text.
    pub text: Vec<u8>,
    /// What it was, in a few words.
    pub was: String,
}

/// The lines of a text that are not blank, without blanks at their ends, and their numbers.
fn lines(text: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = encoding::lines(text);
    let lines = lines.map(|(number, line, mark)| (number, line[mark..].trim_ascii_end()));
    lines.filter(|(_, line)| !line.is_empty())
}

/// What a text is whose beginning, whole lines, is `head`; `None` if it may be a `.dlx` file.
pub fn recognize(head: &[u8]) -> Option<OtherForm> {
    let mut lines = lines(head).map(|(_, line)| line);
    let (first, second) = (lines.next()?, lines.next()?);
    if first.trim_ascii_start().starts_with(b"|") {
        return None;
    }
    let counts = numbers(first).filter(|counts| counts.len() <= 3);
    if counts.is_some_and(|counts| counts[0] == names(second).count() as u64) {
        // A cost may follow the bar of an option.
        let primary = second.split(|&byte| byte == b'|').next().unwrap_or_default();
        let known = |name: &[u8]| words(first).any(|count| count == name);
        if names(primary).any(|name| !known(name)) {
            return Some(OtherForm::Counted);
        }
    }
    [b',', b';', b'\t', b' '].into_iter().find(|&by| is_matrix(first, second, by)).map(OtherForm::Matrix)
}

/// The numbers of a line that has nothing else.
fn numbers(line: &[u8]) -> Option<Vec<u64>> {
    let number = |word: &[u8]| {
        let digits = word.iter().all(u8::is_ascii_digit);
        str::from_utf8(word).ok().filter(|_| digits)?.parse().ok()
    };
    words(line).map(number).collect()
}

/// The words between blanks.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty())
}

/// The names between blanks and bars.
fn names(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| is_blank(byte) || byte == b'|').filter(|name| !name.is_empty())
}

/// The fields of a line, without blanks and quotes around them. Several blanks are one.
fn split(line: &[u8], by: u8) -> impl Iterator<Item = &[u8]> {
    let parts = line.split(move |&byte| if by == b' ' { is_blank(byte) } else { byte == by });
    let fields = parts.map(|field| field.trim_ascii());
    fields.filter(move |field| by != b' ' || !field.is_empty()).map(|field| {
        field.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(field)
    })
}

fn is_bits(fields: &[&[u8]]) -> bool {
    fields.iter().all(|field| matches!(field, [b'0' | b'1']))
}

/// Whether the second line is a row of numbers, and the first one, too, or names.
fn is_matrix(first: &[u8], second: &[u8], by: u8) -> bool {
    let (head, row): (Vec<&[u8]>, Vec<&[u8]>) =
        (split(first, by).collect(), split(second, by).collect());
    let bar = first.contains(&b'|') || second.contains(&b'|');
    if bar || is_problem(first, second) {
        return false;
    }
    let labels = usize::from(has_labels(&head));
    head.len() == row.len()
        && head.len() >= 2 + labels
        && is_bits(&row[labels..])
        && (is_bits(&head) || by != b' ' && !head[labels..].iter().any(|name| name.is_empty()))
}

/// Whether a line of names and an option may be these two: names differ, and the option has some of them.
fn is_problem(first: &[u8], second: &[u8]) -> bool {
    let mut names = HashSet::new();
    let mut used = HashSet::new();
    words(first).all(|name| names.insert(name))
        && words(second).all(|name| names.contains(name) && used.insert(name))
}

/// Whether the first column has the names of rows.
fn has_labels(head: &[&[u8]]) -> bool {
    head.first().is_some_and(|field| field.is_empty())
}

/// The `.dlx` text of such a text.
pub fn translate(form: OtherForm, text: &[u8]) -> Result<Translated, Diagnostic> {
    match form {
        OtherForm::Matrix(by) => matrix(text, by),
        OtherForm::Counted => counted(text),
    }
}

fn matrix(text: &[u8], by: u8) -> Result<Translated, Diagnostic> {
    let mut out = Vec::new();
    let mut names: Vec<Vec<u8>> = Vec::new();
    let (mut labels, mut rows, mut zero) = (0, 0u64, 0u64);
    for (number, line) in lines(text) {
        let fields: Vec<&[u8]> = split(line, by).collect();
        if names.is_empty() {
            labels = usize::from(has_labels(&fields));
            let bits = is_bits(&fields);
            names = match bits {
                true => (1..=fields.len()).map(|n| format!("c{n}").into_bytes()).collect(),
                false => fields[labels..].iter().map(|name| named(name)).collect(),
            };
            out.extend_from_slice(&names.join(&b' '));
            out.push(b'\n');
            if !bits {
                continue;
            }
        }
        let row = fields.get(labels..).unwrap_or_default();
        let wrong = row.iter().position(|field| !matches!(field, [b'0' | b'1']));
        if let Some(at) = wrong {
            let start = row[at].as_ptr() as usize - line.as_ptr() as usize;
            let shown = String::from_utf8_lossy(&row[at][..row[at].len().min(40)]);
            let what = format!("`{}` in a matrix of 0 and 1", shown.escape_debug());
            let fault = Diagnostic::new(number, line, start..start + row[at].len(), what);
            return Err(fault.expected("0 or 1"));
        }
        if row.len() != names.len() {
            let what = format!("a row of {} numbers, the first has {}", row.len(), names.len());
            let fault = Diagnostic::new(number, line, line.len()..line.len(), what);
            return Err(fault.expected("rows of equal length"));
        }
        rows += 1;
        let option: Vec<&[u8]> = row
            .iter()
            .zip(&names)
            .filter(|(bit, _)| ***bit == *b"1")
            .map(|(_, name)| &name[..])
            .collect();
        if option.is_empty() {
            zero += 1;
            continue;
        }
        out.extend_from_slice(&option.join(&b' '));
        out.push(b'\n');
    }
    let mut was = format!("a 0/1 matrix of {rows} rows and {} columns", names.len());
    if zero > 0 {
        was += &format!("; {zero} of the rows are zero, and no options");
    }
    Ok(Translated { text: out, was })
}

/// A name as a `.dlx` file may have it.
fn named(field: &[u8]) -> Vec<u8> {
    let legal = |&byte: &u8| if is_blank(byte) || b":|".contains(&byte) { b'_' } else { byte };
    field.iter().map(legal).collect()
}

fn counted(text: &[u8]) -> Result<Translated, Diagnostic> {
    let mut out = Vec::new();
    let mut counts: Option<Vec<u64>> = None;
    let mut items = None;
    let mut options = 0u64;
    let mut last = (1, &b""[..]);
    // The lines keep their numbers, for messages.
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    for (number, whole, mark) in encoding::lines(text) {
        let line = &whole[mark..];
        if line.trim_ascii().is_empty() {
            out.push(b'\n');
            continue;
        }
        last = (number, line);
        if counts.is_none() {
            counts = numbers(line);
            out.extend_from_slice(b"| ");
            out.extend_from_slice(line);
        } else if items.is_none() {
            items = Some(names(line).count());
            for &byte in line {
                match byte {
                    b'|' => out.extend_from_slice(b" | "),
                    byte => out.push(byte),
                }
            }
        } else {
            options += 1;
            out.extend_from_slice(line);
        }
        out.push(b'\n');
    }
    let items = items.unwrap_or(0);
    let announced = counts.as_deref().and_then(|counts| counts.get(1)).copied();
    if let Some(announced) = announced.filter(|&announced| announced != options) {
        let (number, line) = last;
        let what = format!("{options} options, the first line says {announced}");
        let end = line.trim_ascii_end().len();
        return Err(Diagnostic::new(number, line, end..end, what).expected("as many options"));
    }
    let was = format!("a file .ec of {items} items and {options} options");
    Ok(Translated { text: out, was })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlx::parse;

    fn read(text: &str) -> Option<Result<String, String>> {
        let form = recognize(text.as_bytes())?;
        Some(match translate(form, text.as_bytes()) {
            Ok(translated) => Ok(String::from_utf8(translated.text).unwrap()),
            Err(e) => Err(format!("{}:{}: {}", e.line, e.column, e.what)),
        })
    }

    // The first example of Knuth's section on exact covering.
    const EXAMPLE: &str =
        "c1 c2 c3 c4 c5 c6 c7\nc3 c5\nc1 c4 c7\nc2 c3 c6\nc1 c4 c6\nc2 c7\nc4 c5 c7\n";
    const ROWS: [&str; 6] = [
        "0 0 1 0 1 0 0",
        "1 0 0 1 0 0 1",
        "0 1 1 0 0 1 0",
        "1 0 0 1 0 1 0",
        "0 1 0 0 0 0 1",
        "0 0 0 1 1 0 1",
    ];

    #[test]
    fn reads_matrices() {
        let text = ROWS.join("\n") + "\n";
        for by in [",", ";", "\t", " ", ", ", "  "] {
            let text = text.replace(' ', by);
            assert_eq!(read(&text), Some(Ok(EXAMPLE.into())), "{text}");
            assert_eq!(read(&text.replace('\n', "\r\n")), Some(Ok(EXAMPLE.into())), "{text}");
        }
        let rows = text.replace(' ', ",");
        let named = format!("A,B,C,\"D\",E,F,G G\n{rows}");
        let letters = |text: &str| {
            let names = ["A", "B", "C", "D", "E", "F", "G_G"];
            (0..7).fold(text.to_owned(), |text, n| text.replace(&format!("c{}", n + 1), names[n]))
        };
        assert_eq!(read(&named), Some(Ok(letters(EXAMPLE))));
        // As pandas writes it: names of rows, numbers of columns.
        let labeled: String = ROWS
            .iter()
            .zip(0..)
            .map(|(row, n)| format!("{n},{}\n", row.replace(' ', ",")))
            .collect();
        let labeled = format!(",0,1,2,3,4,5,6\n{labeled}");
        assert_eq!(read(&labeled.replace(',', "\t")), read(&labeled));
        let numbered = (1..8).fold(EXAMPLE.to_owned(), |text, n| {
            text.replace(&format!("c{n}"), &(n - 1).to_string())
        });
        assert_eq!(read(&labeled), Some(Ok(numbered)));
        assert_eq!(read("1,0\n0,0\n0,1\n"), Some(Ok("c1 c2\nc1\nc2\n".into())));
    }

    // The first is a file of those who use this format.
    #[test]
    fn reads_counted_problems() {
        let small = "4 13\nx0 x1 x2 x3\nx0\nx1\nx2\nx3\nx0 x1\nx0 x2\nx0 x3\nx1 x2\nx1 x3\nx2 x3\nx0 x1 x2\nx0 x1 x3\nx1 x2 x3\n";
        assert_eq!(read(small), Some(Ok(format!("| {small}"))));
        for bar in [" | ", "| ", " |", "|"] {
            let text = format!("3 2\nA B{bar}C\nA C\nB C\n");
            let dlx = read(&text).unwrap().unwrap();
            let problem = parse::read(dlx.as_bytes()).unwrap().problem;
            assert_eq!(
                (problem.primary(), problem.items(), problem.options()),
                (2, 3, 2),
                "{text}"
            );
        }
        assert_eq!(
            read("2 2\nA B\nA\n"),
            Some(Err("3:2: 1 options, the first line says 2".into()))
        );
    }

    /// A right file is not recognized, and what is recognized becomes one or is refused.
    fn check_random(text: &[u8]) -> bool {
        let Some(form) = recognize(text) else { return false };
        let shown = String::from_utf8_lossy(text);
        assert!(parse::read(text).is_err(), "{shown}");
        let _ = translate(form, text);
        true
    }

    #[test]
    fn whatever_is_recognized_is_no_right_file() {
        let words = [
            "0", "1", "0", "1", "2", "3", "A", "|", "|A", "A|", ",", "0,1", "1,0", ";", "\t", ":1",
            "\"1\"",
        ];
        let mut random = fastrand::Rng::with_seed(26);
        let mut recognized = 0;
        for _ in 0..200_000 {
            let mut text = String::new();
            for _ in 0..random.usize(1..12) {
                text += random.choice(words).unwrap();
                text += random.choice([" ", " ", "\n", "\n", ","]).unwrap();
            }
            recognized += u32::from(check_random(text.as_bytes()));
        }
        assert!(recognized > 1000, "only {recognized}");
    }

    #[test]
    fn leaves_problems_alone() {
        for text in [
            "A B C\nA B\nC\n",
            "0 1\n0\n1\n",
            "0 1\n1 0\n",
            "2 1\n2 1\n",
            "1\n1\n",
            "1,0\n1,0\n",
            "| 1,0\n",
            "1,0 0,1\n1,0\n0,1\n",
            "2 7\nA B\n",
            "00 01\n00 01\n",
            "a\tb\na\n",
            "0 1 2\n0 1 2\n",
            "",
            "1,0\n",
            "A,B\nA,B\n",
            "00 01 10 | 11\n00 01\n",
            "0\t1\n1\t0\n",
            "2\n| a b\n2\n",
            "3 4 5\n3 4 |7\n5\n",
            "| a,b\n0,1\n0,1\n",
            "2 3\n2 3 |1\n",
            "1 2\n1\n2\n",
        ] {
            // Those that are recognized are no right files.
            check_random(text.as_bytes());
        }
        assert_eq!(recognize(b"2 7\nA B\nA\n"), Some(OtherForm::Counted));
    }

    #[test]
    fn says_what_is_wrong_with_a_matrix() {
        for (text, complaint) in [
            ("1,0\n0,1\n1\n", "3:2: a row of 1 numbers, the first has 2"),
            ("1,0\n0,1\n0,7\n", "3:3: `7` in a matrix of 0 and 1"),
            ("A,B\n0,1\n1, \n", "3:3: `` in a matrix of 0 and 1"),
        ] {
            assert_eq!(read(text), Some(Err(complaint.into())), "{text}");
        }
    }
}
