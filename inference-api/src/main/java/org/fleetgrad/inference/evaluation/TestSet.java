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
 * @param description how the training's pixels were scaled, and what the labels mean
 */
public record TestSet(Samples samples, ModelDescription description) {

    /** Takes the samples of a shard. */
    static TestSet of(Shard shard) {
        return new TestSet(
                shard.samples(),
                new ModelDescription(
                        shard.description().normalization(), shard.description().classes()));
    }

    /**
     * Checks that the samples are what the network takes, and describes each of its outputs.
     *
     * @param classes outputs of the network; the samples may have fewer classes
     * @throws IllegalArgumentException when they have another shape, or more classes
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
