package org.fleetgrad.runs.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {

    @TempDir
    private Path folder;

    private Path log(byte[] bytes) throws Exception {
        return Files.write(folder.resolve("log"), bytes);
    }

    @Test
    void shouldReturnTheLastLinesThatAreNotBlank() throws Exception {
        Path log = log("one\ntwo\n\nthree\n \n\n".getBytes(StandardCharsets.UTF_8));

        assertThat(LogTail.lines(log, 2)).containsExactly("two", "three");
        assertThat(LogTail.lines(log, 9)).containsExactly("one", "two", "three");
        assertThat(LogTail.lines(log(new byte[0]), 2)).isEmpty();
    }

    @Test
    void shouldReadTheEndOfALogThatIsLongAndNoUtf8() throws Exception {
        byte[] bytes = new byte[5 << 20];
        Arrays.fill(bytes, (byte) 0xC3);
        byte[] end = "\nthe end\n".getBytes(StandardCharsets.UTF_8);
        System.arraycopy(end, 0, bytes, bytes.length - end.length, end.length);

        assertThat(LogTail.lines(log(bytes), 1)).containsExactly("the end");
        assertThat(LogTail.lines(log(bytes), 2).get(0)).hasSizeLessThanOrEqualTo(1 << 20);
    }

    @Test
    void shouldSayThatThereIsNoLog() {
        assertThatThrownBy(() -> LogTail.lines(folder.resolve("none"), 1)).isInstanceOf(NoSuchFileException.class);
    }
}
