package org.fleetgrad.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.fleetgrad.e2e.FleetgradProcess;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** What a newcomer opens: the two addresses with which {@code fleetgrad demo --keep} ends. */
@Order(3)
@Tag("whole")
class DemoPagesIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Pattern ADDRESS = Pattern.compile("^ +(http://\\S+/)  (\\S.*)$", Pattern.MULTILINE);

    @TempDir
    private Path folder;

    @Test
    void shouldShowTheRunAndReadHandwrittenDigits() throws Exception {
        try (Browser browser = Browser.start();
                FleetgradProcess demo =
                        FleetgradProcess.start(folder, "demo", "--keep", "--out", "run", "--target-accuracy", "0.97")) {
            await().atMost(TIMEOUT)
                    .until(() -> ADDRESS.matcher(demo.stderr()).results().count() == 2);
            List<URI> pages = ADDRESS.matcher(demo.stderr())
                    .results()
                    .map(found -> URI.create(found.group(1)))
                    .toList();

            browser.open(pages.get(0));
            for (int digit : List.of(0, 1, 2, 3, 7)) {
                browser.find("[aria-label='Draw a %d']".formatted(digit)).click();
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(browser.text("best")).isEqualTo(Integer.toString(digit)));
            }
            WebElement paper = browser.part("paper");
            paper.sendKeys(Keys.DELETE, " ", Keys.ARROW_DOWN.toString().repeat(12), " ");
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(browser.text("best")).isEqualTo("1"));
            // It trains on, and the page requests again by itself.
            int versions = browser.all("#versions li").size();
            await().atMost(TIMEOUT).until(() -> browser.all("#versions li").size() > versions);
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(browser.text("accuracy")).matches("9\\d\\.\\d\\d %.*"));
            browser.assertSteady();
            browser.assertQuiet();
            browser.picture("demo-try-it");
            assertThat(browser.part("other").getAttribute("href"))
                    .isEqualTo(pages.get(1).toString());

            browser.open(pages.get(1));
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(browser.text("accuracy")).matches("9\\d\\.\\d\\d %"));
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(browser.part("chart-accuracy").getAccessibleName())
                                    .contains("top 1 from "));
            // The place of a worker that left stays in sight for a while.
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(browser.all("#worker-rows tr")).hasSize(2));
            assertThat(browser.part("other").getAttribute("href"))
                    .isEqualTo(pages.get(0).toString());
            browser.assertSteady();
            browser.assertQuiet();
            browser.picture("demo-dashboard");
        }
    }
}
