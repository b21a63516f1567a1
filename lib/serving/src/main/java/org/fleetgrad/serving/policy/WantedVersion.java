package org.fleetgrad.serving.policy;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.jspecify.annotations.Nullable;

/** The version that a request wants. */
public sealed interface WantedVersion {

    /** The version that the policy chooses. */
    WantedVersion BY_POLICY = new ByPolicy();

    /** The version that the policy chooses. */
    record ByPolicy() implements WantedVersion {
        @Override
        public String toString() {
            return "by policy";
        }
    }

    /**
     * A specific version.
     *
     * @param generation its generation; without one, the newest that has such a version
     * @param number     number of the version, 0 or more
     */
    record Named(@Nullable String generation, long number) implements WantedVersion {

        /** Finds the version among those that are held, oldest first. */
        public Optional<ParameterVersion> among(List<ParameterVersion> held) {
            Optional<ParameterVersion> found = Optional.empty();
            for (ParameterVersion version : held) {
                if (version.version() == number && (generation == null || generation.equals(version.generation()))) {
                    found = Optional.of(version);
                }
            }
            return found;
        }

        @Override
        public String toString() {
            return generation == null ? Long.toString(number) : generation + "-" + number;
        }
    }

    /**
     * Reads a version: its number, or its generation and its number, such as {@code 12} or {@code 7c1b-12}.
     *
     * @throws IllegalArgumentException if the text is neither; the message says what is valid
     */
    static Named parse(String text) {
        int dash = text.lastIndexOf('-');
        String number = text.substring(dash + 1);
        if (dash != 0 && number.matches("[0-9]{1,18}")) {
            return new Named(dash < 0 ? null : text.substring(0, dash), Long.parseLong(number));
        }
        throw new IllegalArgumentException(
                "a version is a number such as 12, or a generation and a number such as 7c1b-12; it is '%s'"
                        .formatted(text));
    }
}
