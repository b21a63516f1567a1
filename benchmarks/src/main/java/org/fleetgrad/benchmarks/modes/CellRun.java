package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
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
import org.fleetgrad.benchmarks.process.Programs.Server;
import org.fleetgrad.benchmarks.process.Programs.Worker;
import tools.jackson.databind.JsonNode;

/**
 * The activations of one cell with one server: takes work, invokes workers, replaces killed ones, until all work is
 * done.
 */
final class CellRun {

    /**
     * The errors of a worker whose loss is not finite, or whose gradient the server refused because it is not finite,
     * or too large.
     */
    private static final Pattern DIVERGED = Pattern.compile(
            "training has diverged|the server refused gradient .* is -?(NaN|Infinity|[0-9.E]+; values must)");

    private final Cell cell;
    private final Cell.Plan plan;
    private final int seed;
    private final KillPlan kills;
    private final ActivationQueue queue;
    private final WorkerPool pool;
    private final Server server;
    private final Executioner executioner;
    private final long gradientsAnActivation;
    private final AtomicInteger activations = new AtomicInteger();
    private final AtomicInteger killed = new AtomicInteger();
    private final AtomicLong unaccounted = new AtomicLong();
    private volatile boolean isDiverged;

    CellRun(
            Cell cell,
            Cell.Plan plan,
            int repeat,
            List<Path> shards,
            long gradientsAnActivation,
            WorkerPool pool,
            Server server,
            Executioner executioner) {
        int works = shards.size() * plan.epochs();
        this.cell = cell;
        this.plan = plan;
        this.seed = plan.seed() + repeat;
        this.kills = cell.isKilling() ? KillPlan.draw(works, plan.killShare(), seed) : KillPlan.none(works);
        this.queue = new ActivationQueue(shards, plan.epochs());
        this.gradientsAnActivation = gradientsAnActivation;
        this.pool = pool;
        this.server = server;
        this.executioner = executioner;
    }

    /** Runs all activations and returns the duration in seconds. */
    double train() throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(cell.workers());
        List<Future<Void>> invokers = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < cell.workers(); i++) {
            Callable<Void> invoker = () -> {
                work();
                return null;
            };
            invokers.add(threads.submit(invoker));
        }
        try {
            for (Future<Void> invoker : invokers) {
                invoker.get();
            }
        } catch (ExecutionException failed) {
            throw new IOException("%s: %s".formatted(cell.name(), failed.getCause()), failed);
        } finally {
            threads.shutdown();
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private void work() throws IOException, InterruptedException {
        Worker worker = pool.take();
        try {
            for (Optional<Work> work = queue.take(); work.isPresent(); work = queue.take()) {
                worker = invoke(worker, work.get());
            }
        } catch (IOException failed) {
            queue.abandon();
            throw failed;
        } finally {
            pool.giveBack(worker);
        }
    }

    /** Does one piece of work; returns the worker to continue with. */
    private Worker invoke(Worker worker, Work work) throws IOException, InterruptedException {
        String id = "activation-" + activations.incrementAndGet();
        OptionalDouble moment = kills.moment(work.index(), work.attempt());
        if (moment.isPresent()) {
            executioner.condemn(id, worker.process(), (long) (moment.getAsDouble() * gradientsAnActivation));
        }
        try {
            JsonNode answer = DirectInvocation.run(worker, value(id, work));
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
        pool.replace(worker);
        queue.giveBack(work);
        return pool.take();
    }

    /** Returns whether the error of a worker means that training has diverged. */
    static boolean saysDiverged(String error) {
        return DIVERGED.matcher(error).find();
    }

    private Map<String, Object> value(String id, Work work) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("batch_sz_train", plan.batchSize());
        value.put("epoch_n", 1);
        value.put("epoch_first", work.epoch());
        value.put("update_intv", 1);
        value.put("apihost", server.address().toString());
        value.put("dataset_url", work.shard().toUri().toString());
        value.put("seed", seed);
        value.put("worker", id);
        if (cell.clipNorm() > 0) {
            value.put("clip_norm", cell.clipNorm());
        }
        return value;
    }

    boolean isDiverged() {
        return isDiverged;
    }

    int activations() {
        return activations.get();
    }

    int killed() {
        return killed.get();
    }

    /** Returns the number of gradients that were computed but are neither applied nor dropped as stale. */
    long lost() {
        return unaccounted.get() + killed.get();
    }
}
