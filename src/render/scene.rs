//! How a picture looks on paper: every mark becomes shapes in pixels, in the order in which they are
//! painted. The renderers of pixels and of SVG share it, so that they agree.
//!
//! The manner is that of a printed puzzle book: a thin gray grid, black clues, a thick line with
//! round corners. What is open is dotted, what is excluded has a small cross, and what differs from
//! another picture lies on yellow.

use super::Panel;
use crate::picture::{Mark, Picture, Point};
use std::collections::HashSet;

/// Half the side of a cell, in pixels at the natural size.
const UNIT: u64 = 16;

/// White space around a board: room for half a line and a little more.
const MARGIN: u64 = 12;

/// What a caption takes above its panel.
const CAPTION: u64 = 24;

/// White space between panels.
const GAP: u64 = 8;

/// A color in red, green and blue.
pub type Paint = [u8; 3];

const BLACK: Paint = [0, 0, 0];
const WHITE: Paint = [255, 255, 255];
const GRID: Paint = [0x99, 0x99, 0x99];
const FAINT: Paint = [0x77, 0x77, 0x77];
const SHADE: Paint = [0xdd, 0xdd, 0xdd];
const HALO: Paint = [0xff, 0xe0, 0x80];

/// One shape, in pixels from the upper left corner of its panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A rectangle without an outline.
    Rectangle {
        /// Left, top, width, height.
        at: [u64; 4],
        /// Inside.
        fill: Paint,
    },
    /// Lines of one sort, with round ends.
    Lines {
        /// The ends of each: x, y, x, y.
        lines: Vec<[u64; 4]>,
        /// Their thickness.
        width: u64,
        /// Their color.
        paint: Paint,
        /// Whether they are rows of dots.
        dotted: bool,
    },
    /// A disc.
    Disc {
        /// Middle and radius.
        at: [u64; 3],
        /// Inside.
        fill: Paint,
        /// The thickness of a black outline, 0 for none.
        outline: u64,
    },
    /// A line of text, centered.
    Text {
        /// Its middle.
        at: [u64; 2],
        /// The height of its letters, as font sizes go.
        size: u64,
        /// The width that it may have; longer texts are squeezed.
        room: u64,
        /// Its color.
        paint: Paint,
        /// What it says.
        text: String,
    },
}

/// Shapes of one board, and where they go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenePart {
    /// Left and top.
    pub at: [u64; 2],
    /// A few words, and a sentence, for those who cannot see it; none if the whole scene has them.
    pub words: Option<(String, String)>,
    /// In the order of painting.
    pub shapes: Vec<Shape>,
}

/// A drawing of one board or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// In pixels.
    pub width: u64,
    /// In pixels.
    pub height: u64,
    /// A few words.
    pub title: String,
    /// A sentence for those who cannot see it.
    pub description: String,
    /// What is drawn.
    pub parts: Vec<ScenePart>,
}

impl Scene {
    /// One picture.
    pub fn of(picture: &Picture) -> Scene {
        let [width, height] = extent(picture);
        Scene {
            width,
            height,
            title: picture.title.clone(),
            description: picture.description.clone(),
            parts: vec![ScenePart { at: [0, 0], words: None, shapes: shapes(picture) }],
        }
    }

    /// Several pictures in rows, each under its caption; as many in a row as makes the whole about as
    /// high as wide.
    pub fn sheet(title: &str, panels: &[Panel]) -> Scene {
        let sizes = panels.iter().map(|panel| extent(&panel.picture));
        let [width, height] = sizes.fold([1, 1], |[w, h], [a, b]| [w.max(a), h.max(b)]);
        let height = height + CAPTION;
        let count = panels.len().max(1) as u64;
        let columns = (1..count).find(|&n| n * width >= count.div_ceil(n) * height);
        // Two are compared side by side, unless they are very wide.
        let columns = match columns.unwrap_or(count) {
            1 if count == 2 && width < 3 * height => 2,
            columns => columns,
        };
        let mut parts = Vec::new();
        for (n, panel) in (0..).zip(panels) {
            let at = [(n % columns) * (width + GAP), (n / columns) * (height + GAP)];
            let [own, _] = extent(&panel.picture);
            let caption = Shape::Text {
                at: [own / 2, CAPTION / 2 + 2],
                size: 14,
                room: own,
                paint: BLACK,
                text: panel.caption.clone(),
            };
            parts.push(ScenePart { at, words: None, shapes: vec![caption] });
            let words = Some((panel.picture.title.clone(), panel.picture.description.clone()));
            let shapes = shapes(&panel.picture);
            parts.push(ScenePart { at: [at[0], at[1] + CAPTION], words, shapes });
        }
        let rows = count.div_ceil(columns);
        Scene {
            width: columns * (width + GAP) - GAP,
            height: rows * (height + GAP) - GAP,
            title: title.to_owned(),
            description: format!("{count} boards in rows of {columns}."),
            parts,
        }
    }
}

/// Width and height of a picture.
fn extent(picture: &Picture) -> [u64; 2] {
    [picture.width, picture.height].map(|extent| u64::from(extent) * UNIT + 2 * MARGIN)
}

/// A point in pixels.
fn pixels(at: Point) -> [u64; 2] {
    [at.col, at.row].map(|value| u64::from(value) * UNIT + MARGIN)
}

/// The square around the middle of a cell, smaller by `inset` at each side.
fn square(at: Point, inset: u64) -> [u64; 4] {
    let [x, y] = pixels(at);
    let (half, side) = (UNIT - inset, 2 * (UNIT - inset));
    [x.saturating_sub(half), y.saturating_sub(half), side, side]
}

/// All shapes, sort by sort from the bottom to the top.
fn shapes(picture: &Picture) -> Vec<Shape> {
    let marks = &picture.marks;
    let points = |is: fn(&Mark) -> Option<Point>| marks.iter().filter_map(is);
    let shaded = points(|mark| if let Mark::Shade(at) = *mark { Some(at) } else { None });
    let filled = points(|mark| if let Mark::Fill(at) = *mark { Some(at) } else { None });
    let halos = points(|mark| if let Mark::Halo(at) = *mark { Some(at) } else { None });
    let dots = points(|mark| if let Mark::Dot(at) = *mark { Some(at) } else { None });
    let is_cell = |at: &Point| at.row % 2 == 1 && at.col % 2 == 1;
    let mut shapes = Vec::new();
    shapes.extend(shaded.map(|at| Shape::Rectangle { at: square(at, 0), fill: SHADE }));
    let halo = |at: Point| match pixels(at) {
        _ if is_cell(&at) => Shape::Rectangle { at: square(at, 0), fill: HALO },
        [x, y] => Shape::Disc { at: [x, y, 8], fill: HALO, outline: 0 },
    };
    let halos: Vec<Point> = halos.collect();
    shapes.extend(halos.iter().map(|&at| halo(at)));
    let lit: HashSet<Point> = halos.into_iter().collect();
    // A black cell that differs keeps a yellow rim.
    let dark: HashSet<Point> = filled.clone().collect();
    shapes.extend(filled.map(|at| {
        let inset = if lit.contains(&at) { 4 } else { 0 };
        Shape::Rectangle { at: square(at, inset), fill: BLACK }
    }));
    lines(marks, 1, GRID, false, &mut shapes, |mark| match *mark {
        Mark::Rule(from, to) => Some((from, to)),
        _ => None,
    });
    shapes.extend(dots.map(|at| {
        let [x, y] = pixels(at);
        Shape::Disc { at: [x, y, 2], fill: BLACK, outline: 0 }
    }));
    lines(marks, 3, FAINT, true, &mut shapes, |mark| match *mark {
        Mark::Dotted(from, to) => Some((from, to)),
        _ => None,
    });
    lines(marks, 4, BLACK, false, &mut shapes, |mark| match *mark {
        Mark::Line(from, to) => Some((from, to)),
        _ => None,
    });
    crosses(marks, &mut shapes);
    for mark in marks {
        if let Mark::Circle { at, filled } = *mark {
            let [x, y] = pixels(at);
            let fill = if filled { BLACK } else { WHITE };
            shapes.push(Shape::Disc { at: [x, y, 10], fill, outline: 2 });
        }
    }
    for mark in marks {
        if let Mark::Text(at, text) = mark {
            let paint = if dark.contains(at) { WHITE } else { BLACK };
            let text = text.clone();
            shapes.push(Shape::Text { at: pixels(*at), size: 20, room: 28, paint, text });
        }
    }
    shapes
}

/// All lines of one sort, if there are any.
fn lines(
    marks: &[Mark],
    width: u64,
    paint: Paint,
    dotted: bool,
    shapes: &mut Vec<Shape>,
    line: impl Fn(&Mark) -> Option<(Point, Point)>,
) {
    let ends = marks.iter().filter_map(line).map(|(from, to)| {
        let ([x, y], [to_x, to_y]) = (pixels(from), pixels(to));
        [x, y, to_x, to_y]
    });
    let lines: Vec<[u64; 4]> = ends.collect();
    if !lines.is_empty() {
        shapes.push(Shape::Lines { lines, width, paint, dotted });
    }
}

/// Small crosses, two lines each.
fn crosses(marks: &[Mark], shapes: &mut Vec<Shape>) {
    let mut lines = Vec::new();
    for mark in marks {
        if let Mark::Cross(at) = *mark {
            let [x, y] = pixels(at);
            lines.extend([[x - 3, y - 3, x + 3, y + 3], [x - 3, y + 3, x + 3, y - 3]]);
        }
    }
    if !lines.is_empty() {
        shapes.push(Shape::Lines { lines, width: 1, paint: FAINT, dotted: false });
    }
}
