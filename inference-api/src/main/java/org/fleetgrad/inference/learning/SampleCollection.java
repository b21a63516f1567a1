package org.fleetgrad.inference.learning;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.inference.feedback.Learning;
import org.fleetgrad.inference.learning.OpenShard.Sample;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects answered images with their true labels into shards of the run's dataset (ADR 59). Inputs wait in bounded memory for their labels,
 * labelled ones in memory for a complete shard, and one thread writes. Thread-safe.
 */
public final class SampleCollection implements Learning {

    private static final Logger LOG = LoggerFactory.getLogger(SampleCollection.class);
    private static final long PAUSE_MS = 200;
    private static final long LONGEST_CLOSE_MS = 10_000;

    private final KeptInputs inputs;
    private final OpenShard open;
    private final CollectedShards shards;
    private final Supplier<Optional<Schema>> schemas;
    private final LongSupplier millis;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread writing = new Thread(this::run, "collect");
    private final LongAdder collected = new LongAdder();
    private final Map<DropReason, LongAdder> dropped = new EnumMap<>(DropReason.class);
    /** Said once, and not for each shard of a disk that is full for hours. Confined to the thread that writes. */
    private boolean isFailing;

    /** The classes of the version that had a label last, if they fit: a request may have thousands of labels. */
    private volatile List<String> fitting = List.of();

    /**
     * Opens the folder of shards; nothing is written before {@link #start}.
     *
     * @param limits  of memory and disk
     * @param schemas what the samples of the run's dataset are; empty before it is known
     * @param millis  the clock
     * @throws IOException if the folder cannot be used
     */
    public SampleCollection(LearningLimits limits, Supplier<Optional<Schema>> schemas, LongSupplier millis)
            throws IOException {
        this.inputs = new KeptInputs(limits.inputBytes());
        this.open = new OpenShard(limits.shardSamples(), limits.shardAge().toMillis());
        this.shards = new CollectedShards(limits.folder(), limits.folderBytes());
        this.schemas = schemas;
        this.millis = millis;
        for (DropReason reason : DropReason.values()) {
            dropped.put(reason, new LongAdder());
        }
        writing.setDaemon(true);
    }

    /** Starts the thread that writes; once. */
    public SampleCollection start() {
        writing.start();
        return this;
    }

    @Override
    public void answered(long first, PredictionResult result, Images request) {
        if (result.network().task() instanceof ImageClassification) {
            inputs.keep(first, request);
        }
    }

    @Override
    public void labelled(long sequence, List<String> classes, int label) {
        Optional<byte[]> pixels = inputs.take(sequence);
        if (pixels.isEmpty()) {
            drop(DropReason.FORGOTTEN, 1);
        } else if (!fits(pixels.get(), classes, label)) {
            drop(DropReason.OTHER_CLASSES, 1);
        } else if (!open.add(new Sample(pixels.get(), label), millis.getAsLong())) {
            drop(DropReason.BEHIND, 1);
        }
    }

    /** A network may have more outputs than the dataset has classes; no sample is of such an output. */
    private boolean fits(byte[] pixels, List<String> classes, int label) {
        Optional<ImageSchema> schema = schema();
        if (schema.isEmpty()) {
            return false;
        }
        List<String> own = schema.get().classes();
        if (classes != fitting) {
            if (classes.size() < own.size() || !classes.subList(0, own.size()).equals(own)) {
                return false;
            }
            fitting = classes;
        }
        return label < own.size()
                && pixels.length == schema.get().shape().stream().reduce(1, Math::multiplyExact);
    }

    private Optional<ImageSchema> schema() {
        return schemas.get().filter(ImageSchema.class::isInstance).map(ImageSchema.class::cast);
    }

    private void run() {
        try {
            do {
                write(false);
            } while (!closing.await(PAUSE_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
        write(true);
    }

    /**
     * Writes the shards that are due.
     *
     * @param isLast whether what is left is a shard, too
     */
    void write(boolean isLast) {
        for (List<Sample> due = open.take(millis.getAsLong(), isLast);
                !due.isEmpty();
                due = open.take(millis.getAsLong(), isLast)) {
            write(due);
        }
    }

    private void write(List<Sample> due) {
        try {
            drop(DropReason.ROOM, shards.write(schema().orElseThrow(), due));
            collected.add(due.size());
            if (isFailing) {
                LOG.info("feedback is written again; {} samples were lost", dropped(DropReason.UNWRITABLE));
            }
            isFailing = false;
        } catch (IOException | RuntimeException unwritable) {
            // The held-out samples, which tell the dataset, may be others since the label came. The thread goes on.
            drop(DropReason.UNWRITABLE, due.size());
            if (!isFailing) {
                LOG.warn(
                        "{} samples of feedback, and those of the shards to come, are lost until one can be written: {}",
                        due.size(),
                        unwritable.toString());
            }
            isFailing = true;
        }
    }

    private void drop(DropReason reason, long samples) {
        counter(reason).add(samples);
    }

    private LongAdder counter(DropReason reason) {
        return Optional.ofNullable(dropped.get(reason)).orElseThrow();
    }

    /** Returns how many samples are in shards that were written. */
    public long collected() {
        return collected.sum();
    }

    /** Returns how many labelled answers became no sample, or were dropped with their shard. */
    public long dropped(DropReason reason) {
        return counter(reason).sum();
    }

    /** Returns the bytes of the inputs that wait for labels. */
    public long inputBytes() {
        return inputs.bytes();
    }

    /** Writes what is left, and ends. */
    @Override
    public void close() {
        closing.countDown();
        try {
            writing.join(LONGEST_CLOSE_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
