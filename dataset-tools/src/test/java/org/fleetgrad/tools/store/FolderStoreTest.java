package org.fleetgrad.tools.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderStoreTest extends ObjectStoreContract {

    @Override
    ObjectStore openEmpty(Path scratch) throws IOException {
        FolderStore store = new FolderStore(scratch.resolve("datasets"));
        store.createBucketIfMissing();
        return store;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../a", "a/../b", "/a", "a//b", "a/", ".hidden", "a/.b", "a b", "a\\b", "a\u0000", "ä"})
    void shouldRefuseNamesThatCouldLeadAnywhereElse(String name) {
        assertThatThrownBy(() -> new ObjectName(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("an object's name has letters")
                .hasMessageEndingWith("not '%s'", name);
    }

    @Test
    void shouldGiveFileAddresses(@TempDir Path folder) throws IOException {
        try (FolderStore store = new FolderStore(folder)) {
            store.put(new ObjectName("a"), Files.writeString(folder.resolve(".source"), "x"));

            assertThat(store.presign(new ObjectName("a"), Duration.ofDays(1)))
                    .isEqualTo(folder.resolve("a").toUri())
                    .hasScheme("file");
        }
    }

    @Test
    void shouldNotMakeTheFolderJustToReadIt(@TempDir Path folder) throws IOException {
        Path missing = folder.resolve("missing");
        try (FolderStore store = new FolderStore(missing)) {
            assertThatThrownBy(() -> store.list("")).isInstanceOf(NoSuchFileException.class);
        }
        assertThat(missing).doesNotExist();
    }

    @Test
    void shouldNotListFilesThatAreBeingWritten(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve(".a.tar.gz.123.tmp"), "half");
        try (FolderStore store = new FolderStore(folder)) {
            assertThat(store.list("")).isEmpty();
        }
    }
}
