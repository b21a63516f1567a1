package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.testing.ManualClock;

/**
 * Two runs with the same events: one is never persisted or restarted, the other is killed and stopped at any moment. They
 * must be indistinguishable.
 */
@Tag("whole")
class BitsAfterRestartPropertyTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final DurabilitySettings EVERY_SECOND =
            new DurabilitySettings(true, SECOND, 0, OptionalLong.of(1L << 40), 2);
    private static final List<String> WORKERS = List.of("a", "b", "größe");

    /** The kinds of events. */
    enum Kind {
        PUSH,
        AGAIN,
        JOIN,
        LEAVE,
        CHECKPOINT,
        KILL,
        STOP
    }

    /** An event of both runs, or only of the persisted run. */
    record Event(Kind kind, int worker, int lag, int samples, long seed) {}

    @Provide
    Arbitrary<List<Event>> events() {
        Arbitrary<Kind> kinds = Arbitraries.frequency(
                Tuple.of(14, Kind.PUSH),
                Tuple.of(2, Kind.AGAIN),
                Tuple.of(2, Kind.JOIN),
                Tuple.of(1, Kind.LEAVE),
                Tuple.of(2, Kind.CHECKPOINT),
                Tuple.of(2, Kind.KILL),
                Tuple.of(1, Kind.STOP));
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, WORKERS.size() - 1),
                        Arbitraries.integers().between(0, LegalSettings.HISTORY),
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.longs())
                .as(Event::new)
                .list()
                .ofMinSize(10)
                .ofMaxSize(40);
    }

    @Provide
    Arbitrary<TrainingSettings> settings() {
        return Arbitraries.of(LegalSettings.all());
    }

    @Property(tries = 120)
    void shouldComeToTheSameBitsAndAnswersHoweverOftenItIsRestarted(
            @ForAll("settings") TrainingSettings settings, @ForAll("events") List<Event> events) throws IOException {
        Path folder = InMemory.create();
        try (Pair pair = new Pair(settings, folder, false)) {
            events.forEach(pair::happens);
        } finally {
            delete(folder);
        }
    }

    /** The run that is not persisted has the trainable tensors only, and the other one has frozen ones beside them. */
    @Property(tries = 120)
    void shouldTrainAsIfThereWereNoFrozenTensors(
            @ForAll("settings") TrainingSettings settings, @ForAll("events") List<Event> events) throws IOException {
        Path folder = InMemory.create();
        try (Pair pair = new Pair(settings, folder, true)) {
            events.forEach(pair::happens);
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** The two runs. */
    private static final class Pair implements AutoCloseable {
        private final Path folder;
        private final WatchedDisk disk = new WatchedDisk(new FullDisk());
        private final DurableRun keeper;
        private final TrainingRun plain;
        private final boolean isFrozen;
        private final boolean isSync;
        private final Map<String, GradientMetadata> last = new HashMap<>();
        private final Map<String, float[]> lastValues = new HashMap<>();
        private TrainingRun durable;
        private Path location;
        private int lives;

        Pair(TrainingSettings settings, Path folder, boolean isFrozen) {
            this.folder = folder;
            this.isFrozen = isFrozen;
            this.keeper = new DurableRun(isFrozen ? TrainingRun.frozen(settings) : settings);
            this.location = folder.resolve("life-0");
            this.isSync = settings.mode() instanceof TrainingMode.Sync
                    || settings.mode() instanceof TrainingMode.SyncBySamples;
            this.plain = new TrainingRun(settings, new TrainingRun.Quiet(), TrainingStore.NONE, new ManualClock())
                    .startingWithState(4, 1, -2, 3);
            this.durable = isFrozen ? open().startingFrozen(4, 1, -2, 3) : open().startingWithState(4, 1, -2, 3);
            join(WORKERS.get(0));
        }

        void happens(Event event) {
            String worker = WORKERS.get(event.worker());
            switch (event.kind()) {
                case PUSH -> push(worker, event);
                case AGAIN -> again(worker);
                case JOIN -> join(worker);
                case LEAVE -> {
                    plain.unregister(worker);
                    durable.unregister(worker);
                }
                case CHECKPOINT -> {
                    pass(plain);
                    pass(durable);
                }
                case KILL -> restart(true);
                case STOP -> restart(false);
            }
            if (isFrozen) {
                float[] values = plain.values();
                assertThat(durable.trainable()).as(event.toString()).isEqualTo(values);
                assertThat(durable.values())
                        .as(event.toString())
                        .isEqualTo(new float[] {7, 8, 7, 8, values[0], values[1], values[2], values[3], 7, 8});
            } else {
                assertThat(durable.bytes()).as(event.toString()).isEqualTo(plain.bytes());
            }
            assertThat(counts(durable)).as(event.toString()).isEqualTo(counts(plain));
            assertThat(durable.training().statistics().buffered())
                    .as(event.toString())
                    .isEqualTo(plain.training().statistics().buffered());
        }

        /** All counts except refusals, which are not persisted, and duplicates. */
        private static TrainingStatistics.State counts(TrainingRun run) {
            TrainingStatistics.State now = run.training().statistics().state();
            Map<String, Long> taken = new HashMap<>(now.pushes());
            taken.keySet().retainAll(List.of("applied", "buffered"));
            return new TrainingStatistics.State(
                    now.samples(),
                    now.loss(),
                    now.worstStaleness(),
                    now.stalenessSum(),
                    now.gradients(),
                    taken,
                    now.takenByWorker(),
                    now.samplesBefore());
        }

        private void push(String worker, Event event) {
            Random random = new Random(event.seed());
            float[] gradient = {
                random.nextFloat(), (float) random.nextGaussian(), (float) random.nextGaussian(), random.nextInt(3)
            };
            long sequence = Optional.ofNullable(last.get(worker))
                            .map(GradientMetadata::sequence)
                            .orElse(0L)
                    + 1;
            long base = Math.max(0, plain.version() - (isSync && event.lag() < 3 ? 0 : event.lag()));
            GradientMetadata metadata = new GradientMetadata(
                    worker,
                    sequence,
                    TrainingRun.GENERATION,
                    base,
                    event.samples(),
                    random.nextDouble(),
                    Optional.empty(),
                    OptionalLong.of(1 + random.nextInt(event.samples())),
                    random.nextBoolean() ? OptionalDouble.of(3 * random.nextDouble()) : OptionalDouble.empty());
            PushOutcome outcome = send(metadata, gradient);
            if (!(outcome instanceof PushOutcome.Refused)) {
                last.put(worker, metadata);
                lastValues.put(worker, gradient);
            }
        }

        private void again(String worker) {
            GradientMetadata metadata = last.get(worker);
            float[] gradient = lastValues.get(worker);
            if (metadata != null && gradient != null) {
                assertThat(send(metadata, gradient)).isInstanceOf(PushOutcome.Duplicate.class);
            }
        }

        private PushOutcome send(GradientMetadata metadata, float... gradient) {
            PushOutcome outcome = plain.push(metadata, gradient);
            assertThat(durable.push(metadata, gradient)).as(metadata.toString()).isEqualTo(outcome);
            return outcome;
        }

        private void join(String worker) {
            for (TrainingRun run : List.of(plain, durable)) {
                run.leases()
                        .register(Optional.of(worker), "", "cpu", Optional.empty(), Optional.empty(), Optional.empty());
                run.advance(Duration.ZERO);
            }
        }

        private static void pass(TrainingRun run) {
            run.leases().live().forEach(live -> run.leases().renew(live.id()));
            run.advance(SECOND);
        }

        private void restart(boolean isKilled) {
            if (isKilled) {
                // Copies between two file changes, at any point of a checkpoint write.
                Path next = folder.resolve("life-" + ++lives);
                disk.between(() -> DurableRun.copy(location, next));
                location = next;
            }
            durable.close();
            durable = open();
        }

        private TrainingRun open() {
            return keeper.open(EVERY_SECOND, disk.path(location));
        }

        @Override
        public void close() {
            plain.close();
            durable.close();
        }
    }
}
