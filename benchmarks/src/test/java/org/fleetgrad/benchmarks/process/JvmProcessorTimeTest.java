package org.fleetgrad.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.benchmarks.process.JvmProcessorTime.Work;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmProcessorTimeTest {

    @TempDir
    private Path tasks;

    @Test
    void shouldAddUpThreadsByWhatTheyDo() throws IOException {
        thread(1, "C2 CompilerThre", 3_000_000, 5, 1);
        thread(2, "VM Thread", 1_000_000, 2, 0);
        thread(3, "qtp12-44", 500_000, 7, 3);
        thread(4, "applier", 250_000, 0, 0);

        JvmProcessorTime time = JvmProcessorTime.in(tasks);

        assertThat(time.millis(Work.COMPILE)).isEqualTo(3);
        assertThat(time.millis(Work.COLLECT)).isEqualTo(1);
        assertThat(time.millis(Work.SERVE)).isEqualTo(0.75);
        assertThat(time.millis()).isEqualTo(4.75);
        assertThat(time.switches()).isEqualTo(18);
    }

    @Test
    void shouldSubtractAnEarlierLook() throws IOException {
        thread(1, "qtp12-44", 500_000, 7, 3);
        JvmProcessorTime before = JvmProcessorTime.in(tasks);
        thread(1, "qtp12-44", 2_500_000, 8, 3);
        thread(2, "C1 CompilerThre", 1_000_000, 0, 0);

        JvmProcessorTime taken = JvmProcessorTime.in(tasks).since(before);

        assertThat(taken.millis(Work.SERVE)).isEqualTo(2);
        assertThat(taken.millis(Work.COMPILE)).isEqualTo(1);
        assertThat(taken.switches()).isEqualTo(1);
    }

    private void thread(int id, String name, long nanos, long waits, long forced) throws IOException {
        Path thread = Files.createDirectories(tasks.resolve(Integer.toString(id)));
        Files.writeString(thread.resolve("comm"), name + "\n");
        Files.writeString(thread.resolve("schedstat"), nanos + " 12 34\n");
        Files.writeString(
                thread.resolve("status"),
                "Name:\t%s\nvoluntary_ctxt_switches:\t%d\nnonvoluntary_ctxt_switches:\t%d\n"
                        .formatted(name, waits, forced));
    }
}
