package org.fleetgrad.worker.training;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Pushes gradients one at a time: in the training thread, or in a second thread, while the training thread computes the
 * next batch. The training thread gets the result of each push, and its failure. For the training thread.
 */
final class PushLine implements AutoCloseable {

    private final Optional<ExecutorService> beside;
    private @Nullable FutureTask<Pushed> flying;

    /**
     * @param isOverlapping whether a second thread pushes
     */
    PushLine(boolean isOverlapping) {
        this.beside =
                isOverlapping ? Optional.of(Executors.newSingleThreadExecutor(PushLine::thread)) : Optional.empty();
    }

    private static Thread thread(Runnable pushes) {
        Thread thread = new Thread(pushes, "gradient-push");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns whether the next batch may be computed before this push is answered. */
    boolean isOverlapping() {
        return beside.isPresent();
    }

    /** Starts a push; {@link #land} must have returned for the previous one. */
    void launch(Callable<Pushed> push) {
        if (flying != null) {
            throw new IllegalStateException("a gradient is under way already");
        }
        FutureTask<Pushed> task = new FutureTask<>(push);
        flying = task;
        beside.ifPresentOrElse(thread -> thread.execute(task), task);
    }

    /** Waits until the push in flight is answered, and returns its result, or fails as it failed. */
    Pushed land() throws IOException, TrainingFailedException {
        FutureTask<Pushed> task = flying;
        if (task == null) {
            throw new IllegalStateException("no gradient is under way");
        }
        try {
            Pushed pushed = task.get();
            flying = null;
            return pushed;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted while a gradient was under way").initCause(interrupted);
        } catch (ExecutionException failed) {
            flying = null;
            throw unwrapped(failed);
        }
    }

    private static RuntimeException unwrapped(ExecutionException failed) throws IOException, TrainingFailedException {
        Throwable cause = failed.getCause();
        if (cause instanceof IOException away) {
            throw away;
        }
        if (cause instanceof TrainingFailedException lasting) {
            throw lasting;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException bug ? bug : new IllegalStateException("a push failed", cause);
    }

    /** Waits for the push in flight, so that the exchange is free again; discards its result. */
    @Override
    public void close() {
        if (flying != null) {
            try {
                Pushed unused = land();
            } catch (IOException | TrainingFailedException | RuntimeException second) {
                // The exception that ended the training is already being thrown.
            }
        }
        beside.ifPresent(ExecutorService::shutdown);
    }
}
