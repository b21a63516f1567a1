package org.fleetgrad.ps.outcome;

import java.util.Locale;

/** The outcome of a push. */
public sealed interface PushOutcome {

    /**
     * It moved the parameters.
     *
     * @param version   version after its step
     * @param staleness steps between its base version and the version it was applied to
     */
    record Applied(long version, long staleness) implements PushOutcome {
        @Override
        public String label() {
            return "applied";
        }
    }

    /**
     * It is pending for its step.
     *
     * @param version version now
     */
    record Buffered(long version) implements PushOutcome {
        @Override
        public String label() {
            return "buffered";
        }
    }

    /**
     * An earlier push of the same worker had this sequence number.
     *
     * @param first the outcome of that push: {@link Applied} or {@link Buffered}
     */
    record Duplicate(PushOutcome first) implements PushOutcome {
        @Override
        public String label() {
            return "duplicate";
        }
    }

    /**
     * It is staged and does not count yet: another server decides about it.
     *
     * @param version version now
     */
    record Staged(long version) implements PushOutcome {
        @Override
        public String label() {
            return "staged";
        }
    }

    /** It does not count, and never will. */
    record Dropped() implements PushOutcome {
        @Override
        public String label() {
            return "dropped";
        }
    }

    /** It has not arrived yet; it may still arrive. */
    record Undecided() implements PushOutcome {
        @Override
        public String label() {
            return "open";
        }
    }

    /**
     * It was not taken, and the state is unchanged.
     *
     * @param reason the rule
     * @param detail the numbers, in a sentence
     */
    record Refused(Reason reason, String detail) implements PushOutcome {
        @Override
        public String label() {
            return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Why a well-formed push is not taken. */
    enum Reason {
        NO_PARAMETERS,
        OTHER_GENERATION,
        FUTURE_VERSION,
        UNKNOWN_WORKER,
        SEQUENCE_TOO_OLD,
        OTHER_CURSOR,
        STALE_GRADIENT,
        TOO_FAR_AHEAD,
        GRADIENT_NORM,
        UNSETTLED_GRADIENT,
        UNKNOWN_GRADIENT,
        DROPPED_GRADIENT
    }

    /** Returns the outcome's label in responses and metrics. */
    String label();

    /** Returns the label of a push's answer in metrics. */
    static String label(SubmissionResult<PushOutcome> answer) {
        if (answer instanceof SubmissionResult.Done<PushOutcome> done) {
            return done.outcome().label();
        }
        return answer instanceof SubmissionResult.NotDurable ? "not-durable" : "busy";
    }
}
