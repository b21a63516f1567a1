package org.fleetgrad.runs.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunStopTest {

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();

    private KeptRun running(RunProcess process) throws Exception {
        ExampleFacts.write(folder.resolve("a"), ExampleFacts.running("first", process));
        return KeptRuns.in(folder).find("first");
    }

    private RunStop stop(Duration limit) {
        return new RunStop(KeptRuns.in(folder), limit, line -> {
            synchronized (told) {
                told.add(line);
            }
        });
    }

    @Test
    void shouldRefuseARunThatDoesNotRunAndSignalNobody() throws Exception {
        RunProcess self = RunProcess.current();
        KeptRun killed = running(new RunProcess(self.pid(), self.start() + "1", self.host()));

        assertThatThrownBy(() -> stop(Duration.ofSeconds(60)).stop(killed))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("first does not run: it is killed");
        KeptRun elsewhere = running(new RunProcess(self.pid(), self.start(), "other-host"));
        assertThatThrownBy(() -> stop(Duration.ofSeconds(60)).stop(elsewhere))
                .hasMessage("first does not run: it is elsewhere, on other-host; stop it there");
        assertThat(told).isEmpty();
    }

    @Test
    @Tag("whole")
    void shouldEndTheProcessOfARunOnceWhenTwoStopItAtTheSameTime() throws Exception {
        Process driver = new ProcessBuilder("sleep", "1000").start();
        KeptRun run = running(RunProcess.of(driver.toHandle()));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<KeptRun>> stops = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            stops.add(threads.submit(() -> {
                try {
                    return stop(Duration.ofSeconds(60)).stop(run);
                } catch (RunFailedException alreadyGone) {
                    assertThat(alreadyGone).hasMessageStartingWith("first does not run");
                    return KeptRuns.in(folder).find("first");
                }
            }));
        }

        for (Future<KeptRun> each : stops) {
            assertThat(each.get(120, TimeUnit.SECONDS).state()).isEqualTo(RunState.KILLED);
        }
        threads.shutdown();
        assertThat(driver.waitFor()).isEqualTo(143);
    }

    @Test
    @Tag("whole")
    void shouldSayWhatIsThereWhenARunDoesNotEndInTime() throws Exception {
        Process driver =
                new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; while true; do sleep 1000; done").start();
        try (var lines = driver.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("ready");
            KeptRun run = running(RunProcess.of(driver.toHandle()));

            assertThatThrownBy(() -> stop(Duration.ofMillis(300)).stop(run))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("first has not ended after 0 s: process %d is there, with programs of it: 1"
                            .formatted(driver.pid()));
        } finally {
            driver.descendants().forEach(ProcessHandle::destroyForcibly);
            driver.destroyForcibly();
        }
    }
}
