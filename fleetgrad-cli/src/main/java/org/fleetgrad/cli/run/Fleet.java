package org.fleetgrad.cli.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps every worker busy with the work that the parameter server hands out: a thread each, an activation and a shard at a
 * time.
 */
final class Fleet {

    /** Between two looks for work that others may give back. */
    private static final long WAIT_MS = 100;

    private static final int MOST_MISSES = 5;

    /** Waits. */
    @FunctionalInterface
    interface Pause {
        void forMillis(long millis) throws InterruptedException;
    }

    private final List<Invoker> workers;
    private final ActivationLog log = new ActivationLog();
    private final Consumer<String> teller;
    private final Pause pause;
    private Optional<RunFailedException> failure = Optional.empty();
    private List<Thread> threads = List.of();
    private volatile boolean isPaused;

    /**
     * @param teller hears of each activation that was killed or failed, in a line
     */
    Fleet(List<? extends Invoker> workers, Consumer<String> teller) {
        this(workers, teller, Thread::sleep);
    }

    Fleet(List<? extends Invoker> workers, Consumer<String> teller, Pause pause) {
        this.workers = List.copyOf(workers);
        this.teller = teller;
        this.pause = pause;
    }

    /** Sets all workers to work, until nothing is left. */
    void start() {
        isPaused = false;
        List<Thread> started = new ArrayList<>();
        for (Invoker worker : workers) {
            Thread thread = new Thread(() -> work(worker), "invoker");
            thread.setDaemon(true);
            thread.start();
            started.add(thread);
        }
        threads = started;
    }

    private void work(Invoker worker) {
        try {
            int misses = 0;
            String left = "more";
            while (!isPaused && !left.equals("done")) {
                Optional<ActivationEnd.Answered> answered = invoke(worker, misses);
                if (answered.isEmpty()) {
                    misses++;
                    pause.forMillis(WAIT_MS << misses);
                    continue;
                }
                misses = 0;
                left = answered.get().answer().path("work").asString("");
                // A look for work that found none is no activation worth a line.
                if (answered.get().answer().path("samples").asLong() > 0) {
                    log.add(worker.name(), answered.get());
                } else {
                    pause.forMillis(WAIT_MS);
                }
            }
        } catch (RunFailedException failed) {
            fail(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the answer; nothing where there is none, and another try may have one. */
    private Optional<ActivationEnd.Answered> invoke(Invoker worker, int misses)
            throws RunFailedException, InterruptedException {
        String why;
        boolean isFinal = false;
        try {
            ActivationEnd end = worker.invoke();
            if (end instanceof ActivationEnd.Answered answered) {
                return Optional.of(answered);
            }
            log.add(worker.name(), end);
            isFinal = end instanceof ActivationEnd.Failed failed && failed.isFinal();
            why = end instanceof ActivationEnd.Killed killed ? killed.why() : ((ActivationEnd.Failed) end).message();
        } catch (IOException lost) {
            why = "a worker was lost: " + lost.getMessage();
        }
        // What was not done of the shard goes to whoever asks next; a worker that only ever fails ends the run.
        if (isFinal) {
            throw RunFailedException.remote(why);
        }
        if (misses + 1 == MOST_MISSES) {
            throw RunFailedException.remote("%s; %d times in a row without success".formatted(why, MOST_MISSES));
        }
        teller.accept(why);
        return Optional.empty();
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

    /** Returns what became of the activations so far. */
    ActivationLog log() {
        return log;
    }
}
