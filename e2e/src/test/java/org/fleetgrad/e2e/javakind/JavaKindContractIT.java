package org.fleetgrad.e2e.javakind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.testing.ActionWire.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our runtime of the Java kind answers as Apache OpenWhisk's own does, request by request. */
@Timeout(300)
@Tag("whole")
class JavaKindContractIT {

    /** Where the two parse with different libraries, the answer is the same up to here. */
    private static final String FAILED = "An error has occurred (see logs for details): ";

    @TempDir
    private Path folder;

    private final List<JavaKindProcess> open = new ArrayList<>();
    private JavaKindProcess official;
    private JavaKindProcess ours;

    @BeforeEach
    void start() throws Exception {
        official = started(JavaKind.OFFICIAL);
        ours = started(JavaKind.OURS);
    }

    private JavaKindProcess started(JavaKind kind) throws IOException {
        JavaKindProcess process = new JavaKindProcess(kind, folder);
        open.add(process);
        return process;
    }

    @AfterEach
    void stop() throws Exception {
        for (JavaKindProcess each : open) {
            each.close();
        }
    }

    /** Posts to both, and returns the answer of ours, which is the same. */
    private Reply same(String path, String body) throws IOException {
        Reply theirs = official.post(path, body);
        Reply reply = ours.post(path, body);
        assertThat(reply.status())
                .as("%s %s: %s, %s", path, body, reply, theirs)
                .isEqualTo(theirs.status());
        assertThat(reply.body()).as("%s %s", path, body).isEqualTo(theirs.body());
        assertThat(reply.header("Content-Length")).isEqualTo(theirs.header("Content-Length"));
        assertSameMarkers("markers after %s %s".formatted(path, body));
        return reply;
    }

    /** As {@link #same}, where only the first words of the message are the same. */
    private void alike(String path, String body) throws IOException {
        for (JavaKindProcess each : open) {
            Reply reply = each.post(path, body);
            assertThat(reply.status()).as("%s %s: %s", path, body, reply).isEqualTo(502);
            assertThat(reply.error()).startsWith(FAILED);
        }
        assertSameMarkers("markers after %s %s".formatted(path, body));
    }

    private String init(String main) throws IOException {
        return "{\"value\":{\"name\":\"probe\",\"main\":\"%s\",\"binary\":true,\"code\":\"%s\"}}"
                .formatted(
                        main,
                        Base64.getEncoder().encodeToString(Files.readAllBytes(ActionSource.jar(folder, "Probe"))));
    }

    /** A runtime may write that a run has ended after it has answered. */
    private void assertSameMarkers(String description) {
        await().untilAsserted(() -> assertThat(ours.ends()).as(description).isEqualTo(official.ends()));
    }

    @Test
    void shouldRefuseToRunBeforeInit() throws Exception {
        assertThat(same("/run", "{\"value\":{}}").status()).isEqualTo(502);
        assertThat(ours.ends()).containsExactly(0L, 0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "!", "#main", "Probe#bogus"})
    void shouldRefuseAnEntryPointThatIsNotThereAndTakeTheNextInit(String main) throws Exception {
        assertThat(same("/init", init(main)).error()).startsWith(FAILED);
        assertThat(same("/init", init("Probe")).body()).isEqualTo("OK");
    }

    @Test
    void shouldRefuseAnInitWithoutCode() throws Exception {
        for (String body : List.of("{}", "{\"value\":{}}", "{\"value\":{\"main\":\"Probe\"}}", "{\"other\":[{}]}")) {
            assertThat(same("/init", body).error()).isEqualTo("Missing main/no code to execute.");
        }
        for (String body : List.of("", "[]", "not json", "{\"value\":{\"main\":\"Probe\",\"code\":\"!!!\"}}")) {
            alike("/init", body);
        }
        assertThat(same("/init", init("Probe")).status()).isEqualTo(200);
    }

    @Test
    void shouldRefuseASecondInit() throws Exception {
        assertThat(same("/init", init("Probe")).status()).isEqualTo(200);
        assertThat(same("/init", init("Probe")).status()).isEqualTo(502);
        assertThat(same("/run", "{\"value\":{\"a\":1}}").status()).isEqualTo(200);
    }

    @Test
    void shouldRunAgainAndAgainWhateverTheActionDid() throws Exception {
        same("/init", init("Probe"));
        String first = """
                {"value":{"a":1.50,"b":10000000000000000000000,"c":"❄","d":[1,{"e":null}]},"activation_id":"one",\
                "deadline":"1795215950210","namespace":"guest","number":7}""";
        assertThat(same("/run", first).json().path("runs").asInt()).isEqualTo(1);
        for (String value : List.of("{\"throw\":1}", "{\"error\":1}", "{\"null\":1}", "[1]", "\"text\"", "7", "null")) {
            assertThat(same("/run", "{\"value\":%s}".formatted(value)).status())
                    .as(value)
                    .isEqualTo(502);
        }
        for (String body : List.of("", "[]", "null")) {
            assertThat(same("/run", body).status()).as(body).isEqualTo(502);
        }
        for (String body : List.of("{}", "not json")) {
            alike("/run", body);
        }
        String last = """
                {"value":{"large":"%s"},"activation_id":"two","deadline":"2","namespace":"guest","number":8}""".formatted("a".repeat(1_048_561));
        assertThat(same("/run", last).json().path("runs").asInt()).isEqualTo(5);
        assertThat(ours.err()).contains("IllegalStateException: impossible ❄", "hello stderr");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Probe#hidden", "Probe#instance", "Probe#text", "Probe#array"})
    void shouldCallOnlyWhatIsPublicAndStaticAndAnswersJson(String main) throws Exception {
        assertThat(same("/init", init(main)).status()).isEqualTo(200);
        same("/run", "{\"value\":{}}");
        same("/run", "{\"value\":[1,2]}");
    }

    /** Apache's runtime ignores these variables, and keeps those of the last run. */
    @Test
    void shouldExportTheVariablesOfInitAndForgetThoseOfTheLastRun() throws Exception {
        ours.post(
                "/init",
                init("Probe").replace("\"binary\"", "\"env\":{\"EXPORTED\":\"snow ☃\",\"NO\":null},\"binary\""));
        ours.post("/run", "{\"value\":{},\"activation_id\":\"one\"}");

        Reply reply = ours.post("/run", "{\"value\":{},\"namespace\":\"guest\"}");

        assertThat(reply.json().path("exported").asString()).isEqualTo("snow ☃");
        assertThat(reply.json().path("__OW_NAMESPACE").asString()).isEqualTo("guest");
        assertThat(reply.json().path("__OW_ACTIVATION_ID").isMissingNode()
                        || reply.json().path("__OW_ACTIVATION_ID").isNull())
                .as(reply.body())
                .isTrue();
    }

    @Test
    void shouldRunTheWorkerOfTheJarWhereItDiffersFromThatOfTheImage() throws Exception {
        Path jar = ActionSource.jar(folder, JavaKind.MAIN);

        assertThat(ours.init(jar, JavaKind.MAIN).body()).isEqualTo("OK");

        Reply reply = ours.post("/run", "{\"value\":{\"a\":1}}");
        assertThat(reply.json().path("runs").asInt()).as(reply.body()).isEqualTo(1);
        assertThat(reply.json().path("sees itself").asBoolean()).isTrue();
    }

    @Test
    void shouldKnowTwoPathsAndRefuseABodyThatOpenWhiskWouldNotSend() throws Exception {
        ours.post("/init", init("Probe"));

        assertThat(Stream.of("/", "/runs", "/init/1").map(this::statusOfOurs)).containsOnly(404);
        assertThat(ours.post("/run", " ".repeat(2 * 1024 * 1024 + 1)).error())
                .isEqualTo(FAILED + "java.io.IOException: the body has more than 2097152 bytes");
        assertThat(ours.post("/run", "{\"value\":{}}").status()).isEqualTo(200);
    }

    private int statusOfOurs(String path) {
        try {
            return ours.post(path, "{}").status();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }
}
