package org.fleetgrad.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The try-it page of a BERT that gives every text the class that the test chose. */
@Tag("whole")
class TrySentenceIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final NetworkDefinition NETWORK = Networks.named(
            "bert?classes=2&context=16&dropout=0&heads=2&layers=1&padding=32&positions=16&vocabulary=33&width=8");

    @TempDir
    private Path folder;

    private Browser browser;
    private TryItPrograms programs;

    @BeforeEach
    void startPrograms() throws IOException {
        browser = Browser.start();
        programs = TryItPrograms.start(folder, Map.of());
        programs.server()
                .putInitial(TensorSet.ofFloats(
                        NETWORK.spec().layout(),
                        preferring(0, 2),
                        Map.of(
                                MetadataKeys.NETWORK,
                                NETWORK.spec().name(),
                                MetadataKeys.TOKENIZER,
                                "characters: !'(),abcdefghijklmnopqrstuvwxyz",
                                MetadataKeys.CLASSES,
                                "[\"bad\",\"good\"]")));
        browser.open(programs.page());
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(browser.text("state")).isEqualTo("Version 0"));
    }

    @AfterEach
    void endPrograms() throws InterruptedException {
        // A skipped test has neither.
        Optional.ofNullable(browser).ifPresent(Browser::close);
        if (programs != null) {
            programs.kill();
        }
    }

    /** Returns values that are 0 but for the bias of one class. */
    private static float[] preferring(int label, float bias) {
        TensorLayout layout = NETWORK.spec().layout();
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        int at = 0;
        for (TensorSpec tensor : layout.specs()) {
            if (tensor.name().equals("classifier.bias")) {
                values[at + label] = bias;
            }
            at += Math.toIntExact(tensor.elementCount());
        }
        return values;
    }

    private void awaitBest(String name, String more) {
        await().atMost(TIMEOUT).ignoreExceptions().untilAsserted(() -> {
            assertThat(browser.text("best")).isEqualTo(name);
            assertThat(browser.text("best-more")).contains(more);
        });
    }

    @Test
    void shouldAnswerWhileATextIsWrittenAndAgainWhenAVersionComes() throws Exception {
        assertThat(browser.text("ask-title")).isEqualTo("Write a text");
        assertThat(browser.text("best-more")).isEqualTo("Write a text.");
        for (String hidden : new String[] {"paper", "drop", "seen", "prompt"}) {
            assertThat(browser.shows(hidden)).as(hidden).isFalse();
        }

        browser.part("sentence").sendKeys("how much wood");

        // 1 / (1 + e^-2)
        awaitBest("bad", "88.1");
        assertThat(browser.text("version")).isEqualTo("0");

        VersionReply version = programs.server().version();
        programs.server().register(new RegisterWorkerRequest("w", "", null, "cpu"));
        programs.server()
                .as("w")
                .push(
                        new GradientMetadata("w", 1, version.generation(), version.version(), 1, 1.0),
                        NETWORK.spec().layout(),
                        preferring(1, -4),
                        false);
        awaitBest("good", "88.1");
        assertThat(browser.all("#versions li")).hasSize(2);
        browser.assertNamed();
        browser.assertSteady();
        browser.assertQuiet();
        browser.picture("try-sentence");

        browser.part("sentence").sendKeys("É");
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(browser.text("best-more"))
                        .startsWith("The service refuses: text 0 cannot be read: character 13, 'É'"));
        browser.usePhone();
        browser.assertFits();
    }
}
