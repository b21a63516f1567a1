package org.fleetgrad.reports;

import static org.fleetgrad.reports.Html.format;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.fleetgrad.reports.Report.CurvePoint;
import org.fleetgrad.reports.Report.FleetChange;

/** Draws held-out accuracy and training loss over time, and the number of workers if it changed. */
final class CurveChart {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 260;
    private static final int LEFT = 46;
    private static final int BOTTOM = 26;
    private static final int TOP = 10;
    /** More points would not be visible. */
    private static final int MOST_POINTS = 600;

    private final double seconds;

    /** @param seconds at the right end of the axis */
    CurveChart(double seconds) {
        this.seconds = Math.max(seconds, 1e-3);
    }

    String draw(List<CurvePoint> curve, double target, List<FleetChange> fleet) {
        List<CurvePoint> points = thinned(curve);
        double mostLoss = points.stream()
                .map(CurvePoint::loss)
                .filter(Objects::nonNull)
                .mapToDouble(loss -> loss)
                .max()
                .orElse(1);
        StringBuilder accuracy = new StringBuilder();
        StringBuilder loss = new StringBuilder();
        for (CurvePoint point : points) {
            if (point.accuracy() != null) {
                accuracy.append(format("%.1f,%.1f ", x(point.seconds()), y(point.accuracy())));
            }
            if (point.loss() != null) {
                loss.append(format("%.1f,%.1f ", x(point.seconds()), y(point.loss() / mostLoss)));
            }
        }
        return format(
                        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"accuracy and loss over time\">",
                        WIDTH, HEIGHT)
                + axes()
                + format(
                        "<line class=\"target\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
                        LEFT, WIDTH, y(target), y(target))
                + steps(fleet)
                + "<polyline class=\"loss\" points=\"" + loss + "\"/>"
                + "<polyline class=\"accuracy\" points=\"" + accuracy + "\"/>"
                + "</svg>"
                + format(
                        "<p class=\"key\"><b class=\"accuracy\">held-out accuracy</b>, <b class=\"loss\">training loss</b>"
                                + " (top: %.2f)%s, the target dashed</p>",
                        mostLoss, fleet.isEmpty() ? "" : ", <b class=\"workers\">workers</b>");
    }

    private String axes() {
        StringBuilder axes = new StringBuilder();
        for (int i = 0; i <= 5; i++) {
            double share = i / 5.0;
            axes.append(format(
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d%%</text>",
                    LEFT, WIDTH, y(share), y(share), LEFT - 6, y(share) + 4, i * 20));
            axes.append(format(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%.0f s</text>",
                    x(share * seconds), HEIGHT - 6, i == 5 ? "end" : "middle", share * seconds));
        }
        return axes.toString();
    }

    private String steps(List<FleetChange> fleet) {
        int most = fleet.stream().mapToInt(FleetChange::workers).max().orElse(1);
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < fleet.size(); i++) {
            FleetChange step = fleet.get(i);
            double end = i + 1 < fleet.size() ? fleet.get(i + 1).seconds() : seconds;
            double height = y((double) step.workers() / most);
            points.append(format("%.1f,%.1f %.1f,%.1f ", x(step.seconds()), height, x(end), height));
        }
        return points.isEmpty() ? "" : "<polyline class=\"workers\" points=\"" + points + "\"/>";
    }

    private static List<CurvePoint> thinned(List<CurvePoint> curve) {
        int every = Math.max(1, curve.size() / MOST_POINTS);
        return IntStream.range(0, curve.size())
                .filter(i -> i % every == 0 || i == curve.size() - 1)
                .mapToObj(curve::get)
                .toList();
    }

    private double x(double at) {
        return LEFT + (WIDTH - LEFT) * Math.min(at / seconds, 1);
    }

    private static double y(double share) {
        return TOP + (HEIGHT - BOTTOM - TOP) * (1 - Math.min(Math.max(share, 0), 1));
    }
}
