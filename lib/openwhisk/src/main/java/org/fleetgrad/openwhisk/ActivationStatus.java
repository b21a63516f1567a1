package org.fleetgrad.openwhisk;

import java.util.Arrays;
import java.util.Optional;

/** The status that a controller gives to an ended activation. */
public enum ActivationStatus {
    /** The action returned a result. */
    SUCCESS("success"),
    /** The action returned an error; its container stays warm. */
    APPLICATION_ERROR("application error"),
    /** The action exceeded its time or memory, died, or returned an invalid response; its container is destroyed. */
    DEVELOPER_ERROR("action developer error"),
    /** OpenWhisk itself failed. */
    WHISK_ERROR("whisk internal error");

    private final String word;

    ActivationStatus(String word) {
        this.word = word;
    }

    /** Returns the text that records contain. */
    public String word() {
        return word;
    }

    static Optional<ActivationStatus> of(String word) {
        return Arrays.stream(values())
                .filter(status -> status.word.equals(word))
                .findFirst();
    }
}
