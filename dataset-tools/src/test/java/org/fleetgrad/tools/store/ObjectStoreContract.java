package org.fleetgrad.tools.store;

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
import java.util.List;
import org.fleetgrad.tools.Progress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store must do; each kind of store runs it as it is. */
abstract class ObjectStoreContract {

    private static final ObjectName NAME = new ObjectName("mnist/a.tar.gz");
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private ObjectStore store;

    /** Opens an empty store of a bucket whose name begins with {@code datasets}. */
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
                .hasMessage("a presigned address lives from PT1S to PT168H, not PT192H");
        assertThatThrownBy(() -> store.presign(NAME, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThat(store.presign(NAME, Duration.ofDays(7))).isNotNull();
    }

    @Test
    void shouldUploadFilesUnderTheirNamesWithAddresses() throws IOException {
        Path one = Files.writeString(folder.resolve("one.tar.gz"), "1");
        Path two = Files.writeString(folder.resolve("two.tar.gz"), "22");

        List<Upload.Uploaded> uploaded =
                new Upload(store, HOUR, Progress.SILENT).upload(List.of(one, two), "mnist/", false);

        assertThat(uploaded)
                .extracting(object -> object.name().text())
                .containsExactly("mnist/one.tar.gz", "mnist/two.tar.gz");
        try (InputStream in = uploaded.get(1).url().toURL().openStream()) {
            assertThat(in.readAllBytes()).hasSize(2);
        }
    }

    @Test
    void shouldNotReplaceUploadsUnasked() throws IOException {
        put("one.tar.gz", "old");
        Path zero = Files.writeString(folder.resolve("0.tar.gz"), "0");
        Path one = Files.writeString(folder.resolve("one.tar.gz"), "new!");
        Upload upload = new Upload(store, HOUR, Progress.SILENT);

        assertThatThrownBy(() -> upload.upload(List.of(zero, one), "", false))
                .hasMessage("one.tar.gz: in the bucket " + store.bucket());
        assertThat(store.list("")).containsExactly(new StoredObject("one.tar.gz", 3));

        upload.upload(List.of(zero, one), "", true);
        assertThat(store.list("")).contains(new StoredObject("one.tar.gz", 4));
    }

    private void put(String name, String content) throws IOException {
        store.put(new ObjectName(name), Files.writeString(folder.resolve("source"), content));
    }
}
