package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorLayout.LayoutDifference;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The rows of a matrix that are not zero, as they are, and their numbers. The gradient of an embedding has values only
 * in the rows of the tokens that a batch contains. A row is sent if any of its bits is set, so -0 is sent: the decoded
 * gradient has the bits of the gradient that was encoded.
 *
 * <p>A matrix {@code T} [n, d] is encoded as {@code T:row}, I32 [r], in ascending order, and {@code T:value}, F32 [r,
 * d]; or as {@code T}, F32 [n, d], if rows would take no fewer bytes. All other tensors are F32 of their shape.
 *
 * <p>A partition may have a piece of a matrix, {@code T[from:to]}. Its rows are those of the matrix: {@code
 * T[from:to]:row} has their numbers in the matrix, and {@code T[from:to]:value} is F32 [r, d], with zeros in place of
 * the values of the first and the last row that the piece does not have.
 *
 * @param widths d of the matrices that may come in pieces, by name; only an encoder needs them
 */
public record Rows(Map<String, Long> widths) implements LosslessEncoding {

    static final String NAME = "rows";

    private static final String ROW = ":row";
    private static final String VALUE = ":value";

    /** Copies the widths. */
    public Rows {
        widths = Map.copyOf(widths);
    }

    /** The encoding of complete matrices. */
    public Rows() {
        this(Map.of());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Rows forPiecesOf(TensorLayout whole) {
        Map<String, Long> known = new HashMap<>();
        whole.specs().stream()
                .filter(Rows::isMatrix)
                .forEach(matrix -> known.put(matrix.name(), matrix.shape().get(1)));
        return new Rows(known);
    }

    private static boolean isMatrix(TensorSpec spec) {
        return spec.shape().size() == 2 && spec.elementCount() > 0;
    }

    private static boolean isPiece(TensorSpec spec) {
        return spec.elementCount() > 0 && spec.beginOfPiece().isPresent();
    }

    private static TensorSpec rowsOf(TensorSpec spec, long count) {
        return new TensorSpec(spec.name() + ROW, DType.I32, List.of(count));
    }

    private static TensorSpec valuesOf(TensorSpec spec, long count, long width) {
        return TensorSpec.f32(spec.name() + VALUE, count, width);
    }

    /** Returns the tensors of a gradient that has no row of zeros: they take the most bytes. */
    @Override
    public TensorLayout wireLayout(TensorLayout layout) {
        // Fails if a name that may be added is taken.
        TensorLayout unused = TensorLayout.inOrder(layout.specs().stream()
                .flatMap(spec -> Stream.of(spec, rowsOf(spec, 0), valuesOf(spec, 0, 1)))
                .toList());
        return layout;
    }

    @Override
    public TensorLayout write(TensorLayout layout, float[] values, ByteBuffer wire) {
        ByteBuffer into = wire.slice().order(ByteOrder.LITTLE_ENDIAN);
        List<TensorSpec> specs = new ArrayList<>();
        int at = 0;
        for (TensorSpec spec : layout.specs()) {
            int count = (int) spec.elementCount();
            Optional<RowGrid> grid = grid(spec);
            int first = at;
            Optional<int[]> rows = grid.flatMap(found -> found.rowsToSend(values, first));
            if (rows.isPresent()) {
                write(grid.orElseThrow(), rows.get(), values, at, into);
                specs.add(rowsOf(spec, rows.get().length));
                specs.add(valuesOf(spec, rows.get().length, grid.orElseThrow().width()));
            } else {
                put(values, at, count, into);
                specs.add(spec);
            }
            at += count;
        }
        wire.position(wire.position() + into.position());
        return TensorLayout.inOrder(specs);
    }

    private Optional<RowGrid> grid(TensorSpec spec) {
        if (isMatrix(spec)) {
            return Optional.of(RowGrid.of(spec));
        }
        return isPiece(spec)
                ? Optional.ofNullable(widths.get(TensorSpec.tensorOf(spec.name())))
                        .map(width -> RowGrid.ofPiece(spec, width))
                : Optional.empty();
    }

    private static void write(RowGrid grid, int[] rows, float[] values, int at, ByteBuffer into) {
        for (int row : rows) {
            into.putInt(row);
        }
        for (int row : rows) {
            int from = grid.from(row);
            int here = grid.to(row) - from;
            int before = grid.missingBefore(row);
            zeros(before, into);
            put(values, at + from, here, into);
            zeros((int) grid.width() - before - here, into);
        }
    }

    private static void zeros(int count, ByteBuffer into) {
        for (int i = 0; i < count; i++) {
            into.putFloat(0);
        }
    }

    private static void put(float[] values, int from, int count, ByteBuffer into) {
        into.asFloatBuffer().put(values, from, count);
        into.position(into.position() + Float.BYTES * count);
    }

    @Override
    public Optional<LayoutDifference> firstDifference(TensorLayout layout, TensorLayout wire) {
        List<TensorSpec> expected = new ArrayList<>();
        for (TensorSpec spec : layout.specs()) {
            Optional<TensorSpec> rows = found(wire, spec.name() + ROW);
            boolean isSent = wire.indexOf(spec.name()).isEmpty() && (isMatrix(spec) || isPiece(spec));
            if (!isSent || rows.isEmpty()) {
                expected.add(spec);
                continue;
            }
            long count = rows.get().shape().isEmpty() ? 0 : rows.get().shape().get(0);
            RowGrid grid = grid(spec, wire);
            if (count > grid.rowCount()) {
                return Optional.of(new LayoutDifference(
                        rows.get().name(),
                        "tensor '%s' has the numbers of %d rows, tensor '%s' of the parameter set has %d"
                                .formatted(rows.get().name(), count, spec.name(), grid.rowCount())));
            }
            expected.add(rowsOf(spec, count));
            expected.add(valuesOf(spec, count, grid.width()));
        }
        return TensorLayout.inOrder(expected).firstDifference(wire);
    }

    /** Returns the rows of a tensor; the width of a piece's rows is the one that the values on the wire have. */
    private static RowGrid grid(TensorSpec spec, TensorLayout wire) {
        if (isMatrix(spec)) {
            return RowGrid.of(spec);
        }
        long width = found(wire, spec.name() + VALUE)
                .filter(sent -> sent.shape().size() == 2)
                .map(sent -> sent.shape().get(1))
                .orElse(1L);
        return RowGrid.ofPiece(spec, Math.max(1, width));
    }

    private static Optional<TensorSpec> found(TensorLayout wire, String name) {
        return wire.indexOf(name).map(wire.specs()::get);
    }

    @Override
    public void decode(TensorLayout layout, TensorSet wire, float[] values) throws EncodingException {
        int at = 0;
        for (TensorSpec spec : layout.specs()) {
            int count = (int) spec.elementCount();
            Optional<ByteBuffer> plain = wire.bytes(spec.name());
            if (plain.isPresent()) {
                plain.get().asFloatBuffer().get(values, at, count);
            } else {
                Arrays.fill(values, at, at + count, 0f);
                read(spec, grid(spec, wire.layout()), wire, values, at);
            }
            at += count;
        }
    }

    private static void read(TensorSpec spec, RowGrid grid, TensorSet wire, float[] values, int at)
            throws EncodingException {
        IntBuffer rows = wire.bytes(spec.name() + ROW).orElseThrow().asIntBuffer();
        FloatBuffer sent = wire.bytes(spec.name() + VALUE).orElseThrow().asFloatBuffer();
        long before = grid.firstRow() - 1;
        for (int i = 0; i < rows.limit(); i++) {
            int row = rows.get(i);
            if (row <= before || row > grid.lastRow()) {
                throw wrong(spec, grid, i, row, before);
            }
            int from = grid.from(row);
            int here = grid.to(row) - from;
            int missing = grid.missingBefore(row);
            requireZeros(spec, sent, row, missing);
            sent.get(values, at + from, here);
            requireZeros(spec, sent, row, (int) grid.width() - missing - here);
            before = row;
        }
    }

    private static EncodingException wrong(TensorSpec spec, RowGrid grid, int index, int row, long before) {
        String rule = row >= grid.firstRow() && row <= before
                ? "not above the one before it, which is " + before
                : "not from %d to %d".formatted(grid.firstRow(), grid.lastRow());
        return new EncodingException(
                spec.name() + ROW,
                index,
                "row number %d of tensor '%s' is %d, %s".formatted(index, spec.name(), row, rule));
    }

    /** A piece has no values there. */
    private static void requireZeros(TensorSpec spec, FloatBuffer sent, int row, int count) throws EncodingException {
        for (int i = 0; i < count; i++) {
            int at = sent.position();
            float value = sent.get();
            if (Float.floatToRawIntBits(value) != 0) {
                throw new EncodingException(
                        spec.name() + VALUE,
                        at,
                        "row %d of tensor '%s' has %s where only another partition has values; it must be 0"
                                .formatted(row, spec.name(), value));
            }
        }
    }
}
