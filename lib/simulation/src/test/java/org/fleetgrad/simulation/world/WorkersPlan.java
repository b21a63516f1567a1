package org.fleetgrad.simulation.world;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * What the workers of a world are like.
 *
 * @param count      workers that train at one time
 * @param network    what they train
 * @param gradients  encoding of gradients: one that keeps the values of {@link SampleNetwork} exactly
 * @param parameters encoding of parameters
 * @param batch      how long a batch takes
 * @param localSteps steps that a worker makes by itself between two pushes
 * @param isOverlapping whether a push overlaps with the next batch
 * @param activation how long an activation may take, if that is limited
 */
record WorkersPlan(
        int count,
        String network,
        String gradients,
        String parameters,
        Duration batch,
        int localSteps,
        boolean isOverlapping,
        Optional<Duration> activation) {

    static final int BATCH_SIZE = 2;

    private static final int MOST = 8;
    private static final int FEW = 4;
    private static final String PLAIN = "tabular?hidden=12";
    private static final String WITH_STATE = "tabular-resnet?layers=1&width=4";

    static WorkersPlan draw(Random random, boolean isSynchronous) {
        int localSteps = Math.max(1, random.nextInt(6) - 2);
        return new WorkersPlan(
                1 + random.nextInt(Draw.chance(random, 0.2) ? MOST : FEW),
                Draw.chance(random, 0.3) ? WITH_STATE : PLAIN,
                // A gradient's values are 0 and 1/2, and most are 0. The sum of local steps may be a little less than
                // 1/2.
                localSteps > 1
                        ? Draw.pick(random, "f32", "f32", "f16", "bf16", "i8", "topk:0.9", "rows")
                        : Draw.pick(random, "f32", "f32", "f16", "bf16", "i8", "topk:0.9", "2bit:0.5", "rows"),
                // Local steps begin at the parameters, and their distance shows what an encoding rounds off.
                localSteps > 1 ? "f32" : Draw.pick(random, "f32", "f32", "f16", "i8"),
                Duration.ofMillis(50 + random.nextInt(3000)),
                localSteps,
                // Both refuse it.
                !isSynchronous && localSteps == 1 && Draw.chance(random, 0.4),
                Draw.chance(random, 0.3) ? Optional.of(Duration.ofSeconds(15 + random.nextInt(20))) : Optional.empty());
    }

    /** Returns the settings of servers that their workers follow. */
    Map<String, String> settings() {
        // With this rate a worker pushes the sum of its gradients: the parameters show how often each counts.
        return Map.of(
                "ps.local.steps",
                Integer.toString(localSteps),
                "ps.local.optimizer",
                "sgd",
                "ps.local.learning-rate",
                "1");
    }
}
