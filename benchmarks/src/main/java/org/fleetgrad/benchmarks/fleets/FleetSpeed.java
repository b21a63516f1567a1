package org.fleetgrad.benchmarks.fleets;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fleetgrad.benchmarks.exchange.Model;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.process.JvmProcessorTime;
import org.fleetgrad.benchmarks.process.JvmProcessorTime.Work;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;

/**
 * Measures fleets of 1, 2, 4 and 8 sleeping workers on links of 100 Mbit/s, which docs/scale.md's simulation must predict, and the costs
 * of a push that the simulation is given.
 */
public record FleetSpeed(Workbench bench) {

    private static final List<Integer> FLEETS = List.of(1, 2, 4, 8);
    private static final Duration STEP = Duration.ofMillis(40);
    private static final Duration TIME = Duration.ofSeconds(4);
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final double BITS_A_SECOND = 100e6;
    private static final double UNLIMITED = 1e12;
    private static final double SECOND = 1e3;

    public List<Result> measure() throws Exception {
        List<Result> figures = new ArrayList<>(costs(Model.TINY, List.of("f32")));
        for (Model model : List.of(Model.SMALL, Model.LARGE)) {
            figures.addAll(costs(model, List.of("f32", "bf16", "i8")));
        }
        for (String mode : List.of("async", "sync")) {
            figures.addAll(fleets(mode));
        }
        return figures;
    }

    /** Measures what one push with its pull takes of the server and of the worker, with nothing between them. */
    private List<Result> costs(Model model, List<String> encodings) throws Exception {
        bench.programs().makeRoomFor(model.layout().byteLength());
        Programs.Server server = model.serve(bench.programs());
        try {
            List<SleepingWorker> workers = new ArrayList<>();
            for (String encoding : encodings) {
                SleepingWorker worker = new SleepingWorker(server.address(), model.layout(), encoding);
                workers.add(worker);
                exchange(worker, WARM_UP);
            }
            Comparison<String> comparison =
                    bench.compareAll(encodings, encoding -> cost(server, workers.get(encodings.indexOf(encoding))));
            List<Result> figures = new ArrayList<>();
            for (String encoding : encodings) {
                String name = "-%s-%s".formatted(model.word(), encoding);
                String what = ", push-and-pull of %s as %s".formatted(model.word(), encoding);
                figures.add(Figure.of("fleet-exchange" + name, "one worker alone" + what)
                        .ours(comparison.of(encoding), "ms")
                        .limit(comparison.of(encoding, 1), "the server's processors"));
                figures.add(Figure.of("fleet-serve" + name, "the server's processors" + what)
                        .ours(comparison.of(encoding, 1), "ms")
                        .limit(comparison.of(encoding), "the whole exchange"));
            }
            return figures;
        } finally {
            Programs.end(server.process());
        }
    }

    private static long exchange(SleepingWorker worker, Duration time) throws Exception {
        long before = worker.steps();
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            worker.step(Duration.ZERO);
        }
        return worker.steps() - before;
    }

    /** Returns the milliseconds of an exchange, and those of the server's threads. */
    private static double[] cost(Programs.Server server, SleepingWorker worker) throws Exception {
        JvmProcessorTime before = JvmProcessorTime.of(server.process());
        double pushes = exchange(worker, TIME);
        JvmProcessorTime taken = JvmProcessorTime.of(server.process()).since(before);
        return new double[] {TIME.toMillis() / pushes, taken.millis(Work.SERVE) / pushes};
    }

    private List<Result> fleets(String mode) throws Exception {
        Programs.Server server = Model.SMALL.serve(bench.programs(), Map.of("PS_MODE", mode));
        try {
            List<SleepingFleet> fleets = new ArrayList<>();
            for (String encoding : List.of("f32", "i8")) {
                FLEETS.forEach(workers -> fleets.add(new SleepingFleet(workers, encoding, STEP, BITS_A_SECOND)));
            }
            double unused = new SleepingFleet(1, "f32", Duration.ZERO, UNLIMITED)
                    .batchesASecond(server.address(), Model.SMALL.layout(), WARM_UP);
            Comparison<SleepingFleet> comparison =
                    bench.compare(fleets, fleet -> fleet.batchesASecond(server.address(), Model.SMALL.layout(), TIME));
            return fleets.stream()
                    .<Result>map(fleet -> Figure.of(
                                    "fleet-%s-%s-%d".formatted(mode, fleet.encoding(), fleet.workers()),
                                    String.format(
                                            Locale.ROOT,
                                            "LeNet-5 as %s, steps of %d ms ± 10%%, %d workers and the server on links of 100 Mbit/s, %s",
                                            fleet.encoding(),
                                            STEP.toMillis(),
                                            fleet.workers(),
                                            mode))
                            .ours(comparison.of(fleet), "batches/s")
                            .limit(SECOND / STEP.toMillis() * fleet.workers(), "the same steps, no exchange"))
                    .toList();
        } finally {
            Programs.end(server.process());
        }
    }
}
