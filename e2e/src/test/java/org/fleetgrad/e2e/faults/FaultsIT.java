package org.fleetgrad.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.fleetgrad.e2e.faults.TrainingSetup.Mode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kills a server under load, in the modes that differ most; {@link FaultsSuite} has all modes, and more kills. */
@Order(8)
@Tag("whole")
class FaultsIT {

    static Stream<TrainingSetup> setups() {
        return Stream.of(
                TrainingSetup.sgd(Mode.ASYNC_SHORT_LEASE),
                TrainingSetup.adam(Mode.SYNC),
                TrainingSetup.sgd(Mode.BACKUP),
                TrainingSetup.adam(Mode.SSP));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void shouldLoseAndDoubleNothingWhenTheServerIsKilledUnderLoad(TrainingSetup setup) throws Exception {
        Tally tally = new Tally();
        long seed = Seeds.first();

        new KilledRun(setup, 1, seed, tally).run();

        assertThat(tally.failures()).as("-Dfaults.seed=%d; %s", seed, tally).isEmpty();
    }
}
