package org.fleetgrad.ps.web.problem;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
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
            throw of(lost);
        }
        throw of((SubmissionResult.Busy<T>) answer);
    }

    /** Makes the problem of a request that arrives while the run is being recovered. */
    public static RequestRefused recovering() {
        return RequestRefused.forNow(ProblemKind.RECOVERING, "the server is recovering its run: retry in a second");
    }

    /** Makes the problem of a submission that the disk did not confirm. */
    public static RequestRefused of(SubmissionResult.NotDurable<?> lost) {
        return RequestRefused.forNow(ProblemKind.NOT_DURABLE, lost.detail());
    }

    /** Makes the problem of a submission that found the queue full or the server stopping. */
    public static RequestRefused of(SubmissionResult.Busy<?> busy) {
        return RequestRefused.forNow(ProblemKind.BUSY, busy.detail());
    }

    /** Makes the problem of a push that was not taken. */
    public static RequestRefused of(PushOutcome.Refused refused) {
        return new RequestRefused(ProblemKind.valueOf(refused.reason().name()), refused.detail());
    }

    /** Makes the problem of a write whose precondition does not hold. */
    public static RequestRefused of(PutOutcome.PreconditionFailed failed) {
        String newest = failed.newest().map(ParameterVersion::etag).orElse("none");
        return new RequestRefused(
                ProblemKind.PRECONDITION_FAILED,
                "the precondition does not hold: the newest parameter set is " + newest);
    }

    /** Makes the problem of a write of other tensors than the run's. */
    public static RequestRefused of(PutOutcome.LayoutMismatch mismatch) {
        return new RequestRefused(ProblemKind.LAYOUT_MISMATCH, mismatch.detail(), Map.of("tensor", mismatch.tensor()));
    }

    /** Makes the problem of a checkpoint that cannot be used. */
    public static RequestRefused of(RollbackOutcome.Unusable unusable) {
        return new RequestRefused(ProblemKind.NO_CHECKPOINT, unusable.detail());
    }

    /** Makes the problem of a work plan that arrives while other work is in progress. */
    public static RequestRefused of(WorkOutcome.Exists exists) {
        return new RequestRefused(ProblemKind.WORK_EXISTS, exists.detail());
    }

    /** Makes the problem of a shard that was not assigned or not released. */
    public static RequestRefused of(ShardOutcome.Refused refused) {
        return new RequestRefused(ProblemKind.valueOf(refused.reason().name()), refused.detail());
    }
}
