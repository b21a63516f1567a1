package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fleetgrad.reports.Report.CurvePoint;
import org.fleetgrad.reports.Report.FleetChange;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.Svg;
import org.jspecify.annotations.Nullable;

/**
 * Draws held-out accuracy and training loss over time, each with its axis, and the number of workers if it changed. Of a text it
 * draws the held-out loss, on the axis of the training loss.
 */
final class CurveChart {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 260;
    private static final int LEFT = 46;
    /** Room for the numbers of the training loss, if it is not on the axis of the held-out loss. */
    private static final int RIGHT = 40;

    private static final int BOTTOM = 26;
    private static final int TOP = 10;
    /** More points would not be visible. */
    private static final int MOST_POINTS = 600;

    /** Where the axis of an accuracy may begin. */
    private static final double[] BOTTOMS = {0.95, 0.9, 0.8, 0.5};

    /** With fewer results, the beginning is no small part of them. */
    private static final int FEWEST = 20;

    private final double seconds;
    private final boolean isOfText;

    /**
     * @param seconds  at the right end of the axis
     * @param isOfText whether the held-out loss is shown in place of the accuracy
     */
    CurveChart(double seconds, boolean isOfText) {
        this.seconds = Math.max(seconds, 1e-3);
        this.isOfText = isOfText;
    }

    /**
     * The held-out results of a chart.
     *
     * @param name   of the figure
     * @param figure of each point
     * @param bottom value at the bottom of the axis
     * @param top    value at its top
     * @param text   writes a value
     */
    private record HeldOut(
            String name,
            Function<CurvePoint, @Nullable Double> figure,
            double bottom,
            double top,
            DoubleFunction<String> text) {

        double at(double share) {
            return bottom + share * (top - bottom);
        }

        double share(double value) {
            return (value - bottom) / (top - bottom);
        }
    }

    /** @param target accuracy, or loss of a text, that is drawn as a line; null for none */
    String draw(List<CurvePoint> curve, @Nullable Double target, List<FleetChange> fleet) {
        List<CurvePoint> points = thinned(curve);
        double mostLoss = points.stream()
                .flatMap(point -> Stream.of(
                        Optional.ofNullable(point.loss()),
                        Optional.ofNullable(point.heldOutLoss()).filter(loss -> isOfText)))
                .flatMap(Optional::stream)
                .mapToDouble(loss -> loss)
                .max()
                .orElse(1);
        HeldOut heldOut = isOfText
                ? new HeldOut("held-out loss", CurvePoint::heldOutLoss, 0, mostLoss, loss -> format("%.2f", loss))
                : new HeldOut(
                        "held-out accuracy",
                        CurvePoint::accuracy,
                        bottom(points, target),
                        1,
                        share -> format("%.0f%%", 100 * share));
        Svg svg = new Svg();
        drawAxes(svg, heldOut, mostLoss);
        if (target != null) {
            svg.line("target", LEFT, y(heldOut.share(target)), right(), y(heldOut.share(target)));
        }
        if (!fleet.isEmpty()) {
            svg.polyline("workers", steps(fleet));
        }
        svg.polyline("loss", line(points, CurvePoint::loss, loss -> loss / mostLoss));
        svg.polyline("held-out", line(points, heldOut.figure(), heldOut::share));
        return ScrolledPart.of(
                        svg.picture(WIDTH, HEIGHT, "%s and training loss over time".formatted(heldOut.name())),
                        "chart of the learning")
                + format(
                        "<p class=\"key\"><b class=\"held-out\">%s</b>, <b class=\"loss\">training loss</b>%s%s%s%s</p>",
                        heldOut.name(),
                        isOfText ? "" : " (right)",
                        fleet.isEmpty() ? "" : ", <b class=\"workers\">workers</b>",
                        target == null ? "" : ", the target dashed",
                        heldOut.bottom() == 0
                                ? ""
                                : format(
                                        "; the axis begins at %s, and lower values lie on it",
                                        heldOut.text().apply(heldOut.bottom())));
    }

    private void drawAxes(Svg svg, HeldOut heldOut, double mostLoss) {
        for (int i = 0; i <= 5; i++) {
            double share = i / 5.0;
            svg.line("grid", LEFT, y(share), right(), y(share));
            if (!isOfText) {
                svg.text("label", "start", right() + 6, y(share) + 4, format("%.2f", share * mostLoss));
            }
            svg.text("label", "end", LEFT - 6, y(share) + 4, heldOut.text().apply(heldOut.at(share)));
            svg.text(
                    "label",
                    i == 5 ? "end" : "middle",
                    x(share * seconds),
                    HEIGHT - 6,
                    format("%.0f s", share * seconds));
        }
    }

    /** The accuracy of a good model has little room below 100%: its axis begins where all but the first tenth of the results lie above. */
    private static double bottom(List<CurvePoint> points, @Nullable Double target) {
        double[] known = points.stream()
                .map(CurvePoint::accuracy)
                .flatMap(Stream::ofNullable)
                .mapToDouble(accuracy -> accuracy)
                .toArray();
        double least = Arrays.stream(known).skip(known.length / 10).reduce(target == null ? 1 : target, Math::min);
        return known.length < FEWEST
                ? 0
                : Arrays.stream(BOTTOMS)
                        .filter(from -> from < least)
                        .findFirst()
                        .orElse(0);
    }

    /** The points that have the figure, as shares of the axis. */
    private List<Point> line(
            List<CurvePoint> curve, Function<CurvePoint, @Nullable Double> figure, DoubleUnaryOperator share) {
        List<Point> points = new ArrayList<>();
        for (CurvePoint at : curve) {
            Double value = figure.apply(at);
            if (value != null && Double.isFinite(share.applyAsDouble(value))) {
                points.add(new Point(x(at.seconds()), y(share.applyAsDouble(value))));
            }
        }
        return points;
    }

    private List<Point> steps(List<FleetChange> fleet) {
        int most = fleet.stream().mapToInt(FleetChange::workers).max().orElse(1);
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < fleet.size(); i++) {
            double end = i + 1 < fleet.size() ? fleet.get(i + 1).seconds() : seconds;
            double height = y((double) fleet.get(i).workers() / most);
            points.add(new Point(x(fleet.get(i).seconds()), height));
            points.add(new Point(x(end), height));
        }
        return points;
    }

    private static List<CurvePoint> thinned(List<CurvePoint> curve) {
        int every = Math.max(1, curve.size() / MOST_POINTS);
        return IntStream.range(0, curve.size())
                .filter(i -> i % every == 0 || i == curve.size() - 1)
                .mapToObj(curve::get)
                .toList();
    }

    private double x(double at) {
        return LEFT + (right() - LEFT) * Math.min(at / seconds, 1);
    }

    private int right() {
        return isOfText ? WIDTH : WIDTH - RIGHT;
    }

    private static double y(double share) {
        return TOP + (HEIGHT - BOTTOM - TOP) * (1 - Math.min(Math.max(share, 0), 1));
    }
}
