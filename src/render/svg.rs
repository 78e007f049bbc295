//! Pictures as standalone SVG, in the manner of a printed puzzle book: thin gray grid, black clues,
//! a thick line with round corners.
//!
//! The drawing has a `viewBox`, so that it scales to any size, and a `title` and `desc`, which
//! screen readers read out.

use super::Render;
use crate::picture::{Mark, Picture, Point};
use std::collections::HashSet;
use std::io;

/// SVG, see the module.
#[derive(Clone, Copy, Debug)]
pub struct Svg;

/// Half the side of a cell, in pixels at the natural size.
const UNIT: u32 = 16;

/// White space around the board: room for half a line and a little more.
const MARGIN: u32 = 12;

impl Render for Svg {
    fn name(&self) -> &'static str {
        "svg"
    }

    fn about(&self) -> &'static str {
        "a standalone SVG drawing"
    }

    fn render(&self, picture: &Picture, out: &mut dyn io::Write) -> io::Result<()> {
        let [width, height] = [picture.width, picture.height]
            .map(|extent| u64::from(extent) * u64::from(UNIT) + 2 * u64::from(MARGIN));
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">"
        )?;
        writeln!(out, "<title>{}</title>", escape(&picture.title))?;
        writeln!(out, "<desc>{}</desc>", escape(&picture.description))?;
        writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>")?;
        let marks = &picture.marks;
        fills(marks, out)?;
        path(marks, out, "stroke=\"#999\" stroke-width=\"1\"", |mark| match *mark {
            Mark::Rule(from, to) => Some((from, to)),
            _ => None,
        })?;
        dots(marks, out)?;
        path(marks, out, "stroke=\"#000\" stroke-width=\"4\"", |mark| match *mark {
            Mark::Line(from, to) => Some((from, to)),
            _ => None,
        })?;
        circles(marks, out)?;
        texts(marks, out)?;
        writeln!(out, "</svg>")
    }
}

/// A point in pixels.
fn pixels(at: Point) -> (u64, u64) {
    let [x, y] = [at.col, at.row].map(|value| u64::from(value) * u64::from(UNIT));
    (x + u64::from(MARGIN), y + u64::from(MARGIN))
}

fn fills(marks: &[Mark], out: &mut dyn io::Write) -> io::Result<()> {
    for mark in marks {
        if let Mark::Fill(at) = *mark {
            let (x, y) = pixels(at);
            let (x, y) = (x.saturating_sub(UNIT.into()), y.saturating_sub(UNIT.into()));
            let side = 2 * UNIT;
            writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>")?;
        }
    }
    Ok(())
}

/// All lines of one sort as one path.
fn path(
    marks: &[Mark],
    out: &mut dyn io::Write,
    style: &str,
    line: impl Fn(&Mark) -> Option<(Point, Point)>,
) -> io::Result<()> {
    let mut lines = marks.iter().filter_map(line).peekable();
    if lines.peek().is_none() {
        return Ok(());
    }
    write!(out, "<path fill=\"none\" {style} stroke-linecap=\"round\" d=\"")?;
    for (from, to) in lines {
        let ((x, y), (to_x, to_y)) = (pixels(from), pixels(to));
        write!(out, "M{x} {y}L{to_x} {to_y}")?;
    }
    writeln!(out, "\"/>")
}

fn dots(marks: &[Mark], out: &mut dyn io::Write) -> io::Result<()> {
    for mark in marks {
        if let Mark::Dot(at) = *mark {
            let (x, y) = pixels(at);
            writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2\"/>")?;
        }
    }
    Ok(())
}

fn circles(marks: &[Mark], out: &mut dyn io::Write) -> io::Result<()> {
    for mark in marks {
        if let Mark::Circle { at, filled } = *mark {
            let (x, y) = pixels(at);
            let fill = if filled { "#000" } else { "#fff" };
            writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"10\" fill=\"{fill}\" stroke=\"#000\" \
                 stroke-width=\"2\"/>"
            )?;
        }
    }
    Ok(())
}

fn texts(marks: &[Mark], out: &mut dyn io::Write) -> io::Result<()> {
    let dark: HashSet<Point> = marks
        .iter()
        .filter_map(|mark| if let Mark::Fill(at) = *mark { Some(at) } else { None })
        .collect();
    let mut texts = marks
        .iter()
        .filter_map(|mark| if let Mark::Text(at, text) = mark { Some((*at, text)) } else { None })
        .peekable();
    if texts.peek().is_none() {
        return Ok(());
    }
    // `dy` moves the baseline down by half the height of a digit: not all viewers know
    // `dominant-baseline`.
    writeln!(
        out,
        "<g font-family=\"Helvetica, Arial, sans-serif\" font-size=\"20\" text-anchor=\"middle\">"
    )?;
    for (at, text) in texts {
        let (x, y) = pixels(at);
        let color = if dark.contains(&at) { " fill=\"#fff\"" } else { "" };
        // Long numbers are squeezed into their cell.
        let squeeze = match text.chars().count() {
            0..=2 => "",
            _ => " textLength=\"28\" lengthAdjust=\"spacingAndGlyphs\"",
        };
        let text = escape(text);
        writeln!(out, "<text x=\"{x}\" y=\"{y}\" dy=\".36em\"{color}{squeeze}>{text}</text>")?;
    }
    writeln!(out, "</g>")
}

/// Text as XML character data. Control characters, which XML cannot have, become U+FFFD.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' => escaped.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                escaped.push(char::REPLACEMENT_CHARACTER);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_every_mark_and_escapes_text() {
        let mut picture = Picture::new(1, 1, "<a & \"b\">\u{1}");
        picture.description = "]]>".into();
        picture.rule_cells();
        let middle = Point::new(1, 1);
        picture.marks.extend([
            Mark::Text(middle, "<&123".into()),
            Mark::Fill(middle),
            Mark::Circle { at: middle, filled: false },
            Mark::Dot(Point::new(0, 0)),
            Mark::Line(Point::new(0, 0), Point::new(0, 2)),
        ]);
        let mut svg = Vec::new();
        Svg.render(&picture, &mut svg).unwrap();
        let svg = String::from_utf8(svg).unwrap();
        for part in [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"56\" height=\"56\"",
            "<title>&lt;a &amp; &quot;b&quot;&gt;\u{fffd}</title>",
            "<desc>]]&gt;</desc>",
            "<rect x=\"12\" y=\"12\" width=\"32\" height=\"32\"/>",
            "d=\"M12 12L44 12\"",
            "<circle cx=\"12\" cy=\"12\" r=\"2\"/>",
            "<circle cx=\"28\" cy=\"28\" r=\"10\" fill=\"#fff\"",
            "fill=\"#fff\" textLength=\"28\" lengthAdjust=\"spacingAndGlyphs\">&lt;&amp;123<",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
    }
}
