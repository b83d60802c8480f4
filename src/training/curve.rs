//! The loss curve of a training run as a table and as a drawing.

use super::trainer::EpochReport;
use std::fmt::Write;

/// First line of the table.
pub const CSV_HEADER: &str = "epoch,training_loss,validation_loss,score_error,result_error,\
score_correlation,result_correlation";

/// One line of the table.
pub fn csv_line(report: &EpochReport) -> String {
    let v = &report.validation;
    format!(
        "{},{:.6},{:.6},{:.6},{:.6},{:.4},{:.4}",
        report.epoch,
        report.training_loss,
        v.loss,
        v.score_error,
        v.result_error,
        v.score_correlation,
        v.result_correlation
    )
}

/// Epochs and both losses of a table of [`csv_line`]s; other lines are left
/// out.
pub fn parse_csv(text: &str) -> Vec<(u32, f32, f32)> {
    text.lines()
        .filter_map(|line| {
            let mut fields = line.split(',');
            let epoch = fields.next()?.parse().ok()?;
            Some((
                epoch,
                fields.next()?.parse().ok()?,
                fields.next()?.parse().ok()?,
            ))
        })
        .collect()
}

const WIDTH: f32 = 640.0;
const HEIGHT: f32 = 360.0;
const MARGIN: f32 = 56.0;
/// Grid lines across.
const GRID: usize = 5;

/// Where the points of a curve go in the drawing.
struct Frame {
    points: usize,
    low: f32,
    span: f32,
}

impl Frame {
    fn new(points: &[(u32, f32, f32)]) -> Self {
        let losses = points.iter().flat_map(|p| [p.1, p.2]);
        let (low, high) = losses.fold((f32::MAX, f32::MIN), |(l, h), x| (l.min(x), h.max(x)));
        Self {
            points: points.len(),
            low,
            span: (high - low).max(f32::EPSILON),
        }
    }

    fn x(&self, i: usize) -> f32 {
        let last = self.points.saturating_sub(1).max(1) as f32;
        MARGIN + i as f32 / last * (WIDTH - 2.0 * MARGIN)
    }

    fn y(&self, loss: f32) -> f32 {
        HEIGHT - MARGIN - (loss - self.low) / self.span * (HEIGHT - 2.0 * MARGIN)
    }
}

/// Draws both losses over the epochs as SVG.
pub fn svg(title: &str, points: &[(u32, f32, f32)]) -> String {
    let frame = Frame::new(points);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"15\">{title}</text>\n"
    );
    draw_grid(&mut svg, &frame, points);
    let [mut training, mut validation] = [Vec::new(), Vec::new()];
    for (i, &(_, learnt, held_out)) in points.iter().enumerate() {
        training.push((frame.x(i), frame.y(learnt)));
        validation.push((frame.x(i), frame.y(held_out)));
    }
    draw_line(&mut svg, "training", "#2b6cb0", WIDTH - 220.0, &training);
    draw_line(
        &mut svg,
        "validation",
        "#c53030",
        WIDTH - 130.0,
        &validation,
    );
    svg + "</svg>\n"
}

fn draw_grid(svg: &mut String, frame: &Frame, points: &[(u32, f32, f32)]) {
    for i in 0..=GRID {
        let loss = frame.low + frame.span * i as f32 / GRID as f32;
        let (at, right) = (frame.y(loss), WIDTH - MARGIN);
        let _ = writeln!(
            svg,
            "<path d=\"M{MARGIN} {at:.1}H{right}\" stroke=\"#ddd\"/>"
        );
        let _ = writeln!(svg, "<text x=\"8\" y=\"{:.1}\">{loss:.4}</text>", at + 4.0);
    }
    for (i, (epoch, ..)) in points.iter().enumerate() {
        let (x, y) = (frame.x(i), HEIGHT - MARGIN + 18.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{epoch}</text>"
        );
    }
}

fn draw_line(svg: &mut String, name: &str, colour: &str, label_x: f32, points: &[(f32, f32)]) {
    let path: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
         <text x=\"{label_x}\" y=\"24\" fill=\"{colour}\">{name}</text>",
        path.join(" ")
    );
}
