package org.fleetgrad.e2e.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.fleetgrad.testing.ActionWire.Reply;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The image of the Java kind's runtime, with OpenWhisk's flags and the worker's jar, or a small jar with a network. */
@Order(Order.DEFAULT + 7)
@Tag("whole")
class JavaRuntimeContainerIT {

    private static final String SENTINEL_ONLY = WorkerContainer.SENTINEL + "\n";
    private static final String UNICODE = "❄ ☃ ❄ ö \uD83D\uDE80";
    private static final Path WORKER =
            RepositoryRoot.path().resolve("worker-action/target/worker-action-openwhisk.jar");
    private static final Path OWN_NETWORK = RepositoryRoot.path().resolve("examples/own-network/target/my-net.jar");

    private static String image = "";

    @TempDir
    private Path folder;

    @BeforeAll
    static void build() throws Exception {
        Docker.require();
        image = Docker.image("java-runtime");
    }

    private static WorkerContainer initialized(Path jar, String... flags) throws IOException {
        WorkerContainer runtime = new WorkerContainer(image, flags);
        Reply reply = runtime.init(init(jar));
        assertThat(reply.body()).isEqualTo("OK");
        return runtime;
    }

    private static String init(Path jar) throws IOException {
        return TrainingSite.INIT.replace(
                "\"binary\":false,\"main\":\"main\"",
                "\"binary\":true,\"main\":\"org.fleetgrad.worker.openwhisk.Main\",\"code\":\"%s\""
                        .formatted(Base64.getEncoder().encodeToString(Files.readAllBytes(jar))));
    }

    private TrainingSite site(WorkerContainer runtime) throws IOException {
        return new TrainingSite(folder, runtime.inspect("{{.NetworkSettings.Gateway}}"));
    }

    private static JsonNode trained(Reply reply, int samples) {
        JsonNode answer = reply.json();
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(answer.path("completed").asBoolean()).as(reply.body()).isTrue();
        assertThat(answer.path("samples").asInt()).isEqualTo(samples);
        return answer;
    }

    @Test
    void shouldTrainColdAndWarmWithTheKeysOfInitIn256Megabytes() throws Exception {
        try (WorkerContainer runtime = initialized(WORKER);
                TrainingSite site = site(runtime)) {
            JsonNode cold = trained(runtime.runValue(site.value(site.shard(640), 1)), 640);
            JsonNode warm = trained(runtime.runValue(site.value(site.shard(352), 1)), 352);

            assertThat(cold.path("warm").asBoolean()).isFalse();
            assertThat(warm.path("warm").asBoolean()).isTrue();
            assertThat(site.server().version().version()).isEqualTo(20 + 11);
            Docker.Output logs = runtime.logs();
            assertThat(logs.out()).isEqualTo(SENTINEL_ONLY.repeat(2));
            // libtorch warns once of a deprecated call in DJL's binding; the warning cannot be turned off.
            assertThat(logs.err().lines().filter(line -> !line.contains("AutoNonVariableTypeMode")))
                    .containsOnly(WorkerContainer.SENTINEL);
            assertThat(runtime.docker("diff").lines().filter(line -> !line.matches("[AC] /tmp(/action\\d+\\.jar)?")))
                    .as("files besides the action's jar")
                    .isEmpty();
            assertThat(runtime.inspect("{{.Config.User}} {{.State.OOMKilled}}")).isEqualTo("action false");
        }
    }

    @Test
    void shouldTrainANetworkThatASmallJarBrings() throws Exception {
        try (WorkerContainer runtime = initialized(OWN_NETWORK);
                TrainingSite site = site(runtime)) {
            String value = site.value(site.shard(640), 1).replace("{", "{\"network\":\"my-net\",");

            trained(runtime.runValue(value), 640);
            assertThat(trained(runtime.runValue(value), 640).path("warm").asBoolean())
                    .isTrue();
        }
    }

    @Test
    void shouldRefuseARunBeforeInitAndASecondInit() throws Exception {
        try (WorkerContainer runtime = new WorkerContainer(image)) {
            assertThat(runtime.init("{}").error()).isEqualTo("Missing main/no code to execute.");
            assertThat(runtime.init(init(WORKER)).body()).isEqualTo("OK");
            assertThat(runtime.logs()).isEqualTo(new Docker.Output(0, "", ""));

            assertThat(runtime.init(init(WORKER)).status()).isEqualTo(502);
            assertThat(runtime.logs())
                    .isEqualTo(new Docker.Output(0, "", "Cannot initialize the action more than once.\n"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`[1,{\"a\":2}]`, the arguments must be an object; they are an array of 2",
                "{}, the parameter apihost is missing",
                "`{\"apihost\":\"ps\",\"dataset_url\":\"/a\",\"device\":\"gpu\"}`, `device cuda:0 does not exist: this libtorch is the processor's; write cpu, or use libtorch for CUDA: the worker's GPU image, which docker/build gpu makes, or a folder of docker/libtorch-cuda`",
                "`{\"apihost\":\"ps\",\"dataset_url\":\"/no/such\"}`, /no/such could not be read: NoSuchFileException /no/such"
            })
    void shouldRefuseArgumentsAndStayWarm(String value, String error) throws Exception {
        try (WorkerContainer runtime = initialized(WORKER)) {
            for (int run = 0; run < 2; run++) {
                Reply reply = runtime.runValue(value);

                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.error()).isEqualTo(error);
            }
            assertThat(runtime.logs())
                    .isEqualTo(new Docker.Output(0, SENTINEL_ONLY.repeat(2), (error + "\n" + SENTINEL_ONLY).repeat(2)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "de_DE.ISO-8859-1"})
    void shouldSpeakUtf8UnderAnyLocale(String locale) throws Exception {
        try (WorkerContainer runtime = initialized(WORKER, "-e", "LANG=" + locale, "-e", "LC_ALL=" + locale)) {
            String error = "apihost must be like http://host:29500; it is '%s'".formatted(UNICODE);

            Reply reply = runtime.runValue("{\"apihost\":\"%s\",\"dataset_url\":\"/a\"}".formatted(UNICODE));

            assertThat(reply.error()).isEqualTo(error);
            assertThat(runtime.logs()).isEqualTo(new Docker.Output(0, SENTINEL_ONLY, error + "\n" + SENTINEL_ONLY));
        }
    }

    /** OpenWhisk takes this answer for a developer error, and so destroys the container. */
    @Test
    void shouldAnswerWhereAShardDoesNotFitIntoTheHeap() throws Exception {
        try (WorkerContainer runtime = initialized(WORKER);
                TrainingSite site = site(runtime)) {
            Reply reply = runtime.runValue(site.value(site.blankShard(150_000), 1));

            assertThat(reply.status()).isEqualTo(502);
            assertThat(reply.error())
                    .contains("its heap of ")
                    .endsWith("give the action more memory, or it smaller shards");
            assertThat(runtime.logs().err()).contains("OutOfMemoryError");
        }
    }

    /** Apache's server in our image. Its own image cannot be pulled everywhere: another stands in, which has its jar where that has it. */
    @Test
    void shouldTrainUnderApachesServerInTheSameImage() throws Exception {
        Path context = Files.createDirectories(folder.resolve("official"));
        Files.copy(
                SharedData.require("tools/openwhisk-java-runtime/javaAction-all.jar"),
                context.resolve("javaAction-all.jar"));
        Files.writeString(
                context.resolve("Dockerfile"), "FROM scratch\nCOPY javaAction-all.jar /javaAction/build/libs/\n");
        String standIn = "fleetgrad-test/java8action:0";
        Docker.run("build", "--quiet", "--tag", standIn, context.toString());
        Docker.Output built = Docker.execute(List.of(
                RepositoryRoot.path().resolve("docker/build").toString(), "java-runtime", "--official", standIn));
        assertThat(built.status()).as(built.err()).isZero();
        String official = built.out().lines().toList().get(1).split(" ")[0];
        assertThat(official).endsWith("-official");

        try (WorkerContainer runtime = new WorkerContainer(official);
                TrainingSite site = site(runtime)) {
            assertThat(runtime.init(init(WORKER)).body()).isEqualTo("OK");
            // It does not export the variables of /init.
            String value = site.value(site.shard(64), 1)
                    .replace("{", "{\"access_key\":\"worker\",\"secret_key\":\"worker-secret\",");

            trained(runtime.runValue(value), 64);
        }
    }
}
