package org.fleetgrad.e2e.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.minio.MinioClient;
import io.minio.SetBucketNotificationArgs;
import io.minio.messages.NotificationConfiguration;
import io.minio.messages.NotificationConfiguration.Filter;
import io.minio.messages.NotificationConfiguration.QueueConfiguration;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.e2e.container.Docker;
import org.fleetgrad.e2e.openwhisk.OnUpload;
import org.fleetgrad.openwhisk.ActionDefinition;
import org.fleetgrad.openwhisk.ActionDefinition.ActionLimits;
import org.fleetgrad.openwhisk.OpenWhiskEnvironment;
import org.fleetgrad.openwhisk.fake.FakeOpenWhisk;
import org.fleetgrad.openwhisk.fake.FakeSettings;
import org.fleetgrad.openwhisk.fake.ScriptedAction;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real MinIO tells a fake OpenWhisk of an uploaded dataset, with what the script on-upload makes of it. */
@Order(Order.DEFAULT + 5)
@Timeout(180)
@Tag("whole")
class UploadTriggerIT {

    private static final String BUCKET = "datasets";

    @TempDir
    private Path folder;

    @Test
    void shouldStartWorkersWhenTheManifestOfADatasetIsUploadedAndNotBefore() throws Exception {
        Docker.require();
        Assumptions.assumeTrue(
                S3Image.choose().contains("minio"), "S3Proxy, which stands in for MinIO, notifies nobody");
        try (ScriptedAction workers = ScriptedAction.running(body -> ScriptedAction.Answer.ok("{\"code\":200}"));
                FakeOpenWhisk openwhisk = new FakeOpenWhisk(FakeSettings.STANDALONE, workers, gateway());
                S3Container store = new S3Container()) {
            OpenWhiskEnvironment.read(openwhisk.environment())
                    .client()
                    .putAction(ActionDefinition.of("train", "fleetgrad/worker:1", ActionLimits.DEFAULT));
            OnUpload.Ended made =
                    OnUpload.run(folder, openwhisk.environment(), "--no-try", "--workers", "2", "--prefix", "digits/");
            assertThat(made.code()).as(made.out()).isZero();
            for (String line : Files.readAllLines(folder.resolve("minio-webhook.env"))) {
                String[] pair = line.split("=", 2);
                store.withEnv(pair[0], pair[1]);
            }
            store.start();
            store.bucket(BUCKET).createBucketIfMissing();
            notifyOfManifests(store);
            Path shards = folder.resolve("shards");
            ShardSet.write(shards, "digits", SyntheticDigits.generate(40, 1), SyntheticDigits.generate(10, 2), 2);

            Tools uploaded = Tools.run(
                    store.endpoint(),
                    BUCKET,
                    S3Container.CREDENTIALS.secretKey(),
                    "upload",
                    shards.toString(),
                    "--prefix",
                    "digits/");

            assertThat(uploaded.exitCode()).as(uploaded.err()).isZero();
            workers.await("/run", 2);
            assertThat(workers.bodies("/run"))
                    .hasSize(2)
                    .allSatisfy(
                            body -> assertThat(body.path("value").path("Key").asString())
                                    .isEqualTo("datasets/digits/manifest.json"));
        }
    }

    /** Returns this machine's address as containers see it, which the engine tells of containers only. */
    private static InetAddress gateway() throws IOException {
        try (S3Container any = new S3Container()) {
            any.start();
            return InetAddress.getByName(
                    Docker.run("inspect", "--format", "{{.NetworkSettings.Gateway}}", any.getContainerId()));
        }
    }

    /** As {@code mc event add} does in the line that the script prints. */
    private static void notifyOfManifests(S3Container store) throws Exception {
        MinioClient client = MinioClient.builder()
                .endpoint(store.endpoint().toString())
                .credentials(S3Container.CREDENTIALS.accessKey(), S3Container.CREDENTIALS.secretKey())
                .build();
        client.setBucketNotification(SetBucketNotificationArgs.builder()
                .bucket(BUCKET)
                .config(new NotificationConfiguration(
                        null,
                        List.of(new QueueConfiguration(
                                "arn:minio:sqs::FLEETGRAD:webhook",
                                null,
                                List.of("s3:ObjectCreated:*"),
                                new Filter("digits/", "manifest.json"))),
                        null,
                        null))
                .build());
    }
}
