package org.fleetgrad.serving;

import java.util.Optional;
import org.fleetgrad.libtorch.CacheMemory;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.ForwardMemory;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.libtorch.TextDecoder;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Networks of the zoo over libtorch. The first instance loads libtorch.
 *
 * @param device the device that they compute on
 */
public record NetworkClassifiers(Device device) implements Classifiers {

    @Override
    public ServedNetwork networkOf(TensorSet parameters) {
        String name = parameters.metadata().get(MetadataKeys.NETWORK);
        if (name == null) {
            throw new IllegalArgumentException("its metadata has no '%s', so it names no network; the networks are %s"
                    .formatted(MetadataKeys.NETWORK, String.join(", ", Networks.names())));
        }
        NetworkDefinition definition = Networks.usual(name);
        NetworkSpec spec = definition.spec();
        spec.firstDifference(parameters).ifPresent(difference -> {
            throw new IllegalArgumentException(
                    difference.message().replace("the parameter set", "the network %s".formatted(name)));
        });
        return new ServedNetwork(spec.name(), spec.task(), ForwardMemory.bytesOfSample(definition));
    }

    @Override
    public Classifier open(ServedNetwork network) {
        return new NetworkClassifier(Libtorch.open(network.name(), device));
    }

    /** A classifier over libtorch, which closes its instance of the network. */
    private static final class NetworkClassifier implements Classifier {

        private final Network network;
        private final Optional<LiveDecoders> decoders;

        NetworkClassifier(Network network) {
            this.network = network;
            this.decoders = network.spec().task() instanceof LanguageModel
                    ? Optional.of(new LiveDecoders(Networks.named(network.spec().name()), network.live()))
                    : Optional.empty();
        }

        @Override
        public void load(TensorSet parameters) {
            network.load(parameters);
        }

        @Override
        public float[] logits(float[] images, int count) {
            return network.logits(images, count);
        }

        @Override
        public Optional<Decoders> decoders() {
            return decoders.map(all -> all);
        }

        @Override
        public void close() {
            decoders.ifPresent(all -> all.reader().close());
            network.close();
        }
    }

    /** Decoders that compute with the tensors of the network themselves, without a copy. */
    private record LiveDecoders(NetworkDefinition definition, NetworkReader reader) implements Decoders {

        @Override
        public long bytes(int mostTokens) {
            return CacheMemory.bytes(definition, mostTokens);
        }

        @Override
        public TextDecoder open(int mostTokens) {
            return reader.decoder(mostTokens);
        }
    }
}
