package org.fleetgrad.worker.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessMemoryTest {

    @Test
    void shouldCountWhatTheSystemCannotTakeBack() {
        String status = """
                Name:\tjava
                VmHWM:\t  260000 kB
                VmRSS:\t  250000 kB
                RssAnon:\t  180000 kB
                RssFile:\t   69000 kB
                RssShmem:\t    1000 kB
                """;

        assertThat(ProcessMemory.kibibytes(status)).isEqualTo(181_000);
    }

    @Test
    void shouldCountAllThatIsResidentWhereTheKernelDoesNotTellItApart() {
        assertThat(ProcessMemory.kibibytes("VmHWM:\t260000 kB\nVmRSS:\t250000 kB\n"))
                .isEqualTo(250_000);
        assertThat(ProcessMemory.kibibytes("Name:\tjava\n")).isZero();
    }

    @Test
    void shouldSeeWhatIsAllocated() {
        assumeThat(Path.of("/proc/self/status")).isReadable();
        try (ProcessMemory memory = ProcessMemory.watch()) {
            double before = memory.largestMebibytes().orElseThrow();
            ByteBuffer allocated = ByteBuffer.allocateDirect(64 << 20);
            for (int at = 0; at < allocated.capacity(); at += 4096) {
                allocated.put(at, (byte) 1);
            }

            double after = memory.largestMebibytes().orElseThrow();

            assertThat(after - before).isGreaterThan(50);
            assertThat(allocated.get(0)).isEqualTo((byte) 1);
        }
    }
}
