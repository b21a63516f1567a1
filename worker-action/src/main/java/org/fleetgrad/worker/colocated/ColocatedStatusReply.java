package org.fleetgrad.worker.colocated;

import org.jspecify.annotations.Nullable;

/** The state of a worker that answers predictions; {@code docs/colocated-serving.md} explains each member. */
record ColocatedStatusReply(
        int code,
        String state,
        @Nullable String detail,
        String mode,
        int every,
        @Nullable String network,
        @Nullable String generation,
        @Nullable Long version,
        long predictions,
        long refused,
        long uptimeMs) {}
