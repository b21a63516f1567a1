package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.store.LocalS3;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoredObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class S3CheckpointsTest extends CheckpointsContract {

    private static final LocalS3 SERVICE = new LocalS3();
    private static final AtomicInteger BUCKETS = new AtomicInteger();

    @AfterAll
    static void stopService() {
        SERVICE.close();
    }

    @Override
    CheckpointLocation emptyLocation(Path scratch) {
        return location("s3://checkpoints-%d/runs/1".formatted(BUCKETS.incrementAndGet()));
    }

    @Test
    void shouldShareABucketByPrefix() throws IOException {
        CheckpointLocation whole = location("s3://shared");
        CheckpointLocation part = location("s3://shared/a");
        CheckpointLocation longer = location("s3://shared/a-b/");
        try (Checkpoints one = Checkpoints.open(whole);
                Checkpoints two = Checkpoints.open(part);
                Checkpoints three = Checkpoints.open(longer);
                ObjectStore store = whole.place().open()) {
            Samples.write(one, 1);
            Samples.write(two, 2);
            Samples.write(three, 3);

            assertThat(one.read(1).manifest().version()).isEqualTo(1);
            assertThat(two.read(1).manifest().version()).isEqualTo(2);
            assertThat(three.list()).hasSize(1);
            assertThat(two.list()).hasSize(1);
            assertThat(store.list(""))
                    .extracting(StoredObject::name)
                    .contains(
                            "checkpoint-000001/manifest.json",
                            "a/checkpoint-000001/manifest.json",
                            "a-b/checkpoint-000001/manifest.json");
        }
    }

    private static CheckpointLocation location(String text) {
        return CheckpointLocation.parse(
                text,
                Map.of(
                        "S3_ENDPOINT", SERVICE.endpoint().toString(),
                        "S3_ACCESS_KEY", LocalS3.CREDENTIALS.accessKey(),
                        "S3_SECRET_KEY", LocalS3.CREDENTIALS.secretKey())::get);
    }
}
