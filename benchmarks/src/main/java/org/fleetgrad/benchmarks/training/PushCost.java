package org.fleetgrad.benchmarks.training;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.figures.Values;
import org.fleetgrad.benchmarks.process.JvmProcessorTime;
import org.fleetgrad.benchmarks.process.JvmProcessorTime.Work;
import org.fleetgrad.benchmarks.process.Programs;

/**
 * The processor time of a push while workers train: the server's, by what its threads do, and the worker's beyond its
 * arithmetic.
 */
record PushCost(Programs.Server server, WarmFleet fleet) {

    private static final String UNIT = "ms";
    private static final String ARITHMETIC = "the arithmetic of a batch, no exchange";

    /** The first columns of {@link #measure}: the server's milliseconds. */
    private static final List<Work> WORKS = List.of(Work.values());

    private static final int SWITCHES = WORKS.size();
    private static final int WORKER = SWITCHES + 1;
    private static final int COLUMNS = WORKER + 1;

    /** Returns the samples per second, and then the columns: milliseconds a push. */
    double[] measure(Callable<Double> training) throws Exception {
        double[] values = new double[1 + COLUMNS];
        if (!JvmProcessorTime.isKnown()) {
            values[0] = training.call();
            return values;
        }
        long version = server.client().version().version();
        JvmProcessorTime serverBefore = JvmProcessorTime.of(server.process());
        double workersBefore = workersMillis();
        values[0] = training.call();
        double workers = workersMillis() - workersBefore;
        JvmProcessorTime taken = JvmProcessorTime.of(server.process()).since(serverBefore);
        double pushes = server.client().version().version() - version;
        for (int column = 0; column < WORKS.size(); column++) {
            values[1 + column] = taken.millis(WORKS.get(column)) / pushes;
        }
        values[1 + SWITCHES] = taken.switches() / pushes;
        values[1 + WORKER] = workers / pushes;
        return values;
    }

    private double workersMillis() throws IOException {
        double millis = 0;
        for (Programs.Running worker : fleet.workers()) {
            millis += JvmProcessorTime.of(worker.process()).millis();
        }
        return millis;
    }

    /**
     * Returns the figures of what was measured of each column, beside the milliseconds of a batch without an exchange.
     */
    static List<Result> figures(IntFunction<Values> column, Values arithmetic) {
        if (!JvmProcessorTime.isKnown()) {
            return List.of(Missing.skipped("training-server-cpu", "this system has no /proc to read it from"));
        }
        List<Values> byWork = IntStream.range(0, WORKS.size()).mapToObj(column).toList();
        Values all = byWork.stream().reduce(Values::plus).orElseThrow();
        List<Result> figures = new ArrayList<>();
        figures.add(Figure.of("training-server-cpu", "processor time of the server, a push")
                .ours(all, UNIT)
                .limit(arithmetic, ARITHMETIC)
                .atMost(0.5));
        for (int i = 0; i < WORKS.size(); i++) {
            String name = WORKS.get(i).name().toLowerCase(Locale.ROOT);
            figures.add(Figure.of("training-server-cpu-" + name, "of it, threads that " + name)
                    .ours(byWork.get(i), UNIT)
                    .limit(all, "all threads of the server"));
        }
        figures.add(Figure.of("training-server-switches", "how often the server's threads give up a processor, a push")
                .ours(column.apply(SWITCHES), "times")
                .limit(1, "one thread that waits for the next request"));
        figures.add(Figure.of("training-worker-cpu", "processor time of a worker beyond its arithmetic, a push")
                .ours(column.apply(WORKER).minus(arithmetic), UNIT)
                .limit(arithmetic, ARITHMETIC)
                .atMost(0.5));
        return figures;
    }
}
