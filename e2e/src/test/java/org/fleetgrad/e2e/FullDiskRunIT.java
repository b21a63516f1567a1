package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.testing.SmallDisk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk under {@code --out} becomes full. */
@Tag("whole")
class FullDiskRunIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    @TempDir
    private Path folder;

    @Test
    void shouldSayThatTheDiskIsFullAndThatItIsNoLonger() throws Exception {
        List<String> rows = new ArrayList<>(List.of("a,y"));
        for (int i = 0; i < 500; i++) {
            rows.add("%d,%d".formatted(i * i % 97, 3 * (i * i % 97) + 1));
        }
        Path table = Files.write(folder.resolve("rows.csv"), rows);
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "200k");
                FleetgradProcess train = FleetgradProcess.start(
                        folder,
                        "train",
                        "--data=" + table,
                        "--target=y",
                        "--epochs=1000000",
                        "--workers=1",
                        "--checkpoint-every=1s",
                        "--out=" + disk.folder().resolve("run"))) {
            await().atMost(TIMEOUT)
                    .until(() -> train.stderr().contains("ps-service cannot write: checkpoint-") || !train.isRunning());
            assertThat(train.stderr())
                    .contains(
                            "No space left on device; a checkpoint takes about ",
                            " bytes are free in " + disk.folder());

            disk.resize("8m");

            await().atMost(TIMEOUT)
                    .until(() -> train.stderr().contains("ps-service writes again") || !train.isRunning());
            assertThat(train.isRunning()).as(train.stderr()).isTrue();
        }
    }
}
