package org.fleetgrad.reports;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The prices that the user pays; each is absent if it was not given.
 *
 * @param perGbSecond    of a GB (2^30 bytes) of a worker's memory for a second
 * @param perActivation  of an activation
 * @param perMachineHour of the machine that runs the parameter server, or the whole run
 * @param currency       of all prices
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Prices(
        @Nullable Double perGbSecond,
        @Nullable Double perActivation,
        @Nullable Double perMachineHour,
        String currency) {

    public static final Prices NONE = new Prices(null, null, null, "USD");

    private static final double SECONDS_AN_HOUR = 3600;

    /** Returns the cost of activations; null without a price for them. */
    public @Nullable Double ofActivations(double gbSeconds, long activations) {
        if (perGbSecond == null && perActivation == null) {
            return null;
        }
        return (perGbSecond == null ? 0 : perGbSecond * gbSeconds)
                + (perActivation == null ? 0 : perActivation * activations);
    }

    /** Returns the cost of the machine; null without its price. */
    public @Nullable Double ofMachine(double seconds) {
        return perMachineHour == null ? null : (Double) (perMachineHour * seconds / SECONDS_AN_HOUR);
    }

    /**
     * Returns the total cost of a run; null without any price.
     *
     * @param gbSeconds   of its activations; null if the workers are processes of the machine
     * @param activations their number
     * @param seconds     duration of the run
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
