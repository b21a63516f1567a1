package org.fleetgrad.networks.block;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.networks.layer.PaddedAttention;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.TiedLinear;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Consecutive blocks of a network: the part that one stage of a pipeline computes. Immutable.
 *
 * @param network    the whole network
 * @param from       index of the first block
 * @param to         index behind the last block
 * @param parameters the tensors of these blocks that an optimizer steps, sorted by name
 * @param state      their other tensors, sorted by name
 * @param tied       the tensor of the first block that these blocks, the last ones, use as well without having it; one or none
 */
public record BlockRange(
        NetworkDefinition network, int from, int to, TensorLayout parameters, TensorLayout state, TensorLayout tied) {

    /**
     * Takes blocks of a network.
     *
     * @param from index of the first block
     * @param to   index behind the last block
     * @throws IllegalArgumentException if there are no such blocks, or if they use a tensor of other blocks, unless it is one
     *     tensor of the first block and they end with the logits
     */
    public static BlockRange of(NetworkDefinition network, int from, int to) {
        List<Block> all = network.blocks();
        if (from < 0 || from >= to || to > all.size()) {
            throw new IllegalArgumentException("%s has %d blocks; there is no range from %d to before %d"
                    .formatted(network.spec().name(), all.size(), from, to));
        }
        List<TensorSpec> parameters = new ArrayList<>();
        List<TensorSpec> state = new ArrayList<>();
        for (Block block : all.subList(from, to)) {
            for (LayerTensor tensor : block.tensors()) {
                (tensor.momentum().isPresent() ? state : parameters)
                        .add(new TensorSpec(tensor.name(), DType.F32, tensor.shape()));
            }
        }
        TensorLayout own = TensorLayout.canonical(parameters);
        BlockRange range =
                new BlockRange(network, from, to, own, TensorLayout.canonical(state), borrowed(network, from, to, own));
        if (from > 0 && range.layers().has(PaddedAttention.class)) {
            throw new IllegalArgumentException(
                    "%s leave out padding, and only the first stage has the tokens that say what is padding: this network cannot be cut; train it with fleetgrad train"
                            .formatted(range));
        }
        return range;
    }

    private static TensorLayout borrowed(NetworkDefinition network, int from, int to, TensorLayout own) {
        List<Block> all = network.blocks();
        List<Block> blocks = all.subList(from, to);
        List<String> names = blocks.stream()
                .flatMap(block -> block.layers().tied().stream())
                .map(TiedLinear::tensor)
                .filter(tensor -> own.indexOf(tensor).isEmpty())
                .distinct()
                .toList();
        List<TensorSpec> ofFirst = all.get(0).tensors().stream()
                .filter(tensor -> names.contains(tensor.name()))
                .map(tensor -> new TensorSpec(tensor.name(), DType.F32, tensor.shape()))
                .toList();
        boolean mayBorrow = to == all.size() && names.size() == 1 && ofFirst.size() == 1;
        if (!names.isEmpty() && !mayBorrow) {
            throw new IllegalArgumentException(
                    "blocks %s to %s of %s use the tensors %s of other blocks: only a stage with the last block, %s, may use a tensor of another stage, and one tensor only, of the first block, %s"
                            .formatted(
                                    blocks.get(0).name(),
                                    blocks.get(blocks.size() - 1).name(),
                                    network.spec().name(),
                                    names,
                                    all.get(all.size() - 1).name(),
                                    all.get(0).name()));
        }
        return TensorLayout.canonical(ofFirst);
    }

    /** Returns the tensor of these blocks that the last block uses as well, if it is not one of them. */
    public Optional<TensorSpec> lent() {
        if (!isFirst() || isLast()) {
            return Optional.empty();
        }
        Block last = network.blocks().get(network.blocks().size() - 1);
        return last.layers().tied().stream()
                .flatMap(use -> parameters.specs().stream()
                        .filter(tensor -> tensor.name().equals(use.tensor())))
                .findFirst();
    }

    /** Returns the whole network as one range. */
    public static BlockRange whole(NetworkDefinition network) {
        return of(network, 0, network.blocks().size());
    }

    /** Returns the blocks, in the order of computation. */
    public List<Block> blocks() {
        return network.blocks().subList(from, to);
    }

    /** Returns all layers of the blocks, under their full names. */
    public Sequential layers() {
        return new Sequential(blocks().stream()
                .flatMap(block -> block.layers().parts().stream())
                .toList());
    }

    /** Returns whether the range begins with the images. */
    public boolean isFirst() {
        return from == 0;
    }

    /** Returns whether the range ends with the logits. */
    public boolean isLast() {
        return to == network.blocks().size();
    }

    /** Returns the shape of a sample before the first block. */
    public List<Integer> input() {
        return network.blocks().get(from).input();
    }

    /** Returns the shape of a sample after the last block. */
    public List<Integer> output() {
        return network.blocks().get(to - 1).output();
    }

    /**
     * Draws only the initial parameters of these blocks, in the order of {@link #parameters}: bit for bit those of {@link
     * NetworkDefinition#initialParameters}.
     */
    public float[] initialParameters(long seed) {
        return drawn(parameters, seed);
    }

    /** Returns the initial state of these blocks, in the order of {@link #state}. */
    public float[] initialState() {
        return drawn(state, 0);
    }

    private float[] drawn(TensorLayout layout, long seed) {
        FloatBuffer values = FloatBuffer.allocate(Math.toIntExact(layout.elementCount()));
        layout.specs().forEach(tensor -> values.put(network.initialValues(tensor.name(), seed)));
        return values.array();
    }

    /**
     * Copies the parameters of these blocks, in the order of {@link #parameters}, out of a set of the complete network. Nothing
     * else of the set is read: the other pages of a memory-mapped file stay on the disk.
     *
     * @throws IllegalArgumentException if the set lacks a tensor, or has it in another shape; the message names it
     */
    public float[] parametersOf(TensorSet set) {
        return copied(parameters, set);
    }

    /**
     * Copies the state of these blocks, in the order of {@link #state}, as {@link #parametersOf} does.
     *
     * @throws IllegalArgumentException if the set lacks a tensor, or has it in another shape; the message names it
     */
    public float[] stateOf(TensorSet set) {
        return copied(state, set);
    }

    private float[] copied(TensorLayout layout, TensorSet set) {
        FloatBuffer values = FloatBuffer.allocate(Math.toIntExact(layout.elementCount()));
        for (TensorSpec tensor : layout.specs()) {
            TensorSpec found = set.layout()
                    .indexOf(tensor.name())
                    .map(index -> set.layout().specs().get(index))
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the %s need the tensor '%s'; the parameter set has %d tensors, and not this one"
                                    .formatted(this, tensor.name(), set.layout().size())));
            if (!found.equals(tensor)) {
                throw new IllegalArgumentException(
                        "the %s need the tensor '%s' as %s %s; the parameter set has it as %s %s"
                                .formatted(
                                        this,
                                        tensor.name(),
                                        tensor.dtype(),
                                        tensor.shape(),
                                        found.dtype(),
                                        found.shape()));
            }
            values.put(set.bytes(tensor.name()).orElseThrow().asFloatBuffer());
        }
        return values.array();
    }

    @Override
    public String toString() {
        List<Block> blocks = network.blocks();
        return "blocks %s to %s of %s"
                .formatted(
                        blocks.get(from).name(),
                        blocks.get(to - 1).name(),
                        network.spec().name());
    }
}
