package org.fleetgrad.benchmarks.scale;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.benchmarks.exchange.GradientPushes;
import org.fleetgrad.benchmarks.exchange.LoadConnection;
import org.fleetgrad.benchmarks.exchange.LoopbackAnswer;
import org.fleetgrad.benchmarks.exchange.Model;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.benchmarks.process.JvmProcessorTime;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.reports.chart.ChartFiles;

/**
 * Measures what a push-and-pull costs, by the number of workers that push at the same time, and by the number of parameters. Each worker
 * sends its next gradient as soon as it has the answer.
 */
public record PushScale(Workbench bench) {

    static final List<Integer> WORKERS = List.of(1, 2, 4, 8, 16, 32, 64, 128, 200);
    static final List<Integer> PARAMETERS =
            List.of(100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000);

    /** The JIT needs some 20 s of load to compile a route. */
    private static final long WARM_UP_MS = 20_000;

    private static final long SHORT_WARM_UP_MS = 3_000;
    private static final long MEASURED_MS = 3_000;
    /** Of a parameter set in this process: a gradient, the same number of bytes for the loopback, and its answer. */
    private static final int COPIES = 4;

    private static final TensorLayout SMALL = Networks.usual("lenet5").spec().layout();

    /** Returns two figures of each point; with a folder for pictures, also draws them. */
    public List<Result> measure() throws Exception {
        if (!JvmProcessorTime.isKnown()) {
            return List.of(Missing.skipped("push-cost", "this system has no /proc to read it from"));
        }
        List<PushPoint> byWorkers = byWorkers();
        List<PushPoint> byParameters = new ArrayList<>();
        for (int count : PARAMETERS) {
            if (COPIES * Float.BYTES * (long) count > Runtime.getRuntime().maxMemory()) {
                bench.progress("%,d parameters: left out, they do not fit into this heap", count);
            } else {
                byParameters.add(withParameters(count));
            }
        }
        if (bench.pictures().isPresent()) {
            for (var picture : PushPictures.of(byWorkers, byParameters).entrySet()) {
                AtomicFile.write(
                        bench.pictures().get().resolve(picture.getKey() + ".svg"),
                        ChartFiles.svg(picture.getValue()).getBytes(StandardCharsets.UTF_8));
            }
        }
        List<Result> figures = new ArrayList<>();
        byWorkers.forEach(point ->
                figures.addAll(figures(point, "workers", "61,706 parameters, %,d workers", "with one worker")));
        byParameters.forEach(point -> figures.addAll(figures(point, "parameters", "%,d parameters, one worker", "")));
        return figures;
    }

    private List<PushPoint> byWorkers() throws Exception {
        Programs.Server server = new Model("", SMALL, "ms", 1).serve(bench.programs());
        List<PushPoint> points = new ArrayList<>();
        bench.progress("warm-up: %s", load(server, 8, WARM_UP_MS));
        for (int workers : WORKERS) {
            points.add(load(server, workers, MEASURED_MS));
            bench.progress("%s", points.get(points.size() - 1));
        }
        Programs.end(server.process());
        double first = points.get(0).roundTripMs();
        return points.stream().map(point -> point.against(first)).toList();
    }

    private PushPoint load(Programs.Server server, int workers, long millis) throws Exception {
        List<GradientPushes> pushes = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            pushes.add(new GradientPushes(server.client(), SMALL, true));
        }
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            JvmProcessorTime before = JvmProcessorTime.of(server.process());
            long begin = System.nanoTime();
            List<Future<Timings>> timings = new ArrayList<>();
            for (GradientPushes own : pushes) {
                timings.add(threads.submit(() -> {
                    try (LoadConnection connection = new LoadConnection(server.address())) {
                        return Timings.during(millis, () -> own.push(connection));
                    }
                }));
            }
            long count = 0;
            double sum = 0;
            for (Future<Timings> each : timings) {
                count += each.get().count();
                sum += each.get().totalSeconds();
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            double processor =
                    JvmProcessorTime.of(server.process()).since(before).millis();
            return new PushPoint(workers, sum / count * 1e3, processor / count, count / seconds, 0);
        } finally {
            threads.shutdown();
        }
    }

    private PushPoint withParameters(int count) throws Exception {
        TensorLayout layout = layout(count);
        bench.programs().makeRoomFor(layout.byteLength());
        Programs.Server server = new Model("", layout, "ms", 1).serve(bench.programs());
        GradientPushes pushes = new GradientPushes(server.client(), layout, true);
        PushPoint point;
        try (LoadConnection connection = new LoadConnection(server.address())) {
            Timings unused = Timings.during(
                    count <= PARAMETERS.get(0) ? WARM_UP_MS / 2 : SHORT_WARM_UP_MS, () -> pushes.push(connection));
            JvmProcessorTime before = JvmProcessorTime.of(server.process());
            Timings timings = Timings.during(MEASURED_MS, () -> pushes.push(connection));
            double processor =
                    JvmProcessorTime.of(server.process()).since(before).millis();
            point = new PushPoint(
                    count,
                    timings.medianMicros() / 1e3,
                    processor / timings.count(),
                    timings.count() / timings.totalSeconds(),
                    0);
        }
        Programs.end(server.process());
        PushPoint against = point.against(loopbackMs(pushes, layout));
        bench.progress("%s", against);
        return against;
    }

    /** Returns the time of the same bytes both ways over loopback TCP, without any processing. */
    private static double loopbackMs(GradientPushes pushes, TensorLayout layout) throws Exception {
        byte[] request = new byte[pushes.requestBytes()];
        try (LoopbackAnswer loopback = new LoopbackAnswer(request.length, Math.toIntExact(layout.byteLength()) + 1024);
                LoadConnection connection = new LoadConnection(loopback.address())) {
            Timings unused = Timings.during(MEASURED_MS / 3, () -> connection.exchange(request));
            return Timings.during(MEASURED_MS / 3, () -> connection.exchange(request))
                            .medianMicros()
                    / 1e3;
        }
    }

    /** Returns ten tensors of one size. */
    private static TensorLayout layout(int count) {
        List<TensorSpec> tensors = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            tensors.add(TensorSpec.f32("layer%d.weight".formatted(i), count / 10));
        }
        return TensorLayout.canonical(tensors);
    }

    private static List<Result> figures(PushPoint point, String axis, String with, String against) {
        String name = "push-cost-%s-%d".formatted(axis, point.count());
        String what = String.format(Locale.ROOT, with, point.count());
        return List.of(
                Figure.of(name, "push-and-pull, " + what)
                        .ours(point.roundTripMs(), "ms")
                        .limit(point.otherMs(), against.isEmpty() ? "loopback TCP, the same bytes" : against),
                Figure.of(name + "-cpu", "processor time of the server for it")
                        .ours(point.processorMs(), "ms")
                        .limit(point.roundTripMs(), "the round trip"));
    }
}
