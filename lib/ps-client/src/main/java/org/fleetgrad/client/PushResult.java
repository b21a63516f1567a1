package org.fleetgrad.client;

import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.messages.Problem;

/** The result of a push. */
public sealed interface PushResult {

    /** Returns the newest parameter set, if the push requested it and the response has it. */
    default Optional<Pulled> pulled() {
        return Optional.empty();
    }

    /** The gradient counts, now or since an earlier push. */
    sealed interface Accepted extends PushResult {

        /** Returns the version that the response stated. */
        long version();

        /** Returns whether the server accepts nothing more of this worker before the next version. */
        boolean awaitNext();
    }

    /**
     * The gradient moved the parameters.
     *
     * @param version   version after it
     * @param staleness steps between the version it was computed on and the one it was applied to
     * @param awaitNext whether the worker must pull and wait before it computes another
     * @param pulled    the new parameter set, if the push requested it and the worker need not wait
     */
    record Applied(long version, long staleness, boolean awaitNext, Optional<Pulled> pulled) implements Accepted {}

    /**
     * The gradient waits for its step.
     *
     * @param version   version now
     * @param awaitNext whether the server accepts nothing more of this worker before the next version
     */
    record Buffered(long version, boolean awaitNext) implements Accepted {}

    /**
     * The server had this sequence number before; nothing was counted again.
     *
     * @param first     outcome of the first push
     * @param version   version that the first response stated
     * @param awaitNext whether the server accepts nothing more of this worker before the next version
     * @param pulled    the newest parameter set, if the push requested it
     */
    record Duplicate(String first, long version, boolean awaitNext, Optional<Pulled> pulled) implements Accepted {}

    /**
     * The gradient is too old, or of another history, and was dropped: pull and continue.
     *
     * @param problem the rule and the numbers
     */
    record Stale(Problem problem) implements PushResult {}

    /**
     * The server does not know the worker, because its lease expired or the server lost its state: register and
     * continue.
     *
     * @param problem the rule and the numbers
     */
    record UnknownWorker(Problem problem) implements PushResult {}

    /**
     * The server has no parameter set: put one and continue.
     *
     * @param problem the rule and the numbers
     */
    record NotInitialized(Problem problem) implements PushResult {}

    /**
     * The gradient is wrong: a retry would not help.
     *
     * @param problem the rule, the tensor and the numbers
     */
    record Rejected(Problem problem) implements PushResult {}

    /**
     * The gradient does not count here.
     *
     * @param outcome {@code staged}: it is here and may count later; {@code dropped}: it never will; {@code open}: it
     *     has not arrived yet
     */
    record Undecided(String outcome) implements PushResult {}
}
