package org.fleetgrad.pipeline.channel.socket;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.frame.Frame.Direction;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Frames of one border as safetensors: one tensor, with direction and micro-batch as metadata. Thread-safe. */
public final class FrameCodec {

    private static final String TENSOR = "activation";
    private static final String DIRECTION = "direction";
    private static final String MICRO_BATCH = "micro_batch";
    private static final int PIECE_BYTES = 1 << 16;

    private final Border border;
    private final SafetensorsLimits limits;

    public FrameCodec(Border border) {
        this.border = border;
        this.limits = new SafetensorsLimits(Border.HEADER_BYTES, border.frameBytes());
    }

    /**
     * Encodes the header of a frame, which precedes its values.
     *
     * @throws IllegalArgumentException if it is no frame of the border
     */
    public byte[] header(Frame frame) {
        requireShape(frame.shape());
        TensorLayout layout = TensorLayout.inOrder(List.of(new TensorSpec(TENSOR, DType.F32, frame.shape())));
        return SafetensorsHeader.encode(
                layout,
                Map.of(
                        DIRECTION,
                        frame.direction().name().toLowerCase(Locale.ROOT),
                        MICRO_BATCH,
                        Long.toString(frame.microBatch())),
                0);
    }

    /** Writes values, such as those that follow the header of a frame, in chunks: they are large, and the heap is small. */
    public static void write(FloatBuffer values, OutputStream out) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (values.hasRemaining()) {
            int count = Math.min(values.remaining(), PIECE_BYTES / Float.BYTES);
            piece.asFloatBuffer().put(values.slice(values.position(), count));
            out.write(piece.array(), 0, count * Float.BYTES);
            values.position(values.position() + count);
        }
    }

    /**
     * Decodes a frame. Its values are not copied: they are those of {@code bytes}.
     *
     * @throws FrameRefusedException if it is no frame of the border
     */
    public Frame decode(ByteBuffer bytes) throws FrameRefusedException {
        TensorSet set;
        try {
            set = Safetensors.decode(bytes, limits);
        } catch (SafetensorsException broken) {
            throw new FrameRefusedException(
                    "a frame over the border of %s: %s".formatted(border.text(), broken.getMessage()), broken);
        }
        if (set.layout().size() != 1 || !set.layout().isAllFloat32()) {
            throw new FrameRefusedException("a frame over the border of %s has %d tensors, and not one of float32"
                    .formatted(border.text(), set.layout().size()));
        }
        TensorSpec spec = set.layout().specs().get(0);
        try {
            requireShape(spec.shape());
        } catch (IllegalArgumentException other) {
            throw new FrameRefusedException(String.valueOf(other.getMessage()), other);
        }
        return new Frame(
                direction(set), microBatch(set), spec.shape(), set.data().asFloatBuffer());
    }

    private void requireShape(List<Long> shape) {
        boolean fits =
                shape.size() == border.sample().size() + 1 && shape.get(0) >= 1 && shape.get(0) <= border.microBatch();
        for (int i = 0; fits && i < border.sample().size(); i++) {
            fits = shape.get(i + 1) == (long) border.sample().get(i);
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "a frame of shape %s does not belong on the border of %s".formatted(shape, border.text()));
        }
    }

    private Direction direction(TensorSet set) throws FrameRefusedException {
        String text = set.metadata().getOrDefault(DIRECTION, "");
        for (Direction direction : Direction.values()) {
            if (direction.name().toLowerCase(Locale.ROOT).equals(text)) {
                return direction;
            }
        }
        throw new FrameRefusedException(
                "a frame over the border of %s goes neither forward nor backward; it says '%.20s'"
                        .formatted(border.text(), text));
    }

    private long microBatch(TensorSet set) throws FrameRefusedException {
        String text = set.metadata().getOrDefault(MICRO_BATCH, "");
        if (!text.matches("\\d{1,18}")) {
            throw new FrameRefusedException(
                    "a frame over the border of %s is of micro-batch '%.20s', which is no number"
                            .formatted(border.text(), text));
        }
        return Long.parseLong(text);
    }

    /** The bytes received on a connection are no frame of its border; the message has the numbers. */
    public static final class FrameRefusedException extends IOException {

        private static final long serialVersionUID = 1;

        public FrameRefusedException(String message) {
            super(message);
        }

        public FrameRefusedException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
