package org.fleetgrad.simulation.world;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.simulation.network.Weather;
import org.fleetgrad.simulation.worker.SimulatedWorker;
import org.fleetgrad.worker.training.TrainingTask.Transfer;

/**
 * What a world is like: drawn from its seed.
 *
 * @param servers    parameter servers
 * @param workers    workers that train at one time
 * @param mode       when gradients become a step
 * @param optimizer  what a step does
 * @param staleness  the treatment of stale gradients
 * @param durability {@code journal} or {@code checkpoint}
 * @param encoding   of gradients
 * @param shards     shards of the dataset
 * @param shardSize  samples of a shard
 * @param epochs     passes over the dataset
 * @param batch      how long a batch takes
 * @param faults     how long faults go on
 * @param mishaps    kills and the like in that time
 * @param weather    what the network does in that time
 * @param localSteps steps that a worker makes by itself between two pushes
 */
record WorldPlan(
        int servers,
        int workers,
        TrainingMode mode,
        String optimizer,
        String staleness,
        String durability,
        String encoding,
        int shards,
        int shardSize,
        long epochs,
        Duration batch,
        Duration faults,
        int mishaps,
        Weather weather,
        int localSteps) {

    static final String NETWORK = "tabular?hidden=8";
    static final int BATCH_SIZE = 2;
    static final float LEARNING_RATE = 0.5f;
    static final Duration LEASE = Duration.ofSeconds(10);

    private static final String PLAIN = "sgd:momentum=0";
    private static final String MOMENTUM = "sgd:momentum=0.9";
    private static final String[] RULES = {
        "none", "damped", "delay-compensated", "gap-aware", "look-ahead", "look-ahead-slim"
    };

    /** Tells whether a step only adds its gradients up, so that the parameters show how often each counts. */
    boolean isPlain() {
        return optimizer.equals(PLAIN);
    }

    /** Returns what its workers train. */
    SimulatedWorker.Training training() {
        return new SimulatedWorker.Training(
                NETWORK,
                BATCH_SIZE,
                new Transfer(Encodings.parse(encoding), Encodings.PLAIN, false),
                definition -> new SampleNetwork(definition.spec(), batch));
    }

    static WorldPlan draw(Random random) {
        int servers = 1 + Math.max(0, random.nextInt(4) - 1);
        boolean isRough = random.nextInt(4) > 0;
        TrainingMode mode = mode(random);
        String optimizer = pick(random, PLAIN, PLAIN, PLAIN, MOMENTUM, "adam");
        return new WorldPlan(
                servers,
                1 + random.nextInt(4),
                mode,
                optimizer,
                optimizer.equals(MOMENTUM) && !mode.isSynchronous() ? pick(random, RULES) : "none",
                // A partition that is set back alone lacks gradients that the others have: only a journal promises
                // more.
                servers == 1 && random.nextInt(3) == 0 ? "checkpoint" : "journal",
                pick(random, "f32", "f32", "f16", "bf16"),
                1 + random.nextInt(3),
                BATCH_SIZE * (1 + random.nextInt(4)),
                1 + random.nextInt(2),
                Duration.ofMillis(50 + random.nextInt(1500)),
                Duration.ofSeconds(10 + random.nextInt(50)),
                random.nextInt(8),
                isRough
                        ? new Weather(
                                0.1 * random.nextDouble(),
                                0.05 * random.nextDouble(),
                                0.1 * random.nextDouble(),
                                Duration.ofMillis(1 + random.nextInt(400)))
                        : Weather.CALM,
                Math.max(1, random.nextInt(6) - 2));
    }

    private static TrainingMode mode(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> new TrainingMode.Ssp(random.nextInt(3));
            case 1 -> new TrainingMode.Sync(0);
            case 2 -> new TrainingMode.Sync(0, 1);
            default -> new TrainingMode.Async(1);
        };
    }

    private static String pick(Random random, String... choices) {
        return List.of(choices).get(random.nextInt(choices.length));
    }

    /** Returns the settings of each server. */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "ps.mode",
                mode.toString(),
                "ps.optimizer",
                optimizer,
                "ps.staleness",
                staleness,
                "ps.learning-rate",
                Float.toString(LEARNING_RATE),
                "ps.lease",
                LEASE.toMillis() + "ms",
                "ps.durability.mode",
                durability,
                "ps.durability.checkpoint-interval",
                "7s",
                "ps.durability.checkpoint-versions",
                "9",
                "ps.durability.journal-size",
                "64KB"));
        settings.put("ps.local.steps", Integer.toString(localSteps));
        // With this rate a worker pushes the sum of its gradients: the parameters show how often each counts.
        settings.put("ps.local.optimizer", "sgd");
        settings.put("ps.local.learning-rate", "1");
        return settings;
    }
}
