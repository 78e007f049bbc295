//! Pictures as standalone SVG.
//!
//! The drawing has a `viewBox`, so that it scales to any size, and a `title` and `desc`, which
//! screen readers read out.

use super::scene::{Paint, ScenePart, Scene, Shape};
use super::{Panel, Render};
use crate::picture::Picture;
use std::fmt::Write as _;
use std::io;

/// SVG, see the module.
#[derive(Clone, Copy, Debug)]
pub struct Svg;

impl Render for Svg {
    fn name(&self) -> &'static str {
        "svg"
    }

    fn about(&self) -> &'static str {
        "a standalone SVG drawing"
    }

    fn render(&self, picture: &Picture, out: &mut dyn io::Write) -> io::Result<()> {
        write(&Scene::of(picture), out)
    }

    fn sheet(&self, title: &str, panels: &[Panel], out: &mut dyn io::Write) -> io::Result<()> {
        write(&Scene::sheet(title, panels), out)
    }
}

fn write(scene: &Scene, out: &mut dyn io::Write) -> io::Result<()> {
    let Scene { width, height, title, description, parts } = scene;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"Helvetica, Arial, sans-serif\" text-anchor=\"middle\">"
    )?;
    writeln!(out, "<title>{}</title>", escape(title))?;
    writeln!(out, "<desc>{}</desc>", escape(description))?;
    writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>")?;
    for ScenePart { at: [x, y], words, shapes } in parts {
        let moved = (*x, *y) != (0, 0) || words.is_some();
        if moved {
            writeln!(out, "<g transform=\"translate({x} {y})\">")?;
        }
        if let Some((title, description)) = words {
            writeln!(out, "<title>{}</title>", escape(title))?;
            writeln!(out, "<desc>{}</desc>", escape(description))?;
        }
        for shape in shapes {
            writeln!(out, "{}", element(shape))?;
        }
        if moved {
            writeln!(out, "</g>")?;
        }
    }
    writeln!(out, "</svg>")
}

/// A shape as an element.
fn element(shape: &Shape) -> String {
    match shape {
        Shape::Rectangle { at: [x, y, width, height], fill } => {
            let fill = attribute("fill", *fill);
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{fill}/>")
        }
        Shape::Lines { lines, width, paint, dotted } => {
            let mut path = String::new();
            for [x, y, to_x, to_y] in lines {
                let _ = write!(path, "M{x} {y}L{to_x} {to_y}");
            }
            // Dashes of no length with round ends are dots.
            let dashes = if *dotted { " stroke-dasharray=\"0 6.4\"" } else { "" };
            format!(
                "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"{dashes} \
                 stroke-linecap=\"round\" d=\"{path}\"/>",
                color(*paint)
            )
        }
        Shape::Disc { at: [x, y, radius], fill, outline } => {
            let fill = attribute("fill", *fill);
            let stroke = match outline {
                0 => String::new(),
                width => format!(" stroke=\"#000\" stroke-width=\"{width}\""),
            };
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{fill}{stroke}/>")
        }
        Shape::Text { at: [x, y], size, room, paint, text } => {
            let fill = attribute("fill", *paint);
            // A digit is somewhat more than half as wide as high.
            let squeeze = match text.chars().count() as u64 * size * 3 / 5 > *room {
                true => format!(" textLength=\"{room}\" lengthAdjust=\"spacingAndGlyphs\""),
                false => String::new(),
            };
            // `dy` moves the baseline down by half the height of a digit: not all viewers know
            // `dominant-baseline`.
            format!(
                "<text x=\"{x}\" y=\"{y}\" dy=\".36em\" font-size=\"{size}\"{fill}{squeeze}>{}</text>",
                escape(text)
            )
        }
    }
}

/// A color as `#rrggbb`, or shorter.
fn color([red, green, blue]: Paint) -> String {
    if [red, green, blue].iter().all(|part| part % 17 == 0) {
        format!("#{:x}{:x}{:x}", red / 17, green / 17, blue / 17)
    } else {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The attribute with a color; black needs none.
fn attribute(name: &str, paint: Paint) -> String {
    if paint == [0; 3] { String::new() } else { format!(" {name}=\"{}\"", color(paint)) }
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
    use crate::picture::{Mark, Point};

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
            Mark::Dotted(Point::new(0, 0), Point::new(2, 0)),
            Mark::Cross(Point::new(2, 1)),
            Mark::Halo(Point::new(0, 1)),
            Mark::Shade(middle),
        ]);
        let mut svg = Vec::new();
        Svg.render(&picture, &mut svg).unwrap();
        let svg = String::from_utf8(svg).unwrap();
        for part in [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"56\" height=\"56\"",
            "role=\"img\"",
            "<title>&lt;a &amp; &quot;b&quot;&gt;\u{fffd}</title>",
            "<desc>]]&gt;</desc>",
            "<rect x=\"12\" y=\"12\" width=\"32\" height=\"32\"/>",
            "<rect x=\"12\" y=\"12\" width=\"32\" height=\"32\" fill=\"#ddd\"/>",
            "d=\"M12 12L44 12\"",
            "stroke-dasharray=\"0 6.4\" stroke-linecap=\"round\" d=\"M12 12L12 44\"",
            "d=\"M25 41L31 47M25 47L31 41\"",
            "<circle cx=\"28\" cy=\"12\" r=\"8\" fill=\"#ffe080\"/>",
            "<circle cx=\"12\" cy=\"12\" r=\"2\"/>",
            "<circle cx=\"28\" cy=\"28\" r=\"10\" fill=\"#fff\"",
            "fill=\"#fff\" textLength=\"28\" lengthAdjust=\"spacingAndGlyphs\">&lt;&amp;123<",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
    }

    #[test]
    fn a_sheet_has_a_panel_for_each_picture() {
        let panel = |caption: &str| Panel {
            caption: caption.into(),
            picture: Picture::new(1, 2, format!("board {caption}")),
        };
        let panels: Vec<Panel> = ["1", "2", "3"].map(panel).into();
        let mut svg = Vec::new();
        Svg.sheet("three", &panels, &mut svg).unwrap();
        let svg = String::from_utf8(svg).unwrap();
        // A board is 88 x 56, and a caption is 24 above it: two in a row.
        for part in [
            "width=\"184\" height=\"168\"",
            "<title>three</title>",
            "<desc>3 boards in rows of 2.</desc>",
            "<g transform=\"translate(0 88)\">",
            "<title>board 3</title>",
            ">3</text>",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    }
}
