package org.fleetgrad.runs.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.store.LocalS3;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoreLocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BucketShardsTest {

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();

    private static StoreLocation.Bucket location(LocalS3 service) {
        Map<String, String> environment = Map.of(
                "S3_ENDPOINT", service.endpoint().toString(),
                "S3_ACCESS_KEY", LocalS3.CREDENTIALS.accessKey(),
                "S3_SECRET_KEY", LocalS3.CREDENTIALS.secretKey());
        return (StoreLocation.Bucket) StoreLocation.parse("shards", "s3://datasets/mnist", environment::get);
    }

    @Test
    void shouldHandOutShardsWithoutKeysForAsLongAsTheRunTakes() throws Exception {
        Path first = Files.writeString(folder.resolve("shard-0.tar.gz"), "first");
        Path second = Files.writeString(folder.resolve("shard-1.tar.gz"), "second");
        try (LocalS3 service = new LocalS3()) {
            StoreLocation.Bucket location = location(service);
            try (BucketShards shards = BucketShards.upload(location, "run-1", List.of(first, second), told::add)) {
                URI url = URI.create(shards.url(second));
                try (InputStream body = url.toURL().openStream()) {
                    assertThat(body.readAllBytes()).asString().isEqualTo("second");
                }
                assertThat(names(location)).containsExactly("mnist/run-1/shard-0.tar.gz", "mnist/run-1/shard-1.tar.gz");
            }
            assertThat(names(location)).isEmpty();
        }
        assertThat(told).isEmpty();
    }

    @Test
    void shouldSayWhatIsLeftWhereTheServiceIsGoneAtTheEnd() throws Exception {
        Path shard = Files.writeString(folder.resolve("shard-0.tar.gz"), "first");
        BucketShards shards;
        try (LocalS3 service = new LocalS3()) {
            shards = BucketShards.upload(location(service), "run-1", List.of(shard), told::add);
        }

        shards.close();

        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("shards of this run are left in datasets under mnist/run-1/: ");
    }

    @Test
    void shouldFailWhereAShardIsNotThere() throws Exception {
        try (LocalS3 service = new LocalS3()) {
            StoreLocation.Bucket location = location(service);
            List<Path> shards = List.of(folder.resolve("missing.tar.gz"));

            assertThatThrownBy(() -> BucketShards.upload(location, "run-1", shards, told::add))
                    .hasMessageContaining("missing.tar.gz");
            assertThat(names(location)).isEmpty();
        }
    }

    private static List<String> names(StoreLocation.Bucket location) throws IOException {
        try (ObjectStore store = location.open()) {
            return store.list("mnist/").stream().map(object -> object.name()).toList();
        }
    }
}
