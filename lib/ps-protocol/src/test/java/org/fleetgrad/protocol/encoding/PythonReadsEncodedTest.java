package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python's safetensors and the formulas of the Javadoc are enough to read an encoded file. */
@Tag("whole")
class PythonReadsEncodedTest {

    private static final String READER = """
            import sys, torch
            from safetensors import safe_open

            def decode(source, target):
                with safe_open(source, framework="pt") as file:
                    name, _, parameter = file.metadata()["encoding"].partition(":")
                    shapes = {"bias": [7], "none": [0, 3], "scalar": [], "weight": [3, 100]}
                    out = []
                    for tensor, shape in shapes.items():
                        if name in ("f16", "bf16"):
                            value = file.get_tensor(tensor).float()
                        elif name == "i8":
                            codes = file.get_tensor(tensor)
                            scale = file.get_tensor(tensor + ":scale").repeat_interleave(int(parameter))
                            value = (codes.flatten().float() * scale[:codes.numel()]).reshape(codes.shape)
                        elif name == "topk":
                            value = torch.zeros(shape).flatten()
                            value[file.get_tensor(tensor + ":index").long()] = file.get_tensor(tensor + ":value")
                            value = value.reshape(shape)
                        elif name == "rows":
                            if tensor in file.keys():
                                value = file.get_tensor(tensor)
                            else:
                                value = torch.zeros(shape)
                                value[file.get_tensor(tensor + ":row").long()] = file.get_tensor(tensor + ":value")
                        else:
                            codes = file.get_tensor(tensor + ":codes").int()
                            fields = torch.stack([codes >> shift & 3 for shift in (6, 4, 2, 0)], 1).flatten()
                            table = torch.tensor([0, float("nan"), -float(parameter), float(parameter)])
                            value = table[fields.long()][:torch.Size(shape).numel()].reshape(shape)
                        assert list(value.shape) == shape, (tensor, value.shape)
                        out.append(value.flatten())
                    torch.cat(out).numpy().tofile(target)

            for source in sys.argv[1:]:
                decode(source, source + ".floats")
            """;

    @TempDir
    Path folder;

    @Test
    void shouldBeReadByPythonWithItsFormula() throws IOException, EncodingException {
        Map<String, float[]> expected = new LinkedHashMap<>();
        for (String text : List.of("f16", "bf16", "i8", "i8:16", "topk:0.3", "2bit:0.5", "rows")) {
            Encoding encoding = Encodings.parse(text);
            Random random = new Random(3);
            float[] values = new float[Wire.COUNT];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) random.nextGaussian();
            }
            // A row of the weight: only one encoding sees it.
            Arrays.fill(values, Wire.COUNT - 200, Wire.COUNT - 100, 0);
            TensorSet wire = Wire.encode(encoding, Wire.LAYOUT, values);
            TensorSet named = new TensorSet(wire.layout(), wire.data(), Map.of("encoding", encoding.text()));
            Path file = folder.resolve(text.replace(':', '-'));
            Files.write(file, Safetensors.encode(named).array());
            expected.put(file.toString(), Wire.decode(encoding, Wire.LAYOUT, wire));
        }

        Python.run(READER, expected.keySet().toArray(String[]::new));

        for (Map.Entry<String, float[]> file : expected.entrySet()) {
            float[] read = new float[Wire.COUNT];
            ByteBuffer.wrap(Files.readAllBytes(Path.of(file.getKey() + ".floats")))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asFloatBuffer()
                    .get(read);
            assertThat(read).as(file.getKey()).containsExactly(file.getValue());
        }
    }
}
