package org.fleetgrad.runs;

import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.TextFigures;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of a run in progress.
 *
 * @param evaluated the newest evaluated version
 */
public record ExampleStatus(
        String generation,
        long version,
        long samples,
        @Nullable Long evaluated,
        @Nullable Double accuracy,
        @Nullable Double accuracyTop5,
        @Nullable Double heldOutLoss,
        @Nullable TextFigures text,
        StatusReply.@Nullable Work work) {

    public StatusReply reply() {
        return new StatusReply(
                200,
                generation,
                version,
                true,
                10,
                61706,
                "async",
                false,
                "sgd",
                "none",
                "none",
                0.01,
                samples,
                0.5,
                accuracy,
                accuracyTop5,
                heldOutLoss,
                text,
                null,
                null,
                null,
                evaluated,
                1,
                0.5,
                0,
                Map.of(),
                1000,
                List.of(),
                work,
                null);
    }
}
