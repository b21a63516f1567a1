package org.fleetgrad.inference.evaluation;

import java.util.List;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.inference.model.ImageShape;
import org.fleetgrad.inference.model.ModelDescription;

/**
 * The held-out samples.
 *
 * @param samples     images and labels
 * @param description normalization of the training pixels, and names of the classes
 */
public record TestSet(Samples samples, ModelDescription description) {

    /** Makes a test set of a shard's samples. */
    static TestSet of(Shard shard) {
        return new TestSet(
                shard.samples(),
                new ModelDescription(
                        shard.description().normalization(), shard.description().classes()));
    }

    /**
     * Checks that the samples fit the network, and describes each of its outputs.
     *
     * @param classes outputs of the network; the samples may have fewer classes
     * @throws IllegalArgumentException if they have another shape, or more classes
     */
    public TestSet requireFor(ImageShape shape, int classes) {
        if (!samples.shape().equals(List.of(shape.channels(), shape.height(), shape.width()))
                || description.classes().size() > classes) {
            throw new IllegalArgumentException(
                    "the test shard has images of %s in %d classes, the network takes %s in %d classes"
                            .formatted(samples.shape(), description.classes().size(), shape, classes));
        }
        return new TestSet(samples, description.forOutputs(classes));
    }
}
