package org.fleetgrad.runs.kept;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RunProcessTest {

    private static final RunProcess THIS = RunProcess.current();

    @Test
    void shouldFindAProcessThatIsRunning() {
        assertThat(THIS.running()).contains(ProcessHandle.current());
        assertThat(THIS.isElsewhere()).isFalse();
        assertThat(RunProcess.current()).isEqualTo(THIS);
    }

    @Test
    void shouldNotTakeAnotherProcessOfTheSameNumberForIt() {
        assertThat(new RunProcess(THIS.pid(), THIS.start() + "0", THIS.host()).running())
                .isEmpty();
        assertThat(new RunProcess(THIS.pid(), "", THIS.host()).running()).isEmpty();
        assertThat(RunProcess.NONE.running()).isEmpty();
        assertThat(new RunProcess(Long.MAX_VALUE, THIS.start(), THIS.host()).running())
                .isEmpty();
        assertThat(new RunProcess(-1, THIS.start(), THIS.host()).running()).isEmpty();
    }

    @Test
    void shouldNotSeeProcessesOfAnotherMachine() {
        RunProcess other = new RunProcess(THIS.pid(), THIS.start(), THIS.host() + "-2");

        assertThat(other.isElsewhere()).isTrue();
        assertThat(other.running()).isEmpty();
    }

    @Test
    @Tag("whole")
    void shouldMissAProcessThatWasKilledAndOneThatNobodyWaitedFor() throws Exception {
        Process process = new ProcessBuilder("sleep", "1000").start();
        RunProcess child = RunProcess.of(process.toHandle());
        assertThat(child.running()).isPresent();

        process.destroyForcibly().waitFor();

        assertThat(child.running()).isEmpty();
        // The shell is replaced by a program that never waits for the child that it has ended: a zombie.
        Process parent =
                new ProcessBuilder(List.of("sh", "-c", "sh -c 'echo $$; read line' & exec sleep 1000")).start();
        try (var lines = parent.inputReader()) {
            ProcessHandle zombie =
                    ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
            RunProcess recorded = RunProcess.of(zombie);
            zombie.destroyForcibly();
            long end = System.nanoTime() + 60_000_000_000L;
            while (recorded.running().isPresent()) {
                assertThat(System.nanoTime()).as("the process is killed").isLessThan(end);
                Thread.onSpinWait();
            }
        } finally {
            parent.destroyForcibly();
        }
    }
}
