package org.fleetgrad.simulation.scale;

import java.util.Locale;
import java.util.Optional;

/**
 * The most workers that each keep 0.9 of the speed that one has alone.
 *
 * @param workers   how many, 1 or more
 * @param limit     what keeps more of them waiting; empty if even the most that were tried are as fast
 * @param computing share of its time in which one alone computes
 */
record MostWorkers(int workers, Optional<Limit> limit, double computing) {

    static final double WANTED = 0.9;
    static final int TRIED = 32;

    /** Searches them: efficiency falls as workers are added. */
    static MostWorkers of(FleetPlan plan) {
        FleetSpeed alone = Fleet.run(plan.of(1));
        int enough = 1;
        int tooMany = 2;
        FleetSpeed slow = Fleet.run(plan.of(tooMany));
        while (slow.efficiency(alone) >= WANTED) {
            enough = tooMany;
            if (enough >= TRIED) {
                return new MostWorkers(enough, Optional.empty(), alone.computing());
            }
            tooMany = 2 * enough;
            slow = Fleet.run(plan.of(tooMany));
        }
        while (tooMany - enough > Math.max(1, enough / 8)) {
            int middle = (enough + tooMany) / 2;
            FleetSpeed speed = Fleet.run(plan.of(middle));
            if (speed.efficiency(alone) >= WANTED) {
                enough = middle;
            } else {
                tooMany = middle;
                slow = speed;
            }
        }
        return new MostWorkers(enough, Optional.of(slow.limit()), alone.computing());
    }

    /** Returns it for a table. */
    String text() {
        String most = limit.map(it -> workers + " " + it.letter()).orElse("≥ " + workers);
        return String.format(Locale.ROOT, "%s (%.2f)", most, computing);
    }
}
