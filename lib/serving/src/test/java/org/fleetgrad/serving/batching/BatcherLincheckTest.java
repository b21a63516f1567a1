package org.fleetgrad.serving.batching;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionOutcome.Full;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Threads that wait compute for each other: each gets the outcome of its own images, nobody waits for ever, and closing answers all. */
@Param(name = "images", gen = IntGen.class, conf = "1:3")
public class BatcherLincheckTest {

    private static final boolean IS_WHOLE = Boolean.getBoolean("fleetgrad.whole");
    private static final ImageShape SHAPE = new ImageShape(1, 1, 1);
    private static final int CLOSED = -1;

    private final Batcher batcher = new Batcher(
            (wanted, requests) ->
                    requests.stream().map(BatcherLincheckTest::outcome).toList(),
            new BatchLimits(3, Duration.ZERO, 100, 10_000),
            BatchListener.NONE,
            new Still());

    /** Time stands still: with a delay of zero, nothing waits for it. */
    private static final class Still implements BatchClock {

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void await(Condition arrived, long nanos) {
            throw new IllegalStateException("a batch waits, and its delay is zero");
        }
    }

    /** Returns an outcome that says whose it is. */
    private static PredictionOutcome outcome(Images images) {
        return new Full(images.count(), 0, 0, 0);
    }

    @Operation
    public int predict(@Param(name = "images") int count) {
        PredictionOutcome outcome = batcher.predict(WantedVersion.BY_POLICY, new Images(SHAPE, new float[count]));
        return outcome instanceof Full own ? own.images() : CLOSED;
    }

    @Operation
    public int queued() {
        return Math.min(0, batcher.queuedImages());
    }

    @Operation(runOnce = true)
    public void close() {
        batcher.close();
    }

    @Test
    void shouldAnswerEachRequestWithItsOwnOutcomeAndEnd() {
        new ModelCheckingOptions()
                // Nothing of these is shared without the batcher's lock.
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                type -> type.equals("java.util.ArrayDeque") || type.startsWith("java.util.stream."))
                        .allMethods()
                        .treatAsAtomic())
                .iterations(IS_WHOLE ? 24 : 6)
                .invocationsPerIteration(60)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .check(BatcherLincheckTest.class);
    }
}
