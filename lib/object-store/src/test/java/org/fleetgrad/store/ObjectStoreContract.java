package org.fleetgrad.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The behaviour of every store; each kind of store runs these tests. */
abstract class ObjectStoreContract {

    private static final ObjectName NAME = new ObjectName("mnist/a.tar.gz");
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private ObjectStore store;

    /** Opens an empty store; the name of its bucket begins with {@code datasets}. */
    abstract ObjectStore openEmpty(Path scratch) throws IOException;

    @BeforeEach
    void openStore() throws IOException {
        store = openEmpty(folder);
    }

    @AfterEach
    void closeStore() throws IOException {
        store.close();
    }

    @Test
    void shouldGiveBackWhatWasPut() throws IOException {
        byte[] content = new byte[200_000];
        content[77_777] = 7;
        store.put(NAME, Files.write(folder.resolve("source"), content));

        try (InputStream in = store.get(NAME)) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
        assertThat(store.bucket()).startsWith("datasets");
    }

    @Test
    void shouldKeepEmptyObjects() throws IOException {
        put("empty", "");

        assertThat(store.list("")).containsExactly(new StoredObject("empty", 0));
    }

    @Test
    void shouldReplaceAnObjectByTheNext() throws IOException {
        put("a", "first and longer");
        put("a", "second");

        try (InputStream in = store.get(new ObjectName("a"))) {
            assertThat(in).hasBinaryContent("second".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(store.list("")).containsExactly(new StoredObject("a", 6));
    }

    @Test
    void shouldListByPrefixInOrder() throws IOException {
        put("mnist/b", "22");
        put("mnist/a", "1");
        put("mnist-other", "333");
        put("zoo/x/y", "4444");

        assertThat(store.list("mnist/"))
                .containsExactly(new StoredObject("mnist/a", 1), new StoredObject("mnist/b", 2));
        assertThat(store.list("mnist")).hasSize(3);
        assertThat(store.list(""))
                .extracting(StoredObject::name)
                .containsExactly("mnist-other", "mnist/a", "mnist/b", "zoo/x/y");
        assertThat(store.list("none")).isEmpty();
    }

    @Test
    void shouldMakeAnAddressThatNeedsNoCredentials() throws IOException {
        put("mnist/a.tar.gz", "content");

        URI address = store.presign(NAME, HOUR);

        URL url = address.toURL();
        try (InputStream in = url.openStream()) {
            assertThat(in).hasBinaryContent("content".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldSayWhichObjectIsMissing() {
        assertThatThrownBy(() -> store.get(NAME))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageStartingWith("mnist/a.tar.gz: no such object in ");
        assertThatThrownBy(() -> store.presign(NAME, HOUR)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldRefuseExpiriesThatS3DoesNotAllow() throws IOException {
        put("mnist/a.tar.gz", "content");

        assertThatThrownBy(() -> store.presign(NAME, Duration.ofDays(8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a presigned address must live from PT1S to PT168H; it is PT192H");
        assertThatThrownBy(() -> store.presign(NAME, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThat(store.presign(NAME, Duration.ofDays(7))).isNotNull();
    }

    @Test
    void shouldStoreContentAsItIsWritten() throws IOException {
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);

        store.put(NAME, content.length, out -> {
            out.write(content[0]);
            out.write(content, 1, 99_999);
            out.flush();
            out.write(content, 100_000, 200_000);
        });

        try (InputStream in = store.get(NAME)) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
    }

    @Test
    void shouldStoreContentOfSeveralParts() throws IOException {
        int partsOfAMebibyte = 13;
        byte[] mebibyte = new byte[1 << 20];
        new Random(1).nextBytes(mebibyte);

        store.put(NAME, (long) partsOfAMebibyte << 20, out -> {
            for (int i = 0; i < partsOfAMebibyte; i++) {
                out.write(mebibyte);
            }
        });

        try (InputStream in = store.get(NAME)) {
            for (int i = 0; i < partsOfAMebibyte; i++) {
                assertThat(in.readNBytes(1 << 20)).isEqualTo(mebibyte);
            }
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void shouldStoreEmptyContent() throws IOException {
        store.put(NAME, 0, out -> {});

        assertThat(store.list("")).containsExactly(new StoredObject(NAME.text(), 0));
    }

    @ParameterizedTest
    @CsvSource({"4, has 4", "6, has more", "0, has 0", "200000, has more"})
    void shouldStoreNothingOfContentThatHasAnotherLength(int length, String said) throws IOException {
        put(NAME.text(), "old");

        assertThatThrownBy(() -> store.put(NAME, 5, out -> out.write(new byte[length])))
                .isInstanceOf(IOException.class)
                .hasMessage("mnist/a.tar.gz was announced with 5 bytes, but " + said);

        assertThat(store.list("")).containsExactly(new StoredObject(NAME.text(), 3));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100_000, 199_999, 200_000})
    void shouldStoreNothingOfContentThatFails(int written) throws IOException {
        IOException full = new IOException("the disk is full");

        assertThatThrownBy(() -> store.put(NAME, 200_000, out -> {
                    out.write(new byte[written]);
                    throw full;
                }))
                .isSameAs(full);
        assertThatThrownBy(() -> store.put(NAME, 200_000, out -> {
                    out.write(new byte[written]);
                    throw new IllegalStateException("a mistake");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a mistake");

        assertThat(store.list("")).isEmpty();
    }

    @Test
    void shouldStoreNothingOfEmptyContentThatFailsOrHasMore() throws IOException {
        assertThatThrownBy(() -> store.put(NAME, 0, out -> out.write(1)))
                .hasMessage("mnist/a.tar.gz was announced with 0 bytes, but has more");
        assertThatThrownBy(() -> store.put(NAME, 0, out -> {
                    throw new IOException("no");
                }))
                .hasMessage("no");

        assertThat(store.list("")).isEmpty();
    }

    @Test
    void shouldRefuseANegativeLength() {
        assertThatThrownBy(() -> store.put(NAME, -1, out -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mnist/a.tar.gz cannot have -1 bytes");
    }

    @Test
    void shouldDeleteObjectsAndIgnoreMissingOnes() throws IOException {
        put("mnist/a", "1");
        put("mnist/b", "2");

        store.delete(new ObjectName("mnist/a"));
        store.delete(new ObjectName("mnist/a"));
        store.delete(new ObjectName("never/was"));
        store.deleteUnfinished("");

        assertThat(store.list("")).containsExactly(new StoredObject("mnist/b", 1));
        assertThatThrownBy(() -> store.get(new ObjectName("mnist/a"))).isInstanceOf(NoSuchFileException.class);
    }

    private void put(String name, String content) throws IOException {
        store.put(new ObjectName(name), Files.writeString(folder.resolve("source"), content));
    }
}
