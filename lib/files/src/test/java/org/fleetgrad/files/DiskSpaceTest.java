package org.fleetgrad.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {

    @TempDir
    private Path folder;

    @Test
    void shouldFindTheDiskOfAFolderThatIsNotMadeYet() throws IOException {
        long total = Files.getFileStore(folder).getTotalSpace();

        assertThat(DiskSpace.free(folder.resolve("a/b")).orElseThrow()).isBetween(0L, total);
        assertThat(DiskSpace.note(folder.resolve("a"))).matches("; [\\d,]+ bytes are free in .*/a");
    }

    @Test
    void shouldKnowAFullDiskBehindOtherFailures() {
        IOException full = new IOException("/a/b: No space left on device");

        assertThat(DiskSpace.isFull(full)).isTrue();
        assertThat(DiskSpace.isFull(new IllegalStateException("it failed", new IOException("not written", full))))
                .isTrue();
        assertThat(DiskSpace.isFull(new IOException("Disk quota exceeded"))).isTrue();
        assertThat(DiskSpace.isFull(new IOException("Permission denied"))).isFalse();
        assertThat(DiskSpace.isFull(new IOException())).isFalse();
    }
}
