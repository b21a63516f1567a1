package org.fleetgrad.simulation.scale;

import java.util.Map;

/**
 * How fast a simulated fleet was.
 *
 * @param plan           the fleet
 * @param batchesASecond of all workers together
 * @param busy           share of the time for which the busiest server's things were busy
 */
record FleetSpeed(FleetPlan plan, double batchesASecond, Map<Limit, Double> busy) {

    private static final double NEARLY_ALWAYS = 0.6;

    /** Returns the share of the workers' time in which they compute. */
    double computing() {
        return batchesASecond * plan.step().toNanos() / 1e9 / plan.workers();
    }

    /** Returns how much of its speed a worker keeps beside the others. */
    double efficiency(FleetSpeed alone) {
        return batchesASecond / plan.workers() / alone.batchesASecond;
    }

    /** Returns what is busiest, if it is so busy that workers wait for it. */
    Limit limit() {
        Map.Entry<Limit, Double> busiest =
                busy.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        return busiest.getValue() > NEARLY_ALWAYS ? busiest.getKey() : Limit.OTHERS;
    }
}
