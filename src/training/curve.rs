//! The loss curve of a training run as a table and as a drawing.

use super::plot::{self, Series};
use super::trainer::EpochReport;

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

/// Draws both losses over the epochs as SVG.
pub fn svg(title: &str, points: &[(u32, f32, f32)]) -> String {
    let line = |name, colour, loss: fn(&(u32, f32, f32)) -> f32| Series {
        name,
        colour,
        dots: false,
        points: points.iter().map(|p| (p.0 as f32, loss(p))).collect(),
    };
    let series = [
        line("training", "#2b6cb0", |p| p.1),
        line("validation", "#c53030", |p| p.2),
    ];
    plot::svg(title, &series, (1, 4))
}
