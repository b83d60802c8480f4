//! Lines over a pair of axes as SVG.

use std::fmt::Write;

/// One line of a drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it shows.
    pub name: &'static str,
    /// Its colour, as SVG understands it.
    pub colour: &'static str,
    /// Draw dots instead of a line.
    pub dots: bool,
    /// The points, x then y.
    pub points: Vec<(f32, f32)>,
}

const WIDTH: f32 = 640.0;
const HEIGHT: f32 = 360.0;
const MARGIN: f32 = 56.0;
/// Grid lines across and labels along.
const GRID: usize = 5;
/// Room for a name in the legend.
const LEGEND: f32 = 90.0;

/// Where points go in the drawing.
struct Frame {
    low: (f32, f32),
    span: (f32, f32),
}

impl Frame {
    fn of(series: &[Series]) -> Self {
        let points = || series.iter().flat_map(|s| &s.points);
        let range = |of: fn(&(f32, f32)) -> f32| {
            points()
                .map(of)
                .fold((f32::MAX, f32::MIN), |(l, h), x| (l.min(x), h.max(x)))
        };
        let ((left, right), (low, high)) = (range(|p| p.0), range(|p| p.1));
        let span = |low: f32, high: f32| (high - low).max(f32::MIN_POSITIVE);
        Self {
            low: (left, low),
            span: (span(left, right), span(low, high)),
        }
    }

    fn x(&self, x: f32) -> f32 {
        MARGIN + (x - self.low.0) / self.span.0 * (WIDTH - 2.0 * MARGIN)
    }

    fn y(&self, y: f32) -> f32 {
        HEIGHT - MARGIN - (y - self.low.1) / self.span.1 * (HEIGHT - 2.0 * MARGIN)
    }
}

/// Draws all series; `digits` are those of the numbers at the axes, x then y.
pub fn svg(title: &str, series: &[Series], digits: (usize, usize)) -> String {
    let frame = Frame::of(series);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"15\">{title}</text>\n"
    );
    draw_grid(&mut svg, &frame, digits);
    for (i, line) in series.iter().enumerate() {
        let label = WIDTH - LEGEND * (series.len() - i) as f32 - MARGIN / 2.0;
        draw(&mut svg, &frame, line, label);
    }
    svg + "</svg>\n"
}

fn draw_grid(svg: &mut String, frame: &Frame, digits: (usize, usize)) {
    for i in 0..=GRID {
        let share = i as f32 / GRID as f32;
        let (x, y) = (
            frame.low.0 + frame.span.0 * share,
            frame.low.1 + frame.span.1 * share,
        );
        let (across, right, base) = (frame.y(y), WIDTH - MARGIN, HEIGHT - MARGIN + 18.0);
        let _ = writeln!(
            svg,
            "<path d=\"M{MARGIN} {across:.1}H{right}\" stroke=\"#ddd\"/>"
        );
        let _ = writeln!(
            svg,
            "<text x=\"8\" y=\"{:.1}\">{y:.*}</text>",
            across + 4.0,
            digits.1
        );
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{base}\" text-anchor=\"middle\">{x:.*}</text>",
            frame.x(x),
            digits.0
        );
    }
}

fn draw(svg: &mut String, frame: &Frame, series: &Series, label: f32) {
    let Series {
        name,
        colour,
        dots,
        points,
    } = series;
    let place = |&(x, y): &(f32, f32)| (frame.x(x), frame.y(y));
    if *dots {
        for (x, y) in points.iter().map(place) {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
            );
        }
    } else {
        let path: Vec<String> = points
            .iter()
            .map(place)
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let path = path.join(" ");
        let _ = writeln!(
            svg,
            "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{label}\" y=\"42\" fill=\"{colour}\">{name}</text>"
    );
}
