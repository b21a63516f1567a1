package org.fleetgrad.pipelineruns.flush;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.run.FlushPart;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.protocol.work.ReportedProgress;

/**
 * The parameter set of the complete network, as on the parameter server.
 *
 * @param network the network
 * @param dataset what it is trained on
 * @param seed    of its initial values
 */
public record WholeSet(NetworkDefinition network, ShardManifest dataset, long seed) {

    /** Returns the initial values. */
    public TensorSet drawn() {
        return TensorSet.ofFloats(network.spec().layout(), network.initialParameters(seed), metadata());
    }

    /**
     * Joins the parts of a flush; without the optimizer's arrays.
     *
     * @param progress of the training, which the set is to state
     * @throws IOException if a part cannot be read, or a tensor is in none of them
     */
    public TensorSet joined(List<Path> parts, ReportedProgress progress) throws IOException {
        NetworkSpec spec = network.spec();
        Map<String, ByteBuffer> tensors = new TreeMap<>();
        for (Path part : parts) {
            TensorSet set = FlushPart.open(part);
            set.layout()
                    .specs()
                    .forEach(tensor ->
                            tensors.put(tensor.name(), set.bytes(tensor.name()).orElseThrow()));
        }
        float[] values = new float[Math.toIntExact(spec.layout().elementCount())];
        FloatBuffer target = FloatBuffer.wrap(values);
        for (TensorSpec tensor : spec.layout().specs()) {
            ByteBuffer bytes = tensors.get(tensor.name());
            if (bytes == null || bytes.remaining() != tensor.byteLength()) {
                throw new IOException("the tensor '%s' of %d bytes is in none of the %d parts"
                        .formatted(tensor.name(), tensor.byteLength(), parts.size()));
            }
            target.put(bytes.asFloatBuffer());
        }
        Map<String, String> metadata = metadata();
        metadata.putAll(progress.toMap());
        return TensorSet.ofFloats(spec.layout(), values, metadata);
    }

    /**
     * Reads the values from a model's file.
     *
     * @throws IOException              if it cannot be read
     * @throws IllegalArgumentException if it lacks a tensor of the network, or has it in another shape
     */
    public TensorSet of(Path model) throws IOException {
        NetworkSpec spec = network.spec();
        TensorSet set = FlushPart.open(model);
        BlockRange whole = BlockRange.whole(network);
        float[] unusedParameters = whole.parametersOf(set);
        float[] unusedState = whole.stateOf(set);
        float[] values = set.toFloats(spec.layout());
        return TensorSet.ofFloats(spec.layout(), values, metadata());
    }

    private Map<String, String> metadata() {
        Map<String, String> metadata = new TreeMap<>(network.spec().metadata());
        metadata.putAll(DatasetDescription.metadata(dataset.name(), dataset.schema()));
        metadata.put(MetadataKeys.SEED, Long.toString(seed));
        return metadata;
    }
}
