package org.fleetgrad.simulation.scale;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.optim.TrainingMode;

/**
 * One table of docs/scale.md: the most workers of a network, by links, servers, modes and encodings.
 *
 * @param measured what a push costs
 * @param network  the network
 */
record ScaleTable(Measured measured, ScaleNetwork network) {

    static final List<Integer> GIGABITS = List.of(1, 10, 100);
    static final List<Integer> SERVERS = List.of(1, 2, 8);
    private static final List<String> ENCODINGS = List.of("f32", "bf16", "i8");
    private static final List<TrainingMode> MODES = List.of(new TrainingMode.Async(1), new TrainingMode.Sync(0));

    /** Of a message between machines of one building. */
    private static final Duration LATENCY = Duration.ofNanos(100_000);

    private static final double SPREAD = 0.1;
    private static final double GIGABIT = 1e9;

    static String head() {
        String columns = MODES.stream()
                .flatMap(mode -> ENCODINGS.stream().map(encoding -> mode + " " + encoding))
                .collect(Collectors.joining(" | "));
        return "| links | servers | %s |\n|---|---|%s\n".formatted(columns, "---|".repeat(6));
    }

    /** Returns the whole table. */
    String markdown() {
        return GIGABITS.stream()
                .flatMap(gigabits -> SERVERS.stream().map(servers -> row(gigabits, servers)))
                .collect(Collectors.joining("\n", head(), "\n"));
    }

    /** Returns one of its lines. */
    String row(int gigabits, int servers) {
        Stream<String> cells = MODES.stream()
                .flatMap(mode -> ENCODINGS.stream().map(encoding -> plan(gigabits, servers, mode, encoding)))
                .map(plan -> MostWorkers.of(plan).text());
        return "| %d Gbit/s | %d | %s |".formatted(gigabits, servers, cells.collect(Collectors.joining(" | ")));
    }

    FleetPlan plan(int gigabits, int servers, TrainingMode mode, String encoding) {
        return new FleetPlan(
                1,
                servers,
                mode,
                encoding,
                network.parameters(),
                network.step(),
                SPREAD,
                measured.worker(network.parameters(), encoding),
                gigabits * GIGABIT,
                LATENCY,
                measured.server(network.parameters(), encoding));
    }
}
