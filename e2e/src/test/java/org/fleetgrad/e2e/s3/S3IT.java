package org.fleetgrad.e2e.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.e2e.container.Docker;
import org.fleetgrad.e2e.container.TrainingSite;
import org.fleetgrad.e2e.container.WorkerContainer;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.RemoteException;
import org.fleetgrad.store.S3Store;
import org.fleetgrad.testing.ActionWire.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From dataset-tools through a bucket to the worker's container, with every fault that can occur on the way. */
@Order(Order.DEFAULT + 5)
@Timeout(180)
@Tag("whole")
class S3IT {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final String BUCKET = "datasets";
    private static final String SECRET = S3Container.CREDENTIALS.secretKey();
    private static final int SAMPLES = 320;
    /** So many samples that the shard exceeds the size of the SDK's parts: noise does not compress. */
    private static final int SAMPLES_IN_PARTS = 16_000;

    private static final int EXIT_INPUT = 3;
    private static final int EXIT_REMOTE = 4;

    @TempDir
    private static Path shared;

    private static S3Container store;
    private static Path shard;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path folder;

    @BeforeAll
    static void upload() throws IOException {
        Docker.require();
        store = new S3Container();
        store.start();
        shard = ShardSet.write(
                        shared, "digits", SyntheticDigits.generate(SAMPLES, 1), SyntheticDigits.generate(10, 2), 1)
                .train()
                .get(0);
        Tools uploaded = tools("upload", shard.toString());
        assertThat(uploaded.exitCode()).as(uploaded.err()).isZero();
    }

    @AfterAll
    static void stop() {
        if (store != null) {
            store.stop();
        }
    }

    private static Tools tools(String... arguments) throws IOException {
        return Tools.run(store.endpoint(), BUCKET, SECRET, arguments);
    }

    private static String presigned(String expiry) throws IOException {
        return tools("presign", shard.getFileName().toString(), "--expiry", expiry)
                .url();
    }

    private HttpResponse<byte[]> get(String url) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Trains in the worker's container on the shard at an address. */
    private Reply train(String url) throws Exception {
        try (WorkerContainer worker = new WorkerContainer(Docker.workerImage())) {
            worker.init(TrainingSite.INIT);
            try (TrainingSite site = new TrainingSite(folder, worker.inspect("{{.NetworkSettings.Gateway}}"))) {
                return worker.runValue(site.value(url, 1));
            }
        }
    }

    @Test
    void shouldTrainInAContainerOnAPresignedShard() throws Exception {
        Reply reply = train(presigned("1h"));

        assertThat(reply.json().path("completed").asBoolean()).as(reply.body()).isTrue();
        assertThat(reply.json().path("counted").asInt()).as(reply.body()).isEqualTo(SAMPLES);
    }

    @Test
    void shouldUploadInPartsWhatIsLarge() throws Exception {
        byte[] noise = new byte[SAMPLES_IN_PARTS * 28 * 28];
        new Random(1).nextBytes(noise);
        Path large = ShardSet.write(
                        folder,
                        "noise",
                        new ImageSamples(1, 28, 28, noise, new byte[SAMPLES_IN_PARTS]),
                        SyntheticDigits.generate(10, 2),
                        1)
                .train()
                .get(0);

        Tools uploaded = tools("upload", large.toString());
        HttpResponse<byte[]> read =
                get(tools("presign", large.getFileName().toString()).url());

        assertThat(uploaded.exitCode()).as(uploaded.err()).isZero();
        assertThat(read.headers().firstValue("ETag").orElseThrow()).matches("\"[0-9a-f]{32}-3\"");
        assertThat(read.body()).isEqualTo(Files.readAllBytes(large));
    }

    @Test
    void shouldRefuseStrangersAndWrongKeysAndNotTellThem() throws Exception {
        String url = presigned("1h");

        Tools refused = Tools.run(store.endpoint(), BUCKET, "not-the-secret", "list");

        assertThat(refused.exitCode()).isEqualTo(EXIT_REMOTE);
        assertThat(refused.err())
                .contains(
                        "refused to list (bucket datasets)", "(SignatureDoesNotMatch)", "check the bucket and the keys")
                .doesNotContain("not-the-secret");
        assertThat(get(url).statusCode()).isEqualTo(200);
        assertThat(get(url.substring(0, url.indexOf('?'))).statusCode()).isEqualTo(403);
    }

    @Test
    void shouldSayWhatIsMissing() throws Exception {
        Tools object = tools("presign", "no-such.tar.gz");
        Tools bucket = Tools.run(store.endpoint(), "nowhere", SECRET, "list");

        assertThat(object.exitCode()).isEqualTo(EXIT_INPUT);
        assertThat(object.err()).contains("no-such.tar.gz", "no such object in the bucket datasets");
        assertThat(bucket.exitCode()).isEqualTo(EXIT_REMOTE);
        assertThat(bucket.err()).contains("refused to list (bucket nowhere)", "(NoSuchBucket)");
    }

    @Test
    void shouldAnswerARunWhoseAddressHasExpired() throws Exception {
        String url = presigned("1s");
        await().atMost(TIMEOUT).until(() -> get(url).statusCode() == 403);

        Reply reply = train(url);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.error()).endsWith("could not be read: IOException the store answered 403");
        assertThat(reply.body()).doesNotContain("Signature");
    }

    @Test
    void shouldAnswerARunWhoseShardIsGone() throws Exception {
        try (ObjectStore bucket =
                new S3Store(store.endpoint(), S3Store.DEFAULT_REGION, BUCKET, S3Container.CREDENTIALS)) {
            ObjectName gone = new ObjectName("gone.tar.gz");
            bucket.put(gone, shard);
            String url = bucket.presign(gone, Duration.ofHours(1)).toString();
            bucket.delete(gone);

            assertThat(train(url).error()).endsWith("could not be read: IOException the store answered 404");
        }
    }

    @Test
    void shouldAnswerARunWhoseStoreHangs() throws Exception {
        String url = presigned("1h");
        store.docker("pause");
        try {
            Reply reply = train(url);

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.error()).endsWith("could not be read: SocketTimeoutException Read timed out");
        } finally {
            store.docker("unpause");
        }
    }

    @Test
    void shouldFailAnUploadWhoseStoreDiesInTheMiddle() throws Exception {
        try (S3Container mortal = new S3Container()) {
            mortal.start();
            try (ObjectStore bucket = mortal.bucket("dying")) {
                bucket.createBucketIfMissing();
                byte[] half = new byte[16 << 20];

                assertThatThrownBy(() -> bucket.put(new ObjectName("large"), 2L * half.length, out -> {
                            out.write(half);
                            mortal.docker("kill");
                            out.write(half);
                        }))
                        .isInstanceOf(RemoteException.class)
                        .hasMessageContaining("did not answer when asked to put large (bucket dying): ")
                        .hasMessageEndingWith("; check the endpoint and the network");
            }
        }
    }
}
