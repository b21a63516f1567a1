package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.fleetgrad.protocol.tensor.TensorSpec.f32;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files that other projects wrote. All are accepted, also those whose header is not padded to 8 bytes: the padding is
 * the writer's kindness to aligned readers, no rule of the format.
 */
class StrangersFilesTest {

    @Test
    void shouldReadTrainedNetwork() throws Exception {
        TensorSet set = read("burn/mnist.safetensors");
        assertThat(set.layout().specs())
                .contains(
                        f32("conv1.weight", 8, 1, 3, 3),
                        f32("fc1.weight", 32, 11616),
                        new TensorSpec("norm1.num_batches_tracked", DType.I64, List.of()));
        assertThat(set.layout().byteLength()).isEqualTo(1_507_768);
    }

    @Test
    void shouldReadConvolutionWithBatchNormalization() throws Exception {
        assertThat(read("burn/multi_layer.safetensors").layout().specs())
                .contains(f32("conv1.weight", 4, 3, 3, 3), f32("fc1.weight", 16, 256));
    }

    @Test
    void shouldReadIntegerCodes() throws Exception {
        TensorSet set = read("candle/jfk-codes.safetensors");
        assertThat(set.layout().specs()).containsExactly(new TensorSpec("codes", DType.I64, List.of(1L, 2L, 828L)));
        ByteBuffer codes = set.data();
        while (codes.hasRemaining()) {
            assertThat(codes.getLong()).isBetween(0L, 1023L);
        }
    }

    @Test
    void shouldReadListThatDjlWrote() throws Exception {
        TensorSet set = read("djl/list.safetensors");
        assertThat(set.layout().specs())
                .containsExactly(
                        new TensorSpec("attention", DType.I8, List.of(2L, 3L)),
                        new TensorSpec("embedding", DType.I8, List.of(2L, 2L)));
    }

    @ParameterizedTest
    @CsvSource({"B, U8", "H, U16", "I, U32", "b, I8", "h, I16", "i, I32", "e, F16", "f, F32", "d, F64"})
    void shouldReadUnpaddedHeader(String name, DType dtype) throws Exception {
        ByteBuffer file = bytes("safetensors-pr84/" + name + ".safetensors");
        TensorSet set = Safetensors.decode(file);
        assertThat(set.metadata()).isEqualTo(Map.of("test", "a"));
        assertThat(set.layout().specs()).containsExactly(new TensorSpec(name, dtype, List.of(6L)));
        assertThat((file.remaining() - set.layout().byteLength()) % 8).isNotZero();
    }

    @Test
    void shouldReadUnalignedFloats() throws Exception {
        TensorSet set = read("safetensors-pr84/f.safetensors");
        assertThat(set.toFloats(set.layout())).containsExactly(-3, -2, -1, 0, 1, 2);
    }

    @Test
    void shouldFindEveryTensorAloneAndInOneFile() throws Exception {
        TensorSet all = read("safetensors-pr84/overall.safetensors");
        assertThat(all.layout().size()).isEqualTo(9);
        for (TensorSpec spec : all.layout().specs()) {
            TensorSet one = read("safetensors-pr84/" + spec.name() + ".safetensors");
            assertThat(all.bytes(spec.name())).as(spec.name()).contains(one.data());
        }
    }

    @Test
    @Tag("whole")
    void shouldReadEveryFileAsPythonDoes() throws Exception {
        Path folder = SharedData.require("data/interop");
        StringBuilder ours = new StringBuilder();
        for (Path file : safetensorsFiles(folder)) {
            TensorSet set = Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(file)));
            Map<String, String> lines = new TreeMap<>();
            for (TensorSpec spec : set.layout().specs()) {
                lines.put(
                        spec.name(),
                        "%s %s %s\n"
                                .formatted(
                                        spec.dtype(),
                                        spec.shape(),
                                        sha256(set.bytes(spec.name()).orElseThrow())));
            }
            ours.append(folder.relativize(file)).append('\n');
            lines.forEach((name, line) -> ours.append(name).append(' ').append(line));
        }

        String theirs = Python.run("""
                import hashlib, pathlib, sys
                from safetensors import deserialize
                folder = pathlib.Path(sys.argv[1])
                for file in sorted(folder.rglob("*.safetensors")):
                    print(file.relative_to(folder).as_posix())
                    for name, tensor in sorted(deserialize(file.read_bytes())):
                        print(name, tensor["dtype"], tensor["shape"], hashlib.sha256(tensor["data"]).hexdigest())
                """, folder.toString());
        assertThat(ours.toString()).isEqualTo(theirs).hasLineCount(14 + 50);
    }

    private static List<Path> safetensorsFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".safetensors"))
                    .sorted()
                    .toList();
        }
    }

    private static TensorSet read(String name) throws IOException, SafetensorsException {
        return Safetensors.decode(bytes(name));
    }

    private static ByteBuffer bytes(String name) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(SharedData.require("data/interop/" + name)));
    }

    private static String sha256(ByteBuffer bytes) throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(bytes);
        return HexFormat.of().formatHex(digest.digest());
    }
}
