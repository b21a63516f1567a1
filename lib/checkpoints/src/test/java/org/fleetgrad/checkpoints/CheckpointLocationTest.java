package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.S3Credentials;
import org.fleetgrad.store.StoreLocation.Bucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointLocationTest {

    private final Map<String, String> environment = new HashMap<>(Map.of(
            "S3_ENDPOINT", "http://127.0.0.1:9000",
            "S3_ACCESS_KEY", "the-access-key",
            "S3_SECRET_KEY", "the-secret-key"));

    @ParameterizedTest
    @ValueSource(strings = {"checkpoints", "/var/lib/fleetgrad", "a b/ä", "./x", "s3", "s3/x"})
    void shouldTakeAPathForAFolder(String text) {
        environment.clear();
        CheckpointLocation location = parse(text);

        assertThat(location.folder()).hasValue(Path.of(text));
        assertThat(location).hasToString(Path.of(text).toString());
        assertThat(location.place().namePrefix()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "s3://bucket, s3://bucket, ''",
        "s3://bucket/, s3://bucket, ''",
        "s3://bucket/a, s3://bucket/a, a/",
        "s3://bucket//a/b//, s3://bucket/a/b, a/b/"
    })
    void shouldTakeABucketAndAPrefix(String text, String shown, String prefix) throws IOException {
        CheckpointLocation location = parse(text);

        assertThat(location.folder()).isEmpty();
        assertThat(location).hasToString(shown);
        assertThat(location.place().namePrefix()).isEqualTo(prefix);
        try (ObjectStore store = location.place().open()) {
            assertThat(store.bucket()).isEqualTo("bucket");
        }
    }

    @Test
    void shouldNeverShowKeys() {
        CheckpointLocation location = parse("s3://bucket/a");

        assertThat(location).hasToString("s3://bucket/a");
        assertThat(location.place()).hasToString("s3://bucket/a");
        assertThat(location.place()).isInstanceOfSatisfying(Bucket.class, bucket -> {
            assertThat(bucket.endpoint()).isEqualTo(URI.create("http://127.0.0.1:9000"));
            assertThat(bucket.region()).isEqualTo("us-east-1");
            assertThat(bucket.credentials()).isEqualTo(new S3Credentials("the-access-key", "the-secret-key"));
        });
    }

    @Test
    void shouldTakeKeysFromFilesAndTheRegion(@TempDir Path folder) throws IOException {
        environment.remove("S3_ACCESS_KEY");
        environment.put("S3_SECRET_KEY", "");
        environment.put(
                "S3_ACCESS_KEY_FILE",
                Files.writeString(folder.resolve("a"), "from-file\n").toString());
        environment.put(
                "S3_SECRET_KEY_FILE",
                Files.writeString(folder.resolve("s"), " secret-from-file ").toString());
        environment.put("S3_REGION", "eu-central-1");

        assertThat(parse("s3://bucket").place()).isInstanceOfSatisfying(Bucket.class, bucket -> {
            assertThat(bucket.credentials()).isEqualTo(new S3Credentials("from-file", "secret-from-file"));
            assertThat(bucket.region()).isEqualTo("eu-central-1");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | checkpoints lie in a folder or in s3://bucket/prefix, not in ''",
                "http://x/y | checkpoints lie in a folder or in s3://bucket/prefix, not in 'http://x/y'",
                "s3:bucket | a bucket is written s3://bucket/prefix, its name 3 to 63 lower-case letters",
                "s3:// | a bucket is written s3://bucket/prefix",
                "s3://UPPER/x | a bucket is written s3://bucket/prefix",
                "s3://key:secret@bucket | a bucket is written s3://bucket/prefix",
                "s3://bucket/../x | an object's name has letters",
                "s3://bucket/a b | an object's name has letters",
                "s3://bucket/a//b | an object's name has letters"
            })
    void shouldRefuseOtherPlaces(String text, String message) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void shouldRefuseAPrefixThatIsTooLong() {
        assertThatThrownBy(() -> parse("s3://bucket/" + "a".repeat(400)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 512 long");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "S3_ENDPOINT | s3://b-1/x needs S3_ENDPOINT, the address of the S3 service, such as http://127.0.0.1:9000",
                "S3_ACCESS_KEY | s3://b-1/x needs S3_ACCESS_KEY, or the name of its file in S3_ACCESS_KEY_FILE",
                "S3_SECRET_KEY | s3://b-1/x needs S3_SECRET_KEY, or the name of its file in S3_SECRET_KEY_FILE"
            })
    void shouldSayWhichVariableIsMissing(String variable, String message) {
        environment.remove(variable);

        assertThatThrownBy(() -> parse("s3://b-1/x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:9000", "ftp://x", "http://", "http://host/path", "http://user:pw@host"})
    void shouldRefuseAnInvalidEndpoint(String endpoint) {
        environment.put("S3_ENDPOINT", endpoint);

        assertThatThrownBy(() -> parse("s3://bucket"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("S3_ENDPOINT must be an http or https address without a path");
    }

    @Test
    void shouldSayWhichKeyFileCannotBeRead(@TempDir Path folder) throws IOException {
        environment.remove("S3_SECRET_KEY");
        Path file = folder.resolve("missing");
        environment.put("S3_SECRET_KEY_FILE", file.toString());
        assertThatThrownBy(() -> parse("s3://bucket"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the file of S3_SECRET_KEY_FILE cannot be read: ")
                .hasMessageContaining(file.toString());

        Files.writeString(file, " \n");
        assertThatThrownBy(() -> parse("s3://bucket")).hasMessage("the file of S3_SECRET_KEY_FILE, %s, is empty", file);
    }

    private CheckpointLocation parse(String text) {
        return CheckpointLocation.parse(text, environment::get);
    }
}
