package org.fleetgrad.cli.pipeline.flush;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.datasets.shard.DatasetMetadata;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.pipeline.run.FlushPart;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The parameter set of the whole network, as the parameter server has it.
 *
 * @param network the network
 * @param dataset what it is trained on
 * @param seed    of its first values
 */
public record WholeSet(NetworkDefinition network, ShardManifest dataset, long seed) {

    /** Returns the first values. */
    public TensorSet drawn() {
        return TensorSet.ofFloats(network.spec().layout(), network.initialParameters(seed), metadata());
    }

    /**
     * Joins the parts of a flush; the optimizer's arrays stay out.
     *
     * @throws IOException if a part cannot be read, or a tensor is in none of them
     */
    public TensorSet joined(List<Path> parts) throws IOException {
        NetworkSpec spec = network.spec();
        float[] values = new float[Math.toIntExact(spec.layout().elementCount())];
        FloatBuffer target = FloatBuffer.wrap(values);
        Map<String, ByteBuffer> tensors = new TreeMap<>();
        for (Path part : parts) {
            TensorSet set = FlushPart.open(part);
            set.layout()
                    .specs()
                    .forEach(tensor ->
                            tensors.put(tensor.name(), set.bytes(tensor.name()).orElseThrow()));
        }
        for (TensorSpec tensor : spec.layout().specs()) {
            ByteBuffer bytes = tensors.get(tensor.name());
            if (bytes == null || bytes.remaining() != tensor.byteLength()) {
                throw new IOException("the tensor '%s' of %d bytes is in none of the %d parts"
                        .formatted(tensor.name(), tensor.byteLength(), parts.size()));
            }
            target.put(bytes.asFloatBuffer());
        }
        return TensorSet.ofFloats(spec.layout(), values, metadata());
    }

    private Map<String, String> metadata() {
        Map<String, String> metadata = new TreeMap<>(network.spec().metadata());
        metadata.putAll(DatasetMetadata.of(dataset.name(), dataset.classes(), dataset.normalization()));
        metadata.put(MetadataKeys.SEED, Long.toString(seed));
        return metadata;
    }
}
