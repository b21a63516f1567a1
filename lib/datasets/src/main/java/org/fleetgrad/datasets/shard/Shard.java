package org.fleetgrad.datasets.shard;

import java.util.List;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.LabelledTexts;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TextSamples;
import org.fleetgrad.datasets.augment.EpochDraws;
import org.fleetgrad.datasets.imbalance.ClassCounts;
import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.files.Sha256;

/**
 * One piece of a dataset.
 *
 * @param description the description of the samples
 * @param samples     the samples
 */
public record Shard(DatasetDescription description, Samples samples) {

    private static final float[] ALIKE = {};

    /** Checks that the samples match the description. */
    public Shard {
        samples.requireFit(description.schema());
        if (description.range().count() != samples.count()) {
            throw new IllegalArgumentException("the description states %d samples, there are %d"
                    .formatted(description.range().count(), samples.count()));
        }
    }

    /** Makes a shard and its description, with the SHA-256 of the samples' encoding. */
    public static Shard of(String name, Split split, Schema schema, SampleRange range, Samples samples) {
        String sha256 = Sha256.of(ShardData.encode(samples, schema));
        return new Shard(new DatasetDescription(name, split, schema, range, sha256), samples);
    }

    /** Makes a shard of images. */
    public static Shard of(
            String name,
            Split split,
            List<String> classes,
            Normalization normalization,
            SampleRange range,
            ImageSamples samples) {
        return of(name, split, new ImageSchema(classes, samples.shape(), normalization), range, samples);
    }

    /** Returns the number of values of a sample as a network takes it. */
    public int inputSize() {
        return description.schema().task().inputSize();
    }

    /** Returns the number of targets of a sample: 1, or one for each token or label. */
    public int targetCount() {
        return description.schema().task().targets();
    }

    /**
     * Writes training samples as a network takes them: images normalized and augmented, windows of a text as tokens,
     * rows of a table and series as they are.
     *
     * @param indices of the samples in this shard
     * @param draws   of the epoch
     * @param inputs  gets {@link #inputSize} values for each sample, from its beginning
     * @param targets gets {@link #targetCount} targets for each sample, from its beginning
     * @throws IllegalArgumentException if images are too small for the augmentation
     */
    public void read(int[] indices, EpochDraws draws, float[] inputs, float[] targets) {
        int first = description.range().first();
        if (samples instanceof TextSamples text) {
            for (int i = 0; i < indices.length; i++) {
                long draw = SplitMix64.bits(draws.seed(), draws.epoch(), (long) first + indices[i]);
                text.draw(indices[i], draw, inputs, targets, i * text.context());
            }
            return;
        }
        if (samples instanceof TableSamples rows) {
            for (int i = 0; i < indices.length; i++) {
                rows.read(indices[i], inputs, targets, i);
            }
            return;
        }
        if (samples instanceof LabelledTexts texts) {
            for (int i = 0; i < indices.length; i++) {
                texts.read(indices[i], inputs, targets, i);
            }
            return;
        }
        ImageSamples images = images();
        description
                .images()
                .normalization()
                .normalize(images, indices, inputs, draws.augmentation().during(draws.seed(), draws.epoch(), first));
        for (int i = 0; i < indices.length; i++) {
            targets[i] = images.label(indices[i]);
        }
    }

    /** Returns the weights of samples in the loss; none if all of the shard count alike. */
    public float[] lossWeights(int[] indices) {
        if (!(samples instanceof TableSamples rows) || rows.weights().length == 0) {
            return ALIKE;
        }
        float[] weights = new float[indices.length];
        for (int i = 0; i < indices.length; i++) {
            weights[i] = rows.weights()[indices[i]];
        }
        return weights;
    }

    /**
     * Returns the number of each sample's class.
     *
     * @throws IllegalArgumentException if the samples have no classes
     */
    public int[] labels() {
        if (description.schema().classes().isEmpty()) {
            throw new IllegalArgumentException("the shard of %s has %s; this needs samples with a class each"
                    .formatted(description.name(), description.schema().task()));
        }
        return ClassCounts.labels(samples);
    }

    /**
     * Returns the images.
     *
     * @throws IllegalArgumentException if the samples are not images
     */
    public ImageSamples images() {
        if (samples instanceof ImageSamples images) {
            return images;
        }
        throw new IllegalArgumentException("the shard of %s has %s; this needs images"
                .formatted(description.name(), description.schema().task()));
    }
}
