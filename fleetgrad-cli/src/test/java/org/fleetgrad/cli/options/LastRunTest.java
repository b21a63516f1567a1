package org.fleetgrad.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.RecordedRun;
import org.fleetgrad.runs.kept.RunLabel;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastRunTest {

    @TempDir
    private Path runs;

    @Test
    void shouldFindTheNewestRun() throws Exception {
        ManualClock clock = new ManualClock();
        for (String name : new String[] {"z-first", "a-second"}) {
            clock.advance(Duration.ofMinutes(1));
            Path folder = Files.createDirectories(runs.resolve(name));
            RecordedRun unused =
                    RecordedRun.begin(KeptRuns.in(runs), folder, "train", RunLabel.NONE, Map.of(), clock, line -> {});
        }

        assertThat(LastRun.folder("LAST", environment()))
                .isEqualTo(runs.resolve("a-second").toString());
    }

    @Test
    void shouldTakeAnyOtherTextAsItIs() throws RunFailedException {
        assertThat(LastRun.folder("runs/LAST", environment())).isEqualTo("runs/LAST");
        assertThat(LastRun.folder("s3://bucket/last", environment())).isEqualTo("s3://bucket/last");
    }

    @Test
    void shouldSayThatThereIsNoRunYet() {
        assertThatThrownBy(() -> LastRun.folder("LAST", environment()))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("there is no run in " + runs);
    }

    private Map<String, String> environment() {
        return Map.of(KeptRuns.VARIABLE, runs.toString());
    }
}
