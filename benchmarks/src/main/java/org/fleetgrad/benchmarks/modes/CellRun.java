package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.fleetgrad.benchmarks.modes.ActivationQueue.Work;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Programs.Running;
import org.fleetgrad.benchmarks.process.Programs.Server;
import org.fleetgrad.benchmarks.training.Accuracy;
import org.fleetgrad.benchmarks.training.RunRequest;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import tools.jackson.databind.JsonNode;

/**
 * The activations of one cell with a server of its own: takes work, invokes workers, replaces killed ones, until all
 * work is done. The accuracy is computed after the clock has stopped.
 */
final class CellRun {

    /** The errors of a worker whose loss is not finite, or whose gradient was refused as not finite, or too large. */
    private static final Pattern DIVERGED = Pattern.compile(
            "training has diverged|the server refused gradient .* is -?(NaN|Infinity|[0-9.E]+; values must)");

    /** Twice the accuracy of guessing. */
    private static final double CHANCE = 0.2;

    private static final Set<String> DROPPED = Set.of("stale-gradient", "too-far-ahead");

    record Site(Cell.Plan plan, ShardSet shards, Programs programs, WorkerPool pool, Accuracy accuracy) {}

    private final Site site;
    private final Cell cell;
    private final Server server;
    private final Executioner executioner;
    private final int seed;
    private final KillPlan kills;
    private final ActivationQueue queue;
    private final long gradientsAnActivation;
    private final AtomicInteger activations = new AtomicInteger();
    private final AtomicInteger killed = new AtomicInteger();
    private final AtomicLong unaccounted = new AtomicLong();
    private volatile boolean isDiverged;

    private CellRun(Site site, Cell cell, int number, Server server, Executioner executioner) {
        Cell.Plan plan = site.plan();
        this.site = site;
        this.cell = cell;
        this.server = server;
        this.executioner = executioner;
        this.seed = plan.seed() + number;
        this.kills = KillPlan.draw(Cell.SHARDS * plan.epochs(), cell.isKilling() ? Cell.KILL_SHARE : 0, seed);
        this.queue = new ActivationQueue(site.shards().train(), plan.epochs());
        this.gradientsAnActivation = (site.shards().samples().get(0) - 1L) / RunRequest.BATCH + 1;
    }

    static Measured measure(Site site, Cell cell, int number) throws Exception {
        site.pool().prepare(cell.workers() + (cell.isKilling() ? 1 : 0));
        Server server = site.programs().startServer(cell.settings());
        try (Executioner executioner = new Executioner(server.client())) {
            CellRun run = new CellRun(site, cell, number, server, executioner);
            double seconds = run.train();
            return run.measured(number, seconds);
        } finally {
            Programs.end(server.process());
        }
    }

    /** Runs all activations and returns the duration in seconds. */
    private double train() throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(cell.workers());
        Callable<Void> invoker = () -> {
            work();
            return null;
        };
        long begin = System.nanoTime();
        try {
            for (Future<Void> done : threads.invokeAll(Collections.nCopies(cell.workers(), invoker))) {
                done.get();
            }
        } catch (ExecutionException failed) {
            throw new IOException("%s: %s".formatted(cell.name(), failed.getCause()), failed);
        } finally {
            threads.shutdown();
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private void work() throws IOException, InterruptedException {
        Running worker = site.pool().take();
        try {
            for (Optional<Work> work = queue.take(); work.isPresent(); work = queue.take()) {
                worker = invoke(worker, work.get());
            }
        } catch (IOException failed) {
            queue.abandon();
            throw failed;
        } finally {
            site.pool().giveBack(worker);
        }
    }

    /** Does one piece of work; returns the worker to continue with. */
    private Running invoke(Running worker, Work work) throws IOException, InterruptedException {
        String id = "activation-" + activations.incrementAndGet();
        OptionalDouble moment = kills.moment(work.index(), work.attempt());
        if (moment.isPresent()) {
            executioner.condemn(id, worker.process(), (long) (moment.getAsDouble() * gradientsAnActivation));
        }
        try {
            URI shard = work.shard().toUri();
            RunRequest request = new RunRequest(worker.address(), server.address(), shard, 1, cell.parameters());
            JsonNode answer = request.with(Map.of("epoch_first", work.epoch(), "seed", seed, "worker", id))
                    .run();
            unaccounted.addAndGet(answer.path("steps").asLong()
                    - answer.path("pushes").asLong()
                    - answer.path("stale").asLong());
        } catch (DirectInvocation.ActivationFailedException failed) {
            if (!saysDiverged(String.valueOf(failed.getMessage()))) {
                throw failed;
            }
            isDiverged = true;
            queue.abandon();
        } catch (IOException gone) {
            if (moment.isEmpty()) {
                throw gone;
            }
        } finally {
            executioner.forget(id);
        }
        if (moment.isEmpty()) {
            queue.done();
            return worker;
        }
        // If the activation ended before its moment came, the worker is killed now.
        killed.incrementAndGet();
        site.pool().replace(worker);
        queue.giveBack(work);
        return site.pool().take();
    }

    static boolean saysDiverged(String error) {
        return DIVERGED.matcher(error).find();
    }

    private Measured measured(int number, double seconds) throws IOException {
        StatusReply status = server.client().status();
        double right = site.accuracy().of(server.parameters());
        Map<String, Long> pushes = status.pushes();
        return new Measured(
                cell.name(),
                number,
                isDiverged || right < CHANCE,
                right,
                seconds,
                status.samples(),
                status.meanStaleness(),
                status.worstStaleness(),
                pushes.getOrDefault("applied", 0L) + pushes.getOrDefault("buffered", 0L) - status.buffered(),
                DROPPED.stream()
                        .mapToLong(reason -> pushes.getOrDefault(reason, 0L))
                        .sum(),
                // Computed, but neither applied nor dropped as stale.
                unaccounted.get() + killed.get(),
                activations.get(),
                killed.get());
    }
}
