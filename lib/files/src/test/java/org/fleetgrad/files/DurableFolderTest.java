package org.fleetgrad.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFolderTest {

    @TempDir
    private Path folder;

    @Test
    void shouldMakeTheFoldersThatAreMissing() throws IOException {
        Path deep = folder.resolve("a/b/c");
        DurableFolder.create(deep);
        DurableFolder.create(deep);

        assertThat(deep).isEmptyDirectory();
    }

    @Test
    void shouldSayThatAFileIsInTheWay() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "x");

        assertThatThrownBy(() -> DurableFolder.create(file.resolve("b")))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessage(file.toString());
    }
}
