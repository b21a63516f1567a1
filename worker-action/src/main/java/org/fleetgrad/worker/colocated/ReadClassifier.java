package org.fleetgrad.worker.colocated;

import org.fleetgrad.libtorch.NetworkReader;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Classifier;

/**
 * A classifier over a reader of the network being trained.
 *
 * @param reader  closed with the classifier
 * @param renewal copies what the training has loaded, instead of loading a parameter set
 */
record ReadClassifier(NetworkReader reader, Runnable renewal) implements Classifier {

    @Override
    public void load(TensorSet parameters) {
        renewal.run();
    }

    @Override
    public float[] logits(float[] images, int count) {
        return reader.logits(images, count);
    }

    @Override
    public void close() {
        reader.close();
    }
}
