package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python can open and verify a checkpoint without Fleetgrad. */
@Tag("whole")
class PythonTest {

    @TempDir
    private Path folder;

    @Test
    void shouldBeOpenedAndVerifiedByPython() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folder))) {
            Samples.write(checkpoints, 7);
        }

        String read = Python.run("""
                import hashlib, json, pathlib, sys
                from safetensors import safe_open
                from safetensors.torch import load_file
                folder = pathlib.Path(sys.argv[1])
                raw = (folder / "manifest.json").read_bytes()
                manifest = json.loads(raw)
                sealed = raw[:raw.rindex(b',\\n  "sha256"')]
                print(hashlib.sha256(sealed).hexdigest() == manifest["sha256"])
                for name, file in manifest["files"].items():
                    content = (folder / name).read_bytes()
                    print(name, len(content) == file["bytes"], hashlib.sha256(content).hexdigest() == file["sha256"])
                print(manifest["number"], manifest["version"], manifest["notes"]["dataset"])
                with safe_open(folder / "parameters.safetensors", framework="pt") as file:
                    print(sorted(file.metadata().items()))
                for name, tensor in sorted(load_file(folder / "parameters.safetensors").items()):
                    print(name, tensor.dtype, tensor.tolist())
                """, folder.resolve("checkpoint-000001").toString());

        assertThat(read).isEqualTo("""
                True
                parameters.safetensors True True
                state.safetensors True True
                training.json True True
                1 7 größe "🙂"

                [('generation', 'g1'), ('network', 'lenet5'), ('version', '7')]
                fc.bias torch.float32 [7.0, 7.125]
                fc.weight torch.float32 [[7.25, 7.375, 7.5], [7.625, 7.75, 7.875]]
                """);
    }
}
