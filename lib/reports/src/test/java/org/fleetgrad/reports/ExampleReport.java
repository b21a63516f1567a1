package org.fleetgrad.reports;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.ClassDetails;
import org.fleetgrad.protocol.messages.ClassDetails.ClassFigures;
import org.fleetgrad.protocol.messages.EvaluationDetails;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.fleetgrad.reports.Report.CurvePoint;
import org.fleetgrad.reports.Report.FleetChange;
import org.jspecify.annotations.Nullable;

/** An example of a run's report. */
final class ExampleReport {

    private ExampleReport() {}

    static RunResult result(@Nullable Double cost) {
        return new RunResult(
                0.981,
                0.9991,
                0.0625,
                null,
                null,
                null,
                null,
                null,
                0.96875,
                0.9,
                0.875,
                0.925,
                null,
                1200,
                38400,
                20,
                15.0,
                1920,
                null,
                4,
                3,
                "runs/x/model.safetensors",
                "0".repeat(64),
                0.98,
                null,
                null,
                null,
                true,
                "target",
                new BestResult(1180, "g", 0.9825, 0.0601, false),
                "async",
                "mnist",
                "lenet5",
                3,
                2,
                1,
                12.5,
                0.7,
                140.0,
                0,
                0,
                5,
                2_000_000,
                cost,
                "runs/x/report.json",
                "runs/x/report.html");
    }

    /** Returns the report of a text, whose loss is on the way to the target. */
    static Report ofText() {
        Report report = of(null, null, List.of());
        RunResult images = result(null);
        RunResult text = new RunResult(
                0.42,
                0.75,
                1.875,
                Math.exp(1.875),
                2.705,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                images.version(),
                images.samples(),
                images.seconds(),
                null,
                images.samplesPerSecond(),
                64 * images.samplesPerSecond(),
                images.workers(),
                images.worstStaleness(),
                images.modelPath(),
                images.tensorsSha256(),
                null,
                1.5,
                null,
                null,
                false,
                "patience",
                new BestResult(1200, "g", null, 1.875, true),
                images.mode(),
                "letters",
                "gpt2",
                images.activations(),
                images.coldStarts(),
                images.killed(),
                images.gbSeconds(),
                images.gbSecondsUnrecorded(),
                images.peakMemoryMiB(),
                images.samplesLost(),
                images.samplesDoubled(),
                images.stale(),
                images.bytes(),
                images.cost(),
                images.reportPath(),
                images.pagePath());
        return new Report(
                text,
                report.settings(),
                0,
                report.prices(),
                null,
                null,
                null,
                List.of(new CurvePoint(0, 0, 0, 4.0, null, null), new CurvePoint(20, 1200, 38400, 2.0, 0.42, 3.0)),
                List.of());
    }

    static Report of(@Nullable Baseline baseline, @Nullable List<FleetChange> fleet, List<ActivationRow> activations) {
        List<CurvePoint> curve = new ArrayList<>();
        for (int i = 0; i <= 2000; i++) {
            curve.add(new CurvePoint(i / 100.0, i, i * 10L, 2.3 - i / 1000.0, i < 100 ? null : i / 2100.0, null));
        }
        return new Report(
                result(0.0125),
                Map.of("mode", "<async>"),
                0,
                new Prices(0.001, null, null, "USD"),
                baseline,
                fleet,
                null,
                curve,
                activations);
    }

    /** Returns the report of images with an evaluation of version 1,180, which is not the model's. */
    static Report with(@Nullable BinaryFigures binary, EvaluationDetails details) {
        Report report = of(null, null, List.of());
        return new Report(
                report.result(),
                report.settings(),
                0,
                report.prices(),
                null,
                null,
                new HeldOutEvaluation("g", 1180, 0.9, null, 0.0625, null, null, binary, null, 2500, 12, details),
                report.curve(),
                List.of());
    }

    /** Returns details of classes, of which one in ten samples, and more with the number of the class, is taken for the next class. */
    static ClassDetails classes(List<String> names) {
        List<ClassFigures> figures = new ArrayList<>();
        List<List<Long>> confusion = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            long wrong = 10L + i;
            List<Long> row = new ArrayList<>(Collections.nCopies(names.size(), 0L));
            row.set((i + 1) % names.size(), wrong);
            row.set(i, 100 - wrong);
            confusion.add(row);
            figures.add(new ClassFigures(names.get(i), 100, 0.875, (100 - wrong) / 100.0, 0.885));
        }
        return new ClassDetails(0.8765, figures, confusion);
    }

    static ActivationRow row(String invoker, String end, @Nullable String why) {
        return new ActivationRow(
                invoker,
                null,
                "r-1",
                1,
                4,
                null,
                true,
                end,
                why,
                1.0,
                0.001,
                10L,
                1L,
                0,
                Map.of("counted", 320, "bytes", 5000000));
    }
}
