package org.fleetgrad.ps.web.problem;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.run.AddOutcome;
import org.fleetgrad.ps.run.Assignments.ShardOutcome;
import org.fleetgrad.ps.run.Assignments.WorkOutcome;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;

/**
 * Waits for the applier's answers, and turns outcomes into problems. Every outcome that is no success has a method
 * {@code of} here. A reason has the name of its problem.
 */
public final class OutcomeProblems {

    private OutcomeProblems() {}

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
            throw of(lost);
        }
        throw of((SubmissionResult.Busy<T>) answer);
    }

    /** Makes the problem of a request that arrives while the run is being recovered. */
    public static RequestRefused recovering() {
        return RequestRefused.forNow(ProblemKind.RECOVERING, "the server is recovering its run: retry in a second");
    }

    public static RequestRefused of(SubmissionResult.NotDurable<?> lost) {
        return RequestRefused.forNow(ProblemKind.NOT_DURABLE, lost.detail());
    }

    public static RequestRefused of(SubmissionResult.Busy<?> busy) {
        return RequestRefused.forNow(ProblemKind.BUSY, busy.detail());
    }

    public static RequestRefused of(PushOutcome.Refused refused) {
        return new RequestRefused(ProblemKind.valueOf(refused.reason().name()), refused.detail());
    }

    public static RequestRefused of(PutOutcome.PreconditionFailed failed) {
        String newest = failed.newest().map(ParameterVersion::etag).orElse("none");
        return new RequestRefused(
                ProblemKind.PRECONDITION_FAILED,
                "the precondition does not hold: the newest parameter set is " + newest);
    }

    public static RequestRefused of(PutOutcome.LayoutMismatch mismatch) {
        return new RequestRefused(ProblemKind.LAYOUT_MISMATCH, mismatch.detail(), Map.of("tensor", mismatch.tensor()));
    }

    public static RequestRefused of(RollbackOutcome.Unusable unusable) {
        return new RequestRefused(ProblemKind.NO_CHECKPOINT, unusable.detail());
    }

    public static RequestRefused of(WorkOutcome.Exists exists) {
        return new RequestRefused(ProblemKind.WORK_EXISTS, exists.detail());
    }

    public static RequestRefused of(AddOutcome.Refused refused) {
        return new RequestRefused(ProblemKind.valueOf(refused.reason().name()), refused.detail());
    }

    public static RequestRefused of(ShardOutcome.Refused refused) {
        return new RequestRefused(ProblemKind.valueOf(refused.reason().name()), refused.detail());
    }
}
