package org.fleetgrad.cli.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.fleetgrad.cli.run.ShardQueue.Work;
import tools.jackson.databind.JsonNode;

/** Keeps every worker busy with work from the queue: a thread each, an activation at a time. */
final class Fleet {

    private final List<WorkerInvoker> workers;
    private final ShardQueue queue;
    private final ConcurrentLinkedQueue<JsonNode> answers = new ConcurrentLinkedQueue<>();
    private Optional<RunFailedException> failure = Optional.empty();
    private List<Thread> threads = List.of();

    Fleet(List<WorkerInvoker> workers, ShardQueue queue) {
        this.workers = List.copyOf(workers);
        this.queue = queue;
    }

    /** Sets all workers to work, until the queue gives nothing more. */
    void start() {
        List<Thread> started = new ArrayList<>();
        for (WorkerInvoker worker : workers) {
            Thread thread = new Thread(() -> work(worker), "invoker");
            thread.setDaemon(true);
            thread.start();
            started.add(thread);
        }
        threads = started;
    }

    private void work(WorkerInvoker worker) {
        try {
            for (Optional<Work> work = queue.take(); work.isPresent(); work = queue.take()) {
                answers.add(worker.run(work.get()));
            }
        } catch (RunFailedException failed) {
            fail(failed);
        } catch (IOException lost) {
            fail(RunFailedException.remote("a worker was lost in an activation: " + lost));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void fail(RunFailedException failed) {
        queue.pause();
        if (failure.isEmpty()) {
            failure = Optional.of(failed);
        }
    }

    boolean isWorking() {
        return threads.stream().anyMatch(Thread::isAlive);
    }

    /** Returns the first failure of an activation. */
    synchronized Optional<RunFailedException> failure() {
        return failure;
    }

    /** Returns what the activations answered so far. */
    List<JsonNode> answers() {
        return List.copyOf(answers);
    }
}
