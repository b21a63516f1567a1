package org.fleetgrad.ps.web.problem;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.fleetgrad.ps.outcome.Answer;

/** Waits for the applier's answers, and refuses the requests that it did not process. */
public final class Answers {

    private Answers() {}

    /** Waits for an answer. */
    public static <T> Answer<T> await(CompletableFuture<Answer<T>> answer) {
        try {
            return answer.get();
        } catch (ExecutionException bug) {
            throw new IllegalStateException("the applier failed", bug.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return new Answer.Busy<>("the server is stopping");
        }
    }

    /** Waits for an answer and returns its outcome, or refuses the request. */
    public static <T> T awaitOutcome(CompletableFuture<Answer<T>> answer) {
        return outcome(await(answer));
    }

    /** Returns the outcome of an answer, or refuses the request. */
    public static <T> T outcome(Answer<T> answer) {
        if (answer instanceof Answer.Done<T> done) {
            return done.outcome();
        }
        if (answer instanceof Answer.NotDurable<T> lost) {
            throw OutcomeProblems.of(lost);
        }
        throw OutcomeProblems.of((Answer.Busy<T>) answer);
    }
}
