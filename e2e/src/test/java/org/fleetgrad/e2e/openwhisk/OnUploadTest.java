package org.fleetgrad.e2e.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.e2e.openwhisk.OnUpload.Ended;
import org.fleetgrad.openwhisk.ActionDefinition;
import org.fleetgrad.openwhisk.ActionDefinition.ActionLimits;
import org.fleetgrad.openwhisk.ActionDefinition.ActionParameter;
import org.fleetgrad.openwhisk.OpenWhiskEnvironment;
import org.fleetgrad.openwhisk.fake.FakeOpenWhisk;
import org.fleetgrad.openwhisk.fake.FakeSettings;
import org.fleetgrad.openwhisk.fake.ScriptedAction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The script docker/openwhisk/on-upload, with a fake controller, and a test in place of MinIO. */
@Timeout(120)
class OnUploadTest {

    private static final String EVENT = """
            {"EventName":"s3:ObjectCreated:Put","Key":"datasets/mnist/manifest.json","Records":[{"eventVersion":"2.0"}]}""";

    @TempDir
    private Path folder;

    private ScriptedAction containers;
    private FakeOpenWhisk openwhisk;

    @BeforeEach
    void start() throws Exception {
        containers = ScriptedAction.running(body -> ScriptedAction.Answer.ok("{\"code\":200}"));
        openwhisk = new FakeOpenWhisk(FakeSettings.STANDALONE, containers);
        OpenWhiskEnvironment.read(openwhisk.environment())
                .client()
                .putAction(new ActionDefinition(
                        "train",
                        "fleetgrad/worker:1",
                        Optional.empty(),
                        ActionLimits.DEFAULT,
                        List.of(new ActionParameter("shards", "queue", false)),
                        Map.of()));
    }

    @AfterEach
    void stop() {
        openwhisk.close();
        containers.close();
    }

    /** Does not fire the trigger. */
    private Ended run(String... arguments) throws Exception {
        return OnUpload.run(
                folder,
                openwhisk.environment(),
                Stream.concat(Stream.of("--no-try"), Stream.of(arguments)).toArray(String[]::new));
    }

    /** Fires the trigger as MinIO does, by the variables of the file; returns the status. */
    private int fire() throws Exception {
        Map<String, String> variables = new HashMap<>();
        for (String line : Files.readAllLines(folder.resolve("minio-webhook.env"))) {
            String[] pair = line.split("=", 2);
            variables.put(pair[0], pair[1]);
        }
        assertThat(variables).containsEntry("MINIO_NOTIFY_WEBHOOK_ENABLE_FLEETGRAD", "on");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(variables.get("MINIO_NOTIFY_WEBHOOK_ENDPOINT_FLEETGRAD")))
                .header("Authorization", variables.get("MINIO_NOTIFY_WEBHOOK_AUTH_TOKEN_FLEETGRAD"))
                .header("Content-Type", "application/json");
        HttpClient http = HttpClient.newHttpClient();
        // MinIO asks so whether its target is there.
        HttpResponse<Void> head =
                http.send(request.copy().method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.discarding());
        assertThat(head.statusCode()).isEqualTo(200);
        return http.send(request.copy().POST(BodyPublishers.ofString(EVENT)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void shouldInvokeTheActionForEachWorkerWithItsOwnParametersAndTheEvent() throws Exception {
        Ended made = run("--workers", "3", "--prefix", "mnist/");

        assertThat(made).isEqualTo(new Ended(0, """
                the trigger fleetgrad-upload invokes train 3 times

                MinIO must be started with the variables of minio-webhook.env (docker run --env-file minio-webhook.env ...). Then, once:

                  mc event add ALIAS/datasets arn:minio:sqs::FLEETGRAD:webhook --event put --prefix mnist/ --suffix manifest.json
                """));
        assertThat(fire()).isEqualTo(202);
        containers.await("/run", 3);
        assertThat(containers.bodies("/run")).hasSize(3).allSatisfy(body -> {
            JsonNode value = body.path("value");
            assertThat(value.path("shards").asString()).isEqualTo("queue");
            assertThat(value.path("Key").asString()).isEqualTo("datasets/mnist/manifest.json");
        });
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("minio-webhook.env"))))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldFireOnceAndSayHowManyWorkersStarted() throws Exception {
        Ended made = OnUpload.run(folder, openwhisk.environment(), "--workers", "3");

        assertThat(made.code()).as(made.out()).isZero();
        assertThat(made.out()).startsWith("""
                        the trigger was fired once: 3 workers started, and end when they find no work
                        the trigger fleetgrad-upload invokes train 3 times
                        """);
        containers.await("/run", 3);
    }

    @Test
    void shouldFailWhereOpenWhiskCannotCallItself() throws Exception {
        openwhisk.deafenToItself();

        Ended failed = OnUpload.run(folder, openwhisk.environment(), "--workers", "2");

        assertThat(failed.code()).isEqualTo(4);
        assertThat(failed.out())
                .startsWith(
                        "on-upload: the trigger was fired once, and 0 of 2 workers started: There was an internal server error.")
                .contains("must reach itself at localhost");
        assertThat(openwhisk.underWay() + openwhisk.records().size()).isZero();
    }

    @Test
    void shouldChangeTheNumberOfWorkers() throws Exception {
        assertThat(run("--workers", "3").code()).isZero();

        assertThat(run("--workers", "1").code()).isZero();

        assertThat(fire()).isEqualTo(202);
        containers.await("/run", 1);
        assertThat(openwhisk.underWay() + openwhisk.records().size()).isEqualTo(1);
    }

    @Test
    void shouldActivateRulesThatLostTheirTrigger() throws Exception {
        assertThat(run().code()).isZero();
        HttpRequest delete = HttpRequest.newBuilder(
                        openwhisk.uri().resolve("/api/v1/namespaces/_/triggers/fleetgrad-upload"))
                .header(
                        "Authorization",
                        Files.readString(folder.resolve("minio-webhook.env"))
                                .replaceFirst("(?s).*AUTH_TOKEN_FLEETGRAD=(.*)\\n", "$1"))
                .DELETE()
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(delete, BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);

        assertThat(run().code()).isZero();

        assertThat(fire()).isEqualTo(202);
        containers.await("/run", 1);
    }

    @Test
    void shouldRemoveWhatItMade() throws Exception {
        assertThat(run("--workers", "2").code()).isZero();

        Ended removed = run("--remove");

        assertThat(removed.out()).startsWith("the trigger fleetgrad-upload and its rules are removed");
        assertThat(removed.code()).isZero();
        assertThat(run("--remove").code()).as("a second time").isZero();
        assertThat(run("--workers", "1").code()).isZero();
        assertThat(fire()).isEqualTo(202);
    }

    @Test
    void shouldSayThatThereIsNoSuchAction() throws Exception {
        assertThat(run("--action", "other"))
                .isEqualTo(new Ended(
                        3, "on-upload: there is no action other; docs/openwhisk.md has the line that creates it\n"));
    }

    @Test
    void shouldSayThatTheKeyIsWrongAndNotPrintIt() throws Exception {
        Map<String, String> environment = new HashMap<>(openwhisk.environment());
        environment.put("OPENWHISK_AUTH", "some:stranger");

        Ended refused = OnUpload.run(folder, environment);

        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.out())
                .startsWith("on-upload: OpenWhisk refuses the key in OPENWHISK_AUTH: 401 ")
                .doesNotContain("stranger");
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        openwhisk.close();

        Ended failed = run();

        assertThat(failed.code()).isEqualTo(4);
        assertThat(failed.out()).startsWith("on-upload: GET %s/".formatted(openwhisk.uri()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--workers=1|there is no option '--workers=1'; try --help",
                "--workers 0|--workers must be 1 to 100; it is '0'",
                "--workers 101|--workers must be 1 to 100; it is '101'",
                "--workers|--workers needs a value",
                "--trigger a/b|--trigger must have letters, digits and _ . -; it is 'a/b'",
                "--action ../x|--action must be NAME or PACKAGE/NAME; it is '../x'",
                "--prefix a'b|--bucket and --prefix have no blanks, quotes and backslashes"
            })
    void shouldRefuseWrongArguments(String arguments, String message) throws Exception {
        assertThat(run(arguments.split(" "))).isEqualTo(new Ended(2, "on-upload: " + message + "\n"));
    }

    @Test
    void shouldExplainItself() throws Exception {
        Ended help = OnUpload.run(folder, Map.of(), "--help");

        assertThat(help.code()).isZero();
        assertThat(help.out())
                .contains("--action NAME", "OPENWHISK_APIHOST and OPENWHISK_AUTH", "certificates to trust")
                .doesNotContain("set -euo");
    }
}
