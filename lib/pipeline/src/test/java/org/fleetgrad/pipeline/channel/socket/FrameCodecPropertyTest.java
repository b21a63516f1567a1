package org.fleetgrad.pipeline.channel.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.pipeline.channel.socket.FrameCodec.FrameRefusedException;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.frame.Frame.Direction;

class FrameCodecPropertyTest {

    private static final Border BORDER = Border.after(0, List.of(2, 3), 4);

    @Property(tries = 200)
    void shouldGiveBackTheBitsOfEachFrame(
            @ForAll @IntRange(min = 1, max = 4) int samples,
            @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 10) long microBatch,
            @ForAll Direction direction,
            @ForAll @Size(24) List<Integer> bits)
            throws Exception {
        float[] values = new float[6 * samples];
        for (int i = 0; i < values.length; i++) {
            values[i] = Float.intBitsToFloat(bits.get(i));
        }
        Frame frame = new Frame(direction, microBatch, List.of((long) samples, 2L, 3L), FloatBuffer.wrap(values));
        FrameCodec codec = new FrameCodec(BORDER);

        ByteBuffer bytes = encoded(codec, frame);
        Frame back = codec.decode(bytes);

        assertThat(bytes.remaining()).isLessThanOrEqualTo(BORDER.frameBytes());
        assertThat(back.direction()).isEqualTo(direction);
        assertThat(back.microBatch()).isEqualTo(microBatch);
        assertThat(back.shape()).containsExactly((long) samples, 2L, 3L);
        float[] read = back.toArray();
        for (int i = 0; i < values.length; i++) {
            assertThat(Float.floatToRawIntBits(read[i])).isEqualTo(Float.floatToRawIntBits(values[i]));
        }
    }

    /** Returns a frame as encoded on a connection. */
    static ByteBuffer encoded(FrameCodec codec, Frame frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(codec.header(frame));
        FrameCodec.write(frame.values(), bytes);
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    /** More values than fit into a chunk: the frame equals one written in a single call. */
    @Property(tries = 20)
    void shouldWriteLargeFramesPieceByPiece(@ForAll @IntRange(min = 1, max = 100_000) int values) throws Exception {
        FrameCodec codec = new FrameCodec(Border.after(0, List.of(values), 1));
        float[] expected = new float[values];
        for (int i = 0; i < values; i++) {
            expected[i] = i;
        }

        Frame back = codec.decode(encoded(codec, Frame.gradient(3, expected, 1, values)));

        assertThat(back.toArray()).isEqualTo(expected);
    }

    /** Any bytes decode to a frame of this border, or are refused. */
    @Property(tries = 500)
    void shouldRefuseGarbage(@ForAll @Size(max = 200) List<@ByteRange(min = Byte.MIN_VALUE) Byte> garbage) {
        byte[] bytes = new byte[garbage.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = garbage.get(i);
        }

        assertThatThrownBy(() -> new FrameCodec(BORDER).decode(ByteBuffer.wrap(bytes)))
                .isInstanceOf(FrameRefusedException.class)
                .hasMessageContaining("stage 0 to 1: up to 4 samples of [2, 3]");
    }

    /** A frame with one changed byte decodes to a frame of the same shape, or is refused. */
    @Property(tries = 500)
    void shouldNeverLeaveTheBorder(
            @ForAll @IntRange(min = 0, max = 400) int place, @ForAll @ByteRange(min = Byte.MIN_VALUE) byte other)
            throws IOException {
        FrameCodec codec = new FrameCodec(BORDER);
        ByteBuffer bytes = encoded(codec, Frame.activation(7, new float[24], 4, 2, 3));
        bytes.put(place % bytes.limit(), other);
        try {
            assertThat(codec.decode(bytes).shape()).hasSize(3).endsWith(2L, 3L);
        } catch (FrameRefusedException refused) {
            assertThat(refused).hasMessageContaining("stage 0 to 1");
        }
    }
}
