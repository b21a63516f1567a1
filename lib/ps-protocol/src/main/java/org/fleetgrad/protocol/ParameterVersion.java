package org.fleetgrad.protocol;

import java.util.Map;
import java.util.Optional;

/**
 * Names one state of the parameter set: a version counts only within its generation.
 *
 * @param generation random id generated when the history began
 * @param version    steps applied since
 */
public record ParameterVersion(String generation, long version) {

    /** Metadata key of the generation in a served parameter set. */
    public static final String GENERATION_KEY = "generation";

    /** Metadata key of the version in a served parameter set. */
    public static final String VERSION_KEY = "version";

    /** Checks both parts. */
    public ParameterVersion {
        if (generation.isEmpty() || version < 0) {
            throw new IllegalArgumentException(
                    "no version of a parameter set: '%s', %d".formatted(generation, version));
        }
    }

    /** Returns the strong entity tag, quotes included: same tag, same bytes. */
    public String etag() {
        return "\"" + generation + "-" + version + "\"";
    }

    /** Returns the strong entity tag of this version in an encoding other than float32: its bytes differ. */
    public String etagAs(String encoding) {
        return "\"" + generation + "-" + version + "-" + encoding + "\"";
    }

    /** Reads the version out of a served parameter set's metadata. */
    public static Optional<ParameterVersion> of(Map<String, String> metadata) {
        String generation = metadata.get(GENERATION_KEY);
        String version = metadata.get(VERSION_KEY);
        if (generation == null || version == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ParameterVersion(generation, Long.parseLong(version)));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return generation + "-" + version;
    }

    /** Returns the version of the same number in another history. */
    public ParameterVersion inGeneration(String other) {
        return new ParameterVersion(other, version);
    }
}
