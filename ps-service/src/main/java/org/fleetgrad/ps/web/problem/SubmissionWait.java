package org.fleetgrad.ps.web.problem;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.fleetgrad.ps.outcome.SubmissionResult;

/** Waits for the applier's answers, and refuses the requests that it did not process. */
public final class SubmissionWait {

    private SubmissionWait() {}

    /** Waits for an answer. */
    public static <T> SubmissionResult<T> await(CompletableFuture<SubmissionResult<T>> answer) {
        try {
            return answer.get();
        } catch (ExecutionException bug) {
            throw new IllegalStateException("the applier failed", bug.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return new SubmissionResult.Busy<>("the server is stopping");
        }
    }

    /** Waits for an answer and returns its outcome, or refuses the request. */
    public static <T> T awaitOutcome(CompletableFuture<SubmissionResult<T>> answer) {
        return outcome(await(answer));
    }

    /** Returns the outcome of an answer, or refuses the request. */
    public static <T> T outcome(SubmissionResult<T> answer) {
        if (answer instanceof SubmissionResult.Done<T> done) {
            return done.outcome();
        }
        if (answer instanceof SubmissionResult.NotDurable<T> lost) {
            throw OutcomeProblems.of(lost);
        }
        throw OutcomeProblems.of((SubmissionResult.Busy<T>) answer);
    }
}
