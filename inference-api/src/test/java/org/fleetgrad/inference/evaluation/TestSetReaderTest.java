package org.fleetgrad.inference.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.serving.evaluation.TestSet;
import org.fleetgrad.serving.evaluation.TinyShards;
import org.fleetgrad.store.LocalS3;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.S3Credentials;
import org.fleetgrad.store.S3Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSetReaderTest {

    @TempDir
    private Path folder;

    private static TestSetReader reader(Object location) {
        return new TestSetReader(TestShardLocation.valueOf(location.toString()), Map.<String, String>of()::get);
    }

    private Path file() throws IOException {
        Path file = folder.resolve("test.tar.gz");
        ShardArchive.write(TinyShards.shard(2), file);
        return file;
    }

    private ShardSet dataset() throws IOException {
        return ShardSet.write(folder.resolve("shards"), "tiny", TinyShards.samples(6), TinyShards.samples(4), 2);
    }

    @Test
    void shouldReadFile() throws IOException {
        TestSet testSet = reader(file()).read();

        assertThat(((ImageSamples) testSet.samples()).images()).containsExactly(1, 0, 2, 0);
        assertThat(testSet.description().classes()).isEqualTo(TinyShards.CLASSES);
        assertThat(testSet.description().normalization()).isEqualTo(TinyShards.NORMALIZATION);
    }

    @Test
    void shouldFailWhenFileIsAbsent() {
        assertThatThrownBy(() -> reader(folder.resolve("absent")).read()).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldFetchUrlAndNeverShowItsSignature() throws IOException {
        byte[] bytes = Files.readAllBytes(file());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/test.tar.gz", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
        String base = "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
        try {
            assertThat(reader(base + "test.tar.gz?signature=hush")
                            .read()
                            .samples()
                            .count())
                    .isEqualTo(2);
            assertThatThrownBy(() -> reader(base + "absent?signature=hush").read())
                    .isInstanceOf(IOException.class)
                    .hasMessage("the store answered 404");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void shouldReadTheTestShardThatTheManifestOfAFolderNames() throws IOException {
        dataset();

        assertThat(reader(folder.resolve("shards")).read().samples().count()).isEqualTo(4);
    }

    @Test
    void shouldRefuseAShardThatIsNotTheManifests() throws IOException {
        ShardSet set = dataset();
        byte[] bytes = Files.readAllBytes(set.test());
        Path shards = folder.resolve("shards");

        bytes[bytes.length - 1] ^= 1;
        Files.write(set.test(), bytes);
        assertThatThrownBy(() -> reader(shards).read())
                .isInstanceOf(InvalidShardException.class)
                .hasMessageStartingWith("tiny-test.tar.gz breaks rule MANIFEST: its first %d bytes have the SHA-256 "
                        .formatted(bytes.length));

        Files.write(set.test(), Arrays.copyOf(bytes, bytes.length + 100));
        assertThatThrownBy(() -> reader(shards).read())
                .isInstanceOf(InvalidShardException.class)
                .hasMessageContaining("its first %d bytes".formatted(bytes.length + 1));

        Files.delete(set.test());
        assertThatThrownBy(() -> reader(shards).read()).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldRefuseAManifestWithoutATestShard() throws IOException {
        Path manifest = dataset().manifest();
        Files.writeString(manifest, Files.readString(manifest).replace("\"test\"", "\"train\""));

        assertThatThrownBy(() -> reader(folder.resolve("shards")).read())
                .isInstanceOf(InvalidShardException.class)
                .hasMessage("manifest.json breaks rule MANIFEST: it names 0 test shards; it must name 1");
    }

    @Test
    void shouldReadTheTestShardOfABucket() throws IOException {
        ShardSet set = dataset();
        try (LocalS3 service = new LocalS3()) {
            S3Credentials keys = LocalS3.CREDENTIALS;
            TestSetReader reader = new TestSetReader(
                    TestShardLocation.valueOf("s3://datasets/tiny"),
                    Map.of(
                            "S3_ENDPOINT", service.endpoint().toString(),
                            "S3_ACCESS_KEY", keys.accessKey(),
                            "S3_SECRET_KEY", keys.secretKey())::get);
            assertThatThrownBy(reader::read).isInstanceOf(IOException.class);
            try (S3Store store = new S3Store(service.endpoint(), S3Store.DEFAULT_REGION, "datasets", keys)) {
                store.createBucketIfMissing();
                store.put(new ObjectName("tiny/manifest.json"), set.manifest());
                assertThatThrownBy(reader::read).isInstanceOf(NoSuchFileException.class);
                store.put(new ObjectName("tiny/tiny-test.tar.gz"), set.test());
            }

            assertThat(reader.read().samples().count()).isEqualTo(4);
        }
    }

    @Test
    void shouldSayAtOnceWhatABucketNeeds() {
        assertThatThrownBy(() -> reader("s3://datasets/tiny"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("s3://datasets/tiny needs S3_ENDPOINT");
    }
}
