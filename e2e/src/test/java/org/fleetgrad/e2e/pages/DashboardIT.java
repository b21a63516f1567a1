package org.fleetgrad.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.AccuracyReply;
import org.fleetgrad.protocol.messages.RunMessages.HistoryReply;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The dashboard of a real server, in a real browser. */
@Tag("whole")
class DashboardIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String MARKUP = "<img src=x onerror=\"document.title='taken over'\">";

    @TempDir
    private Path folder;

    private final List<JarProcess> programs = new ArrayList<>();
    private Browser browser;
    private URI address;
    private PsClient server;

    @BeforeEach
    void prepare() {
        browser = Browser.start();
        address = URI.create("http://127.0.0.1:" + FreePorts.next() + "/");
        server = new PsClient(address.resolve(""), ClientOptions.DEFAULT);
    }

    @AfterEach
    void endPrograms() throws InterruptedException {
        // A skipped test has no browser.
        Optional.ofNullable(browser).ifPresent(Browser::close);
        for (JarProcess program : programs) {
            program.kill();
        }
    }

    private JarProcess startServer(Map<String, String> more) throws IOException {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("SERVER_PORT", Integer.toString(address.getPort()));
        JarProcess program = start("ps-service", List.of(), settings);
        URI info = address.resolve("/actuator/health/readiness");
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> {
            info.toURL().openStream().close();
            return true;
        });
        return program;
    }

    private JarProcess start(String module, List<String> arguments, Map<String, String> settings) throws IOException {
        JarProcess program = JarProcess.start(module, arguments, folder.resolve(module + ".log"), settings);
        programs.add(program);
        return program;
    }

    private void startTraining() throws IOException {
        ShardSet files = ShardSet.write(
                folder.resolve("shards"),
                "digits",
                SyntheticDigits.generate(2000, 1),
                SyntheticDigits.generate(100, 2),
                1);
        server.putWork(new WorkPlan(
                "digits",
                0,
                List.of(new PlannedShard("all", files.train().get(0).toUri().toString(), 2000))));
        start(
                "worker-action",
                List.of("run", "{\"apihost\":\"http://127.0.0.1:%d\",\"update_intv\":1}".formatted(address.getPort())),
                Map.of());
    }

    private void awaitText(String id, String text) {
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(browser.text(id)).contains(text));
    }

    private void awaitName(String id, String text) {
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(browser.part(id).getAccessibleName()).contains(text));
    }

    @Test
    void shouldShowAServerWithoutARunAndThenTheRunAsItTrains() throws Exception {
        startServer(Map.of(
                "PS_DURABILITY_MODE", "checkpoint",
                "PS_DURABILITY_CHECKPOINTINTERVAL", "1s",
                "PS_DURABILITY_LOCATION", folder.resolve("kept").toString()));
        browser.open(address);
        awaitText("state", "Waiting");
        assertThat(browser.text("empty")).startsWith("No parameters yet.");
        assertThat(browser.part("chart-loss").getAccessibleName()).isEqualTo("Loss: no steps yet");
        browser.assertNamed();
        browser.picture("dashboard-empty");

        startTraining();

        awaitText("state", "Training");
        assertThat(browser.shows("empty")).isFalse();
        awaitName("chart-loss", "training from ");
        awaitName("chart-rate", "Samples per second: from ");
        awaitText("pushes", "applied");
        awaitText("checkpoint-rows", ":");
        awaitText("worker-rows", "in epoch");
        assertThat(browser.text("work-text")).contains("digits: epoch ");
        await().atMost(TIMEOUT).until(() -> server.status().version() > 50);
        awaitName("chart-loss", "step");

        // The keyboard chooses the other axis.
        browser.find("input[name=axis]:checked").sendKeys(Keys.ARROW_RIGHT);
        // A busy machine makes its first step a second after its first point.
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(browser.part("chart-loss").getAccessibleName())
                        .containsPattern(" at [0-9]+ s to "));
        browser.assertNamed();
        browser.assertSteady();
        browser.assertQuiet();
        browser.picture("dashboard-light");
        browser.prefer("dark");
        browser.picture("dashboard-dark");
        browser.usePhone();
        browser.assertFits();
        browser.picture("dashboard-phone");
    }

    @Test
    void shouldSpeakOfTheLossOfATextInPlaceOfTheAccuracy() throws Exception {
        startServer(Map.of());
        TensorSet parameters = TensorSet.ofFloats(
                TensorLayout.inOrder(List.of(TensorSpec.f32("weight", 2))), new float[] {1, 2}, Map.of());
        ParameterVersion version = server.putInitial(parameters).orElseThrow();
        browser.open(address);
        awaitText("accuracy-title", "Held-out accuracy");

        AccuracyReply unused = server.putAccuracy(new PutAccuracyRequest(
                version.generation(), 0L, 0.4, null, 1.875, new TextFigures(64, 2.705), null, null, null, 10L));

        awaitText("accuracy-title", "Held-out loss");
        awaitText("accuracy", "1.875");
        awaitText("accuracy-more", "2.705 bits a character");
        awaitText("rate-title", "Tokens per second");
        awaitName("chart-accuracy", "Held-out perplexity: from 6.521");
        awaitName("chart-rate", "Tokens per second: ");
        assertThat(browser.find("main").getText()).doesNotContainIgnoringCase("accuracy");
        browser.assertNamed();
        browser.assertQuiet();
        browser.picture("dashboard-text");
    }

    @Test
    void shouldAskForKeysAndKeepNothingButTheToken() throws Exception {
        startServer(Map.of(
                "PS_SECURITY_KEYS_READER_ACCESSKEY", "reader",
                "PS_SECURITY_KEYS_READER_SECRETKEY", "secret-of-reader"));
        browser.open(address);
        await().atMost(TIMEOUT).until(() -> !browser.all("dialog[open]").isEmpty());
        browser.assertNamed();
        browser.picture("dashboard-keys");

        browser.part("access-key").sendKeys("reader");
        browser.part("secret-key").sendKeys("wrong-secret", Keys.ENTER);
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(browser.find("dialog .problem").getText())
                        .isEqualTo("Refused: the keys are those of no role."));
        browser.part("secret-key").clear();
        browser.part("secret-key").sendKeys("secret-of-reader", Keys.ENTER);

        awaitText("state", "Waiting");
        assertThat(browser.all("dialog[open]")).isEmpty();
        assertThat(browser.run("return JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
                        .toString())
                .contains("fleetgrad.token")
                .doesNotContain("secret-of-reader", "wrong-secret");
        assertThat(browser.errors())
                .as("a browser reports an answer that refuses; nothing else is there")
                .allMatch(error -> error.contains("401"));
        assertThat((List<?>) browser.run("return window.refused")).isEmpty();
    }

    @Test
    void shouldSayThatTheServerIsAwayAndGoOnWhenItIsBack() throws Exception {
        JarProcess program = startServer(Map.of());
        browser.open(address);
        awaitText("state", "Waiting");

        program.kill();

        awaitText("state", "Server away");
        assertThat(browser.text("away-text")).startsWith("The server does not answer. What is shown is from ");
        browser.picture("dashboard-away");
        browser.part("retry").click();
        awaitText("state", "Server away");
        startServer(Map.of());
        // By a script: the page also tries by itself, and may have hidden the button already.
        Object unused = browser.run("document.getElementById('retry').click(); return true");
        awaitText("state", "Waiting");
        assertThat(browser.shows("away")).isFalse();
    }

    @Test
    void shouldShowTextOfWorkersAsText() throws Exception {
        startServer(Map.of());
        server.register(new RegisterWorkerRequest("w", MARKUP, null, null));
        browser.open(address);

        awaitText("worker-rows", MARKUP);

        assertThat(browser.all("#worker-rows img")).isEmpty();
        assertThat(browser.run("return document.title").toString()).doesNotContain("taken over");
        browser.assertQuiet();
    }

    @Test
    void shouldShowTheRunFromItsBeginningAfterTheServerWasKilled() throws Exception {
        Map<String, String> kept = Map.of(
                "PS_DURABILITY_MODE", "checkpoint",
                "PS_DURABILITY_CHECKPOINTINTERVAL", "500ms",
                "PS_DURABILITY_LOCATION", folder.resolve("kept").toString());
        JarProcess first = startServer(kept);
        startTraining();
        await().atMost(TIMEOUT)
                .until(() -> server.history().checkpoints().stream().anyMatch(made -> made.version() > 100));
        HistoryReply before = server.history();

        first.kill();
        startServer(kept);

        HistoryReply after = server.history();
        assertThat(after.generation()).isNotEqualTo(before.generation());
        long taken = before.checkpoints().get(before.checkpoints().size() - 1).timeMs();
        // A checkpoint has the points up to its state; the last of them may still have moved.
        List<HistoryReply.Point> old = before.points().stream()
                .filter(point -> point.timeMs() < taken - 1000)
                .toList();
        assertThat(after.points().get(0)).isEqualTo(before.points().get(0));
        assertThat(after.points()).containsAll(old);
        browser.open(address);
        awaitName("chart-loss", "training from ");
    }
}
