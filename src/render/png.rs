//! Pictures as PNG, painted with tiny-skia at twice the natural size.
//!
//! Text is drawn with strokes of our own, so that no font has to be found and a picture is the same
//! everywhere. There are the digits, the letters of English and the question mark, which boards have;
//! a text with any other character is left out.

use super::scene::{Paint, ScenePart, Scene, Shape};
use super::{Panel, Render};
use crate::picture::Picture;
use std::io;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint as Ink, PathBuilder, Pixmap, Rect, Stroke,
    StrokeDash, Transform,
};

/// PNG, see the module.
#[derive(Clone, Copy, Debug)]
pub struct Png;

/// Pixels for each one of the natural size, and where that would be too many.
const SCALES: [u64; 2] = [2, 1];

/// The most pixels of a picture; four bytes each.
const MOST_PIXELS: u64 = 1 << 26;

impl Render for Png {
    fn name(&self) -> &'static str {
        "png"
    }

    fn about(&self) -> &'static str {
        "a PNG image"
    }

    fn render(&self, picture: &Picture, out: &mut dyn io::Write) -> io::Result<()> {
        write(&Scene::of(picture), out)
    }

    fn sheet(&self, title: &str, panels: &[Panel], out: &mut dyn io::Write) -> io::Result<()> {
        write(&Scene::sheet(title, panels), out)
    }
}

fn write(scene: &Scene, out: &mut dyn io::Write) -> io::Result<()> {
    let pixels = |scale: u64| (scene.width * scale).checked_mul(scene.height * scale);
    let scale = SCALES.into_iter().find(|&scale| pixels(scale).is_some_and(|n| n <= MOST_PIXELS));
    let canvas = scale.and_then(|scale| {
        let side = |length: u64| u32::try_from(length * scale).ok();
        Some((scale, Pixmap::new(side(scene.width)?, side(scene.height)?)?))
    });
    let Some((scale, mut canvas)) = canvas else {
        let what = "the picture has too many pixels for PNG; SVG has no such limit";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    };
    canvas.fill(Color::WHITE);
    for ScenePart { at: [x, y], shapes, .. } in &scene.parts {
        let place =
            Transform::from_scale(scale as f32, scale as f32).pre_translate(*x as f32, *y as f32);
        for shape in shapes {
            paint(shape, place, &mut canvas);
        }
    }
    let bytes = canvas.encode_png().map_err(io::Error::other)?;
    out.write_all(&bytes)
}

fn ink([red, green, blue]: Paint) -> Ink<'static> {
    let mut ink = Ink::default();
    ink.set_color_rgba8(red, green, blue, 255);
    ink.anti_alias = true;
    ink
}

fn stroke(width: f32) -> Stroke {
    Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() }
}

fn paint(shape: &Shape, place: Transform, canvas: &mut Pixmap) {
    match shape {
        Shape::Rectangle { at, fill } => {
            let [x, y, width, height] = at.map(|value| value as f32);
            if let Some(rectangle) = Rect::from_xywh(x, y, width, height) {
                canvas.fill_rect(rectangle, &ink(*fill), place, None);
            }
        }
        Shape::Lines { lines, width, paint, dotted } => {
            let mut path = PathBuilder::new();
            for line in lines {
                let [x, y, to_x, to_y] = line.map(|value| value as f32);
                path.move_to(x, y);
                path.line_to(to_x, to_y);
            }
            let mut stroke = stroke(*width as f32);
            if *dotted {
                stroke.dash = StrokeDash::new(vec![0.01, 6.39], 0.0);
            }
            if let Some(path) = path.finish() {
                canvas.stroke_path(&path, &ink(*paint), &stroke, place, None);
            }
        }
        Shape::Disc { at, fill, outline } => {
            let [x, y, radius] = at.map(|value| value as f32);
            if let Some(path) = PathBuilder::from_circle(x, y, radius) {
                canvas.fill_path(&path, &ink(*fill), FillRule::Winding, place, None);
                if *outline > 0 {
                    let stroke = stroke(*outline as f32);
                    canvas.stroke_path(&path, &ink([0; 3]), &stroke, place, None);
                }
            }
        }
        Shape::Text { at, size, room, paint, text } => {
            letters(text, *at, *size, *room, ink(*paint), place, canvas);
        }
    }
}

/// The box of a glyph, and how far the next one is.
const BOX: [f32; 2] = [6.0, 10.0];
const ADVANCE: f32 = 8.4;

/// What the glyphs are made of: `M` begins a stroke, `L` goes straight, `Q` in a curve by one control
/// point. `9` is `6` upside down.
const GLYPHS: [(char, &str); 63] = [
    ('0', "M3 0 Q6 0 6 3 L6 7 Q6 10 3 10 Q0 10 0 7 L0 3 Q0 0 3 0"),
    ('1', "M1 2 L3.5 0 L3.5 10"),
    ('2', "M0.2 2.6 Q0.2 0 3 0 Q5.8 0 5.8 2.7 Q5.8 4.5 4 6.2 L0 10 L6 10"),
    (
        '3',
        "M0.2 1.6 Q1 0 3 0 Q5.7 0 5.7 2.4 Q5.7 4.6 2.6 4.6 Q6 4.7 6 7.3 Q6 10 3 10 Q0.8 10 0 8.2",
    ),
    ('4', "M4.5 10 L4.5 0 L0 7 L6 7"),
    ('5', "M5.5 0 L1 0 L0.5 4.5 Q1.5 3.7 3 3.7 Q6 3.7 6 6.8 Q6 10 3 10 Q1 10 0 8.4"),
    ('6', "M5.4 1.2 Q4.6 0 3.3 0 Q0 0 0 5.5 L0 6.8 Q0 10 3 10 Q6 10 6 7 Q6 4 3.2 4 Q0.7 4 0 6.6"),
    ('7', "M0 0 L6 0 L2.2 10"),
    (
        '8',
        "M3 4.6 Q0.4 4.4 0.4 2.4 Q0.4 0 3 0 Q5.6 0 5.6 2.4 Q5.6 4.4 3 4.6 Q0 4.9 0 7.4 Q0 10 3 10 Q6 10 6 7.4 Q6 4.9 3 4.6",
    ),
    (' ', ""),
    (
        'a',
        "M5.5 3.5 L5.5 10 M5.5 5.6 Q4.8 3.3 2.9 3.3 Q0.3 3.3 0.3 6.7 Q0.3 10 2.9 10 Q4.8 10 5.5 7.8",
    ),
    ('e', "M0.4 6.4 L5.6 6.4 Q5.5 3.3 3 3.3 Q0.3 3.3 0.3 6.7 Q0.3 10 3 10 Q4.4 10 5.3 8.8"),
    ('h', "M0.6 0 L0.6 10 M0.6 6 Q1 3.3 3.2 3.3 Q5.4 3.3 5.4 6 L5.4 10"),
    ('i', "M3 3.5 L3 10 M3 0.9 L3 1"),
    ('l', "M3 0 L3 10"),
    ('n', "M0.6 3.5 L0.6 10 M0.6 6 Q1 3.3 3.2 3.3 Q5.4 3.3 5.4 6 L5.4 10"),
    ('o', "M3 3.3 Q5.7 3.3 5.7 6.7 Q5.7 10 3 10 Q0.3 10 0.3 6.7 Q0.3 3.3 3 3.3"),
    ('r', "M1.4 3.5 L1.4 10 M1.4 6 Q2 3.3 5 3.4"),
    (
        's',
        "M5.2 4.4 Q4.4 3.3 2.9 3.3 Q0.6 3.3 0.6 5 Q0.6 6.5 3 6.6 Q5.5 6.8 5.5 8.3 Q5.5 10 3 10 Q1.2 10 0.4 8.8",
    ),
    ('t', "M2.4 1 L2.4 8.4 Q2.4 10 4 10 L4.8 10 M0.6 3.5 L4.8 3.5"),
    ('u', "M0.6 3.5 L0.6 7.3 Q0.6 10 2.8 10 Q5 10 5.4 7.3 M5.4 3.5 L5.4 10"),
    (
        'b',
        "M0.6 0 L0.6 10 M0.6 5.6 Q1.3 3.3 3.2 3.3 Q5.7 3.3 5.7 6.7 Q5.7 10 3.2 10 Q1.3 10 0.6 7.8",
    ),
    ('c', "M5.4 4.6 Q4.6 3.3 3.1 3.3 Q0.4 3.3 0.4 6.7 Q0.4 10 3.1 10 Q4.6 10 5.4 8.7"),
    (
        'd',
        "M5.5 0 L5.5 10 M5.5 5.6 Q4.8 3.3 2.9 3.3 Q0.3 3.3 0.3 6.7 Q0.3 10 2.9 10 Q4.8 10 5.5 7.8",
    ),
    ('f', "M5 0.4 Q2.4 -0.4 2.4 2.4 L2.4 10 M0.6 3.8 L4.6 3.8"),
    (
        'g',
        "M5.5 3.5 L5.5 10 Q5.5 12.6 3 12.6 Q1.2 12.6 0.6 11.6 M5.5 5.6 Q4.8 3.3 2.9 3.3 Q0.3 3.3 0.3 6.7 Q0.3 10 2.9 10 Q4.8 10 5.5 7.8",
    ),
    ('j', "M3.6 3.5 L3.6 10.4 Q3.6 12.6 1.2 12.4 M3.6 0.9 L3.6 1"),
    ('k', "M0.8 0 L0.8 10 M5.2 3.5 L0.8 7.2 M2.4 5.9 L5.4 10"),
    (
        'm',
        "M0 3.5 L0 10 M0 5.6 Q0.4 3.3 1.7 3.3 Q3 3.3 3 5.6 L3 10 M3 5.6 Q3.4 3.3 4.7 3.3 Q6 3.3 6 5.6 L6 10",
    ),
    (
        'p',
        "M0.6 3.5 L0.6 12.6 M0.6 5.6 Q1.3 3.3 3.2 3.3 Q5.7 3.3 5.7 6.7 Q5.7 10 3.2 10 Q1.3 10 0.6 7.8",
    ),
    (
        'q',
        "M5.5 3.5 L5.5 12.6 M5.5 5.6 Q4.8 3.3 2.9 3.3 Q0.3 3.3 0.3 6.7 Q0.3 10 2.9 10 Q4.8 10 5.5 7.8",
    ),
    ('v', "M0.4 3.5 L3 10 L5.6 3.5"),
    ('w', "M0 3.5 L1.5 10 L3 4.5 L4.5 10 L6 3.5"),
    ('x', "M0.6 3.5 L5.4 10 M5.4 3.5 L0.6 10"),
    ('y', "M0.4 3.5 L3.1 9.8 M5.6 3.5 L2.6 11 Q2 12.6 0.6 12.4"),
    ('z', "M0.7 3.5 L5.3 3.5 L0.7 10 L5.3 10"),
    ('A', "M0 10 L3 0 L6 10 M1 6.6 L5 6.6"),
    (
        'B',
        "M0.4 0 L0.4 10 L3.4 10 Q6 10 6 7.3 Q6 4.7 3.4 4.7 L0.4 4.7 M0.4 0 L3 0 Q5.4 0 5.4 2.3 Q5.4 4.7 3 4.7",
    ),
    ('C', "M5.8 1.8 Q4.9 0 3.2 0 Q0 0 0 5 Q0 10 3.2 10 Q4.9 10 5.8 8.2"),
    ('D', "M0.4 0 L0.4 10 L2.6 10 Q6 10 6 5 Q6 0 2.6 0 L0.4 0"),
    ('E', "M5.6 0 L0.6 0 L0.6 10 L5.6 10 M0.6 4.8 L4.8 4.8"),
    ('F', "M5.6 0 L0.6 0 L0.6 10 M0.6 4.8 L4.8 4.8"),
    ('G', "M5.7 1.8 Q4.9 0 3.2 0 Q0 0 0 5 Q0 10 3.2 10 Q5 10 5.9 8.4 L5.9 5.4 L3.6 5.4"),
    ('H', "M0.4 0 L0.4 10 M5.6 0 L5.6 10 M0.4 4.8 L5.6 4.8"),
    ('I', "M3 0 L3 10 M1.4 0 L4.6 0 M1.4 10 L4.6 10"),
    ('J', "M4.8 0 L4.8 7.4 Q4.8 10 2.6 10 Q0.6 10 0.4 7.8"),
    ('K', "M0.6 0 L0.6 10 M5.6 0 L0.6 6 M2.4 4 L5.8 10"),
    ('L', "M0.8 0 L0.8 10 L5.6 10"),
    ('M', "M0 10 L0 0 L3 6 L6 0 L6 10"),
    ('N', "M0.4 10 L0.4 0 L5.6 10 L5.6 0"),
    ('O', "M3 0 Q6 0 6 5 Q6 10 3 10 Q0 10 0 5 Q0 0 3 0"),
    ('P', "M0.6 10 L0.6 0 L3.2 0 Q5.8 0 5.8 2.7 Q5.8 5.4 3.2 5.4 L0.6 5.4"),
    ('Q', "M3 0 Q6 0 6 5 Q6 10 3 10 Q0 10 0 5 Q0 0 3 0 M3.8 7.4 L6 10.4"),
    ('R', "M0.6 10 L0.6 0 L3.2 0 Q5.8 0 5.8 2.6 Q5.8 5.2 3.2 5.2 L0.6 5.2 M3.2 5.2 L6 10"),
    (
        'S',
        "M5.6 1.8 Q4.8 0 3 0 Q0.4 0 0.4 2.5 Q0.4 4.4 3 4.9 Q5.8 5.5 5.8 7.5 Q5.8 10 3 10 Q0.9 10 0.1 8.1",
    ),
    ('T', "M0 0 L6 0 M3 0 L3 10"),
    ('U', "M0.4 0 L0.4 6.8 Q0.4 10 3 10 Q5.6 10 5.6 6.8 L5.6 0"),
    ('V', "M0 0 L3 10 L6 0"),
    ('W', "M0 0 L1.5 10 L3 2.5 L4.5 10 L6 0"),
    ('X', "M0.2 0 L5.8 10 M5.8 0 L0.2 10"),
    ('Y', "M0.2 0 L3 4.8 L5.8 0 M3 4.8 L3 10"),
    ('Z', "M0.4 0 L5.6 0 L0.4 10 L5.6 10"),
    ('?', "M0.3 2.6 Q0.3 0 3 0 Q5.7 0 5.7 2.5 Q5.7 4.2 4.2 5 Q3 5.7 3 7 M3 9.9 L3 10"),
];

/// The strokes of a character, and whether it is upside down.
fn glyph(character: char) -> Option<(&'static str, bool)> {
    let (name, turned) = if character == '9' { ('6', true) } else { (character, false) };
    GLYPHS.iter().find(|(known, _)| *known == name).map(|&(_, strokes)| (strokes, turned))
}

/// Draws a line of text around a point.
fn letters(
    text: &str,
    at: [u64; 2],
    size: u64,
    room: u64,
    ink: Ink,
    place: Transform,
    canvas: &mut Pixmap,
) {
    let Some(glyphs) = text.chars().map(glyph).collect::<Option<Vec<_>>>() else { return };
    // A digit is about seven tenths of the font size high.
    let tall = size as f32 * 0.7 / BOX[1];
    let long = ADVANCE * glyphs.len() as f32 - (ADVANCE - BOX[0]);
    let wide = tall.min(room as f32 / long);
    let [x, y] = at.map(|value| value as f32);
    let mut path = PathBuilder::new();
    for (n, (strokes, turned)) in glyphs.into_iter().enumerate() {
        let left = x - long * wide / 2.0 + n as f32 * ADVANCE * wide;
        let top = y - BOX[1] * tall / 2.0;
        let point = |x: f32, y: f32| {
            let (x, y) = if turned { (BOX[0] - x, BOX[1] - y) } else { (x, y) };
            (left + x * wide, top + y * tall)
        };
        let mut words = strokes.split_ascii_whitespace();
        while let Some(word) = words.next() {
            let (verb, first) = word.split_at(word.len().min(1));
            let is_number = |c: char| c.is_ascii_digit();
            let curve = verb == "Q";
            let first = first.trim_start_matches(|c| !is_number(c));
            let mut number = || words.next().and_then(|word| word.parse::<f32>().ok());
            let (Ok(a), Some(b)) = (first.parse::<f32>(), number()) else { break };
            let (a, b) = point(a, b);
            match (verb, curve.then(|| Some((number()?, number()?))).flatten()) {
                ("M", _) => path.move_to(a, b),
                (_, Some((c, d))) => {
                    let (c, d) = point(c, d);
                    path.quad_to(a, b, c, d);
                }
                _ => path.line_to(a, b),
            }
        }
    }
    if let Some(path) = path.finish() {
        canvas.stroke_path(&path, &ink, &stroke(0.1 * size as f32), place, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Mark, Point};

    fn pixmap(picture: &Picture) -> Pixmap {
        let mut png = Vec::new();
        Png.render(picture, &mut png).unwrap();
        Pixmap::decode_png(&png).unwrap()
    }

    fn is_dark(pixmap: &Pixmap, x: u32, y: u32) -> bool {
        pixmap.pixel(x, y).is_some_and(|pixel| pixel.red() < 128)
    }

    #[test]
    fn paints_marks_at_their_places_at_twice_the_size() {
        let mut picture = Picture::new(1, 2, "");
        picture.marks.push(Mark::Line(Point::new(0, 0), Point::new(0, 2)));
        picture.marks.push(Mark::Fill(Point::new(1, 3)));
        let pixmap = pixmap(&picture);
        assert_eq!((pixmap.width(), pixmap.height()), (176, 112));
        assert!(is_dark(&pixmap, 56, 24) && !is_dark(&pixmap, 56, 40));
        assert!(is_dark(&pixmap, 120, 56) && !is_dark(&pixmap, 56, 56));
    }

    // Every character leaves ink in its cell, and no two the same.
    #[test]
    fn writes_every_digit_and_letter() {
        let mut seen = Vec::new();
        for digit in ('0'..='9').chain('a'..='z').chain('A'..='Z').chain(['?']) {
            let mut picture = Picture::new(1, 1, "");
            picture.marks.push(Mark::Text(Point::new(1, 1), digit.to_string()));
            let pixmap = pixmap(&picture);
            let ink = pixmap.pixels().iter().filter(|pixel| pixel.red() < 128).count();
            assert!((50..500).contains(&ink), "{digit}: {ink} pixels");
            assert!(!seen.contains(&pixmap.data().to_vec()), "{digit}");
            seen.push(pixmap.data().to_vec());
        }
    }

    #[test]
    fn refuses_what_would_take_all_memory() {
        let picture = Picture::new(2000, 2000, "");
        let error = Png.render(&picture, &mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        // Still large, at the natural size.
        assert_eq!(pixmap(&Picture::new(150, 150, "")).width(), 150 * 32 + 24);
    }
}
