package org.fleetgrad.protocol.partition;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Cuts a parameter set into partitions: its values are one vector, cut into ranges of almost equal lengths. The cuts
 * depend only on the layout and the number of partitions, so every client makes the same cuts. Immutable.
 */
public final class Partitioning {

    /** A cache line of float32 values: cuts lie at its multiples. */
    private static final int ALIGNMENT = 16;

    private final TensorLayout whole;
    private final List<Partition> partitions;

    /**
     * One server's range of the values of a parameter set, taken as one long vector in the order of its layout.
     *
     * @param index  which one, from 0; the server of partition 0 is the lead
     * @param begin  index of its first value
     * @param length number of its values
     * @param layout its tensors: complete ones under their own names, pieces of others as {@code fc1.weight[12000:30840]}
     */
    public record Partition(int index, int begin, int length, TensorLayout layout) {

        private static Partition cut(TensorLayout whole, int index, int begin, int end) {
            List<TensorSpec> specs = new ArrayList<>();
            long total = whole.elementCount();
            for (int i = 0; i < whole.size(); i++) {
                TensorSpec spec = whole.specs().get(i);
                long first = whole.byteOffset(i) / DType.F32.bytes();
                long last = first + spec.elementCount();
                if (first == last) {
                    // A tensor without values still lies in one of the partitions.
                    if (begin <= first && (first < end || (first == total && end == total))) {
                        specs.add(spec);
                    }
                } else if (begin <= first && last <= end) {
                    specs.add(spec);
                } else if (first < end && begin < last) {
                    long from = Math.max(begin, first) - first;
                    long to = Math.min(end, last) - first;
                    specs.add(spec.piece(from, to));
                }
            }
            return new Partition(index, begin, end - begin, TensorLayout.inOrder(specs));
        }
    }

    private Partitioning(TensorLayout whole, List<Partition> partitions) {
        this.whole = whole;
        this.partitions = partitions;
    }

    /**
     * Cuts a layout.
     *
     * @throws IllegalArgumentException when the layout is not float32, has fewer values than partitions, or has a name
     *     that a partition's metadata cannot carry
     */
    public static Partitioning of(TensorLayout layout, int count) {
        TensorLayout whole = TensorLayout.canonical(layout.specs());
        long total = whole.elementCount();
        if (count < 1 || total < count || total > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a parameter set of %d values cannot be cut into %d partitions: each has a value or more, and all together have at most %d"
                            .formatted(total, count, Integer.MAX_VALUE));
        }
        if (!whole.isAllFloat32()) {
            throw new IllegalArgumentException("only float32 tensors are partitioned");
        }
        return new Partitioning(
                whole,
                IntStream.range(0, count)
                        .mapToObj(i -> Partition.cut(whole, i, bound(total, count, i), bound(total, count, i + 1)))
                        .toList());
    }

    private static int bound(long total, int count, int index) {
        long exact = total * index / count;
        boolean isAligned = index < count && total / count >= 2 * ALIGNMENT;
        return (int) (isAligned ? (exact + ALIGNMENT / 2) / ALIGNMENT * ALIGNMENT : exact);
    }

    /**
     * Returns the trainable values of the same partitions, as a partitioning of the trainable vector: a gradient's. A
     * partition may have none of them.
     */
    public Partitioning without(FrozenTensors frozen) {
        if (frozen.isEmpty()) {
            return this;
        }
        List<Partition> trainable = new ArrayList<>();
        int begin = 0;
        for (Partition partition : partitions) {
            TensorLayout layout = frozen.trainable(partition.layout());
            int length = (int) layout.elementCount();
            trainable.add(new Partition(partition.index(), begin, length, layout));
            begin += length;
        }
        return new Partitioning(frozen.trainable(whole), List.copyOf(trainable));
    }

    /** Returns the layout that was cut; canonical. */
    public TensorLayout whole() {
        return whole;
    }

    /** Returns the partitions, in their order. */
    public List<Partition> partitions() {
        return partitions;
    }

    /**
     * Splits a set of this layout; the metadata of each part says which one it is, and of which set. A set that was
     * joined from partitions retains their origin, so it is of the same run.
     */
    public List<TensorSet> split(TensorSet set) {
        ByteBuffer data = inOrder(set);
        String known = set.metadata().get(PartitionLabel.ORIGIN);
        String origin = known == null ? PartitionLabel.origin(whole, data) : known;
        return partitions.stream()
                .map(part -> {
                    Map<String, String> metadata = new TreeMap<>(set.metadata());
                    metadata.putAll(new PartitionLabel(part.index(), partitions.size(), origin, whole).toMap());
                    return new TensorSet(
                            part.layout(), data.slice(bytes(part.begin()), bytes(part.length())), metadata);
                })
                .toList();
    }

    /**
     * Joins partitions, whatever their versions are; the metadata is that of partition 0.
     *
     * @param parts all partitions, in their order
     * @throws IllegalArgumentException when they are not those of one set; the message names which and the numbers
     */
    public TensorSet join(List<TensorSet> parts) {
        if (parts.size() != partitions.size()) {
            throw new IllegalArgumentException(
                    "there are %d partitions of %d".formatted(parts.size(), partitions.size()));
        }
        ByteBuffer data = ByteBuffer.allocate(Math.toIntExact(whole.byteLength()));
        for (int i = 0; i < parts.size(); i++) {
            copy(partitions.get(i), parts.get(i), data);
        }
        return new TensorSet(
                whole, data.rewind(), PartitionLabel.withoutPlace(parts.get(0).metadata()));
    }

    /**
     * Joins partitions in any order, whatever their versions are, as their metadata says that they were cut. The
     * metadata of the result has no key of partitions.
     *
     * @throws IllegalArgumentException when they are not those of one set; the message names which and the numbers
     */
    public static TensorSet joined(List<TensorSet> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("there are no partitions to put together");
        }
        List<PartitionLabel> labels =
                parts.stream().map(part -> PartitionLabel.of(part.metadata())).toList();
        PartitionLabel first = labels.get(0);
        List<TensorSet> ordered = new ArrayList<>();
        for (int i = 0; i < first.count(); i++) {
            int index = i;
            List<TensorSet> found = IntStream.range(0, parts.size())
                    .filter(at -> labels.get(at).index() == index)
                    .mapToObj(parts::get)
                    .toList();
            if (found.size() != 1) {
                throw new IllegalArgumentException("partition %d of %d is there %d times; given are %s"
                        .formatted(i, first.count(), found.size(), PartitionLabel.describe(labels)));
            }
            ordered.add(found.get(0));
        }
        PartitionLabel.requireOfOne(labels);
        TensorSet joined = of(first.whole(), first.count()).join(ordered);
        return new TensorSet(joined.layout(), joined.data(), PartitionLabel.without(joined.metadata()));
    }

    private static void copy(Partition part, TensorSet from, ByteBuffer data) {
        ByteBuffer into = data.position(bytes(part.begin()));
        if (part.layout().equals(from.layout())) {
            into.put(from.data());
            return;
        }
        Optional<TensorLayout.LayoutDifference> difference = part.layout().firstDifference(from.layout());
        if (difference.isPresent()) {
            throw new IllegalArgumentException("partition %d is not what it says: %s"
                    .formatted(part.index(), difference.get().message()));
        }
        for (TensorSpec spec : part.layout().specs()) {
            into.put(from.bytes(spec.name()).orElseThrow());
        }
    }

    /** Returns the bytes in the order of the layout; copies them only if they lie in another order. */
    private ByteBuffer inOrder(TensorSet set) {
        if (set.layout().equals(whole)) {
            return set.data();
        }
        float[] values = set.toFloats(whole);
        ByteBuffer data = ByteBuffer.allocate(bytes(values.length)).order(ByteOrder.LITTLE_ENDIAN);
        data.asFloatBuffer().put(values);
        return data;
    }

    private static int bytes(int values) {
        return Math.multiplyExact(values, DType.F32.bytes());
    }
}
