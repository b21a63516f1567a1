package org.fleetgrad.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.store.LocalS3;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Registers a dataset as the work of a server. */
class PutWorkTest {

    private static final LocalS3 SERVICE = new LocalS3();
    private static final String FIRST = "digits-train-00000-of-00002.tar.gz";

    @TempDir
    private Path folder;

    private FakeParameterServer server;
    private Path shards;

    @BeforeEach
    void prepare() throws IOException {
        server = new FakeParameterServer(0);
        shards = folder.resolve("shards");
        ShardSet.write(shards, "digits", SyntheticDigits.generate(61, 1), SyntheticDigits.generate(10, 2), 2);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @AfterAll
    static void stopService() {
        SERVICE.close();
    }

    private static List<Object> service() {
        return List.of(
                "--endpoint",
                SERVICE.endpoint(),
                "--access-key",
                LocalS3.CREDENTIALS.accessKey(),
                "--secret-key",
                LocalS3.CREDENTIALS.secretKey());
    }

    private static Cli run(List<Object> more, Object... arguments) {
        List<Object> all = new ArrayList<>(List.of(arguments));
        all.addAll(more);
        return Cli.run(all.toArray());
    }

    private Cli putFolder(Object... more) {
        return run(List.of(more), "put-work", shards, "--server", server.uri(), "--epochs", 3);
    }

    private void upload(String bucket) {
        Cli uploaded = run(service(), "upload", shards, "--bucket", bucket, "--prefix", "some/digits/", "--quiet");
        assertThat(uploaded.exitCode()).as(uploaded.err()).isZero();
    }

    private static int samplesAt(JsonNode shard) throws IOException {
        try (InputStream in = URI.create(shard.get("url").stringValue()).toURL().openStream()) {
            return ShardArchive.read(in, ShardLimits.DEFAULT).samples().count();
        }
    }

    @Test
    void shouldPutTheTrainingShardsOfAFolder() throws IOException {
        Cli put = putFolder();

        assertThat(put.exitCode()).as(put.err()).isZero();
        assertThat(put.out().strip()).isEqualTo("digits: 61 samples in 2 shards, 3 epochs: the work begins");
        JsonNode work = server.works().get(0);
        assertThat(work.get("dataset").stringValue()).isEqualTo("digits");
        assertThat(work.get("epochs").longValue()).isEqualTo(3);
        assertThat(work.get("shards").size()).isEqualTo(2);
        JsonNode first = work.get("shards").get(0);
        assertThat(first.get("name").stringValue()).isEqualTo(FIRST);
        assertThat(first.get("url").stringValue())
                .isEqualTo(shards.resolve(FIRST).toUri().toString());
        assertThat(samplesAt(first)).isEqualTo(first.get("samples").intValue());
    }

    @Test
    void shouldPutAddressesOfABucketThatNeedNoKeys() throws IOException {
        upload("datasets");
        Instant before = Instant.now();

        Cli put = run(
                service(),
                "put-work",
                "s3://datasets/some/digits/",
                "--server",
                server.uri(),
                "--epochs",
                0,
                "--expiry",
                "2h",
                "--json");

        assertThat(put.exitCode()).as(put.err()).isZero();
        JsonNode json = JsonMapper.shared().readTree(put.out());
        assertThat(json.propertyNames())
                .containsExactly("dataset", "epochs", "shards", "samples", "created", "expires");
        assertThat(json.get("created").booleanValue()).isTrue();
        assertThat(Instant.parse(json.get("expires").stringValue()))
                .isBetween(before.plus(Duration.ofMinutes(119)), Instant.now().plus(Duration.ofHours(2)));
        for (JsonNode shard : server.works().get(0).get("shards")) {
            assertThat(shard.get("url").stringValue())
                    .contains("/datasets/some/digits/digits-train-")
                    .contains("X-Amz-Expires=7200");
            assertThat(samplesAt(shard)).isEqualTo(shard.get("samples").intValue());
        }
    }

    @Test
    void shouldSignForTheHostThatWorkersSee() throws IOException {
        upload("elsewhere");
        String seen = "http://localhost:" + SERVICE.endpoint().getPort();

        Cli put = run(
                service(),
                "put-work",
                "s3://elsewhere/some/digits",
                "--server",
                server.uri(),
                "--epochs",
                1,
                "--worker-endpoint",
                seen);

        assertThat(put.exitCode()).as(put.err()).isZero();
        JsonNode shard = server.works().get(0).get("shards").get(1);
        assertThat(shard.get("url").stringValue()).startsWith(seen + "/");
        assertThat(samplesAt(shard)).isEqualTo(shard.get("samples").intValue());
        assertThat(putFolder("--worker-endpoint", seen).err()).contains("--worker-endpoint is for buckets");
    }

    @Test
    void shouldRenewTheAddressesWhenItIsRepeated() {
        assertThat(putFolder().exitCode()).isZero();

        Cli again = putFolder();

        assertThat(again.exitCode()).isZero();
        assertThat(again.out().strip())
                .isEqualTo("digits: 61 samples in 2 shards, 3 epochs: the work continues, at new addresses");
    }

    @Test
    void shouldWaitForAServerThatIsNotReadyYet() {
        server.refuseNext(503, "recovering", "it brings back what was kept");

        assertThat(putFolder("--wait", "30s").exitCode()).isZero();

        server.refuseNext(503, "recovering", "it brings back what was kept");
        Cli impatient = putFolder("--wait", "0s");
        assertThat(impatient.exitCode()).isEqualTo(4);
        assertThat(impatient.err()).contains("it answers 503");
    }

    @Test
    void shouldExitWith4WhenNobodyAnswers() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }

        Cli away = run(
                List.of(), "put-work", shards, "--server", "http://127.0.0.1:" + free, "--epochs", 1, "--wait", "0s");

        assertThat(away.exitCode()).isEqualTo(4);
        assertThat(away.err().lines()).hasSize(1);
        assertThat(away.err()).contains("PUT http://127.0.0.1:%d/putWork failed at try 1".formatted(free));
    }

    @ParameterizedTest
    @CsvSource({
        "409, work-exists, the run is in the middle of 5 epochs of 'mnist' in 6 shards",
        "403, forbidden, a worker may not put work"
    })
    void shouldExitWith3WhenTheServerRefusesTheWork(int status, String rule, String detail) {
        server.refuseNext(status, rule, detail);

        Cli refused = putFolder();

        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err().strip())
                .isEqualTo("dataset-tools put-work: PUT /putWork: %d %s".formatted(status, detail));
    }

    @Test
    void shouldNameTheTwoVariablesWhenTheServerAsksForKeys() {
        server.refuseNext(401, "unauthenticated", "the request has no token");

        Cli refused = putFolder();

        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err().strip())
                .isEqualTo(
                        "dataset-tools put-work: PUT /putWork: 401 the request has no token; the server asks for keys:"
                                + " set FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY (or FLEETGRAD_SECRET_KEY_FILE)");
    }

    @Test
    void shouldPutNothingWhereAShardIsMissingOrCut() throws IOException {
        byte[] bytes = Files.readAllBytes(shards.resolve(FIRST));
        Files.write(shards.resolve(FIRST), Arrays.copyOf(bytes, bytes.length - 1));
        Cli cut = putFolder();
        assertThat(cut.exitCode()).isEqualTo(3);
        assertThat(cut.err())
                .contains("%s breaks rule MANIFEST: it has %d bytes, the manifest states %d"
                        .formatted(FIRST, bytes.length - 1, bytes.length));

        Files.delete(shards.resolve(FIRST));
        Cli missing = putFolder();
        assertThat(missing.exitCode()).isEqualTo(3);
        assertThat(missing.err()).contains(FIRST + " does not exist").contains("the manifest names it");

        Files.writeString(shards.resolve("manifest.json"), "[]");
        assertThat(putFolder().exitCode()).isEqualTo(3);

        Files.delete(shards.resolve("manifest.json"));
        Cli bare = putFolder();
        assertThat(bare.exitCode()).isEqualTo(3);
        assertThat(bare.err()).contains("manifest.json does not exist");
        assertThat(server.works()).isEmpty();
    }

    @Test
    void shouldSayWhatIsWrongWithItsArguments() {
        assertThat(run(List.of(), "put-work", "http://x/y", "--epochs", 1).err())
                .contains("shards lie in a folder or in s3://bucket/prefix, not in 'http://x/y'");
        assertThat(run(List.of(), "put-work", shards, "--epochs", -1).err()).contains("'epochs' is from 1 to");
        assertThat(run(List.of(), "put-work", shards, "--epochs", 1, "--expiry", "8d")
                        .exitCode())
                .isEqualTo(2);
        assertThat(run(List.of(), "put-work", shards).err()).contains("Missing required option: '--epochs=N'");
        assertThat(run(List.of(), "put-work", shards, "--epochs", 1, "--server", "ps-service")
                        .err())
                .contains("the server's address must be like http://host:29500");
    }
}
