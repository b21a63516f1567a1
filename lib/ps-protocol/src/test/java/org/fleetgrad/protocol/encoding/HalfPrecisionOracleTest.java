package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** numpy's float16 and torch's bfloat16 as oracles. */
@Tag("whole")
class HalfPrecisionOracleTest {

    private static final int RANDOM = 200_000;

    @TempDir
    Path folder;

    @Test
    void shouldReadEveryPatternAsNumpyAndTorchDo() throws IOException {
        Path f16 = folder.resolve("f16");
        Path bf16 = folder.resolve("bf16");
        Python.run("""
                import sys, numpy, torch
                patterns = numpy.arange(65536, dtype=numpy.uint16)
                patterns.view(numpy.float16).astype(numpy.float32).tofile(sys.argv[1])
                halves = torch.from_numpy(patterns.view(numpy.int16)).view(torch.bfloat16)
                halves.float().numpy().tofile(sys.argv[2])
                """, f16.toString(), bf16.toString());

        ByteBuffer numpys = read(f16);
        ByteBuffer torchs = read(bf16);
        for (int pattern = 0; pattern < 1 << 16; pattern++) {
            // As objects NaN is NaN, and 0 is not -0.
            assertThat((Float) Float16.value((short) pattern))
                    .as("f16 %x", pattern)
                    .isEqualTo((Float) numpys.getFloat());
            assertThat((Float) BFloat16.value((short) pattern))
                    .as("bf16 %x", pattern)
                    .isEqualTo((Float) torchs.getFloat());
        }
    }

    @Test
    void shouldRoundAsNumpyAndTorchDo() throws IOException {
        float[] values = values();
        Path floats = folder.resolve("floats");
        Path f16 = folder.resolve("f16");
        Path bf16 = folder.resolve("bf16");
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        Files.write(floats, bytes.array());
        Python.run("""
                import sys, numpy, torch
                floats = numpy.fromfile(sys.argv[1], dtype=numpy.float32)
                floats.astype(numpy.float16).tofile(sys.argv[2])
                torch.from_numpy(floats).bfloat16().view(torch.int16).numpy().tofile(sys.argv[3])
                """, floats.toString(), f16.toString(), bf16.toString());

        ByteBuffer numpys = read(f16);
        ByteBuffer torchs = read(bf16);
        List<String> wrong = new ArrayList<>();
        for (float value : values) {
            short numpy = numpys.getShort();
            short torch = torchs.getShort();
            boolean isRight = Float.isNaN(value)
                    ? Float.isNaN(Float16.value(Float16.bits(value)))
                            && Float.isNaN(BFloat16.value(BFloat16.bits(value)))
                    : Float16.bits(value) == numpy && BFloat16.bits(value) == torch;
            if (!isRight) {
                wrong.add("%s: f16 %04x, numpy's %04x; bf16 %04x, torch's %04x"
                        .formatted(value, Float16.bits(value), numpy, BFloat16.bits(value), torch));
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** The midpoint of any two neighbours, the values next to it, and any value. */
    private static float[] values() {
        float[] values = new float[6 * (1 << 16) + RANDOM];
        int at = 0;
        for (int pattern = 0; pattern < 1 << 16; pattern++) {
            int f16 = Float.floatToRawIntBits(Float16.value((short) pattern)) + (1 << 12);
            int bf16 = (pattern << 16) + (1 << 15);
            for (int beside = -1; beside <= 1; beside++) {
                values[at++] = Float.intBitsToFloat(f16 + beside);
                values[at++] = Float.intBitsToFloat(bf16 + beside);
            }
        }
        Random random = new Random(7);
        while (at < values.length) {
            values[at++] = Float.intBitsToFloat(random.nextInt());
        }
        return values;
    }

    private static ByteBuffer read(Path file) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
