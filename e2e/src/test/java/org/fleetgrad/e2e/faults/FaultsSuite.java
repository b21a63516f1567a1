package org.fleetgrad.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.e2e.faults.TrainingSetup.Mode;
import org.junit.jupiter.api.Test;

/** Every mode with every optimizer, and at least fifty kills of the server: {@code ./mvnw -q -Pfaults verify}. */
class FaultsSuite {

    private static final int KILLS_OF_A_RUN = 4;
    private static final int LEAST_KILLS = 50;

    private static List<TrainingSetup> setups() {
        List<TrainingSetup> setups = new ArrayList<>();
        for (Mode mode : List.of(Mode.ASYNC_SHORT_LEASE, Mode.SYNC, Mode.BACKUP, Mode.SSP)) {
            setups.add(TrainingSetup.sgd(mode));
            setups.add(TrainingSetup.adam(mode));
        }
        setups.add(TrainingSetup.sgd(Mode.ASYNC).gapAware());
        // This rule keeps state of each worker while its lease runs, and only the server knows how long that is.
        setups.add(TrainingSetup.adam(Mode.ASYNC).delayCompensatedAdaptive());
        setups.add(TrainingSetup.sgd(Mode.GRADIENTS_PER_STEP));
        setups.add(TrainingSetup.adam(Mode.SAMPLES_PER_STEP));
        setups.add(TrainingSetup.sgd(Mode.SYNC_BY_SAMPLES));
        return setups;
    }

    @Test
    void shouldLoseAndDoubleNothingInAnyModeWhenTheServerIsKilledAgainAndAgain() throws Exception {
        Tally tally = new Tally();
        long seed = Seeds.first();
        try {
            for (TrainingSetup setup : setups()) {
                Tally ofRun = new Tally();
                try {
                    new KilledRun(setup, KILLS_OF_A_RUN, seed, ofRun).run();
                } finally {
                    tally.add(ofRun);
                }
            }
        } finally {
            System.out.println(tally);
        }

        assertThat(tally.failures()).as("-Dfaults.seed=%d; %s", seed, tally).isEmpty();
        assertThat(tally.kills()).isGreaterThanOrEqualTo(LEAST_KILLS);
    }
}
