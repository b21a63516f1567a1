package org.fleetgrad.simulation.scale;

import java.util.Optional;

/**
 * The most workers that compute for 0.9 of their time.
 *
 * @param workers how many; 0 if not even one does
 * @param limit   what keeps one more of them waiting; empty if even the most that were tried compute
 */
record MostWorkers(int workers, Optional<Limit> limit) {

    static final double WANTED = 0.9;
    static final int TRIED = 128;

    /** Searches them: efficiency falls as workers are added. */
    static MostWorkers of(FleetPlan plan) {
        int enough = 0;
        int tooMany = 1;
        FleetSpeed slow = Fleet.run(plan.of(tooMany));
        while (slow.efficiency() >= WANTED) {
            enough = tooMany;
            if (enough >= TRIED) {
                return new MostWorkers(enough, Optional.empty());
            }
            tooMany = 2 * enough;
            slow = Fleet.run(plan.of(tooMany));
        }
        while (tooMany - enough > Math.max(1, enough / 8)) {
            int middle = (enough + tooMany) / 2;
            FleetSpeed speed = Fleet.run(plan.of(middle));
            if (speed.efficiency() >= WANTED) {
                enough = middle;
            } else {
                tooMany = middle;
                slow = speed;
            }
        }
        return new MostWorkers(enough, Optional.of(slow.limit()));
    }

    /** Returns it for a table. */
    String text() {
        return limit.map(it -> workers == 0 ? "– " + it.letter() : workers + " " + it.letter())
                .orElse("≥ " + workers);
    }
}
