package org.fleetgrad.runs.watch;

import java.util.Optional;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.runs.output.HeldOutFigures;
import org.jspecify.annotations.Nullable;

/** The best evaluation that a run has seen. Confined to the thread that watches the run. */
public final class SeenBest {

    private @Nullable StatusReply best;

    /** Looks at the newest evaluation. Of equal scores the later counts, as for the server that keeps the best version. */
    public void look(StatusReply status) {
        Optional<HeldOutScore> score = score(status);
        StatusReply before = best;
        boolean isBest = score.isPresent()
                && (before == null
                        || score(before)
                                .filter(known -> known.isBetterThan(score.get()))
                                .isEmpty());
        if (isBest && status.accuracyVersion() != null) {
            best = status;
        }
    }

    /** Returns the server's figures when it reported that evaluation; empty before the first one. */
    public Optional<StatusReply> figures() {
        return Optional.ofNullable(best);
    }

    private static Optional<HeldOutScore> score(StatusReply status) {
        return HeldOutFigures.of(status).score();
    }
}
