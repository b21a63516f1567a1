package org.fleetgrad.datasets.array;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class NpyPropertyTest {

    private record Bytes(byte[] all) implements ArraySource {
        @Override
        public String name() {
            return "bytes";
        }

        @Override
        public InputStream open() {
            return new ByteArrayInputStream(all);
        }

        @Override
        public long mostBytes() {
            return all.length;
        }
    }

    /** An array of any shape and order comes back element by element, from the index that a formula of strides gives. */
    @Property(tries = 200)
    void shouldReadWhatWasWritten(
            @ForAll @IntRange(min = 1, max = 6) int samples,
            @ForAll @IntRange(min = 1, max = 5) int channels,
            @ForAll @IntRange(min = 1, max = 7) int length,
            @ForAll boolean isFortran,
            @ForAll boolean isBig,
            @ForAll int seed)
            throws IOException {
        Random random = new Random(seed);
        int width = channels * length;
        double[] values = random.doubles((long) samples * width).toArray();
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES)
                .order(isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        for (int sample = 0; sample < samples; sample++) {
            for (int channel = 0; channel < channels; channel++) {
                for (int i = 0; i < length; i++) {
                    int at = isFortran
                            ? sample + samples * (channel + channels * i)
                            : (sample * channels + channel) * length + i;
                    bytes.putDouble(at * Double.BYTES, values[sample * width + channel * length + i]);
                }
            }
        }
        String header = TestArrays.header(isBig ? ">f8" : "<f8", isFortran, List.of(samples, channels, length));

        NpyArray array = NpyArray.open(new Bytes(TestArrays.npy(header, bytes.array())));
        double[] read = new double[values.length];
        array.read(samples, List.of(channels, length), (sample, place, value) -> read[sample * width + place] = value);

        assertThat(read).isEqualTo(values);
    }
}
