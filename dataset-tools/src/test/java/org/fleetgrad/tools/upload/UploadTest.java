package org.fleetgrad.tools.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.store.FolderStore;
import org.fleetgrad.store.LocalS3;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.S3Store;
import org.fleetgrad.store.StoredObject;
import org.fleetgrad.tools.Progress;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UploadTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final LocalS3 SERVICE = new LocalS3();

    private enum Kind {
        FOLDER,
        BUCKET
    }

    @TempDir
    private Path folder;

    @AfterAll
    static void stopService() {
        SERVICE.close();
    }

    @ParameterizedTest
    @EnumSource
    void shouldUploadFilesUnderTheirNamesWithAddresses(Kind kind) throws IOException {
        Path one = Files.writeString(folder.resolve("one.tar.gz"), "1");
        Path two = Files.writeString(folder.resolve("two.tar.gz"), "22");
        try (ObjectStore store = open(kind, "names")) {
            List<Upload.Uploaded> uploaded =
                    new Upload(store, HOUR, Progress.SILENT).upload(List.of(one, two), "mnist/", false);

            assertThat(uploaded)
                    .extracting(object -> object.name().text())
                    .containsExactly("mnist/one.tar.gz", "mnist/two.tar.gz");
            try (InputStream in = uploaded.get(1).url().toURL().openStream()) {
                assertThat(in.readAllBytes()).hasSize(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotReplaceUploadsUnasked(Kind kind) throws IOException {
        Path zero = Files.writeString(folder.resolve("0.tar.gz"), "0");
        Path one = Files.writeString(folder.resolve("one.tar.gz"), "new!");
        try (ObjectStore store = open(kind, "force")) {
            store.createBucketIfMissing();
            store.put(new ObjectName("one.tar.gz"), 3, out -> out.write(new byte[3]));
            Upload upload = new Upload(store, HOUR, Progress.SILENT);

            assertThatThrownBy(() -> upload.upload(List.of(zero, one), "", false))
                    .hasMessage("one.tar.gz: in the bucket " + store.bucket());
            assertThat(store.list("")).containsExactly(new StoredObject("one.tar.gz", 3));

            upload.upload(List.of(zero, one), "", true);
            assertThat(store.list("")).contains(new StoredObject("one.tar.gz", 4));
        }
    }

    private ObjectStore open(Kind kind, String bucket) {
        return switch (kind) {
            case FOLDER -> new FolderStore(folder.resolve(bucket));
            case BUCKET -> new S3Store(SERVICE.endpoint(), S3Store.DEFAULT_REGION, bucket, LocalS3.CREDENTIALS);
        };
    }
}
