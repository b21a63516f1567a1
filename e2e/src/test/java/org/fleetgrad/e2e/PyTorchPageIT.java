package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs docs/pytorch.md: its Python and its commands, in their order, in one folder. */
@Order(14)
@Tag("whole")
class PyTorchPageIT {

    private static final String EXPORT = "python3 python/fleetgrad_export.py ";
    private static final int RECORD_BYTES = 1 + 3 * 32 * 32;

    @TempDir
    private Path folder;

    @Test
    void shouldWorkAsWritten() throws Exception {
        Python.requireTorchvision();
        // The page calls the dataset's folder DIR.
        Path dataset = Files.createDirectory(folder.resolve("DIR"));
        writeCifar10(dataset.resolve("cifar10-train.bin"), 96);
        writeCifar10(dataset.resolve("cifar10-test.bin"), 20);
        List<String> printed = new ArrayList<>();
        int commands = 0;
        for (DocumentedPage.Block block : DocumentedPage.blocks("docs/pytorch.md")) {
            if (block.isPython() && block.text().contains("def make(")) {
                Files.writeString(folder.resolve("my_module.py"), block.text());
            } else if (block.isPython()) {
                printed.add(Python.runWithTorchvision(folder, block.text()));
            } else {
                for (String line : block.lines()) {
                    run(line);
                    commands++;
                }
            }
        }

        assertThat(commands).isEqualTo(6);
        assertThat(folder.resolve("runs/mine/model.safetensors")).isRegularFile();
        assertThat(printed).hasSize(5);
        assertThat(printed.get(1).strip())
                .isIn("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck");
        assertThat(printed.get(3)).startsWith("tensor([[").contains("SoftmaxBackward");
        assertThat(printed.get(4)).startsWith("tensor([[").contains("SoftmaxBackward");
    }

    private void run(String line) throws IOException, InterruptedException {
        if (line.startsWith(EXPORT)) {
            String script = Files.readString(RepositoryRoot.path().resolve("python/fleetgrad_export.py"));
            String unused = Python.runWithTorchvision(
                    folder, script, line.substring(EXPORT.length()).split(" ", -1));
        } else {
            DocumentedPage.fleetgrad(folder, line);
        }
    }

    /** Writes records of random pixels. */
    private static void writeCifar10(Path file, int count) throws IOException {
        byte[] records = new byte[count * RECORD_BYTES];
        new Random(count).nextBytes(records);
        for (int i = 0; i < count; i++) {
            records[i * RECORD_BYTES] = (byte) (i % 10);
        }
        Files.write(file, records);
    }
}
