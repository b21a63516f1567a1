package org.fleetgrad.runs.search;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.runs.output.RunFailedException;

/** Trains several trials at a time, each in a thread; what follows from their ends happens in the caller's thread, one by one. */
final class TrialPool {

    /** A trial that is stopped takes a last checkpoint. */
    private static final int PATIENCE_SECONDS = 150;

    private final int most;

    /** @param most trials at a time; one trains in the caller's thread */
    TrialPool(int most) {
        this.most = most;
    }

    /** Trains a trial and returns why it failed; empty if it did not. */
    @FunctionalInterface
    interface Work {
        String train(Trial trial) throws RunFailedException, InterruptedException;
    }

    /** Takes the end of a trial. */
    @FunctionalInterface
    interface End {
        void ended(Trial trial, String failure) throws RunFailedException;
    }

    private record Ended(Trial trial, String failure) {}

    /**
     * Trains all trials, which begin in their order.
     *
     * @throws RunFailedException what one of the two threw; the other trials are stopped, and have ended when this returns
     */
    void train(List<Trial> trials, Work work, End end) throws RunFailedException, InterruptedException {
        if (most == 1) {
            for (Trial trial : trials) {
                end.ended(trial, work.train(trial));
            }
            return;
        }
        ExecutorService threads = Executors.newFixedThreadPool(most, task -> {
            Thread thread = new Thread(task, "trial");
            thread.setDaemon(true);
            return thread;
        });
        try {
            train(trials, work, end, new ExecutorCompletionService<>(threads));
        } finally {
            threads.shutdownNow();
            boolean unused = threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void train(List<Trial> trials, Work work, End end, ExecutorCompletionService<Ended> threads)
            throws RunFailedException, InterruptedException {
        Deque<Trial> waiting = new ArrayDeque<>(trials);
        int running = 0;
        while (running > 0 || !waiting.isEmpty()) {
            // None begins before it has a thread: after too many failures, none of the others should.
            while (running < most && !waiting.isEmpty()) {
                Trial trial = waiting.removeFirst();
                var unused = threads.submit(() -> new Ended(trial, work.train(trial)));
                running++;
            }
            Ended ended = next(threads);
            running--;
            end.ended(ended.trial(), ended.failure());
        }
    }

    private static Ended next(ExecutorCompletionService<Ended> threads)
            throws RunFailedException, InterruptedException {
        try {
            return threads.take().get();
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof RunFailedException run) {
                throw run;
            }
            if (cause instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            if (cause instanceof RuntimeException unexpected) {
                throw unexpected;
            }
            throw new IllegalStateException(cause);
        }
    }
}
