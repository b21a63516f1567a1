package org.fleetgrad.client;

import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.messages.Problem;

/** The result of a push. The problem of a refusal has the rule, the tensor if it is about one, and the numbers. */
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

        /** Returns whether the run's work is paused: the worker ends after this gradient. */
        boolean isPaused();
    }

    /**
     * The gradient moved the parameters; {@code version} is the one after it. With {@code awaitNext} the worker must pull
     * and wait before it computes another.
     *
     * @param staleness steps between the version it was computed on and the one it was applied to
     */
    record Applied(long version, long staleness, boolean awaitNext, boolean isPaused, Optional<Pulled> pulled)
            implements Accepted {}

    /** The gradient waits for its step. */
    record Buffered(long version, boolean awaitNext, boolean isPaused) implements Accepted {}

    /**
     * The server had this sequence number before; nothing was counted again.
     *
     * @param first outcome of the first push, whose response stated the version
     */
    record Duplicate(String first, long version, boolean awaitNext, boolean isPaused, Optional<Pulled> pulled)
            implements Accepted {}

    /** The gradient is too old, or of another history, and was dropped: pull and continue. */
    record Stale(Problem problem) implements PushResult {}

    /**
     * The server does not know the worker, because its lease expired or the server lost its state: register and
     * continue.
     */
    record UnknownWorker(Problem problem) implements PushResult {}

    /** The server has no parameter set: put one and continue. */
    record NotInitialized(Problem problem) implements PushResult {}

    /** The gradient is wrong: a retry would not help. */
    record Rejected(Problem problem) implements PushResult {}

    /**
     * The gradient does not count here.
     *
     * @param outcome {@code staged}: it is here and may count later; {@code dropped}: it never will; {@code open}: it
     *     has not arrived yet
     */
    record Undecided(String outcome) implements PushResult {}
}
