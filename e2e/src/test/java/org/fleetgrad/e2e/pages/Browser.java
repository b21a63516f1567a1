package org.fleetgrad.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.fleetgrad.testing.Requirement;
import org.openqa.selenium.By;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;

/** A Chromium without a window; the test is skipped where there is none: see {@link Requirement#BROWSER}. */
final class Browser implements AutoCloseable {

    private static final int TRIES = 3;

    /** Characters of a page that a failure shows. */
    private static final int MOST_SHOWN = 1000;

    /** Counts how far things jumped, and what the content security policy refused, from the beginning of the page. */
    private static final String WATCH = """
            window.shifted = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) window.shifted += entry.hadRecentInput ? 0 : entry.value;
            }).observe({ type: "layout-shift", buffered: true });
            window.refused = [];
            document.addEventListener("securitypolicyviolation", (event) => window.refused.push(event.violatedDirective));
            """;

    private static final String CUT = """
            const width = document.documentElement.clientWidth;
            const seen = [...document.querySelectorAll("body *")].filter((element) =>
              element.getClientRects().length > 0 && !element.closest(".unseen, #paper-help, .u-wrap, thead"));
            return seen.filter((element) => {
              const scrolls = element.closest(".scroll");
              const isWide = !scrolls && element.getBoundingClientRect().right > width + 1;
              const isCut = getComputedStyle(element).overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1
                && !element.matches("td .about, progress");
              return isWide || isCut;
            }).map((element) => element.outerHTML.slice(0, 120));
            """;

    private static final int MOST_LOOKS = 20;

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", WATCH));
    }

    static Browser start() {
        Optional<Path> chromium = command("chromium");
        Optional<Path> chromedriver = command("chromedriver");
        Requirement.BROWSER.check(
                chromium.isPresent() && chromedriver.isPresent(),
                "the commands chromium and chromedriver, of Debian's packages chromium and chromium-driver");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow().toFile());
        options.addArguments(
                "--headless=new",
                // In a container, root has no other sandbox, and /dev/shm is small.
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--window-size=1280,1000");
        options.setCapability("goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL"));
        return new Browser(new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(chromedriver.orElseThrow().toFile())
                        .build(),
                options));
    }

    private static Optional<Path> command(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens a page; again, if the browser shows another one then, as it once did under load. */
    void open(URI page) {
        String shown = "";
        for (int tries = 0; tries < TRIES && !shown.startsWith(page.toString()); tries++) {
            driver.get(page.toString());
            shown = String.valueOf(driver.getCurrentUrl());
        }
        assertThat(shown).startsWith(page.toString());
    }

    /** Shows pages as on a phone. */
    void usePhone() {
        useScreen(360, 740, true);
    }

    /** Shows pages as on the smallest phone in use. */
    void useSmallPhone() {
        useScreen(320, 640, true);
    }

    /** Shows pages as on a desk. */
    void useDesk() {
        useScreen(1280, 900, false);
    }

    private void useScreen(int width, int height, boolean isPhone) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", isPhone ? 2 : 1, "mobile", isPhone));
        driver.executeCdpCommand("Emulation.setTouchEmulationEnabled", Map.of("enabled", isPhone));
    }

    /** Chooses {@code light} or {@code dark}. */
    void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    WebElement part(String id) {
        try {
            return driver.findElement(By.id(id));
        } catch (NoSuchElementException absent) {
            String source = String.valueOf(driver.getPageSource());
            throw new NoSuchElementException(
                    "%s has no part %s: %s"
                            .formatted(
                                    driver.getCurrentUrl(),
                                    id,
                                    source.substring(0, Math.min(source.length(), MOST_SHOWN))),
                    absent);
        }
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    String text(String id) {
        return part(id).getText();
    }

    boolean shows(String id) {
        return part(id).isDisplayed();
    }

    Actions actions() {
        return new Actions(driver);
    }

    Object run(String script, Object... arguments) {
        return Objects.requireNonNull(driver.executeScript(script, arguments), script);
    }

    /** Writes a picture of the page beside the reports of the build, for people. */
    void picture(String name) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "pages"));
        Files.write(folder.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    }

    /** Holds the page to no error, and to nothing that the content security policy refused. */
    void assertQuiet() {
        assertThat(errors()).isEmpty();
        assertThat((List<?>) run("return window.refused")).isEmpty();
    }

    /** Returns the errors since the last call, as the browser's console shows them. */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(entry -> entry.getMessage())
                .toList();
    }

    /** Holds everything that can be used or that stands for a picture to a name, as a screen reader says it. */
    void assertNamed() {
        for (int look = 1; ; look++) {
            try {
                lookForNames();
                return;
            } catch (StaleElementReferenceException replaced) {
                // The page of a run that trains replaces rows meanwhile: what stands there now is looked at.
                if (look == MOST_LOOKS) {
                    throw replaced;
                }
            }
        }
    }

    private void lookForNames() {
        // What lies behind an open dialog has no names: it cannot be reached.
        boolean hasDialog = !all("dialog[open]").isEmpty();
        List<WebElement> used = all((hasDialog ? "dialog[open], dialog[open] " : "")
                        + ":is(button, input, a[href], select, textarea, [tabindex], [role=img], progress)")
                .stream()
                .filter(WebElement::isDisplayed)
                .toList();
        assertThat(used)
                .isNotEmpty()
                .allSatisfy(element -> assertThat(element.getAccessibleName())
                        .as("the name of %s", element.getAttribute("outerHTML"))
                        .isNotBlank());
    }

    /** Holds the page to a stable layout: below 0.1 is good by the measure of Core Web Vitals. */
    void assertSteady() {
        assertThat(((Number) run("return window.shifted")).doubleValue())
                .as("layout shift")
                .isLessThan(0.1);
    }

    /** Holds the page to the width of the screen. */
    void assertFits() {
        assertThat((Boolean) run("return document.documentElement.scrollWidth <= window.innerWidth"))
                .as("fits the width")
                .isTrue();
    }

    /** Holds each element to the width of the screen, and its text to its own: nothing is cut but what can be scrolled or is unseen. */
    void assertNothingCut() {
        assertThat((List<?>) run(CUT)).as("elements that are cut").isEmpty();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
