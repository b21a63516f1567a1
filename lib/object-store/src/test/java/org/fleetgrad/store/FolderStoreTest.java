package org.fleetgrad.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
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

    @Test
    void shouldDeleteWhatACrashLeft(@TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("a/b"));
        Files.createDirectories(folder.resolve("a/empty"));
        Files.createDirectories(folder.resolve("empty"));
        Files.writeString(folder.resolve("a/b/.c." + UUID.randomUUID() + ".tmp"), "half");
        Files.writeString(folder.resolve("a/kept"), "whole");
        Path elsewhere = folder.resolve(".other." + UUID.randomUUID() + ".tmp");
        Files.writeString(elsewhere, "elsewhere");
        try (FolderStore store = new FolderStore(folder)) {
            store.deleteUnfinished("a/");
            store.deleteUnfinished("a/empty/");
            store.deleteUnfinished("never/was/");
            store.deleteUnfinished("../../");
        }
        try (Stream<Path> left = Files.walk(folder).filter(Files::isRegularFile)) {
            assertThat(left).containsExactlyInAnyOrder(folder.resolve("a/kept"), elsewhere);
        }
        assertThat(folder.resolve("a/b")).doesNotExist();
        assertThat(folder.resolve("a/empty")).doesNotExist();
        assertThat(folder.resolve("empty")).exists();
    }

    @Test
    void shouldLeaveNoEmptyFoldersOfDeletedObjects(@TempDir Path folder) throws IOException {
        try (FolderStore store = new FolderStore(folder)) {
            store.put(new ObjectName("a/b/c"), 1, out -> out.write(1));
            store.put(new ObjectName("a/d"), 1, out -> out.write(1));

            store.delete(new ObjectName("a/b/c"));
            assertThat(folder.toFile().list()).containsExactly("a");
            assertThat(folder.resolve("a").toFile().list()).containsExactly("d");

            store.delete(new ObjectName("a/d"));
            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    void shouldStayWithinItsFolder(@TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("inner"));
        Files.writeString(folder.resolve("outside"), "x");
        try (FolderStore store = new FolderStore(folder.resolve("inner"))) {
            assertThat(store.list("../")).isEmpty();
            assertThat(store.list("../o")).isEmpty();
        }
    }

    @Test
    void shouldListAndPutWhileOthersDelete(@TempDir Path folder) throws Exception {
        try (FolderStore store = new FolderStore(folder)) {
            store.createBucketIfMissing();
            ObjectName first = new ObjectName("x/first");
            ObjectName second = new ObjectName("x/second");
            FutureTask<Boolean> deleting = new FutureTask<>(() -> {
                for (int i = 0; i < 300; i++) {
                    store.put(first, 1, out -> out.write(1));
                    store.delete(first);
                }
                return true;
            });
            new Thread(deleting).start();
            while (!deleting.isDone()) {
                store.put(second, 2, out -> out.write(new byte[2]));
                assertThat(store.list("x/")).contains(new StoredObject("x/second", 2));
                store.delete(second);
                assertThat(store.list("x/")).doesNotContain(new StoredObject("x/second", 2));
            }
            assertThat(deleting.get()).isTrue();
        }
    }

    @Test
    void shouldSearchOnlyTheFolderOfThePrefix(@TempDir Path folder) throws IOException {
        Path closed = Files.createDirectories(folder.resolve("other/closed"));
        Files.writeString(Files.createDirectories(folder.resolve("check-1/in")).resolve("a"), "x");
        Files.writeString(folder.resolve("check"), "x");
        assertThat(closed.toFile().setReadable(false)).isTrue();
        try (FolderStore store = new FolderStore(folder)) {
            assertThat(store.list("check")).extracting(StoredObject::name).containsExactly("check", "check-1/in/a");
            assertThat(store.list("check-1/i")).hasSize(1);
        } finally {
            assertThat(closed.toFile().setReadable(true)).isTrue();
        }
    }
}
