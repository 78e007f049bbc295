//! Renderers turn a [`Picture`] into bytes: SVG for paper and the web, PNG for where that does not go,
//! text for the terminal.
//!
//! A renderer decides how a mark looks, never what to draw. A new one is a file here and one line
//! in [`RENDERERS`].

#[cfg(feature = "png")]
pub mod png;
pub mod scene;
pub mod svg;
pub mod term;

use crate::picture::Picture;
use std::io;

/// One of several pictures that are shown together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// A few words above it.
    pub caption: String,
    /// The picture.
    pub picture: Picture,
}

/// One output format of pictures. Used through `&dyn Render`: one call per picture.
pub trait Render: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// What comes out, in a few words.
    fn about(&self) -> &'static str;

    /// Pushes the picture to `out`; text ends with a line end.
    fn render(&self, picture: &Picture, out: &mut dyn io::Write) -> io::Result<()>;

    /// Pushes several pictures as one, under a title.
    fn sheet(&self, title: &str, panels: &[Panel], out: &mut dyn io::Write) -> io::Result<()>;
}

/// All renderers, by name.
pub static RENDERERS: &[&dyn Render] = &[
    &term::ASCII,
    #[cfg(feature = "png")]
    &png::Png,
    &svg::Svg,
    &term::UNICODE,
];

/// The renderer with this name.
pub fn find(name: &str) -> Option<&'static dyn Render> {
    RENDERERS.iter().copied().find(|renderer| renderer.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renderers_are_sorted_and_found() {
        let names: Vec<&str> = RENDERERS.iter().map(|renderer| renderer.name()).collect();
        assert!(names.is_sorted());
        assert!(names.iter().all(|name| find(name).is_some()));
        assert!(find("jpeg").is_none());
    }
}
