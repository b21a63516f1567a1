package org.fleetgrad.runs.fleet;

import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.runs.invoker.ActivationOutcome;
import org.fleetgrad.runs.invoker.Invoker;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * Keeps every worker busy with the work that the parameter server assigns. Each worker has a thread, which runs one
 * activation after the other. Thread-safe.
 */
public final class Fleet {

    /** Pause before a worker polls again for work that another worker may return. */
    private static final Duration WAIT = Duration.ofMillis(100);

    private static final int MOST_MISSES = 5;

    private final List<? extends Invoker> workers;
    private final ActivationLog log;
    private final Supplier<String> ids;
    private final Consumer<String> teller;
    private final Sleeper sleeper;
    private final BitSet busy = new BitSet();
    private final AtomicBoolean hasToldOfShortLimit = new AtomicBoolean();
    private int size;
    private boolean isPaused = true;
    /** No work is left: a worker that waits for capacity need not poll. */
    private volatile boolean isOver;

    private Optional<RunFailedException> failure = Optional.empty();

    /**
     * @param log    receives each activation
     * @param teller receives one line for each activation that was killed or failed
     */
    public Fleet(List<? extends Invoker> workers, ActivationLog log, Consumer<String> teller) {
        this(workers, log, new WorkerIds(), teller, Sleeper.THREAD);
    }

    Fleet(
            List<? extends Invoker> workers,
            ActivationLog log,
            Supplier<String> ids,
            Consumer<String> teller,
            Sleeper sleeper) {
        this.workers = List.copyOf(workers);
        this.log = log;
        this.ids = ids;
        this.teller = teller;
        this.sleeper = sleeper;
    }

    /** Runs the first {@code wanted} workers until no work is left. */
    public synchronized void start(int wanted) {
        isPaused = false;
        isOver = false;
        resize(wanted);
    }

    /** Changes the number of workers. Surplus workers finish their current activation and free their process or container. */
    public synchronized void resize(int wanted) {
        size = wanted;
        for (int i = 0; !isPaused && i < wanted; i++) {
            if (!busy.get(i)) {
                busy.set(i);
                int index = i;
                Thread thread = new Thread(() -> work(index), "invoker-" + (i + 1));
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private void work(int index) {
        Invoker worker = workers.get(index);
        boolean isLeft = false;
        try {
            while (!isLeft) {
                boolean isDone = train(worker, index);
                if (!isWanted(index)) {
                    worker.release();
                }
                isLeft = leave(index, isDone);
            }
        } catch (RunFailedException failed) {
            fail(failed);
        } catch (IOException unreleased) {
            teller.accept("the process or container of %s was not freed: %s"
                    .formatted(worker.name(), unreleased.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            leave(index, true);
        }
    }

    /** Runs activations; returns true if no work is left, false if the worker is to stop. */
    private boolean train(Invoker worker, int index) throws RunFailedException, InterruptedException {
        int misses = 0;
        int idle = 0;
        while (mayGoOn(index)) {
            if (!worker.mayInvoke()) {
                if (isOver) {
                    return true;
                }
                sleeper.sleep(WAIT);
                continue;
            }
            Optional<ActivationOutcome.Answered> answered = invoke(worker, misses);
            if (answered.isEmpty()) {
                misses++;
                sleeper.sleep(WAIT.multipliedBy(1L << misses));
                continue;
            }
            misses = 0;
            if (answered.get().answer().path("work").asString("").equals("done")) {
                isOver = true;
                return true;
            }
            idle = hadNoTime(answered.get()) ? idle + 1 : 0;
            requireTime(worker, answered.get(), idle);
            if (!isTrained(answered.get())) {
                sleeper.sleep(WAIT.multipliedBy(1L << idle));
            }
        }
        return false;
    }

    /** There was work, and the activation ended without a single batch of it. */
    private static boolean hadNoTime(ActivationOutcome.Answered answered) {
        return !isTrained(answered)
                && answered.answer().path("work").asString("").equals("more");
    }

    /**
     * Reports once that an activation had no time to train, and ends the run if a worker's consecutive activations have
     * none: each costs, and counts towards the invocations per minute.
     */
    private void requireTime(Invoker worker, ActivationOutcome.Answered answered, int idle) throws RunFailedException {
        if (idle == 0) {
            return;
        }
        String what =
                "an activation of %s%s ended after %.1f s without a batch, since its limit may leave no time for one"
                        .formatted(
                                worker.name(),
                                answered.course().isCold() ? ", with its cold start," : "",
                                answered.course().seconds());
        if (idle == MOST_MISSES) {
            throw RunFailedException.input(
                    "%s; %d in a row did: pass a longer --activation-limit".formatted(what, MOST_MISSES));
        }
        if (!hasToldOfShortLimit.getAndSet(true)) {
            teller.accept("%s; a longer --activation-limit avoids that".formatted(what));
        }
    }

    /** An activation that found no work is not logged. */
    private static boolean isTrained(ActivationOutcome.Answered answered) {
        return answered.answer().path("samples").asLong() > 0;
    }

    /** Returns the response; empty if there is none and another try may succeed. */
    private Optional<ActivationOutcome.Answered> invoke(Invoker worker, int misses)
            throws RunFailedException, InterruptedException {
        String why;
        boolean isFinal = false;
        try {
            ActivationLog.Begun begun = log.begin(worker.name(), ids.get());
            ActivationOutcome end = worker.invoke(begun.worker());
            if (end instanceof ActivationOutcome.Answered answered) {
                if (isTrained(answered) || hadNoTime(answered)) {
                    log.add(begun, answered);
                }
                return Optional.of(answered);
            }
            log.add(begun, end);
            isFinal = end instanceof ActivationOutcome.Failed failed && failed.isFinal();
            why = end instanceof ActivationOutcome.Killed killed
                    ? killed.why()
                    : ((ActivationOutcome.Failed) end).message();
        } catch (IOException lost) {
            why = "a worker was lost: " + lost.getMessage();
        }
        // The server assigns the remaining batches of the shard to the next worker. A worker that always fails ends the
        // run.
        if (isFinal) {
            throw RunFailedException.remote(why);
        }
        if (misses + 1 == MOST_MISSES) {
            throw RunFailedException.remote("%s; %d times in a row without success".formatted(why, MOST_MISSES));
        }
        teller.accept(why);
        return Optional.empty();
    }

    private synchronized boolean isWanted(int index) {
        return index < size;
    }

    private synchronized boolean mayGoOn(int index) {
        return !isPaused && index < size;
    }

    /** Returns whether the worker's thread is to end; not if the worker was wanted again in the meantime. */
    private synchronized boolean leave(int index, boolean isDone) {
        busy.set(index, !isDone && mayGoOn(index));
        return !busy.get(index);
    }

    /** Starts no further activations until {@link #start}. */
    public synchronized void pause() {
        isPaused = true;
    }

    private synchronized void fail(RunFailedException failed) {
        pause();
        if (failure.isEmpty()) {
            failure = Optional.of(failed);
        }
    }

    public synchronized boolean isWorking() {
        return !busy.isEmpty();
    }

    /** Returns the first failure of an activation. */
    public synchronized Optional<RunFailedException> failure() {
        return failure;
    }
}
