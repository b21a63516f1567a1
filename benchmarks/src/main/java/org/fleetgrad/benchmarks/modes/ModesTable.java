package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.fleetgrad.benchmarks.page.ResultFile;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.training.Accuracy;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;

/**
 * Measures cell after cell: a new server each, the same workers. The accuracy is computed after the clock has stopped.
 */
final class ModesTable {

    /** Twice the accuracy of guessing. */
    private static final double CHANCE = 0.2;

    private static final Set<String> DROPPED = Set.of("stale-gradient", "too-far-ahead");

    private final Cell.Plan plan;
    private final Programs programs;
    private final WorkerPool pool;
    private final ShardSet shards;
    private final long gradientsAnActivation;
    private final Accuracy accuracy;
    private final ResultFile<Measured> results;

    /** @param folder folder for the shards */
    ModesTable(
            Cell.Plan plan,
            IdxDataset data,
            Path folder,
            Programs programs,
            WorkerPool pool,
            Accuracy accuracy,
            ResultFile<Measured> results)
            throws IOException {
        this.plan = plan;
        this.programs = programs;
        this.pool = pool;
        this.results = results;
        this.shards = ShardSet.write(folder, "mnist", data.train(), data.test(), plan.shards());
        int samples = data.train().count() / plan.shards();
        this.gradientsAnActivation = (samples - 1L) / plan.batchSize() + 1;
        this.accuracy = accuracy;
    }

    /** Measures the cells that have no results yet. */
    void measure(List<Cell> cells) throws IOException, InterruptedException {
        List<Cell> left = new ArrayList<>();
        List<Integer> repeats = new ArrayList<>();
        for (int repeat = 0; repeat < plan.repeat(); repeat++) {
            for (Cell cell : cells) {
                if (!results.has(cell.name(), repeat)) {
                    left.add(cell);
                    repeats.add(repeat);
                }
            }
        }
        long begin = System.nanoTime();
        for (int i = 0; i < left.size(); i++) {
            Cell cell = left.get(i);
            Measured measured = measure(cell, repeats.get(i));
            results.add(measured);
            System.err.printf(
                    Locale.ROOT,
                    "%d/%d %s: %.2f%%%s in %.1f s, staleness %.1f; about %.0f min left%n",
                    i + 1,
                    left.size(),
                    cell.name(),
                    100 * measured.accuracy(),
                    measured.isDiverged() ? " diverged" : "",
                    measured.seconds(),
                    measured.meanStaleness(),
                    ResultFile.minutesLeft(System.nanoTime() - begin, i + 1, left.size()));
        }
    }

    private Measured measure(Cell cell, int repeat) throws IOException, InterruptedException {
        pool.prepare(cell.workers() + (cell.isKilling() ? 1 : 0));
        Programs.Server server = programs.startServer(cell.settings(plan));
        try (Executioner executioner = new Executioner(server.client())) {
            CellRun run =
                    new CellRun(cell, plan, repeat, shards.train(), gradientsAnActivation, pool, server, executioner);
            double seconds = run.train();
            return measured(cell, repeat, run, seconds, server);
        } finally {
            Programs.end(server.process());
        }
    }

    private Measured measured(Cell cell, int repeat, CellRun run, double seconds, Programs.Server server)
            throws IOException {
        StatusReply status = server.client().status();
        double right = accuracy.of(server.parameters());
        Map<String, Long> pushes = status.pushes();
        return new Measured(
                cell.name(),
                repeat,
                run.isDiverged() || right < CHANCE,
                right,
                seconds,
                status.samples(),
                status.meanStaleness(),
                status.worstStaleness(),
                pushes.getOrDefault("applied", 0L) + pushes.getOrDefault("buffered", 0L) - status.buffered(),
                DROPPED.stream()
                        .mapToLong(reason -> pushes.getOrDefault(reason, 0L))
                        .sum(),
                run.lost(),
                run.activations(),
                run.killed());
    }
}
