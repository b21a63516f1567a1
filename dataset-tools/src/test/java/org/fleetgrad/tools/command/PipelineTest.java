package org.fleetgrad.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.store.LocalS3;
import org.fleetgrad.testing.SharedData;
import org.fleetgrad.tools.fetch.Mirror;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands one after another, as a user runs them. */
class PipelineTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir
    private Path folder;

    private Path digits;
    private Path shards;
    private Path testShard;

    @BeforeEach
    void synthAndShard() {
        digits = folder.resolve("digits");
        shards = folder.resolve("shards");
        testShard = shards.resolve("digits-test.tar.gz");
        assertThat(Cli.run("synth", "--out", digits, "--train", 60, "--test", 20, "--seed", 3)
                        .exitCode())
                .isZero();
        Cli sharded = shard();
        assertThat(sharded.exitCode()).as(sharded.err()).isZero();
    }

    @Test
    void shouldSynthesizeTheSameAgain() throws IOException {
        Cli again =
                Cli.run("synth", "--out", folder.resolve("again"), "--train", 60, "--test", 20, "--seed", 3, "--json");

        JsonNode json = MAPPER.readTree(again.out());
        assertThat(json.get("train").intValue()).isEqualTo(60);
        assertThat(json.get("files").size()).isEqualTo(4);
        assertThat(IdxDataset.open(folder.resolve("again")).train().images())
                .isEqualTo(IdxDataset.open(digits).train().images());
        assertThat(IdxDataset.open(digits).test().images())
                .isNotEqualTo(IdxDataset.open(digits).train().slice(0, 20).images());
    }

    @Test
    void shouldPrintTheFilesOfTheShards() throws IOException {
        Cli sharded = shard("--force");

        assertThat(sharded.out().lines())
                .containsExactly(
                        shards.resolve("digits-train-00000-of-00002.tar.gz").toString(),
                        shards.resolve("digits-train-00001-of-00002.tar.gz").toString(),
                        testShard.toString(),
                        shards.resolve("manifest.json").toString());
        assertThat(ShardArchive.read(testShard).samples().count()).isEqualTo(20);
    }

    @Test
    void shouldTakeTheNormalizationGiven() throws IOException {
        Cli sharded = shard("--force", "--mean", "0.5", "--std", "0.25", "--json");

        assertThat(MAPPER.readTree(sharded.out()).get("mean").get(0).doubleValue())
                .isEqualTo(0.5);
        assertThat(ShardArchive.read(testShard)
                        .description()
                        .images()
                        .normalization()
                        .std())
                .containsExactly(0.25f);
        assertThat(shard("--force", "--mean", "0.5").err()).contains("--mean and --std must be given together");
        assertThat(shard("--force", "--mean", "0.5", "--std", "0").exitCode()).isEqualTo(2);
        assertThat(shard("--force", "--mean", "0.5,0.5", "--std", "1,1").err())
                .contains("the normalization has 2 channels, the shape [1, 28, 28] has 1");
    }

    @Test
    void shouldNotOverwriteUnasked() {
        Cli again = shard();
        assertThat(again.exitCode()).isEqualTo(3);
        assertThat(again.err().strip())
                .isEqualTo("dataset-tools shard: %s exists already; pass --force to overwrite it"
                        .formatted(shards.resolve("manifest.json")));
        assertThat(Cli.run("synth", "--out", digits).exitCode()).isEqualTo(3);
    }

    @Test
    void shouldRefuseWhatCannotBeSharded() {
        Cli tooMany = Cli.run("shard", digits, "--out", folder.resolve("x"), "--dataset-name", "d", "--shards", 61);
        assertThat(tooMany.exitCode()).isEqualTo(2);
        assertThat(tooMany.err()).contains("60 samples cannot be cut into 61 shards");

        Cli noData = Cli.run("shard", shards, "--out", folder.resolve("x"), "--dataset-name", "d", "--shards", 1);
        assertThat(noData.exitCode()).isEqualTo(3);
        assertThat(noData.err())
                .contains("no dataset is in it; understood are", "train-images-idx3-ubyte", "data_batch_1.bin");
    }

    @Test
    void shouldShardAFolderOfImagesUnderTheNameAndSizeGiven() throws IOException {
        for (String image : List.of("train/cat/1.png", "train/dog/1.png", "test/dog/2.png")) {
            Path file = folder.resolve("photos").resolve(image);
            Files.createDirectories(file.getParent());
            ImageIO.write(new BufferedImage(9, 7, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
        }
        Path out = folder.resolve("cut");

        Cli sharded = Cli.run(
                "shard",
                folder.resolve("photos"),
                "--dataset-name",
                "pets",
                "--image-size",
                6,
                "--shards",
                2,
                "--out",
                out,
                "--json");

        JsonNode json = MAPPER.readTree(sharded.out());
        assertThat(json.get("name").stringValue()).isEqualTo("pets");
        assertThat(json.get("classes").intValue()).isEqualTo(2);
        assertThat(json.get("shape")).hasToString("[3,6,6]");
        Shard test = ShardArchive.read(out.resolve("pets-test.tar.gz"));
        assertThat(test.description().images().classes()).containsExactly("cat", "dog");
        assertThat(test.images().label(0)).isEqualTo(1);

        Files.writeString(folder.resolve("photos/train/cat/2.png"), "no image");
        Cli broken = Cli.run("shard", folder.resolve("photos"), "--shards", 1, "--out", folder.resolve("x"));
        assertThat(broken.exitCode()).isEqualTo(3);
        assertThat(broken.err()).contains("2.png is neither a PNG nor a JPEG file");
        Cli unnamed = Cli.run(
                "shard",
                folder.resolve("photos"),
                "--dataset-name",
                "a/b",
                "--shards",
                1,
                "--out",
                folder.resolve("x"));
        assertThat(unnamed.exitCode()).isEqualTo(2);
    }

    @Test
    void shouldVerifyWhatItWrote() throws IOException {
        Cli verified = Cli.run("verify", shards);

        assertThat(verified.exitCode()).isZero();
        assertThat(verified.out().lines())
                .hasSize(4)
                .contains("ok\t%s\tdigits test samples 0 to 19 of 20, [1, 28, 28]".formatted(testShard));
        JsonNode json = MAPPER.readTree(Cli.run("verify", testShard, "--json").out());
        assertThat(json.get("valid").booleanValue()).isTrue();
        assertThat(json.get("files").get(0).get("samples").intValue()).isEqualTo(20);
    }

    @Test
    void shouldExitWith3OnInvalidShards() throws IOException {
        byte[] bytes = Files.readAllBytes(testShard);
        bytes[bytes.length / 2] ^= 1;
        Files.write(testShard, bytes);

        Cli verified = Cli.run("verify", shards);

        assertThat(verified.exitCode()).isEqualTo(3);
        assertThat(verified.err()).startsWith("invalid: " + testShard + " breaks rule MANIFEST: it has the SHA-256 ");
        Cli json = Cli.run("verify", testShard, "--json");
        assertThat(json.exitCode()).isEqualTo(3);
        assertThat(MAPPER.readTree(json.out()).get("valid").booleanValue()).isFalse();
    }

    @Test
    void shouldRefuseLimitsThatLimitNothing() {
        Cli verified = Cli.run("verify", shards, "--max-mib", 4096);

        assertThat(verified.exitCode()).isEqualTo(2);
        assertThat(verified.err()).contains("an entry is read into one array of at most 2147483639 bytes");
    }

    @Test
    void shouldUploadToAFolder() throws IOException {
        Path store = folder.resolve("store");

        Cli uploaded = Cli.run("upload", testShard, "--to", store, "--prefix", "digits/");

        assertThat(uploaded.exitCode()).as(uploaded.err()).isZero();
        assertThat(uploaded.out().strip())
                .isEqualTo("{\"bucket_name\":\"store\",\"object_name\":\"digits/digits-test.tar.gz\",\"url\":\"%s\"}"
                        .formatted(store.resolve("digits/digits-test.tar.gz").toUri()));
        assertThat(Cli.run("upload", testShard, "--to", store, "--prefix", "digits/")
                        .exitCode())
                .isEqualTo(3);
        Cli escaping = Cli.run("upload", testShard, "--to", store, "--prefix", "../");
        assertThat(escaping.exitCode()).isEqualTo(2);
        assertThat(escaping.err()).contains("not '../digits-test.tar.gz'");
        assertThat(Cli.run("upload", folder.resolve("none"), "--to", store).exitCode())
                .isEqualTo(3);
        assertThat(Cli.run("list", "--to", store).out().strip()).endsWith("\tdigits/digits-test.tar.gz");
    }

    @Test
    void shouldUploadAFolderWithItsManifestLast() throws IOException {
        Files.writeString(shards.resolve("stray.tar.gz"), "not of the manifest");

        Cli uploaded = Cli.run("upload", shards, "--to", folder.resolve("store"), "--prefix", "digits/");

        assertThat(uploaded.exitCode()).as(uploaded.err()).isZero();
        assertThat(uploaded.out()
                        .lines()
                        .map(line -> MAPPER.readTree(line).get("object_name").stringValue()))
                .containsExactly(
                        "digits/digits-train-00000-of-00002.tar.gz",
                        "digits/digits-train-00001-of-00002.tar.gz",
                        "digits/digits-test.tar.gz",
                        "digits/manifest.json");
        assertThat(Cli.run("upload", folder.resolve("store"), "--to", folder.resolve("other"))
                        .exitCode())
                .as("a folder without a manifest")
                .isEqualTo(3);
    }

    @Test
    void shouldUploadToABucketThatAWorkerReadsByItsAddress() throws Exception {
        try (LocalS3 service = new LocalS3()) {
            List<Object> bucket = List.of(
                    "--endpoint",
                    service.endpoint(),
                    "--bucket",
                    "datasets",
                    "--access-key",
                    LocalS3.CREDENTIALS.accessKey(),
                    "--secret-key",
                    LocalS3.CREDENTIALS.secretKey());

            Cli uploaded = Cli.run(with(bucket, "upload", testShard));

            assertThat(uploaded.exitCode()).as(uploaded.err()).isZero();
            JsonNode line = MAPPER.readTree(uploaded.out());
            assertThat(line.get("bucket_name").stringValue()).isEqualTo("datasets");
            assertThat(line.get("object_name").stringValue()).isEqualTo("digits-test.tar.gz");
            try (InputStream in =
                    URI.create(line.get("url").stringValue()).toURL().openStream()) {
                Shard read = ShardArchive.read(in, ShardLimits.DEFAULT);
                assertThat(read.samples().count()).isEqualTo(20);
            }
            assertThat(Cli.run(with(bucket, "presign", "digits-test.tar.gz", "--expiry", "12h"))
                            .out())
                    .contains("X-Amz-Expires=43200");
            JsonNode listed =
                    MAPPER.readTree(Cli.run(with(bucket, "list", "--json")).out());
            assertThat(listed.get("objects").get(0).get("bytes").longValue()).isEqualTo(Files.size(testShard));
            assertThat(Cli.run(with(bucket, "presign", "none")).exitCode()).isEqualTo(3);
        }
    }

    @Test
    void shouldExitWith4WhenTheServiceIsGone() throws Exception {
        LocalS3 gone = new LocalS3();
        URI endpoint = gone.endpoint();
        gone.close();

        Cli listed = Cli.run(
                "list",
                "--endpoint",
                endpoint,
                "--bucket",
                "datasets",
                "--access-key",
                "a",
                "--secret-key",
                "hush-hush");

        assertThat(listed.exitCode()).isEqualTo(4);
        assertThat(listed.err().lines()).hasSize(1);
        assertThat(listed.err()).contains(endpoint.toString()).doesNotContain("hush-hush");
    }

    @Test
    void shouldRefuseStoresThatAreNotNamedRight() {
        assertThat(Cli.run("list").err())
                .contains("pass either --to DIR, or --bucket with --endpoint URL (or S3_ENDPOINT)");
        assertThat(Cli.run("list", "--endpoint", "http://127.0.0.1:1").err()).contains("--endpoint needs --bucket");
        assertThat(Cli.run("list", "--endpoint", "ftp://x", "--bucket", "b", "--access-key", "a", "--secret-key", "s")
                        .exitCode())
                .isEqualTo(2);
        assertThat(Cli.run("presign", "a", "--to", folder, "--expiry", "soon").err())
                .contains("'soon' is not a duration; write one such as 500ms, 30s, 10m, 12h or 2d");
    }

    @Test
    void shouldFetchMnistFromAMirror() throws IOException {
        Path mnist = SharedData.require("data/mnist");
        Path target = folder.resolve("mnist");
        try (Mirror mirror = new Mirror()) {
            for (String name : IdxDataset.fileNames()) {
                mirror.serve(name, Files.readAllBytes(mnist.resolve(name)));
            }

            Cli fetched = Cli.run("fetch", "mnist", "--out", target, "--base-url", mirror.base());
            Cli again = Cli.run("fetch", "mnist", "--out", target, "--base-url", mirror.base(), "--json");

            assertThat(fetched.exitCode()).as(fetched.err()).isZero();
            assertThat(fetched.out().lines()).hasSize(4).allMatch(line -> line.endsWith("\tfetched"));
            assertThat(MAPPER.readTree(again.out())
                            .get("files")
                            .get(3)
                            .get("cached")
                            .booleanValue())
                    .isTrue();
        }
        assertThat(IdxDataset.open(target).test().count()).isEqualTo(10_000);
    }

    @Test
    void shouldExitWith4WhenTheMirrorLacksTheFile() throws IOException {
        try (Mirror mirror = new Mirror()) {
            Cli fetched = Cli.run("fetch", "mnist", "--out", folder.resolve("m"), "--base-url", mirror.base());

            assertThat(fetched.exitCode()).isEqualTo(4);
            assertThat(fetched.err()).contains("train-images-idx3-ubyte.gz: the server answered HTTP 404");
        }
    }

    @Test
    void shouldTakeKeysFromFiles() throws Exception {
        Path access = Files.writeString(folder.resolve("access"), LocalS3.CREDENTIALS.accessKey() + "\n");
        Path secret = Files.writeString(folder.resolve("secret"), LocalS3.CREDENTIALS.secretKey());
        try (LocalS3 service = new LocalS3()) {
            List<Object> bucket = List.of(
                    "--endpoint",
                    service.endpoint(),
                    "--bucket",
                    "datasets",
                    "--access-key-file",
                    access,
                    "--secret-key-file",
                    secret);
            assertThat(Cli.run(with(bucket, "upload", testShard)).exitCode()).isZero();

            Files.writeString(secret, "another");
            assertThat(Cli.run(with(bucket, "list")).exitCode()).isEqualTo(4);
        }
    }

    @Test
    void shouldSayWhichKeyIsMissing() {
        Cli keyless = Cli.run("list", "--endpoint", "http://127.0.0.1:1", "--bucket", "datasets", "--access-key", "a");

        assertThat(keyless.exitCode()).isEqualTo(2);
        assertThat(keyless.err())
                .contains("the bucket datasets needs S3_SECRET_KEY, or the name of its file in S3_SECRET_KEY_FILE");
    }

    @Test
    void shouldReadDurations() {
        DurationConverter converter = new DurationConverter();
        assertThat(converter.convert("2d")).isEqualTo(Duration.ofDays(2));
        assertThat(converter.convert("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(converter.convert("90m")).isEqualTo(Duration.ofMinutes(90));
        assertThat(converter.convert("PT1H30M")).isEqualTo(Duration.ofMinutes(90));
    }

    private Cli shard(Object... more) {
        return Cli.run(
                with(List.of(more), "shard", digits, "--out", shards, "--dataset-name", "digits", "--shards", 2));
    }

    private static Object[] with(List<?> more, Object... arguments) {
        List<Object> all = new ArrayList<>(List.of(arguments));
        all.addAll(more);
        return all.toArray();
    }
}
