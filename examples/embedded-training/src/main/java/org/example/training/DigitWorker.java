package org.example.training;

import java.io.IOException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;

/** A worker: loads each version that it pulls, computes the gradient of a batch with libtorch, and pushes it. */
final class DigitWorker {

    private static final int BATCH = 50;

    private final PsClient client;
    private final NetworkDefinition definition;
    private final ImageSamples samples;

    DigitWorker(PsClient client, NetworkDefinition definition, ImageSamples samples) {
        this.client = client;
        this.definition = definition;
        this.samples = samples;
    }

    void run(int batches) throws IOException {
        String id = client.register(new RegisterWorkerRequest(null, "digits", null, "cpu")).id();
        PsClient worker = client.as(id);
        Normalization normalization = Normalization.of(samples);
        float[] images = new float[BATCH * samples.imageBytes()];
        float[] labels = new float[BATCH];
        try (Network network = Libtorch.open(definition, Device.CPU)) {
            float[] gradient = new float[(int) network.trainable().elementCount()];
            Pulled base = (Pulled) worker.pull();
            for (int sequence = 1; sequence <= batches; sequence++) {
                for (int i = 0; i < BATCH; i++) {
                    int sample = ((sequence - 1) * BATCH + i) % samples.count();
                    normalization.normalize(samples, sample, images, i * samples.imageBytes());
                    labels[i] = samples.label(sample);
                }
                network.load(base.parameters());
                float loss = network.accumulate(images, labels, BATCH);
                network.drainGradient(gradient, 1);
                GradientMetadata metadata = new GradientMetadata(
                        id, sequence, base.version().generation(), base.version().version(), BATCH, loss);
                // The response has the next parameters.
                PushResult result = worker.push(metadata, network.trainable(), gradient, true);
                base = result.pulled().orElseThrow(() -> new IOException("the gradient does not count: " + result));
            }
        }
        worker.unregister(id);
    }
}
