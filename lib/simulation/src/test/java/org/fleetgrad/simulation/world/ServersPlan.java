package org.fleetgrad.simulation.world;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.fleetgrad.optim.TrainingMode;

/**
 * What the servers of a world are like.
 *
 * @param count      parameter servers
 * @param mode       when gradients become a step
 * @param optimizer  what a step does
 * @param staleness  the treatment of stale gradients
 * @param durability {@code journal} or {@code checkpoint}
 */
record ServersPlan(int count, TrainingMode mode, String optimizer, String staleness, String durability) {

    static final float LEARNING_RATE = 0.5f;

    private static final String PLAIN = "sgd:momentum=0";
    private static final String MOMENTUM = "sgd:momentum=0.9";
    private static final String[] RULES = {
        "none", "damped", "delay-compensated", "gap-aware", "look-ahead", "look-ahead-slim"
    };

    static ServersPlan draw(Random random) {
        int count = 1 + Math.max(0, random.nextInt(4) - 1);
        TrainingMode mode = mode(random);
        String optimizer = Draw.pick(random, PLAIN, PLAIN, PLAIN, MOMENTUM, "adam");
        return new ServersPlan(
                count,
                mode,
                optimizer,
                optimizer.equals(MOMENTUM) && !mode.isSynchronous() ? Draw.pick(random, RULES) : "none",
                // A partition that is set back alone lacks gradients that the others have: only a journal promises
                // more.
                count == 1 && random.nextInt(3) == 0 ? "checkpoint" : "journal");
    }

    private static TrainingMode mode(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> new TrainingMode.Ssp(random.nextInt(3));
            case 1 -> new TrainingMode.Sync(0);
            case 2 -> new TrainingMode.Sync(0, 1);
            default -> new TrainingMode.Async(1);
        };
    }

    /** Tells whether a step only adds its gradients up, so that the parameters show how often each counts. */
    boolean isPlain() {
        return optimizer.equals(PLAIN);
    }

    /** Returns the settings of each server. */
    Map<String, String> settings() {
        return new TreeMap<>(Map.of(
                "ps.mode",
                mode.toString(),
                "ps.optimizer",
                optimizer,
                "ps.staleness",
                staleness,
                "ps.learning-rate",
                Float.toString(LEARNING_RATE),
                "ps.lease",
                WorldPlan.LEASE.toMillis() + "ms",
                "ps.durability.mode",
                durability,
                "ps.durability.checkpoint-interval",
                "7s",
                "ps.durability.checkpoint-versions",
                "9",
                "ps.durability.journal-size",
                "64KB",
                "ps.added-work-share",
                "1"));
    }
}
