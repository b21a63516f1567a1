package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stale synchronous parallel training: no worker exceeds the allowed lead over the slowest, and none waits forever. */
class SspTrainingTest {

    private static boolean mayBegin(TrainingRun run, String worker) {
        return run.training().mayBegin(Optional.of(worker));
    }

    /** Workers that begin only when they may, in any order and at any speed, some joining and leaving. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void shouldBoundTheLeadAndRefuseNobodyWhoWaited(int maxLead) {
        Random random = new Random(7 + maxLead);
        try (TrainingRun run = new TrainingRun(new TrainingMode.Ssp(maxLead)).startingAt(0)) {
            Map<String, Long> finished = new TreeMap<>();
            Map<String, Long> bases = new HashMap<>();
            int joined = 0;
            long pushes = 0;
            for (int i = 0; i < 3000; i++) {
                if (finished.size() < 2 || (random.nextInt(60) == 0 && finished.size() < 6)) {
                    String worker = "w" + joined++;
                    run.withWorkers(worker).advance(Duration.ZERO);
                    finished.put(worker, finished.isEmpty() ? 0L : Collections.min(finished.values()));
                } else if (random.nextInt(60) == 0) {
                    String worker = pick(random, List.copyOf(finished.keySet()));
                    run.unregister(worker);
                    finished.remove(worker);
                    bases.remove(worker);
                }
                String worker = pick(random, List.copyOf(finished.keySet()));
                Long base = bases.remove(worker);
                if (base != null) {
                    pushes++;
                    assertThat(run.push(worker, i + 1L, base, 1)).isEqualTo(new Applied(pushes, pushes - 1 - base));
                    finished.merge(worker, 1L, Long::sum);
                } else if (mayBegin(run, worker)) {
                    assertThat(finished.getOrDefault(worker, 0L) - Collections.min(finished.values()))
                            .as("lead of %s as it begins", worker)
                            .isLessThanOrEqualTo(maxLead);
                    bases.put(worker, run.version());
                }
                assertThat(Collections.max(finished.values()) - Collections.min(finished.values()))
                        .as("spread of %s", finished)
                        .isLessThanOrEqualTo(maxLead + 1L);
                assertThat(finished.keySet().stream().anyMatch(any -> bases.containsKey(any) || mayBegin(run, any)))
                        .as("somebody computes or may")
                        .isTrue();
            }
            assertThat(pushes).isGreaterThan(500);
        }
    }

    private static String pick(Random random, List<String> from) {
        return from.get(random.nextInt(from.size()));
    }

    @Test
    void shouldBeABarrierWhereNoLeadIsAllowed() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Ssp(0)).startingAt(0).withWorkers("a", "b", "c")) {
            run.advance(Duration.ZERO);
            for (int round = 0; round < 4; round++) {
                for (String worker : List.of("b", "a", "c")) {
                    assertThat(mayBegin(run, worker))
                            .as("%s in round %d", worker, round)
                            .isTrue();
                    run.push(worker, round + 1, run.version(), 1);
                    boolean isLast = worker.equals("c");
                    assertThat(mayBegin(run, worker)).isEqualTo(isLast);
                }
            }
            assertThat(run.version()).isEqualTo(12);
        }
    }

    @Test
    void shouldSayByHowMuchAWorkerIsTooFarAhead() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Ssp(1)).startingAt(0).withWorkers("a", "b")) {
            run.advance(Duration.ZERO);
            run.push("a", 1, 0, 1);
            assertThat(mayBegin(run, "a")).isTrue();
            run.push("a", 2, 1, 1);
            assertThat(mayBegin(run, "a")).isFalse();
            assertThat(run.training().mayBegin(Optional.empty()))
                    .as("who has no name")
                    .isTrue();
            assertThat(mayBegin(run, "stranger")).isTrue();

            assertThat(run.push("a", 3, 2, 1))
                    .isEqualTo(
                            new Refused(
                                    Reason.TOO_FAR_AHEAD,
                                    "worker 'a' is 2 iterations ahead of the slowest, 1 are allowed: wait for the next version"));

            run.push("b", 1, 2, 1);
            assertThat(run.push("a", 3, 3, 1)).isEqualTo(new Applied(4, 0));
        }
    }

    @Test
    void shouldLetTheOthersGoOnWhenTheSlowestIsGone() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Ssp(0)).startingAt(0).withWorkers("a", "b", "c")) {
            run.advance(Duration.ofSeconds(20));
            run.push("a", 1, 0, 1);
            run.push("b", 1, 0, 1);
            assertThat(mayBegin(run, "a")).isFalse();
            run.leases().renew("a");
            run.leases().renew("b");

            // No tick: an expired lease has ended, whether or not anything has checked it.
            run.clock().advance(Duration.ofSeconds(10));
            assertThat(mayBegin(run, "a")).isTrue();
            run.advance(Duration.ZERO);

            run.withWorkers("c").advance(Duration.ZERO);
            assertThat(mayBegin(run, "a"))
                    .as("one that returns begins where the slowest is")
                    .isTrue();
            run.push("a", 2, 2, 1);
            assertThat(mayBegin(run, "a")).isFalse();
            run.unregister("b");
            run.unregister("c");
            assertThat(mayBegin(run, "a")).isTrue();
        }
    }

    @Test
    void shouldNotHoldTheOthersUpForOneWhoJoinsBeforeTheDeadAreMissed() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Ssp(2)).startingAt(0).withWorkers("a", "dead")) {
            run.advance(Duration.ofSeconds(29));
            run.leases().renew("a");
            run.clock().advance(Duration.ofSeconds(1));
            for (int sequence = 1; sequence <= 50; sequence++) {
                assertThat(run.push("a", sequence, run.version(), 1)).isInstanceOf(Applied.class);
            }

            // It registers and pushes between two ticks.
            run.withWorkers("late");
            run.push("late", 1, run.version(), 1);

            assertThat(mayBegin(run, "a")).isTrue();
            assertThat(mayBegin(run, "late")).isTrue();
        }
    }
}
