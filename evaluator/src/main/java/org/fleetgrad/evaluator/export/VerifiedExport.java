package org.fleetgrad.evaluator.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.onnx.OnnxExport;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.ServedNetwork;

/**
 * A parameter set as a model of ONNX, which becomes a file only if onnxruntime answers with it as libtorch does.
 *
 * @param network    that the parameters name
 * @param parameters of the network
 * @param export     the model
 */
public record VerifiedExport(ServedNetwork network, TensorSet parameters, OnnxExport export) {

    private static final long MOST_BATCH_BYTES = 1 << 28;

    /**
     * Makes the model of a parameter set.
     *
     * @throws IllegalArgumentException if its metadata name no network, or its tensors are another's, or ONNX cannot hold it
     */
    public static VerifiedExport of(TensorSet parameters) {
        ServedNetwork network = new NetworkClassifiers(Device.CPU).networkOf(parameters);
        ModelDescription description = ModelDescription.NONE.withMetadata(parameters.metadata(), network);
        Optional<Normalization> normalization = parameters.metadata().containsKey(MetadataKeys.NORMALIZATION)
                ? Optional.of(description.normalization())
                : Optional.empty();
        NetworkDefinition definition = Networks.named(network.name());
        OnnxExport export = OnnxExport.of(definition, parameters, normalization, description.rows());
        export.model().requireSize();
        return new VerifiedExport(network, parameters, export);
    }

    /** Returns samples drawn at random, for a comparison without a dataset. */
    public ComparedSamples random() {
        return new RandomSamples(export.form(), network).enough();
    }

    /**
     * Writes the file, compares both runtimes, and gives the file its name if they agree; else there is none.
     *
     * @throws DifferentAnswersException if they do not
     */
    public Comparison write(Path target, ComparedSamples samples) throws IOException {
        Comparison[] found = new Comparison[1];
        AtomicFile.write(target, export.model()::writeTo, temporary -> {
            found[0] = compare(temporary, samples);
            found[0].require();
        });
        return found[0];
    }

    private Comparison compare(Path file, ComparedSamples samples) throws IOException {
        int batch = (int) Math.max(1, Math.min(samples.count(), MOST_BATCH_BYTES / network.sampleBytes()));
        float[] inputs = new float[batch * network.inputSize()];
        float[] targets = new float[batch * network.task().targets()];
        Comparison all = new Comparison(0, 0, 0);
        try (OnnxSession session = OnnxSession.open(file, export);
                Network own = Libtorch.open(network.name(), Device.CPU)) {
            own.load(parameters);
            for (int from = 0; from < samples.count(); from += batch) {
                int count = Math.min(batch, samples.count() - from);
                for (int i = 0; i < count; i++) {
                    samples.reader().read(from + i, inputs, targets, i);
                }
                all = all.and(Comparison.of(count, own.logits(inputs, count), session.outputs(inputs, count)));
            }
        }
        return all;
    }
}
