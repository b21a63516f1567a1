package org.fleetgrad.protocol.tensor;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;

/**
 * The position of each tensor in one contiguous run of bytes: in the order of the list, from offset 0, with no gap.
 *
 * <p>Immutable and safe to share. The layout of a run's parameter set is {@linkplain #canonical canonical} (sorted by
 * name), so that the same tensors always make the same bytes.
 */
public final class TensorLayout {

    private final List<TensorSpec> specs;
    private final Map<String, Integer> indexByName;
    private final long[] offsets;
    private final long elementCount;

    private TensorLayout(List<TensorSpec> specs) {
        this.specs = List.copyOf(specs);
        this.indexByName = new LinkedHashMap<>();
        this.offsets = new long[specs.size() + 1];
        long count = 0;
        for (int i = 0; i < this.specs.size(); i++) {
            TensorSpec spec = this.specs.get(i);
            if (indexByName.put(spec.name(), i) != null) {
                throw new IllegalArgumentException("tensor '%s' is laid out twice".formatted(spec.name()));
            }
            offsets[i + 1] = offsets[i] + spec.byteLength();
            count += spec.elementCount();
            if (offsets[i + 1] < 0) {
                throw new IllegalArgumentException("tensor '%s' of %d bytes at byte %d ends beyond 2^63-1"
                        .formatted(spec.name(), spec.byteLength(), offsets[i]));
            }
        }
        this.elementCount = count;
    }

    /**
     * Lays tensors out in the order given.
     *
     * @throws IllegalArgumentException when a name occurs twice, or all together take more than 2^63-1 bytes
     */
    public static TensorLayout inOrder(List<TensorSpec> specs) {
        return new TensorLayout(specs);
    }

    /**
     * Lays tensors out sorted by name.
     *
     * @throws IllegalArgumentException when a name occurs twice, or all together take more than 2^63-1 bytes
     */
    public static TensorLayout canonical(List<TensorSpec> specs) {
        return new TensorLayout(
                specs.stream().sorted(Comparator.comparing(TensorSpec::name)).toList());
    }

    /** Returns the tensors, in the order in which they lie. */
    public List<TensorSpec> specs() {
        return specs;
    }

    /** Returns the number of tensors. */
    public int size() {
        return specs.size();
    }

    /** Returns the number of bytes of all tensors together. */
    public long byteLength() {
        return offsets[specs.size()];
    }

    /** Returns the number of elements of all tensors together. */
    public long elementCount() {
        return elementCount;
    }

    /** Returns where the {@code index}-th tensor begins, in bytes. */
    public long byteOffset(int index) {
        return offsets[index];
    }

    /** Finds a tensor's place in {@link #specs()} by its name. */
    public Optional<Integer> indexOf(String name) {
        return Optional.ofNullable(indexByName.get(name));
    }

    /** Returns whether every tensor is float32, as those of a parameter set and a gradient are. */
    public boolean isAllFloat32() {
        return specs.stream().allMatch(spec -> spec.dtype() == DType.F32);
    }

    /**
     * Describes in one sentence how {@code other} differs from this layout; empty if both hold the same tensors, in any
     * order. It names the first tensor of this layout that is missing or has another type or shape; or else the first
     * tensor that this layout does not have.
     */
    public Optional<LayoutDifference> firstDifference(TensorLayout other) {
        for (TensorSpec expected : specs) {
            Integer at = other.indexByName.get(expected.name());
            if (at == null) {
                return Optional.of(new LayoutDifference(
                        expected.name(),
                        "tensor '%s' of shape %s is missing; the parameter set has %d tensors, this has %d"
                                .formatted(expected.name(), expected.shape(), size(), other.size())));
            }
            TensorSpec actual = other.specs.get(at);
            if (actual.dtype() != expected.dtype()) {
                return Optional.of(new LayoutDifference(
                        expected.name(),
                        "tensor '%s' is of type %s, the parameter set has %s"
                                .formatted(expected.name(), actual.dtype(), expected.dtype())));
            }
            if (!actual.shape().equals(expected.shape())) {
                return Optional.of(new LayoutDifference(
                        expected.name(),
                        "tensor '%s' has shape %s (%d values), the parameter set has %s (%d values)"
                                .formatted(
                                        expected.name(),
                                        actual.shape(),
                                        actual.elementCount(),
                                        expected.shape(),
                                        expected.elementCount())));
            }
        }
        for (TensorSpec actual : other.specs) {
            if (!indexByName.containsKey(actual.name())) {
                return Optional.of(new LayoutDifference(
                        actual.name(),
                        "tensor '%s' is not in the parameter set, which has %d tensors"
                                .formatted(actual.name(), size())));
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TensorLayout layout && specs.equals(layout.specs);
    }

    @Override
    public int hashCode() {
        return specs.hashCode();
    }

    @Override
    public String toString() {
        return "TensorLayout[%d tensors, %d bytes, ends %s]".formatted(size(), byteLength(), Arrays.toString(offsets));
    }

    /**
     * One way in which two layouts differ.
     *
     * @param tensor  the tensor that differs
     * @param message the rule and the numbers, in a sentence
     */
    public record LayoutDifference(String tensor, String message) {

        /** Makes the message {@linkplain Printable printable}: its names and shapes may be untrusted input. */
        public LayoutDifference {
            message = Printable.text(message);
        }
    }
}
