package org.fleetgrad.cli.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What a user pays; each absent where it was not given.
 *
 * @param perGbSecond    for a GB (2^30 bytes) of a worker's memory for a second
 * @param perActivation  for an activation
 * @param perMachineHour for the machine of the parameter server, and of all of a run on one machine
 * @param currency       what they are in
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Prices(
        @Nullable Double perGbSecond,
        @Nullable Double perActivation,
        @Nullable Double perMachineHour,
        String currency) {

    /** Nothing is said of prices. */
    public static final Prices NONE = new Prices(null, null, null, "USD");

    private static final double SECONDS_AN_HOUR = 3600;

    /** Returns what activations cost; nothing where no price of theirs was given. */
    public @Nullable Double ofActivations(double gbSeconds, long activations) {
        if (perGbSecond == null && perActivation == null) {
            return null;
        }
        return (perGbSecond == null ? 0 : perGbSecond * gbSeconds)
                + (perActivation == null ? 0 : perActivation * activations);
    }

    /** Returns what the machine costs; nothing where its price was not given. */
    public @Nullable Double ofMachine(double seconds) {
        return perMachineHour == null ? null : (Double) (perMachineHour * seconds / SECONDS_AN_HOUR);
    }

    /**
     * Returns what a run costs in all; nothing where no price was given.
     *
     * @param gbSeconds   of its activations; absent where the workers are of the machine
     * @param activations how many
     * @param seconds     how long it took
     */
    public @Nullable Double ofRun(@Nullable Double gbSeconds, long activations, double seconds) {
        Double workers = gbSeconds == null ? null : ofActivations(gbSeconds, activations);
        Double machine = ofMachine(seconds);
        if (workers == null || machine == null) {
            return workers == null ? machine : workers;
        }
        return workers + machine;
    }
}
