package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import java.util.function.Supplier;
import org.fleetgrad.libtorch.Network.NetworkCopy;
import org.fleetgrad.libtorch.Steps.Pass;
import org.fleetgrad.libtorch.Steps.Step;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;

/**
 * Predicts with tensors of a network. It has its own manager, so that its arrays are never in the trainer's list of arrays, and
 * its own input.
 */
final class LibtorchReader implements NetworkCopy {

    private final NetworkDefinition definition;
    private final NetworkSpec spec;
    private final Step forward;
    private final PtNDManager manager;
    private final BatchInput input;
    private final Tensors read;
    private final Runnable renewal;

    /**
     * @param manager closed with the reader
     * @param read    the tensors to compute with, in the reader's manager or in the network's
     * @param renewal copies the network's values into {@code read}
     */
    LibtorchReader(
            NetworkDefinition definition,
            Step forward,
            PtNDManager manager,
            boolean isAsOnGpu,
            Tensors read,
            Runnable renewal) {
        this.definition = definition;
        this.spec = definition.spec();
        this.forward = forward;
        this.manager = manager;
        this.input = new BatchInput(spec, manager, isAsOnGpu);
        this.read = read;
        this.renewal = renewal;
    }

    @Override
    public NetworkSpec spec() {
        return spec;
    }

    @Override
    public float[] logits(float[] images, int count) {
        input.require(images, count);
        try (PtNDManager scope = (PtNDManager) manager.newSubManager()) {
            PtNDArray array = input.array(scope, images, count);
            Supplier<float[]> pass = () -> forward.run(array, new Pass(read.evaluated(), false, 0, array))
                    .toFloatArray();
            // The mode is thread-local: the trainer continues to record.
            return GradientMode.off(pass);
        }
    }

    @Override
    public TextDecoder decoder(int mostTokens) {
        return new LibtorchDecoder(definition, manager, read, mostTokens);
    }

    @Override
    public void renew() {
        renewal.run();
    }

    @Override
    public void close() {
        manager.close();
    }
}
