package org.fleetgrad.protocol.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names one tensor and says how it lies in memory: little-endian, row-major, without gaps.
 *
 * @param name  PyTorch's {@code state_dict} name, such as {@code conv1.weight}; not empty
 * @param dtype element type
 * @param shape dimensions, outermost first; empty for a scalar, and a dimension may be zero
 */
public record TensorSpec(String name, DType dtype, List<Long> shape) {

    private static final Pattern PIECE = Pattern.compile("(.+)\\[(\\d{1,18}):(\\d{1,18})]", Pattern.DOTALL);

    /** Checks the name and every dimension. */
    public TensorSpec {
        Objects.requireNonNull(dtype, "dtype");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a tensor needs a name");
        }
        shape = List.copyOf(shape);
        for (long dimension : shape) {
            if (dimension < 0) {
                throw new IllegalArgumentException("tensor '%s' has a negative dimension: %s".formatted(name, shape));
            }
        }
        // Fails here, with the numbers, rather than at the first use of a size that overflowed.
        byteLength(name, dtype, shape);
    }

    /** Describes a float32 tensor. */
    public static TensorSpec f32(String name, long... shape) {
        return new TensorSpec(name, DType.F32, Arrays.stream(shape).boxed().toList());
    }

    /**
     * Describes a piece of this tensor in a partition: a vector named like {@code fc1.weight[12000:30840]}.
     *
     * @param from index of its first value in the tensor
     * @param to   exclusive upper bound
     */
    public TensorSpec piece(long from, long to) {
        return f32("%s[%d:%d]".formatted(name, from, to), to - from);
    }

    /**
     * Returns the name of the tensor that a {@linkplain #piece piece} was cut from; any other name is returned as it
     * is.
     */
    public static String tensorOf(String name) {
        if (!name.endsWith("]")) {
            return name;
        }
        Matcher piece = PIECE.matcher(name);
        return piece.matches() ? piece.group(1) : name;
    }

    /** Returns the index in its tensor of a {@linkplain #piece piece}'s first value; empty if this is not a piece. */
    public OptionalLong beginOfPiece() {
        if (shape.size() != 1 || !name.endsWith("]")) {
            return OptionalLong.empty();
        }
        Matcher piece = PIECE.matcher(name);
        if (!piece.matches()) {
            return OptionalLong.empty();
        }
        long from = Long.parseLong(piece.group(2));
        return Long.parseLong(piece.group(3)) - from == shape.get(0) ? OptionalLong.of(from) : OptionalLong.empty();
    }

    /** Returns the number of elements: the product of the dimensions, 1 for a scalar. */
    public long elementCount() {
        return byteLength() / dtype.bytes();
    }

    /** Returns the number of bytes that the elements take. */
    public long byteLength() {
        return byteLength(name, dtype, shape);
    }

    /**
     * Computes a tensor's size with exact arithmetic.
     *
     * @throws IllegalArgumentException when the size does not fit 63 bits; a zero dimension does not excuse the others
     */
    private static long byteLength(String name, DType dtype, List<Long> shape) {
        try {
            long bytes = dtype.bytes();
            boolean empty = false;
            for (long dimension : shape) {
                if (dimension == 0) {
                    empty = true;
                } else {
                    bytes = Math.multiplyExact(bytes, dimension);
                }
            }
            return empty ? 0 : bytes;
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(
                    "tensor '%s' of type %s and shape %s has more bytes than a 63-bit number counts"
                            .formatted(name, dtype, shape),
                    overflow);
        }
    }
}
