package org.fleetgrad.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.openwhisk.ActionDefinition.ActionCode;
import org.fleetgrad.openwhisk.ActionDefinition.ActionLimits;
import org.fleetgrad.openwhisk.ActionDefinition.ActionParameter;
import org.fleetgrad.openwhisk.ActivationRecord.ActivationStatus;
import org.fleetgrad.openwhisk.Invocation.Reason;
import org.fleetgrad.openwhisk.OpenWhiskException.Kind;
import org.fleetgrad.openwhisk.fake.FakeOpenWhisk;
import org.fleetgrad.openwhisk.fake.FakeSettings;
import org.fleetgrad.openwhisk.fake.Fault;
import org.fleetgrad.openwhisk.fake.ScriptedAction;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
class OpenWhiskClientTest {

    private static final ActionLimits LIMITS = new ActionLimits(Duration.ofSeconds(5), 512, 1);
    private static final ActionDefinition WORKER = ActionDefinition.of("worker", "fleetgrad/worker:1", LIMITS);

    private ScriptedAction action;
    private FakeOpenWhisk openwhisk;
    private OpenWhiskClient client;

    @BeforeEach
    void start() throws IOException {
        action = ScriptedAction.running(body -> ScriptedAction.Answer.ok("{\"got\":%s}".formatted(body.get("value"))));
        // A fixed clock, so that no minute ends in the middle of a test.
        openwhisk = new FakeOpenWhisk(
                FakeSettings.STANDALONE.withLimits(5, 3).withLooksUntilStored(1).withClock(new ManualClock()), action);
        client = OpenWhiskEnvironment.read(openwhisk.environment()).client();
    }

    @AfterEach
    void stop() {
        openwhisk.close();
        action.close();
    }

    private ActivationRecord ended(String id) throws Exception {
        while (true) {
            Optional<ActivationRecord> ended = client.activation(id);
            if (ended.isPresent()) {
                return ended.get();
            }
        }
    }

    private String invoked(Map<String, ?> parameters) throws Exception {
        return ((Invocation.Invoked) client.invoke("worker", parameters)).activationId();
    }

    @Test
    void shouldStoreReadAndDeleteAnAction() throws Exception {
        ActionPutResult stored = client.putAction(WORKER);
        Action expected = new Action("guest", "worker", "0.0.1", "blackbox", Optional.of("fleetgrad/worker:1"), LIMITS);

        assertThat(stored).isEqualTo(new ActionPutResult.Stored(expected));
        assertThat(client.getAction("worker")).contains(expected);
        assertThat(client.deleteAction("worker")).isTrue();
        assertThat(client.deleteAction("worker")).isFalse();
        assertThat(client.getAction("worker")).isEmpty();
    }

    @Test
    void shouldGiveAnImageTheCodeOfItsAction(@TempDir Path folder) throws Exception {
        Path jar = Files.write(folder.resolve("a.jar"), new byte[] {'P', 'K', 3, 4, 5});
        client.putAction(WORKER.with(ActionCode.read(jar, "some.Main")));

        client.invoke("worker", Map.of());
        action.await("/init", 1);

        assertThat(action.bodies("/init")).singleElement().satisfies(body -> {
            JsonNode value = body.path("value");
            assertThat(value.path("binary").asBoolean()).isTrue();
            assertThat(value.path("main").asString()).isEqualTo("some.Main");
            assertThat(value.path("code").asString()).isEqualTo("UEsDBAU=");
        });
    }

    @Test
    void shouldRefuseCodeThatOpenWhiskDoesNotTake(@TempDir Path folder) throws Exception {
        Path jar = folder.resolve("large.jar");
        try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "rw")) {
            file.setLength((36L << 20) + 1);
        }

        assertThatThrownBy(() -> ActionCode.read(jar, "some.Main"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("%s has 37748737 bytes, which are 50331652 in base64; OpenWhisk takes 50331648", jar);
    }

    @Test
    void shouldReplaceAnAction() throws Exception {
        client.putAction(WORKER);

        assertThat(client.putAction(WORKER))
                .isInstanceOfSatisfying(
                        ActionPutResult.Stored.class,
                        stored -> assertThat(stored.action().version()).isEqualTo("0.0.2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fleetgrad/worker", "a worker", "w@b.c-d&e"})
    void shouldReachActionsOfAnyName(String name) throws Exception {
        client.putAction(ActionDefinition.of(name, "image", LIMITS));

        assertThat(client.getAction(name)).isPresent();
        assertThat(client.invoke(name, Map.of())).isInstanceOf(Invocation.Invoked.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a/b/c", "../limits", "a?b", "a ", " a", "a/", "ü"})
    void shouldRefuseInvalidActionNames(String name) {
        assertThatThrownBy(() -> client.getAction(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "an action's name must be NAME or PACKAGE/NAME, each of up to 256 letters, digits and _ @ . & -; it is '%s'",
                        name);
    }

    @Test
    void shouldRefuseInvalidActivationIds() {
        assertThatThrownBy(() -> client.activation("../limits"))
                .hasMessage("an activation id must have letters and digits only; it is '../limits'");
    }

    @Test
    void shouldSayWhyAnActionIsNotStored() throws Exception {
        ActionLimits long1 = new ActionLimits(Duration.ofMinutes(6), 256, 10);

        assertThat(client.putAction(ActionDefinition.of("worker", "image", long1)))
                .isInstanceOfSatisfying(ActionPutResult.Refused.class, refused -> {
                    assertThat(refused.status()).isEqualTo(400);
                    assertThat(refused.message())
                            .startsWith("The request content was malformed: requirement failed: timeout 360000 is not");
                });
    }

    @Test
    void shouldSayThatStoredParametersAreTooLarge() throws Exception {
        ActionParameter large = new ActionParameter("data", "x".repeat(1024 * 1024), false);

        assertThat(client.putAction(
                        new ActionDefinition("worker", "image", Optional.empty(), LIMITS, List.of(large), Map.of())))
                .isInstanceOfSatisfying(
                        ActionPutResult.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(413));
    }

    @Test
    void shouldRunAnActionWithStoredAndGivenParameters() throws Exception {
        client.putAction(new ActionDefinition(
                "worker",
                "image",
                Optional.empty(),
                LIMITS,
                List.of(
                        new ActionParameter("FLEETGRAD_SECRET_KEY", "s3cret", true),
                        new ActionParameter("seed", 7, false),
                        new ActionParameter("epoch_n", 8, false)),
                Map.of("provide-api-key", false)));

        String id = invoked(Map.of("epoch_n", 1, "text", "❄"));

        ActivationRecord record = ended(id);
        assertThat(record.activationId()).isEqualTo(id);
        assertThat(record.status()).isEqualTo(ActivationStatus.SUCCESS);
        assertThat(record.result().get("got").toString())
                .contains("\"seed\":7", "\"epoch_n\":1", "\"text\":\"❄\"")
                .doesNotContain("FLEETGRAD");
        assertThat(action.bodies("/init")
                        .get(0)
                        .at("/value/env/FLEETGRAD_SECRET_KEY")
                        .stringValue())
                .isEqualTo("s3cret");
        assertThat(record.isCold()).isTrue();
        assertThat(record.timeLimit()).contains(LIMITS.timeout());
        assertThat(client.logs(id))
                .hasValueSatisfying(logs -> assertThat(logs)
                        .isEqualTo(record.logs())
                        .anySatisfy(line -> assertThat(line).endsWith(" stdout: answers /run")));
    }

    @Test
    void shouldSayThatARecordIsNotThereYet() throws Exception {
        client.putAction(WORKER);
        String id = invoked(Map.of());

        assertThat(client.activation(id)).isEmpty();
        ended(id);
        assertThat(client.logs("77c8")).isEmpty();
        assertThat(client.activation("77c8")).isEmpty();
    }

    @Test
    void shouldBeThrottledPastTheRate() throws Exception {
        client.putAction(WORKER);
        for (int i = 0; i < 5; i++) {
            ended(invoked(Map.of()));
        }

        assertThat(client.invoke("worker", Map.of()))
                .isEqualTo(new Invocation.Throttled(
                        Reason.RATE, Optional.empty(), "Too many requests in the last minute (count: 6, allowed: 5)."));
    }

    @Test
    void shouldBeThrottledPastTheConcurrency() throws Exception {
        client.putAction(WORKER);
        openwhisk.atNextInvocation(Fault.LOST_ACTIVATION);
        openwhisk.atNextInvocation(Fault.LOST_ACTIVATION);
        openwhisk.atNextInvocation(Fault.LOST_ACTIVATION);
        for (int i = 0; i < 3; i++) {
            invoked(Map.of());
        }

        assertThat(client.invoke("worker", Map.of()))
                .isEqualTo(new Invocation.Throttled(
                        Reason.CONCURRENCY,
                        Optional.empty(),
                        "Too many concurrent requests in flight (count: 4, allowed: 3)."));
    }

    @Test
    void shouldBeThrottledWhenThereIsNoRoom() throws Exception {
        client.putAction(WORKER);
        openwhisk.atNextInvocation(Fault.UNAVAILABLE);

        assertThat(client.invoke("worker", Map.of()))
                .isEqualTo(new Invocation.Throttled(Reason.OVERLOAD, Optional.empty(), "The service is unavailable."));
    }

    @Test
    void shouldReadThePauseThatIsAskedFor() throws Exception {
        try (RawServer busy = RawServer.answering(429, "Retry-After: 7\r\n", "{\"error\":\"System is overloaded\"}")) {
            OpenWhiskClient other = OpenWhiskEnvironment.read(
                            Map.of("OPENWHISK_APIHOST", busy.uri().toString(), "OPENWHISK_AUTH", "u:k"))
                    .client();

            assertThat(other.invoke("worker", Map.of()))
                    .isEqualTo(new Invocation.Throttled(
                            Reason.OVERLOAD, Optional.of(Duration.ofSeconds(7)), "System is overloaded"));
        }
    }

    @Test
    void shouldRefuseAPayloadThatIsTooLarge() throws Exception {
        client.putAction(WORKER);

        assertThat(client.invoke("worker", Map.of("a", "x".repeat(1_200_000))))
                .isEqualTo(new Invocation.Refused(413, "Request larger than allowed: 1200008 > 1048576 bytes."));
    }

    @Test
    void shouldRefuseAnActionThatIsNotThere() throws Exception {
        assertThat(client.invoke("nobody", Map.of()))
                .isEqualTo(new Invocation.Refused(404, "The requested resource does not exist."));
    }

    @Test
    void shouldSayThatTheKeyIsWrong() throws Exception {
        OpenWhiskClient stranger = new OpenWhiskClient(
                ApiHost.parse(openwhisk.uri().toString()), WhiskAuth.parse("u:k"), Optional.empty());

        OpenWhiskException failure = catchThrowableOfType(OpenWhiskException.class, stranger::limits);

        assertThat(failure)
                .hasMessage(
                        "GET %s/api/v1/namespaces/_/limits: 401 The supplied authentication is invalid",
                        openwhisk.uri());
        assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
        assertThat(failure.status()).hasValue(401);
        assertThat(failure.isTransient()).isFalse();
        assertThat(stranger.invoke("worker", Map.of()))
                .isEqualTo(new Invocation.Refused(401, "The supplied authentication is invalid"));
        assertThat(stranger.putAction(WORKER))
                .isEqualTo(new ActionPutResult.Refused(401, "The supplied authentication is invalid"));
    }

    @Test
    void shouldReportAnUncertainInvocationWhenItsAnswerIsLost() throws Exception {
        client.putAction(WORKER);
        openwhisk.atNextInvocation(Fault.LOST_ANSWER);

        assertThat(client.invoke("worker", Map.of())).isInstanceOf(Invocation.Uncertain.class);

        action.await("/run", 1);
        assertThat(action.bodies("/run")).as("it was sent once").hasSize(1);
    }

    @Test
    void shouldReadTheLimits() throws Exception {
        assertThat(client.limits()).isEqualTo(new NamespaceLimits(5, 3, true));
    }

    @Test
    void shouldSayThatSomebodyElseStoredItAtTheSameMoment() throws Exception {
        try (RawServer racing = RawServer.answering(
                409, "", "{\"code\":\"t\",\"error\":\"Concurrent modification to resource detected.\"}")) {
            OpenWhiskClient other = OpenWhiskEnvironment.read(
                            Map.of("OPENWHISK_APIHOST", racing.uri().toString(), "OPENWHISK_AUTH", "u:k"))
                    .client();

            assertThat(other.putAction(WORKER))
                    .isEqualTo(new ActionPutResult.Conflict("Concurrent modification to resource detected."));
            assertThat(racing.heads().get(0))
                    .startsWith("PUT /api/v1/namespaces/_/actions/worker?overwrite=true HTTP/1.1\r\n")
                    .contains("Authorization: Basic dTpr\r\n", "Content-Type: application/json\r\n");
        }
    }

    @Test
    void shouldNotShowParametersThatMayBeKeys() {
        ActionDefinition definition = new ActionDefinition(
                "worker",
                "image",
                Optional.empty(),
                LIMITS,
                List.of(new ActionParameter("key", "s3cret", true)),
                Map.of());

        assertThat(definition.toString()).contains("ActionParameter[key, init]").doesNotContain("s3cret");
    }

    @Test
    void shouldRefuseInvalidLimitsAndImages() {
        assertThatThrownBy(() -> new ActionLimits(Duration.ZERO, 256, 10))
                .hasMessage(
                        "an action must have a time limit of 1 ms or more, memory of 1 MiB or more and logs of 0 MiB or more; it has PT0S, 256 MiB and 10 MiB");
        assertThatThrownBy(() -> ActionDefinition.of("worker", " ", LIMITS))
                .hasMessage("an image must be like prefix/name:tag; it is ' '");
    }
}
