package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Pattern BLOCK = Pattern.compile("```(\\w*)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    private static final String COMMAND = "./fleetgrad ";
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
        Matcher block = BLOCK.matcher(Files.readString(RepositoryRoot.path().resolve("docs/pytorch.md")));
        List<String> printed = new ArrayList<>();
        int commands = 0;
        while (block.find()) {
            if (block.group(1).equals("python") && block.group(2).contains("def make(")) {
                Files.writeString(folder.resolve("my_module.py"), block.group(2));
            } else if (block.group(1).equals("python")) {
                printed.add(Python.runWithTorchvision(folder, block.group(2)));
            } else {
                for (String line : block.group(2).strip().split("\n", -1)) {
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
            fleetgrad(line);
        }
    }

    private void fleetgrad(String line) throws IOException, InterruptedException {
        assertThat(line).startsWith(COMMAND).doesNotContain("\n");
        List<String> arguments = new ArrayList<>();
        Matcher word = WORD.matcher(line.substring(COMMAND.length()));
        while (word.find()) {
            arguments.add(word.group(1) != null ? word.group(1) : word.group(2));
        }
        try (FleetgradProcess command = FleetgradProcess.start(folder, arguments.toArray(String[]::new))) {
            assertThat(command.await(TIMEOUT))
                    .as("%s: %s", line, command.stderr())
                    .isZero();
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
