package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.outcome.PushOutcome.Duplicate;

class TrainingPropertyTest {

    /** A push of one worker; the same worker and sequence may repeat. */
    record Push(String worker, long sequence, long baseVersion, int gradient) {}

    @Provide
    Arbitrary<List<Push>> pushes() {
        return Combinators.combine(
                        Arbitraries.of("a", "b", "c", "stranger"),
                        Arbitraries.longs().between(1, 12),
                        Arbitraries.longs().between(0, 6),
                        Arbitraries.integers().between(-8, 8))
                .as(Push::new)
                .list()
                .ofMaxSize(60);
    }

    @Property(tries = 150)
    void shouldCountEachAcceptedPushExactlyOnce(@ForAll("pushes") List<Push> pushes) {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(1)).startingAt(0).withWorkers("a", "b", "c")) {
            Set<String> accepted = new HashSet<>();
            float expected = 0;
            for (Push push : pushes) {
                long before = run.version();
                PushOutcome outcome = run.push(push.worker(), push.sequence(), push.baseVersion(), push.gradient());
                String key = push.worker() + "/" + push.sequence();
                assertThat(outcome instanceof Duplicate).isEqualTo(accepted.contains(key));
                if (outcome instanceof Applied applied) {
                    accepted.add(key);
                    expected -= 0.5f * push.gradient();
                    assertThat(applied).isEqualTo(new Applied(before + 1, before - push.baseVersion()));
                }
                assertThat(run.version()).isEqualTo(outcome instanceof Applied ? before + 1 : before);
                assertThat(run.values()).containsExactly(expected);
            }
        }
    }

    @Property(tries = 150)
    void shouldStepWithExactlyTheGradientsThatWereTaken(@ForAll("pushes") List<Push> pushes, @ForAll boolean isSync) {
        TrainingMode mode = isSync ? new TrainingMode.Sync(0) : new TrainingMode.Async(3);
        try (TrainingRun run = new TrainingRun(mode).startingAt(0).withWorkers("a", "b", "c")) {
            List<Integer> waiting = new ArrayList<>();
            double expected = 0;
            for (Push push : pushes) {
                PushOutcome outcome = run.push(push.worker(), push.sequence(), push.baseVersion(), push.gradient());
                if (outcome instanceof Buffered || outcome instanceof Applied) {
                    waiting.add(push.gradient());
                }
                if (outcome instanceof Applied) {
                    assertThat(waiting).hasSize(3);
                    expected -=
                            0.5 * waiting.stream().mapToInt(Integer::intValue).sum() / 3;
                    waiting.clear();
                }
                assertThat(run.training().statistics().buffered()).isEqualTo(waiting.size());
                assertThat((double) run.values()[0]).isCloseTo(expected, within(1e-4));
            }
        }
    }
}
