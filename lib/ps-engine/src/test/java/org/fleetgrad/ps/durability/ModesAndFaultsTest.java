package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.optim.TrainingMode.StepSize;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.outcome.PushOutcome.Duplicate;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.fleetgrad.ps.training.ModelledRun;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every mode with every fault, in the middle of a run and with pending gradients, compared with the model of the modes.
 */
@Timeout(60)
class ModesAndFaultsTest {

    private static final List<TrainingMode> MODES = List.of(
            new TrainingMode.Async(1),
            new TrainingMode.Async(3),
            new TrainingMode.Async(StepSize.ofSamples(6)),
            new TrainingMode.Sync(0),
            new TrainingMode.Sync(0, 1),
            new TrainingMode.SyncBySamples(6),
            new TrainingMode.Ssp(1));

    /** The faults. */
    enum Fault {
        NOTHING,
        DUPLICATE,
        LOST_ANSWER,
        LOST_ANSWER_AND_RESTART,
        LATE,
        RESTART,
        STOP
    }

    @TempDir(factory = InMemory.class)
    private Path folder;

    static Stream<Arguments> cases() {
        return MODES.stream().flatMap(mode -> Stream.of(Fault.values()).map(fault -> arguments(mode, fault)));
    }

    /** The workers of a run, each with its own sequence numbers. */
    private final class Fleet implements AutoCloseable {
        private final DurableRun durable;
        private final ModelledRun modelled;
        private final long[] sequences = new long[3];
        private Path location = folder.resolve("run");

        Fleet(TrainingMode mode) {
            durable = new DurableRun(TrainingRun.plain(mode, 64));
            modelled = new ModelledRun(
                    mode, durable.open(DurableRun.JOURNAL, location).startingAt(0));
            for (int worker = 0; worker < 3; worker++) {
                modelled.join(name(worker), Optional.empty());
            }
        }

        PushOutcome push(int worker, long lag) {
            sequences[worker]++;
            return again(worker, lag);
        }

        /** Repeats the last push; after a refusal, sends the next push under the refused number. */
        PushOutcome again(int worker, long lag) {
            long base = Math.max(0, modelled.model().version() - lag);
            return modelled.push(name(worker), sequences[worker], base, worker + 1, 3f * worker + sequences[worker]);
        }

        void round() {
            for (int worker = 0; worker < 3; worker++) {
                if (push(worker, 0) instanceof Refused) {
                    sequences[worker]--;
                }
            }
        }

        void restart(boolean isKilled) {
            if (isKilled) {
                Path killed = folder.resolve("killed");
                DurableRun.copy(location, killed);
                location = killed;
            }
            modelled.run().close();
            modelled.goesOnAs(durable.open(DurableRun.JOURNAL, location));
        }

        private static String name(int worker) {
            return "w" + worker;
        }

        @Override
        public void close() {
            modelled.run().close();
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("cases")
    void shouldDoWhatTheModelDoes(TrainingMode mode, Fault fault) {
        try (Fleet fleet = new Fleet(mode)) {
            fleet.round();
            if (mode.equals(new TrainingMode.Sync(0, 1))) {
                // The third worker had already pushed for the step after that of the first two.
                fleet.push(1, 0);
            }
            // In modes that buffer, this push waits.
            PushOutcome first = fleet.push(0, 0);
            boolean waits = !(mode.equals(new TrainingMode.Async(1)) || mode instanceof TrainingMode.Ssp);
            assertThat(first instanceof Buffered).isEqualTo(waits);
            happen(fleet, mode, fault, first);
            fleet.push(1, 0);
            fleet.push(2, 0);
            fleet.round();
            assertThat(fleet.modelled.model().version()).isGreaterThanOrEqualTo(3);
        }
    }

    private static void happen(Fleet fleet, TrainingMode mode, Fault fault, PushOutcome first) {
        switch (fault) {
            case NOTHING -> {}
            case DUPLICATE -> {
                assertThat(fleet.again(0, 0)).isEqualTo(new Duplicate(first));
                assertThat(fleet.again(0, 3)).isEqualTo(new Duplicate(first));
            }
            case LOST_ANSWER -> {
                fleet.round();
                fleet.sequences[0] = 2;
                assertThat(fleet.again(0, 0)).as("what the first was answered").isEqualTo(new Duplicate(first));
                fleet.sequences[0] = 3;
            }
            case LOST_ANSWER_AND_RESTART -> {
                fleet.restart(true);
                assertThat(fleet.again(0, 0)).isEqualTo(new Duplicate(first));
                fleet.restart(false);
                assertThat(fleet.again(0, 0)).isEqualTo(new Duplicate(first));
            }
            case LATE -> {
                PushOutcome late = fleet.push(1, 1);
                if (mode.isSynchronous()) {
                    assertThat(((Refused) late).reason()).isEqualTo(Reason.STALE_GRADIENT);
                    fleet.sequences[1]--;
                } else if (late instanceof Applied applied) {
                    assertThat(applied.staleness()).isEqualTo(1);
                } else {
                    assertThat(late).isInstanceOf(Buffered.class);
                }
            }
            case RESTART -> fleet.restart(true);
            case STOP -> fleet.restart(false);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void shouldRefuseASequenceBeyondTheWindowAfterARestartToo(TrainingMode mode) {
        try (Fleet fleet = new Fleet(mode)) {
            for (int i = 0; i < 90; i++) {
                fleet.round();
            }
            fleet.restart(true);
            PushOutcome old =
                    fleet.modelled.run().push("w1", 1, fleet.modelled.model().version(), 1);

            assertThat(old)
                    .isEqualTo(new Refused(
                            Reason.SEQUENCE_TOO_OLD,
                            "worker 'w1' pushed sequence 1; the server remembers the 64 highest, up to %d"
                                    .formatted(fleet.sequences[1])));
        }
    }

    static Stream<TrainingMode> modes() {
        return MODES.stream();
    }
}
