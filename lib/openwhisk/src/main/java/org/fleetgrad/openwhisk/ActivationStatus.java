package org.fleetgrad.openwhisk;

import java.util.Arrays;
import java.util.Optional;

/** What a controller says of an activation that is over. */
public enum ActivationStatus {
    /** It gave a result. */
    SUCCESS("success"),
    /** It answered with an error of its own; its container stays warm. */
    APPLICATION_ERROR("application error"),
    /** It ran over its time or memory, died, or did not answer as an action must; its container is gone. */
    DEVELOPER_ERROR("action developer error"),
    /** OpenWhisk itself failed. */
    WHISK_ERROR("whisk internal error");

    private final String word;

    ActivationStatus(String word) {
        this.word = word;
    }

    /** Returns how records write it. */
    public String word() {
        return word;
    }

    static Optional<ActivationStatus> of(String word) {
        return Arrays.stream(values())
                .filter(status -> status.word.equals(word))
                .findFirst();
    }
}
