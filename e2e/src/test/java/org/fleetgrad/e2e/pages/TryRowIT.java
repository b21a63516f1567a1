package org.fleetgrad.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableJson;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
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
import org.openqa.selenium.WebElement;

/** The form that the try-it page makes of a table's columns. The network's output is its last bias, which the test chose. */
@Tag("whole")
class TryRowIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final TableSchema SCHEMA = new TableSchema(
            List.of(
                    new NumberColumn("carat", 0.7978, 0.474, false),
                    new CategoryColumn("cut", List.of("Fair", "Good", "Ideal"))),
            new NumberTarget("price", 4000, 1000));
    private static final NetworkDefinition NETWORK = Networks.named("tabular?hidden=4", SCHEMA.task());

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
                        saying(0.5f),
                        Map.of("network", NETWORK.spec().name(), "table", TableJson.write(SCHEMA))));
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

    private static float[] saying(float output) {
        TensorLayout layout = NETWORK.spec().layout();
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        int at = 0;
        for (TensorSpec tensor : layout.specs()) {
            if (tensor.name().equals("fc2.bias")) {
                values[at] = output;
            }
            at += Math.toIntExact(tensor.elementCount());
        }
        return values;
    }

    private void awaitBest(String number) {
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(browser.text("best")).isEqualTo(number));
    }

    @Test
    void shouldAskAboutARowThatTheUserFills() throws Exception {
        awaitBest("4,500");
        assertThat(browser.text("best-more")).isEqualTo("price");
        assertThat(browser.text("ask-title")).isEqualTo("Fill a row");
        assertThat(browser.text("quality-title")).isEqualTo("Held-out R²");
        for (String hidden : new String[] {"paper", "drop", "seen", "prompt", "sentence"}) {
            assertThat(browser.shows(hidden)).as(hidden).isFalse();
        }
        assertThat(browser.all("#row-fields label").stream().map(WebElement::getText))
                .containsExactly("carat", "cut");
        assertThat(browser.part("column-0").getAttribute("value")).isEqualTo("0.7978");

        browser.part("column-0").sendKeys("1");
        awaitBest("4,500");
        VersionReply version = programs.server().version();
        programs.server().register(new RegisterWorkerRequest("w", "", null, "cpu"));
        programs.server()
                .as("w")
                .push(
                        new GradientMetadata("w", 1, version.generation(), version.version(), 1, 1.0),
                        NETWORK.spec().layout(),
                        saying(-0.25f),
                        false);

        awaitBest("4,750");
        assertThat(browser.all("#amounts li").stream().map(WebElement::getText))
                .allMatch(line -> line.startsWith("Version "))
                .hasSize(2);
        browser.assertNamed();
        browser.assertSteady();
        browser.assertQuiet();
        browser.picture("try-row");
        browser.usePhone();
        browser.assertFits();
    }
}
