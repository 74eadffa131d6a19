//! `cargo xtask picture`: which pixels of the handwritten digits matter, according to three methods, drawn by the command as
//! it draws every figure.

use std::path::Path;

use anyhow::Result;

use crate::fiedler;

/// Draws the picture.
pub(crate) fn draw(path: &Path) -> Result<()> {
    let (found, picture) = (path.with_extension("json"), path.to_string_lossy());
    let kept = found.to_string_lossy();
    let rank =
        "rank demo:digits --method laplacian,mrsf,fisher --label class --top 16 --image-shape 8x8 --findings";
    fiedler(&rank.split(' ').chain([&*kept]).collect::<Vec<_>>())?;
    let drawn = fiedler(&["plot", "pixels", &kept, "--width", "180", "--output", &picture]);
    std::fs::remove_file(&found)?;
    drawn?;
    println!("{picture} is drawn");
    Ok(())
}
