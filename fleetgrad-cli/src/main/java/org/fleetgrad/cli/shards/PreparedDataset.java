package org.fleetgrad.cli.shards;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.cli.failure.CommandFailedException;
import org.fleetgrad.cli.settings.RunSettings;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;

/**
 * A dataset as shards in a folder, ready for workers.
 *
 * @param name   of the dataset
 * @param train  number of training samples
 * @param test   the held-out samples
 * @param shards the files
 */
public record PreparedDataset(String name, int train, Samples test, ShardSet shards) {

    private static final String GENERATED = "generated-digits";
    private static final String NAMELESS = "dataset";
    private static final int LONGEST_NAME = 100;
    private static final int SAMPLES_A_SHARD = 10_000;
    private static final int FEWEST_SAMPLES_A_SHARD = 500;
    /** Distance of the test digits' seed from the training digits': other digits, but the same every time. */
    private static final long TEST_SEED_OFFSET = 1_000_003;

    /** Reads the user's dataset, or generates one, and cuts it into shards in {@code folder}. */
    public static PreparedDataset prepare(RunSettings settings, Path folder) throws CommandFailedException {
        Samples train;
        Samples test;
        String name;
        if (settings.data().isPresent()) {
            Path data = settings.data().get();
            try {
                IdxDataset dataset = IdxDataset.open(data);
                train = dataset.train();
                test = dataset.test();
            } catch (IOException unreadable) {
                throw CommandFailedException.input("--data %s: %s".formatted(data, unreadable.getMessage()));
            }
            name = nameOf(data);
        } else {
            CompletableFuture<Samples> digits = CompletableFuture.supplyAsync(
                    () -> SyntheticDigits.generate(settings.testSamples(), settings.seed() + TEST_SEED_OFFSET));
            train = SyntheticDigits.generate(settings.trainSamples(), settings.seed());
            test = digits.join();
            name = GENERATED;
        }
        // At least one shard for each worker, and small enough that an activation takes a second or two.
        int shards = Math.max(settings.workers(), (train.count() - 1) / samplesAShard(settings) + 1);
        try {
            return new PreparedDataset(name, train.count(), test, ShardSet.write(folder, name, train, test, shards));
        } catch (IllegalArgumentException unfit) {
            throw CommandFailedException.input(String.valueOf(unfit.getMessage()));
        } catch (IOException unwritable) {
            throw CommandFailedException.input(
                    "the shards could not be written to %s: %s".formatted(folder, unwritable));
        }
    }

    /** A run that ends after few steps needs small shards, because workers finish theirs. */
    private static int samplesAShard(RunSettings settings) {
        if (settings.maxSteps().isEmpty()) {
            return SAMPLES_A_SHARD;
        }
        long samplesAStep = Math.multiplyFull(settings.batchSize(), settings.updateInterval());
        // So that the product fits.
        long steps = Math.min(settings.maxSteps().getAsLong(), SAMPLES_A_SHARD);
        return (int) Math.max(FEWEST_SAMPLES_A_SHARD, Math.min(steps * samplesAStep, SAMPLES_A_SHARD));
    }

    /**
     * Returns the name of the dataset in {@code data}: the folder's own, with a dash for every character that a dataset's name
     * may not have.
     */
    static String nameOf(Path data) {
        Path folder = data.toAbsolutePath().normalize().getFileName();
        String name = folder == null
                ? ""
                : folder.toString().replaceAll("[^A-Za-z0-9._-]", "-").replaceAll("^[._-]+", "");
        return name.isEmpty() ? NAMELESS : name.substring(0, Math.min(name.length(), LONGEST_NAME));
    }

    /** Returns the work of a run over the shards. */
    public WorkPlan plan(int epochs, ShardHost host) throws IOException {
        List<PlannedShard> planned = new ArrayList<>();
        for (int i = 0; i < shards.train().size(); i++) {
            Path file = shards.train().get(i);
            planned.add(new PlannedShard(
                    file.getFileName().toString(),
                    host.url(file),
                    shards.samples().get(i)));
        }
        return new WorkPlan(name, epochs, planned);
    }
}
