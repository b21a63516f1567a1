package org.fleetgrad.runs.settings;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.fleetgrad.files.units.Durations;

/**
 * How often a run's parameter server takes a checkpoint.
 *
 * @param interval time between two checkpoints, if time counts
 * @param steps    steps between two checkpoints, if steps count
 */
public record CheckpointPace(Optional<Duration> interval, OptionalLong steps) {

    /** A run on one machine ends within minutes: with a minute between two checkpoints, a crash would lose most of it. */
    public static final CheckpointPace DEFAULT =
            new CheckpointPace(Optional.of(Duration.ofSeconds(10)), OptionalLong.empty());

    /** So long that only the number of steps counts. */
    private static final String SELDOM = "1d";

    /**
     * Reads {@code 30s}, or {@code 500} for steps.
     *
     * @throws IllegalArgumentException if the text is neither; the message says what to write
     */
    public static CheckpointPace parse(String text) {
        boolean isSteps = text.matches("\\d{1,18}");
        if (isSteps && Long.parseLong(text) > 0) {
            return new CheckpointPace(Optional.empty(), OptionalLong.of(Long.parseLong(text)));
        }
        if (isSteps) {
            throw new IllegalArgumentException(
                    "there must be 1 step or more between two checkpoints; there are %s".formatted(text));
        }
        Duration interval;
        try {
            interval = Durations.parse(text);
        } catch (IllegalArgumentException neither) {
            throw new IllegalArgumentException(
                    "'%s' is neither a duration such as 30s nor a number of steps such as 500".formatted(text),
                    neither);
        }
        if (interval.isZero()) {
            throw new IllegalArgumentException("the time between two checkpoints must be above 0; it is " + text);
        }
        return new CheckpointPace(Optional.of(interval), OptionalLong.empty());
    }

    /** Returns ps-service's settings as environment variables. */
    Map<String, String> environment() {
        return steps.isPresent()
                ? Map.of(
                        "PS_DURABILITY_CHECKPOINTINTERVAL",
                        SELDOM,
                        "PS_DURABILITY_CHECKPOINTVERSIONS",
                        Long.toString(steps.getAsLong()))
                : Map.of("PS_DURABILITY_CHECKPOINTINTERVAL", Durations.print(interval.orElseThrow()));
    }
}
