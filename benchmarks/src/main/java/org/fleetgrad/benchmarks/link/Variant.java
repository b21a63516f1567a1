package org.fleetgrad.benchmarks.link;

import java.util.List;
import java.util.Map;

/**
 * One way of sending gradients and receiving parameters.
 *
 * @param word       part of a figure's name
 * @param what       description for people
 * @param parameters additional parameters of a worker's {@code /run}
 */
record Variant(String word, String what, Map<String, Object> parameters) {

    /** The variant that the others are compared with. */
    static final Variant PLAIN = new Variant("f32", "as they are", Map.of());

    /** All variants, the plain one first. */
    static final List<Variant> ALL =
            List.of(PLAIN, of("f16", "f16"), of("bf16", "bf16"), of("i8", "i8"), of("topk", "i8"), of("2bit", "i8"));

    private static Variant of(String gradients, String pulled) {
        return new Variant(
                gradients,
                "gradients as %s, parameters as %s".formatted(gradients, pulled),
                Map.of("encoding", gradients, "pull_encoding", pulled));
    }
}
