package org.fleetgrad.worker.colocated;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Classifier;
import org.fleetgrad.serving.ForwardPass;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.ServedNetwork;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the trained tensors, and the description of the version that they hold.
 *
 * @param reader  opened once for each network
 * @param network the network that it reads
 * @param model   meaning of its inputs and outputs
 * @param version that was loaded last
 */
record LiveVersion(NetworkReader reader, ServedNetwork network, ModelDescription model, ParameterVersion version) {

    /** For sets that state no normalization: raw pixels from 0 to 1, and classes without names. */
    static final ModelDescription PLAIN = new ModelDescription(new Normalization(List.of(0f), List.of(1f)), List.of());

    /** Memory that images may take at a time; a larger prediction takes several passes. */
    static final long MEMORY_BYTES = 256L << 20;

    /**
     * Describes a set that was loaded.
     *
     * @param before what answered before with the same network, if anything; its reader is reused
     * @throws IllegalArgumentException if the set names no network, another one, or no version, or is described wrongly
     */
    static LiveVersion of(@Nullable LiveVersion before, Network trained, TensorSet parameters) {
        Map<String, String> metadata = parameters.metadata();
        ParameterVersion version = requireVersion(metadata);
        ServedNetwork network = before == null ? network(parameters) : before.network();
        new ForwardPass(MEMORY_BYTES).requireMemory(network);
        ModelDescription model = PLAIN.withMetadata(metadata, network);
        return new LiveVersion(before == null ? trained.live() : before.reader(), network, model, version);
    }

    static ParameterVersion requireVersion(Map<String, String> metadata) {
        return ParameterVersion.of(metadata)
                .orElseThrow(() -> new IllegalArgumentException("the parameter set states no version"));
    }

    /** Finds the network that a set names; the device matters only when a network is opened. */
    static ServedNetwork network(TensorSet parameters) {
        return new NetworkClassifiers(Device.CPU).networkOf(parameters);
    }

    /** Returns what it takes. */
    SampleForm form() {
        return new SampleForm(network, model.tokenizer(), model.rows());
    }

    /** Classifies images; empty if the network takes other samples. For one thread at a time. */
    Optional<PredictionResult> classify(Images images) {
        return form().takes(images)
                ? Optional.of(new ForwardPass(MEMORY_BYTES)
                        .run(new ReaderClassifier(reader, () -> {}), network, version, model, images))
                : Optional.empty();
    }

    /**
     * A classifier over a reader of the network being trained.
     *
     * @param reader  closed with the classifier
     * @param renewal copies what the training has loaded, instead of loading a parameter set
     */
    record ReaderClassifier(NetworkReader reader, Runnable renewal) implements Classifier {

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
}
