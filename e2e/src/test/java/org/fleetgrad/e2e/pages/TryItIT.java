package org.fleetgrad.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The try-it page of a real inference service, whose networks say what the test decided, in a real browser. */
@Tag("whole")
class TryItIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final NetworkDefinition DIGITS = Networks.usual("lenet5");
    private static final NetworkDefinition COLOURS = Networks.named("resnet20?classes=3&input=3x8x8");

    @TempDir
    private Path folder;

    private Browser browser;
    private TryItPrograms programs;
    private PsClient server;
    private URI page;

    @BeforeEach
    void startPrograms() throws IOException {
        browser = Browser.start();
        programs = TryItPrograms.start(folder, Map.of());
        server = programs.server();
        page = programs.page();
    }

    @AfterEach
    void endPrograms() throws InterruptedException {
        // A skipped test has neither.
        Optional.ofNullable(browser).ifPresent(Browser::close);
        if (programs != null) {
            programs.kill();
        }
    }

    /** Returns values that are 0 but for the bias of one class: with them a network answers that class to every picture. */
    private static float[] saying(NetworkSpec spec, int label, float bias) {
        TensorLayout layout = spec.layout();
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        int at = 0;
        for (TensorSpec tensor : layout.specs()) {
            boolean isLastBias = tensor.name().endsWith(".bias")
                    && tensor.elementCount() == spec.classes()
                    && (tensor.name().startsWith("fc") || tensor.name().startsWith("linear"));
            if (isLastBias) {
                values[at + label] = bias;
            }
            at += Math.toIntExact(tensor.elementCount());
        }
        return values;
    }

    private void put(NetworkDefinition network, Map<String, String> more, int label, float bias) throws IOException {
        Map<String, String> metadata = new HashMap<>(more);
        metadata.put(MetadataKeys.NETWORK, network.spec().name());
        server.putInitial(TensorSet.ofFloats(network.spec().layout(), saying(network.spec(), label, bias), metadata));
    }

    private void awaitBest(String label) {
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(browser.text("best")).isEqualTo(label));
    }

    private void awaitState(String state) {
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(browser.text("state")).isEqualTo(state));
    }

    @Test
    void shouldAnswerADrawingByMouseAndAgainWhenAVersionComes() throws Exception {
        browser.open(page);
        awaitState("Waiting");
        assertThat(browser.text("waiting")).startsWith("No model yet.");
        browser.picture("try-it-empty");

        put(DIGITS, Map.of(), 7, 3);
        awaitState("Version 0");
        WebElement paper = browser.part("paper");
        browser.actions()
                .moveToElement(paper, -60, -80)
                .clickAndHold()
                .moveByOffset(120, 0)
                .moveByOffset(-70, 160)
                .release()
                .perform();

        awaitBest("7");
        // e^3 / (e^3 + 9)
        assertThat(browser.text("best-more")).isEqualTo("with a probability of 69.1 %");
        assertThat(browser.all("#bars li .name"))
                .extracting(WebElement::getText)
                .containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        assertThat(browser.find("#bars li:nth-child(8)").getText()).contains("69.1 %");
        assertThat(browser.text("network")).isEqualTo(DIGITS.spec().name());
        assertThat((Boolean) browser.run("""
                const seen = document.getElementById("seen");
                const { data } = seen.getContext("2d").getImageData(0, 0, seen.width, seen.height);
                return seen.width === 28 && data.some((value, i) => i % 4 === 0 && value > 200);
                """))
                .as("ink on the picture that the network sees")
                .isTrue();

        // Another version, and nobody touches the page.
        server.register(new RegisterWorkerRequest("w", "", null, "cpu"));
        VersionReply version = server.version();
        float[] gradient = saying(DIGITS.spec(), 3, -9);
        server.as("w")
                .push(
                        new GradientMetadata("w", 1, version.generation(), version.version(), 1, 1.0),
                        DIGITS.spec().layout(),
                        gradient,
                        false);

        awaitBest("3");
        assertThat(browser.text("version")).isEqualTo("1");
        assertThat(browser.all("#versions li")).hasSize(2);
        browser.assertNamed();
        browser.assertSteady();
        browser.assertQuiet();
        browser.picture("try-it-light");
        browser.prefer("dark");
        browser.picture("try-it-dark");
        browser.usePhone();
        browser.assertFits();
        browser.picture("try-it-phone");
    }

    @Test
    void shouldAnswerADrawingByKeyboard() throws Exception {
        put(DIGITS, Map.of(), 4, 5);
        browser.open(page);
        awaitState("Version 0");

        WebElement paper = browser.part("paper");
        paper.sendKeys(" ");
        assertThat(browser.part("pen").getAttribute("textContent")).isEqualTo("Pen down.");
        paper.sendKeys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, " ");
        awaitBest("4");
        assertThat(browser.part("spoken").getAttribute("textContent")).isEqualTo("4, 94 %, by version 0");
        paper.sendKeys(Keys.DELETE);
        awaitBest("–");
        browser.find("[aria-label='Draw a 8']").sendKeys(Keys.ENTER);
        awaitBest("4");
        browser.assertQuiet();
    }

    @Test
    void shouldAnswerAPictureForANetworkOfColours() throws Exception {
        put(
                COLOURS,
                Map.of(
                        ParameterState.KEY, COLOURS.spec().state().text(),
                        MetadataKeys.CLASSES, "[\"cat\",\"dog\",\"<b>owl</b>\"]",
                        MetadataKeys.NORMALIZATION, "{\"mean\":[0.5,0.5,0.5],\"std\":[0.25,0.25,0.25]}"),
                2,
                4);
        browser.open(page);
        awaitState("Version 0");
        assertThat(browser.shows("drawing-part")).isFalse();
        assertThat(browser.text("ask-title")).isEqualTo("Choose a picture");

        // Before any answer: the service tells the names of all classes.
        assertThat(browser.all("#bars li .name"))
                .extracting(WebElement::getText)
                .containsExactly("cat", "dog", "<b>owl</b>");
        browser.part("file").sendKeys(picture().toString());

        awaitBest("<b>owl</b>");
        assertThat(browser.all("#bars li .name"))
                .extracting(WebElement::getText)
                .containsExactly("cat", "dog", "<b>owl</b>");
        browser.picture("try-it-colours");
        Path text = Files.writeString(folder.resolve("letter.txt"), "not a picture");
        browser.part("file").sendKeys(text.toString());
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(browser.text("file-problem"))
                        .isEqualTo("letter.txt is no picture that this browser can read: choose a PNG or a JPEG."));
        browser.assertNamed();
        browser.assertQuiet();
    }

    /** A picture larger than a request may be. */
    private Path picture() throws IOException {
        BufferedImage image = new BufferedImage(1500, 1100, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                image.setRGB(x, y, (x * 31 + y * 17) * 2_654_435 & 0xFFFFFF);
            }
        }
        Path file = folder.resolve("picture.png");
        ImageIO.write(image, "png", file.toFile());
        assertThat(Files.size(file)).isGreaterThan(1_000_000);
        return file;
    }

    @Test
    void shouldSayThatTheServiceIsAwayAndKeepTheDrawing() throws Exception {
        put(DIGITS, Map.of(), 1, 5);
        browser.open(page);
        awaitState("Version 0");
        browser.find("[aria-label='Draw a 1']").click();
        awaitBest("1");

        programs.killService();

        awaitState("Server away");
        assertThat(browser.text("away-text")).startsWith("The service does not answer.");
        assertThat(browser.text("best")).isEqualTo("1");
    }
}
