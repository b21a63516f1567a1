package org.fleetgrad.ps.training;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.jspecify.annotations.Nullable;

/**
 * Work for the applier, and the future of its answer. The applier does the work first, and answers after the commit.
 *
 * @param <T> the outcome of the work
 */
final class Submission<T> {

    private final Callable<SubmissionResult<T>> work;
    private final boolean isBrief;
    private final CompletableFuture<SubmissionResult<T>> answer = new CompletableFuture<>();
    private @Nullable SubmissionResult<T> found;
    private @Nullable Throwable thrown;

    /** Work that may take long, such as writing a checkpoint: only the applier's own thread does it. */
    Submission(Callable<SubmissionResult<T>> work) {
        this(work, false);
    }

    /**
     * @param isBrief whether the thread of any request may do it
     */
    Submission(Callable<SubmissionResult<T>> work, boolean isBrief) {
        this.work = work;
        this.isBrief = isBrief;
    }

    boolean isBrief() {
        return isBrief;
    }

    CompletableFuture<SubmissionResult<T>> answer() {
        return answer;
    }

    /** Runs the work; completes the future later. */
    @SuppressWarnings("CatchAndPrintStackTrace")
    void run() {
        try {
            found = work.call();
        } catch (Throwable failure) {
            // Errors too: a push that gets no memory must fail its request, not leave it waiting forever.
            thrown = failure;
        }
    }

    /** Answers after the commit. */
    void complete() {
        if (thrown != null) {
            answer.completeExceptionally(thrown);
        } else {
            answer.complete(found);
        }
    }

    /** Answers when it is unknown whether the disk has it. */
    void lose(String why) {
        answer.complete(new SubmissionResult.NotDurable<>(why));
    }

    /** Answers without running the work. */
    void refuse(String why) {
        answer.complete(new SubmissionResult.Busy<>(why));
    }
}
