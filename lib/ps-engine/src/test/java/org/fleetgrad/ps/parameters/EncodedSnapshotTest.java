package org.fleetgrad.ps.parameters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.Float16;
import org.fleetgrad.protocol.encoding.Int8;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EncodedSnapshotTest {

    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("b", 2), TensorSpec.f32("a.weight", 1, 2)));

    static Stream<ParameterEncoding> encodings() {
        return Encodings.OF_PARAMETERS.stream().map(Encodings::parseOfParameters);
    }

    private static ParameterSnapshot write(SnapshotWriter writer, long version, float value) {
        return writer.write(new ParameterVersion("g", version), new float[] {value, 2, 3, 4})
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("encodings")
    void shouldHoldTheVersionInEveryEncodingWhileItIsHeld(ParameterEncoding encoding) throws Exception {
        SnapshotWriter writer = new SnapshotWriter(
                Unfrozen.set(LAYOUT),
                Map.of("encoding", "of somebody else"),
                "g",
                new SnapshotMemory(Long.MAX_VALUE, true));
        try (ParameterSnapshot held = write(writer, Long.MAX_VALUE, 1)) {
            TensorSet before = Safetensors.decode(held.file(new ParameterForm(encoding, false)));
            try (ParameterSnapshot next = write(writer, 3, 9)) {
                assertThat(next.file(new ParameterForm(encoding, false)).remaining())
                        .isEqualTo(held.file(new ParameterForm(encoding, false)).remaining());
                assertThat(values(next, encoding)[0]).isEqualTo(9, within(0.1f));
            }
            assertThat(before.metadata().get("encoding")).isEqualTo(encoding.isLossless() ? null : encoding.text());
            assertThat(before.metadata()).containsEntry("version", Long.toString(Long.MAX_VALUE));
            assertThat(values(held, encoding)[0]).isEqualTo(1, within(0.1f));
            assertThat(values(held, Encodings.PLAIN)).containsExactly(1, 2, 3, 4);
        }
    }

    @Test
    void shouldEncodeAVersionOnceHoweverManyAsk() throws Exception {
        SnapshotWriter writer =
                new SnapshotWriter(Unfrozen.set(LAYOUT), Map.of(), "g", new SnapshotMemory(Long.MAX_VALUE, true));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (ParameterSnapshot held = write(writer, 1, 1)) {
            List<Callable<ByteBuffer>> asking = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                asking.add(() -> held.file(new ParameterForm(new Float16(), false)));
            }
            ByteBuffer first = held.file(new ParameterForm(new Float16(), false));
            for (Future<ByteBuffer> one : threads.invokeAll(asking)) {
                assertThat(one.get()).isEqualTo(first);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldUseTheBufferOfATwinAgainWhenNobodyHoldsItsVersion() {
        SnapshotWriter writer =
                new SnapshotWriter(Unfrozen.set(LAYOUT), Map.of(), "g", new SnapshotMemory(Long.MAX_VALUE, true));
        ParameterSnapshot first = write(writer, 1, 1);
        ByteBuffer view = first.file(new ParameterForm(new Int8(256), false));
        byte[] whileHeld = bytes(view);
        first.close();

        ParameterSnapshot second = write(writer, 2, 50);
        byte[] ofSecond = bytes(second.file(new ParameterForm(new Int8(256), false)));

        assertThat(bytes(view))
                .as("the second version has the buffer of the first")
                .isEqualTo(ofSecond);
        assertThat(ofSecond).isNotEqualTo(whileHeld);
        second.close();
    }

    @Test
    void shouldSayWhenTheNamesLeaveAnEncodingNoRoom() {
        TensorLayout taken = TensorLayout.canonical(List.of(TensorSpec.f32("a", 1), TensorSpec.f32("a:scale", 1)));
        SnapshotWriter writer =
                new SnapshotWriter(Unfrozen.set(taken), Map.of(), "g", new SnapshotMemory(Long.MAX_VALUE, true));
        try (ParameterSnapshot held =
                writer.write(new ParameterVersion("g", 0), new float[2]).orElseThrow()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> held.file(new ParameterForm(new Int8(256), false)))
                    .withMessageContaining("a:scale");
            assertThat(held.file(new ParameterForm(new Float16(), false)).hasRemaining())
                    .isTrue();
        }
    }

    private static float[] values(ParameterSnapshot snapshot, ParameterEncoding encoding) throws Exception {
        float[] values = new float[4];
        encoding.decode(LAYOUT, Safetensors.decode(snapshot.file(new ParameterForm(encoding, false))), values);
        return values;
    }

    private static byte[] bytes(ByteBuffer file) {
        byte[] bytes = new byte[file.remaining()];
        file.duplicate().get(bytes);
        return bytes;
    }
}
