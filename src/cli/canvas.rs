//! Where pictures go, and in what form: `--svg`, `--png`, `--ascii`, `--output`.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::cli::args::DrawingArgs;
use crate::cli::exit::Failure;
use crate::cli::files;
use crate::cli::message::Messages;
use crate::cli::output::{self, write_picture, write_whole};
use crate::picture::Picture;
use crate::render::{Panel, Render, svg, term};

/// What stands for the number of a solution in the name of a file.
const NUMBER: &str = "%d";

/// Where pictures go, and in what form.
pub struct Canvas {
    target: Target,
    render: Box<dyn Render>,
}

/// How several pictures are arranged.
enum Target {
    /// One after the other, as they come.
    Stream(Option<PathBuf>),
    /// All on one sheet.
    Sheet(Option<PathBuf>),
    /// Each in a file of its own, whose name has its number.
    Files(String),
}

impl Canvas {
    /// As the flags say.
    ///
    /// # Errors
    ///
    /// If the only file that is drawn to is an input.
    pub fn new(flags: &DrawingArgs, messages: &Messages) -> Result<Self, Failure> {
        let path = output::named(flags.output.as_deref()).map(Path::to_owned);
        let (path, render): (_, Box<dyn Render>) = match (&flags.svg, &flags.png) {
            (Some(file), _) => (file.clone().or(path), Box::new(svg::Svg)),
            (None, Some(file)) => (Some(file.clone()), png()?),
            (None, None) => {
                let color = messages.color_stdout() && path.is_none();
                let render = Box::new(term::Term { ascii: flags.ascii, color });
                files::admit(path.as_deref())?;
                return Ok(Canvas { target: Target::Stream(path), render });
            }
        };
        let path = output::named(path.as_deref()).map(Path::to_owned);
        if path.is_none() && flags.png.is_some() && std::io::stdout().is_terminal() {
            let what = "--png: a terminal shows no PNG; give a file";
            return Err(Failure::Usage(what.into()));
        }
        let numbered = path.as_deref().and_then(Path::to_str).filter(|name| name.contains(NUMBER));
        let target = match numbered {
            Some(name) => Target::Files(name.to_owned()),
            None => {
                files::admit(path.as_deref())?;
                Target::Sheet(path)
            }
        };
        Ok(Canvas { target, render })
    }

    /// Whether pictures are shown as they come.
    pub fn is_stream(&self) -> bool {
        matches!(self.target, Target::Stream(_))
    }

    /// Whether pictures are shown on standard output as they come.
    pub fn is_console(&self) -> bool {
        matches!(self.target, Target::Stream(None))
    }

    /// Whether each picture has a file of its own.
    pub fn has_files(&self) -> bool {
        matches!(self.target, Target::Files(_))
    }

    /// Opens the canvas for `write`.
    pub fn write(
        &self,
        write: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        match &self.target {
            Target::Stream(path) => write_picture(path.as_deref(), write),
            Target::Sheet(path) => write_whole(path.as_deref(), write),
            Target::Files(name) => write_whole(Some(Path::new(name)), write),
        }
    }

    /// Draws one picture.
    pub fn draw(&self, picture: &Picture, out: &mut dyn Write) -> std::io::Result<()> {
        self.render.render(picture, out)
    }

    /// Draws pictures together.
    pub fn draw_sheet(
        &self,
        title: &str,
        panels: &[Panel],
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        match panels {
            [panel] => self.render.render(&panel.picture, out),
            panels => self.render.sheet(title, panels, out),
        }
    }

    /// Draws the picture of the solution with this number into its own file.
    pub fn draw_file(&self, number: u64, picture: &Picture) -> Result<(), Failure> {
        let Target::Files(name) = &self.target else { return Ok(()) };
        let name = name.replace(NUMBER, &number.to_string());
        write_whole(Some(Path::new(&name)), |out| self.render.render(picture, out))
    }
}

/// Paints PNG.
#[cfg(feature = "png")]
#[expect(clippy::unnecessary_wraps, reason = "a build without PNG refuses it")]
fn png() -> Result<Box<dyn Render>, Failure> {
    Ok(Box::new(crate::render::png::Png))
}

/// Says that this build cannot.
#[cfg(not(feature = "png"))]
fn png() -> Result<Box<dyn Render>, Failure> {
    Err(Failure::Usage("--png: this build has no PNG (feature `png`)".into()))
}
