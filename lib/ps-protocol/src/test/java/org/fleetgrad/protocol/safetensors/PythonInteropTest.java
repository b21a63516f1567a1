package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The format's own Python package as an oracle. */
@Tag("whole")
class PythonInteropTest {

    private static final TensorLayout LAYOUT = TensorLayout.inOrder(List.of(
            TensorSpec.f32("conv1.größe \"🙂\"", 2, 3),
            new TensorSpec("steps", DType.I64, List.of()),
            new TensorSpec("half", DType.BF16, List.of(2L)),
            new TensorSpec("none", DType.U8, List.of(0L, 4L))));

    @TempDir
    Path folder;

    @Test
    void shouldBeReadByPython() throws IOException {
        ByteBuffer data = ByteBuffer.allocate(36).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 6; i++) {
            data.putFloat(i / 2f);
        }
        data.putLong(1L << 40).putShort((short) 0x3FC0).putShort((short) 0xC000).flip();
        Path file = folder.resolve("ours.safetensors");
        Files.write(
                file,
                Safetensors.encode(new TensorSet(LAYOUT, data, Map.of("gr\n", "é🙂")))
                        .array());

        String read = Python.run("""
                import sys
                from safetensors import safe_open
                with safe_open(sys.argv[1], framework="pt") as file:
                    print(file.metadata())
                    for name in sorted(file.keys()):
                        tensor = file.get_tensor(name)
                        print(name, tensor.dtype, list(tensor.shape), tensor.flatten().tolist())
                """, file.toString());
        assertThat(read).isEqualTo("""
                        {'gr\\n': 'é🙂'}
                        conv1.größe "🙂" torch.float32 [2, 3] [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
                        half torch.bfloat16 [2] [1.5, -2.0]
                        none torch.uint8 [0, 4] []
                        steps torch.int64 [] [1099511627776]
                        """);
    }

    @Test
    void shouldReadWhatPythonWrites() throws IOException, SafetensorsException {
        Path file = folder.resolve("theirs.safetensors");
        Python.run("""
                import sys, torch
                from safetensors.torch import save_file
                save_file({"conv1.größe \\"🙂\\"": torch.arange(6.).reshape(2, 3) / 2,
                           "steps": torch.tensor(2 ** 40),
                           "half": torch.tensor([1.5, -2.], dtype=torch.bfloat16),
                           "none": torch.zeros(0, 4, dtype=torch.uint8)},
                          sys.argv[1], metadata={"gr\\n": "é🙂"})
                """, file.toString());

        TensorSet set = Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(file)));
        assertThat(set.metadata()).isEqualTo(Map.of("gr\n", "é🙂"));
        assertThat(set.layout().specs()).containsExactlyInAnyOrderElementsOf(LAYOUT.specs());
        ByteBuffer matrix = set.bytes(LAYOUT.specs().get(0).name()).orElseThrow();
        assertThat(matrix.getFloat(20)).isEqualTo(2.5f);
        assertThat(set.bytes("steps").orElseThrow().getLong()).isEqualTo(1L << 40);
        assertThat(set.bytes("half").orElseThrow().getShort()).isEqualTo((short) 0x3FC0);
    }
}
