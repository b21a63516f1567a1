package org.fleetgrad.protocol.tensor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of the pieces of tensors that a partition has, such as {@code fc1.weight[12000:30840]}. */
public final class TensorPiece {

    private static final Pattern PIECE = Pattern.compile("(.+)\\[\\d+:\\d+]", Pattern.DOTALL);

    private TensorPiece() {}

    /**
     * Names a piece.
     *
     * @param from index of its first value in the tensor
     * @param to   exclusive upper bound
     */
    public static String name(String tensor, long from, long to) {
        return "%s[%d:%d]".formatted(tensor, from, to);
    }

    /** Returns the name of the tensor that a piece was cut from; any other name is returned as it is. */
    public static String tensorOf(String name) {
        if (!name.endsWith("]")) {
            return name;
        }
        Matcher piece = PIECE.matcher(name);
        return piece.matches() ? piece.group(1) : name;
    }
}
