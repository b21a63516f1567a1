package org.fleetgrad.benchmarks.exchange;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.ProcessMemory;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;

/** Measures the peak memory of ps-service with large models, while connections push and pull. */
public record ServerMemory(Workbench bench) {

    private static final int CONNECTIONS = 4;
    private static final long LOAD_SECONDS = 8;
    private static final long PAUSE_MS = 20;
    private static final double MEBIBYTE = 1 << 20;
    private static final double ROOM_MEBIBYTES = 150;

    /** Returns mebibytes. Makes one round only, because the figure is the peak of many exchanges. */
    public Result measure() throws Exception {
        return measure(
                "server-memory",
                "a model of 100 MB, %d connections that push and pull".formatted(CONNECTIONS),
                Model.LARGE,
                CONNECTIONS,
                "4 times the parameters and 150 MiB",
                4);
    }

    /** Returns mebibytes with the largest network of the zoo: what {@code RunMemory} counts, and the program itself. */
    public Result vgg19() throws Exception {
        long bytes = Model.VGG_19.layout().byteLength();
        bench.programs().makeRoomFor(bytes);
        return measure(
                "server-memory-vgg19",
                "VGG-19, 575 MB, 2 connections that push and pull",
                Model.VGG_19,
                2,
                "7 times the parameters (parameters, momentum, 2 gradients, 2 snapshots, 1 for a slow reader) and 150 MiB",
                7);
    }

    private Result measure(String name, String what, Model model, int connections, String allowed, int copies)
            throws Exception {
        if (!ProcessMemory.isKnown()) {
            return Missing.skipped(name, "this system has no /proc to read it from");
        }
        Programs.Server server = model.serve(bench.programs());
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        List<Future<Integer>> counts = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LOAD_SECONDS);
        for (int i = 0; i < connections; i++) {
            GradientPushes pushes = new GradientPushes(server.client(), model.layout(), true);
            counts.add(threads.submit(() -> exchangeUntil(end, server, pushes)));
        }
        int exchanges = 0;
        for (Future<Integer> count : counts) {
            exchanges += count.get();
        }
        threads.shutdown();
        if (exchanges == 0) {
            throw new IOException("no exchange of %d bytes succeeded within %d s"
                    .formatted(model.layout().byteLength(), LOAD_SECONDS));
        }
        bench.progress("%d exchanges", exchanges);
        double parameters = (double) model.layout().byteLength() / MEBIBYTE;
        return Figure.of(name, "ps-service's peak with " + what)
                .ours(ProcessMemory.peakMebibytes(server.process()), "MiB")
                .limit(copies * parameters + ROOM_MEBIBYTES, allowed)
                .ratioAtMost(1);
    }

    /** Refusals are expected: a full server refuses and so bounds its memory, which is what this measures. */
    private static int exchangeUntil(long end, Programs.Server server, GradientPushes pushes)
            throws InterruptedException {
        int done = 0;
        while (System.nanoTime() < end && server.process().isAlive()) {
            try (LoadConnection connection = new LoadConnection(server.address())) {
                while (System.nanoTime() < end) {
                    pushes.push(connection);
                    done++;
                }
            } catch (IOException refused) {
                Thread.sleep(PAUSE_MS);
            }
        }
        return done;
    }
}
