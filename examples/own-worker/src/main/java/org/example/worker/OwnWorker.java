package org.example.worker;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** A worker of one's own: fits y = 3 x + 1 by least squares. The gradient is plain Java; any engine may compute yours. */
public final class OwnWorker {

    /** The tensors, sorted by their names. */
    static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("bias", 1), TensorSpec.f32("weight", 1)));

    private static final int BATCH = 16;

    /** Trains with the parameter server at the address in the first argument. */
    public static void main(String[] arguments) throws IOException {
        System.out.println("loss " + train(URI.create(arguments[0]), 200));
    }

    /** Computes and pushes a number of gradients, and returns the loss of the last batch. */
    static double train(URI server, int steps) throws IOException {
        PsClient client = new PsClient(server, ClientOptions.DEFAULT);
        // If another worker was first, its parameters stay.
        client.putInitial(TensorSet.ofFloats(LAYOUT, new float[2], Map.of()));
        String id = client.register(new RegisterWorkerRequest(null, "own-worker", null, "cpu")).id();
        PsClient worker = client.as(id);
        Random random = new Random(1);
        double loss = Double.NaN;
        for (int sequence = 1; sequence <= steps; sequence++) {
            Pulled base = (Pulled) worker.pull();
            float[] values = base.parameters().toFloats(LAYOUT);
            float[] gradient = new float[2];
            loss = 0;
            for (int i = 0; i < BATCH; i++) {
                double x = random.nextGaussian();
                double error = values[1] * x + values[0] - (3 * x + 1);
                loss += error * error / BATCH;
                gradient[0] += (float) (2 * error / BATCH);
                gradient[1] += (float) (2 * error * x / BATCH);
            }
            GradientMetadata metadata = new GradientMetadata(
                    id, sequence, base.version().generation(), base.version().version(), BATCH, loss);
            PushResult result = worker.push(metadata, LAYOUT, gradient, false);
            if (!(result instanceof PushResult.Accepted)) {
                throw new IOException("the gradient does not count: " + result);
            }
        }
        worker.unregister(id);
        return loss;
    }
}
