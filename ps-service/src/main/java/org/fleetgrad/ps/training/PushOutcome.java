package org.fleetgrad.ps.training;

import java.util.Locale;

/** What became of a push. */
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
     * It waits for its step.
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
     * Its sequence number was had before.
     *
     * @param first what the first push was answered: {@link Applied} or {@link Buffered}
     */
    record Duplicate(PushOutcome first) implements PushOutcome {
        @Override
        public String label() {
            return "duplicate";
        }
    }

    /**
     * It was not taken, and the state is as before.
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

    /** Why a push that is well-formed is not taken. */
    enum Reason {
        NO_PARAMETERS,
        OTHER_GENERATION,
        FUTURE_VERSION,
        UNKNOWN_WORKER,
        SEQUENCE_TOO_OLD,
        OTHER_CURSOR,
        STALE_GRADIENT,
        TOO_FAR_AHEAD,
        NOT_DURABLE,
        BUSY
    }

    /** Returns the outcome in a word, as answers and metrics name it. */
    String label();
}
