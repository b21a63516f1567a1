package org.fleetgrad.ps.training;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something for the applier to do, and who waits for it: done first, and answered once what it did is safe.
 *
 * @param <T> what it comes to
 */
final class Submission<T> {

    private final Callable<T> work;
    private final Function<String, T> whenLost;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private @Nullable T outcome;
    private @Nullable Throwable thrown;

    /**
     * @param whenLost makes the answer where it is not known whether it was done, of the reason
     */
    Submission(Callable<T> work, Function<String, T> whenLost) {
        this.work = work;
        this.whenLost = whenLost;
    }

    CompletableFuture<T> result() {
        return result;
    }

    @SuppressWarnings("CatchAndPrintStackTrace")
    void run() {
        try {
            outcome = work.call();
        } catch (Throwable failure) {
            // Errors too: a buffer that finds no memory must fail its request, not leave it waiting for ever.
            thrown = failure;
        }
    }

    void answer() {
        if (thrown != null) {
            result.completeExceptionally(thrown);
        } else {
            result.complete(outcome);
        }
    }

    void lose(String why) {
        result.complete(whenLost.apply(why));
    }

    /** Answers it without having begun it. */
    void refuse(T answer) {
        result.complete(answer);
    }
}
