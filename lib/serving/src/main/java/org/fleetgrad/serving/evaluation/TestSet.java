package org.fleetgrad.serving.evaluation;

import java.util.List;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.ServedNetwork;

/**
 * The held-out samples.
 *
 * @param samples     images and labels
 * @param description normalization of the training pixels, and names of the classes
 */
public record TestSet(Samples samples, ModelDescription description) {

    /**
     * Makes a test set of a shard's samples.
     *
     * @throws IllegalArgumentException if the shard's description says that they are training samples
     */
    public static TestSet of(Shard shard) {
        DatasetDescription description = shard.description();
        if (description.split() == Split.TRAIN) {
            throw new IllegalArgumentException(
                    "the shard of %s has %d of the %d training samples, from %d on: an accuracy on them says nothing; name the test shard"
                            .formatted(
                                    description.name(),
                                    description.range().count(),
                                    description.range().total(),
                                    description.range().first()));
        }
        return new TestSet(shard.samples(), new ModelDescription(description.normalization(), description.classes()));
    }

    /** Returns whether a network takes such images and has an output for each class. */
    public boolean fits(ServedNetwork network) {
        ImageShape shape = network.shape();
        return samples.shape().equals(List.of(shape.channels(), shape.height(), shape.width()))
                && description.classes().size() <= network.outputs();
    }

    /**
     * Checks that the samples fit a network, which may have more outputs than there are classes.
     *
     * @throws IllegalArgumentException if they have another shape, or more classes
     */
    public void requireFor(ServedNetwork network) {
        if (!fits(network)) {
            throw new IllegalArgumentException(
                    "the network %s takes images of %s in %d classes, the test shard has images of %s in %d classes"
                            .formatted(
                                    network.name(),
                                    network.shape(),
                                    network.outputs(),
                                    samples.shape(),
                                    description.classes().size()));
        }
    }
}
