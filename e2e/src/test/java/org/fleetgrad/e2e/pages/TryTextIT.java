package org.fleetgrad.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The text side of the try-it page: a GPT-2 that says one letter again and again, which the test chose. */
@Tag("whole")
class TryTextIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String ALPHABET = "\n /:<>abcdefghijklmnopqrstuvwxyz";
    private static final NetworkDefinition NETWORK = Networks.named(
            "gpt2?context=16&dropout=0&heads=2&layers=1&tied=yes&vocabulary=%d&width=8".formatted(ALPHABET.length()));
    /** A service without this setting refuses so many. */
    private static final int LONG = 3000;

    /** Keeps how long each text was whenever it changed, and what was asked. */
    private static final String WATCH = """
            window.asked = [];
            const send = window.fetch;
            window.fetch = (path, options) => {
              if (path === "/v1/completions") window.asked.push(options.body);
              return send(path, options);
            };
            window.lengths = [];
            new MutationObserver(() => {
              window.lengths.push([...document.querySelectorAll("#continuations .text")].map((text) => text.textContent.length));
            }).observe(document.getElementById("continuations"), { childList: true, characterData: true, subtree: true });
            return true;
            """;

    @TempDir
    private Path folder;

    private Browser browser;
    private TryItPrograms programs;

    @BeforeEach
    void startPrograms() throws IOException {
        browser = Browser.start();
        programs = TryItPrograms.start(folder, Map.of("INFERENCE_COMPLETIONS_MAXTOKENS", Integer.toString(LONG)));
        programs.server()
                .putInitial(TensorSet.ofFloats(
                        NETWORK.spec().layout(),
                        saying('a', 10, 1),
                        Map.of(
                                MetadataKeys.NETWORK,
                                NETWORK.spec().name(),
                                MetadataKeys.TOKENIZER,
                                "characters:" + ALPHABET)));
        browser.open(programs.page());
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(browser.text("state")).isEqualTo("Version 0"));
        browser.run(WATCH);
    }

    @AfterEach
    void endPrograms() throws InterruptedException {
        // A skipped test has neither.
        Optional.ofNullable(browser).ifPresent(Browser::close);
        if (programs != null) {
            programs.kill();
        }
    }

    /**
     * Returns values that are 0 but for two: the last normalization gives its bias, whatever the text, and the logit of a token
     * is the product with its embedding, whose weights the tied head has.
     */
    private static float[] saying(char letter, float weight, float bias) {
        TensorLayout layout = NETWORK.spec().layout();
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        int at = 0;
        for (TensorSpec tensor : layout.specs()) {
            if (tensor.name().equals("transformer.wte.weight")) {
                values[at + ALPHABET.indexOf(letter) * 8] = weight;
            } else if (tensor.name().equals("transformer.ln_f.bias")) {
                values[at] = bias;
            }
            at += Math.toIntExact(tensor.elementCount());
        }
        return values;
    }

    private void push(char letter, float weight) throws IOException {
        VersionReply version = programs.server().version();
        String worker = "w" + version.version();
        programs.server().register(new RegisterWorkerRequest(worker, "", null, "cpu"));
        // The server subtracts it.
        programs.server()
                .as(worker)
                .push(
                        new GradientMetadata(worker, 1, version.generation(), version.version(), 1, 1.0),
                        NETWORK.spec().layout(),
                        saying(letter, -weight, 0),
                        false);
    }

    private void write(String id, String text) {
        WebElement field = browser.part(id);
        field.clear();
        field.sendKeys(text);
    }

    private List<String> texts() {
        return browser.all("#continuations .text").stream()
                .map(text -> text.getAttribute("textContent"))
                .toList();
    }

    private List<String> titles() {
        return browser.all("#continuations h3").stream()
                .map(WebElement::getText)
                .toList();
    }

    private void awaitTexts(String... texts) {
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(texts()).containsExactly(texts));
    }

    private void ask(String prompt, int tokens, Keys... keys) {
        write("max-tokens", Integer.toString(tokens));
        write("temperature", "0");
        write("prompt", prompt);
        if (keys.length == 0) {
            browser.find("#prompt-form button").click();
        } else {
            browser.part("prompt").sendKeys(Keys.chord(keys));
        }
    }

    @Test
    void shouldLetTheTextGrowAndAskAgainWhenAVersionComes() throws Exception {
        assertThat(browser.shows("paper")).isFalse();
        assertThat(browser.shows("drop")).isFalse();
        assertThat(browser.shows("best")).isFalse();
        assertThat(browser.text("ask-title")).isEqualTo("Begin a text");
        browser.picture("try-text-empty");
        String prompt = "<b>romeo</b>:";

        ask(prompt, LONG);

        awaitTexts(prompt + "a".repeat(LONG));
        assertThat(titles()).containsExactly("Version 0");
        List<Long> lengths = ((List<?>) browser.run("return window.lengths.map((all) => all[0])"))
                .stream().map(Long.class::cast).toList();
        assertThat(lengths).hasSizeGreaterThan(3).isSorted().endsWith((long) prompt.length() + LONG);

        // Another version, and nobody touches the page.
        push('b', 20);

        awaitTexts(prompt + "a".repeat(LONG), prompt + "b".repeat(LONG));
        assertThat(titles()).containsExactly("Version 0", "Version 1");
        List<?> asked = (List<?>) browser.run("return window.asked");
        assertThat(asked).hasSize(2);
        assertThat(asked.get(1)).as("the seed, too").isEqualTo(asked.get(0));
        browser.assertNamed();
        browser.assertSteady();
        browser.assertQuiet();

        ask("juliet:", 60);
        awaitTexts("juliet:" + "b".repeat(60));
        browser.picture("try-text-light");
        browser.prefer("dark");
        browser.picture("try-text-dark");
        browser.usePhone();
        browser.assertFits();
        browser.picture("try-text-phone");
    }

    @Test
    void shouldSayWhyThereIsNoText() throws Exception {
        ask("romeé", 5, Keys.CONTROL, Keys.ENTER);

        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(browser.text("prompt-problem"))
                        .startsWith("The service refuses: ")
                        .contains("character 4, 'é' (U+00E9), is not one of the alphabet's 32"));
        assertThat(texts()).isEmpty();
        browser.picture("try-text-refused");

        ask("romeo", LONG + 1, Keys.CONTROL, Keys.ENTER);
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(browser.text("prompt-problem"))
                        .isEqualTo("The service refuses: max_tokens must be a whole number from 1 to %d; it is %d"
                                .formatted(LONG, LONG + 1)));

        ask("romeo", 5, Keys.CONTROL, Keys.ENTER);
        awaitTexts("romeoaaaaa");
        assertThat(browser.text("prompt-problem")).isEmpty();
        assertThat(browser.part("spoken").getAttribute("textContent")).isEqualTo("Version 0: aaaaa");

        programs.killService();
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(browser.text("state")).isEqualTo("Server away"));
        assertThat(browser.text("away-text")).endsWith("your text stays.");
        awaitTexts("romeoaaaaa");
    }

    @Test
    void shouldKeepTheNewestTwentyTexts() throws Exception {
        // The pause between two questions is as short as the page's look at the status.
        browser.run("const now = performance.now.bind(performance); performance.now = () => 100 * now(); return true;");
        ask("a", 1);
        for (int version = 1; version <= 21; version++) {
            String newest = "Version " + version;
            push('b', 1);
            await().atMost(TIMEOUT)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(titles()).last().isEqualTo(newest));
        }

        assertThat(titles()).hasSize(20).startsWith("Version 2");
        // The letter b weighs more than a from the eleventh version on.
        assertThat(texts()).startsWith("aa").endsWith("ab");
        browser.assertQuiet();
    }
}
