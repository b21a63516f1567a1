package org.fleetgrad.inference.prediction;

import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;

/** Reads the version that a request states. */
public final class StatedVersion {

    private StatedVersion() {}

    /**
     * Returns the version that a request wants.
     *
     * @param text null if it states none
     * @throws RequestRefused if it is not the text of a version
     */
    public static WantedVersion wanted(@Nullable String text) {
        return text == null ? WantedVersion.BY_POLICY : named(text);
    }

    /** Returns the version that a request names. */
    public static WantedVersion.Named named(String text) {
        try {
            return WantedVersion.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new RequestRefused(ProblemKind.INVALID_PARAMETER, String.valueOf(malformed.getMessage()));
        }
    }
}
