package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.optim.TrainingMode.StepSize;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;

/** Every mode against its model, while workers join, leave, die and meet their deadlines at any moment. */
class ModesPropertyTest {

    private static final List<TrainingMode> MODES = List.of(
            new TrainingMode.Async(1),
            new TrainingMode.Async(3),
            new TrainingMode.Async(StepSize.ofSamples(5)),
            new TrainingMode.Sync(0),
            new TrainingMode.Sync(2),
            new TrainingMode.Sync(0, 1),
            new TrainingMode.Sync(0, 9),
            new TrainingMode.SyncBySamples(5),
            new TrainingMode.Ssp(0),
            new TrainingMode.Ssp(2));

    private static final List<String> WORKERS = List.of("a", "b", "c", "d");

    /** The kinds of events. */
    enum Kind {
        PUSH,
        AGAIN,
        JOIN,
        JOIN_FOR_A_WHILE,
        LEAVE,
        DIE,
        PASS
    }

    /** An event, and its worker. */
    record Event(Kind kind, String worker, int lag, int samples, int gradient) {}

    @Provide
    Arbitrary<TrainingMode> modes() {
        return Arbitraries.of(MODES);
    }

    @Provide
    Arbitrary<List<Event>> events() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(20, Kind.PUSH),
                                Tuple.of(3, Kind.AGAIN),
                                Tuple.of(3, Kind.JOIN),
                                Tuple.of(2, Kind.JOIN_FOR_A_WHILE),
                                Tuple.of(2, Kind.LEAVE),
                                Tuple.of(1, Kind.DIE),
                                Tuple.of(2, Kind.PASS)),
                        Arbitraries.of(WORKERS),
                        Arbitraries.frequency(Tuple.of(6, 0), Tuple.of(1, 1), Tuple.of(1, 3), Tuple.of(1, -1)),
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.integers().between(-8, 8))
                .as(Event::new)
                .list()
                .ofMinSize(10)
                .ofMaxSize(60);
    }

    @Property(tries = 400)
    void shouldDoWhatTheModeIsToDo(@ForAll("modes") TrainingMode mode, @ForAll("events") List<Event> events) {
        try (TrainingRun run = new TrainingRun(mode).startingAt(0)) {
            ModelledRun modelled = new ModelledRun(mode, run);
            modelled.join("a", Optional.empty());
            modelled.join("b", Optional.empty());
            Map<String, Long> sequences = new HashMap<>();
            for (Event event : events) {
                happen(modelled, event, sequences);
            }
        }
    }

    private static void happen(ModelledRun modelled, Event event, Map<String, Long> sequences) {
        String worker = event.worker();
        switch (event.kind()) {
            case PUSH -> {
                long sequence = sequences.merge(worker, 1L, Long::sum);
                PushOutcome outcome = push(modelled, event, sequence);
                if (outcome instanceof Refused) {
                    // A refused gradient did not count, so its sequence number may be used again.
                    sequences.put(worker, sequence - 1);
                }
            }
            case AGAIN -> push(modelled, event, Math.max(1, sequences.getOrDefault(worker, 0L)));
            case JOIN -> modelled.join(worker, Optional.empty());
            case JOIN_FOR_A_WHILE -> modelled.join(worker, Optional.of(Duration.ofSeconds(7)));
            case LEAVE -> modelled.leave(worker);
            case DIE -> modelled.pass(TrainingRun.LEASE, worker);
            case PASS -> modelled.pass(Duration.ofSeconds(4), "nobody");
        }
    }

    private static PushOutcome push(ModelledRun modelled, Event event, long sequence) {
        long base = Math.max(0, modelled.model().version() - event.lag());
        PushOutcome outcome = modelled.push(event.worker(), sequence, base, event.samples(), event.gradient());
        boolean isNew = outcome instanceof Applied;
        TrainingMode mode = modelled.run().training().settings().mode();
        if (isNew && mode.isSynchronous()) {
            assertThat(((Applied) outcome).staleness()).as("in mode " + mode).isZero();
        }
        return outcome;
    }
}
