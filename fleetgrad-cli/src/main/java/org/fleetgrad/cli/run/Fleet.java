package org.fleetgrad.cli.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import tools.jackson.databind.JsonNode;

/**
 * Keeps every worker busy with the work that the parameter server hands out: a thread each, an activation and a shard at a
 * time.
 */
final class Fleet {

    /** Between two looks for work that others may give back. */
    private static final long WAIT_MS = 100;

    private final List<WorkerInvoker> workers;
    private final ConcurrentLinkedQueue<JsonNode> answers = new ConcurrentLinkedQueue<>();
    private Optional<RunFailedException> failure = Optional.empty();
    private List<Thread> threads = List.of();
    private volatile boolean isPaused;

    Fleet(List<WorkerInvoker> workers) {
        this.workers = List.copyOf(workers);
    }

    /** Sets all workers to work, until nothing is left. */
    void start() {
        isPaused = false;
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
            String left = "more";
            while (!isPaused && !left.equals("done")) {
                JsonNode answer = worker.run();
                left = answer.path("work").asString("");
                if (answer.path("samples").asLong() > 0) {
                    answers.add(answer);
                }
                if (left.equals("wait")) {
                    Thread.sleep(WAIT_MS);
                }
            }
        } catch (RunFailedException failed) {
            fail(failed);
        } catch (IOException lost) {
            fail(RunFailedException.remote("a worker was lost in an activation: " + lost));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Begins no more activations until {@link #start}. */
    void pause() {
        isPaused = true;
    }

    private synchronized void fail(RunFailedException failed) {
        pause();
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
