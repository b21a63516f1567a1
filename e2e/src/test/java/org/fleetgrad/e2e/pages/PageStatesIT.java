package org.fleetgrad.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Both pages in states that take hours or many machines: the figures are made up. */
@Tag("whole")
class PageStatesIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** A focused control shows it, or its label does: then it is as small as a point itself. */
    private static final String SHOWS_FOCUS = """
            const at = document.activeElement;
            const shown = [at, at.nextElementSibling, at.previousElementSibling].filter(Boolean);
            return shown.some((element) => getComputedStyle(element).outlineStyle !== "none");
            """;

    private static final String MODEL = """
            {"code":200,"state":"serving","server":"http://127.0.0.1:29500","network":"lenet5?classes=10&input=1x28x28",
             "classes":["0","1","2","3","4","5","6","7","8","9"],"generation":"5f2c9a1e","version":103412,"predictions":3,"uptimeMs":1000}
            """;

    private static final String ANSWER = """
            {"code":200,"answer":"AA","generation":"5f2c9a1e","version":103412,"accuracy":0.9812,"accuracyVersion":103400,
             "predictions":[{"label":"7","class":7,"probabilities":[0.01,0.01,0.01,0.01,0.01,0.01,0.01,0.91,0.01,0.01]}]}
            """;

    private static final String FEEDBACK = """
            {"code":200,"counted":120,"repeated":3,"versions":[{"generation":"5f2c9a1e","version":103412,
             "live":{"samples":120,"accuracy":0.95,"low":0.895,"high":0.977},"accuracy":0.981,"loss":0.06}]}
            """;

    private static final String SHADOW = """
            {"code":200,"share":0.05,"samples":400,"differing":9,"dropped":2,"shadowMs":310,"servedMs":6900,"pairs":[
             {"served":{"generation":"5f2c9a1e","version":103112},"shadow":{"generation":"5f2c9a1e","version":103412},
              "samples":120,"differing":3,"disagreement":0.025}]}
            """;

    @TempDir
    private static Path folder;

    private static Browser browser;
    private static TryItPrograms programs;
    private static StandIn run;
    private static StandIn model;

    @BeforeAll
    static void start() throws IOException {
        browser = Browser.start();
        programs = TryItPrograms.start(folder, Map.of());
        run = new StandIn(programs.dashboard());
        model = new StandIn(programs.page());
    }

    @AfterAll
    static void end() throws InterruptedException {
        // A skipped test has none of them.
        if (browser != null) {
            browser.close();
        }
        if (programs != null) {
            run.close();
            model.close();
            programs.kill();
        }
    }

    private static void awaitText(String id, String text) {
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(browser.text(id)).contains(text));
    }

    /** Looks at the dashboard on a desk in light and on a phone in dark. */
    private static void look(String name, MadeUpRun figures, String learning) throws IOException {
        figures.toldBy(run);
        browser.useDesk();
        browser.prefer("light");
        browser.open(run.page());
        awaitText("learning", learning);
        browser.assertNothingCut();
        browser.picture("state-" + name);
        browser.prefer("dark");
        browser.useSmallPhone();
        await().atMost(TIMEOUT).untilAsserted(browser::assertFits);
        await().atMost(TIMEOUT).untilAsserted(browser::assertNothingCut);
        browser.picture("state-" + name + "-phone");
        browser.assertQuiet();
    }

    /** On the small phone, with the keyboard. */
    private static void drawTheEarlierRun() throws IOException {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(browser.shows("beside")).isTrue());
        browser.find("#earlier").sendKeys(Keys.ARROW_DOWN);
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(browser.part("chart-accuracy").getAccessibleName())
                        .contains("; earlier run from "));
        assertThat(browser.part("chart-loss").getAccessibleName()).contains("; earlier run from ");
        assertThat(browser.text("beside-name")).isEqualTo("Earlier run: an-earlier-run-with-a-long-name-of-its-own");
        assertThat(browser.part("chart-rate").getAccessibleName()).doesNotContain("earlier run");
        await().atMost(TIMEOUT).untilAsserted(browser::assertFits);
        await().atMost(TIMEOUT).untilAsserted(browser::assertNothingCut);
        browser.assertNamed();
        browser.assertQuiet();
        browser.picture("state-beside-phone");
        browser.useDesk();
        browser.assertNothingCut();
        browser.picture("state-beside");
    }

    @Test
    void shouldAnswerTheThreeQuestionsInEveryState() throws Exception {
        look("none", MadeUpRun.without(), "It has not begun");
        assertThat(browser.text("using")).isEqualTo("No worker is here");

        look("hours", MadeUpRun.of(10, 6, 5), "better");
        assertThat(browser.text("end")).startsWith("In about ").contains(" to ");
        assertThat(browser.text("note-accuracy")).isEqualTo("without the beginning");
        assertThat(browser.part("chart-loss").getAccessibleName()).contains("; rolled back from version ");
        assertThat(browser.text("version")).matches("[0-9]+");
        browser.assertNamed();

        drawTheEarlierRun();

        look("many", MadeUpRun.of(0.25, 64, 0), "better");
        assertThat(browser.text("end")).isEqualTo("When somebody stops it");
        assertThat(browser.all("#worker-rows tr")).hasSize(64);

        look("done", MadeUpRun.of(1, 2, 3), "better");
        assertThat(browser.text("end")).isEqualTo("It is done");
    }

    @Test
    void shouldKeepAWorkersRowWhenItsNextActivationHasAnotherId() {
        MadeUpRun.of(1, 3, 5).toldBy(run);
        browser.useDesk();
        browser.open(run.page());
        awaitText("worker-rows", "Worker 3");

        MadeUpRun.of(1, 2, 5).toldBy(run);

        awaitText("worker-rows", "between two activations");
        assertThat(browser.find("#worker-rows tr:last-child").getText()).contains("Worker 3");
        MadeUpRun.of(1, 3, 5).toldBy(run);
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(browser.text("worker-rows")).doesNotContain("between"));
        assertThat(browser.all("#worker-rows tr")).hasSize(3);
    }

    @Test
    void shouldSayThatAServerTakesRequestsAndAnswersNone() {
        MadeUpRun.of(1, 2, 5).toldBy(run);
        browser.useDesk();
        browser.open(run.page());
        awaitText("state", "Training");

        run.hang();

        // Until the request is given up, which takes longer.
        awaitText("away-text", "No answer for ");
        assertThat(browser.text("state")).isEqualTo("Server away");
        run.recover();
        awaitText("state", "Training");
        assertThat(browser.shows("away")).isFalse();
    }

    @Test
    void shouldReachEveryControlWithTheKeyboard() {
        MadeUpRun.of(1, 2, 5).toldBy(run);
        browser.useDesk();
        browser.open(run.page());
        awaitText("state", "Training");

        await().atMost(TIMEOUT).until(() -> browser.shows("beside"));
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            browser.actions().sendKeys(Keys.TAB).perform();
            reached.add(browser.run("const at = document.activeElement; return at.id || at.name || at.className")
                    .toString());
            assertThat((Boolean) browser.run(SHOWS_FOCUS))
                    .as("focus of %s is seen", reached)
                    .isTrue();
        }

        assertThat(reached).containsExactly("axis", "range", "earlier", "scroll tall");
    }

    @Test
    void shouldShowTheAnswerOnAPhoneWithoutScrollingAndHowGoodVersionsAre() throws Exception {
        model.tell("/status", MODEL);
        model.tell("/predict", ANSWER);
        model.tell("/feedback", FEEDBACK);
        model.tell("/shadow", SHADOW);
        browser.useSmallPhone();
        browser.prefer("light");
        browser.open(model.page());
        awaitText("state", "Version 103412");

        Object unused = browser.run("document.querySelector('[aria-label=\"Draw a 7\"]').click(); return true");

        awaitText("best", "7");
        assertThat((Boolean) browser.run(
                        "return document.getElementById('best').getBoundingClientRect().bottom + scrollY < 640"))
                .as("the answer is above the fold")
                .isTrue();
        awaitText("live-rows", "95.0 %");
        awaitText("shadow-text", "It disagreed on 2.3 % of 400 samples.");
        browser.assertFits();
        browser.assertNothingCut();
        browser.assertNamed();
        browser.picture("state-model-phone");
        browser.useDesk();
        browser.assertNothingCut();
        browser.prefer("dark");
        browser.picture("state-model");
        browser.assertQuiet();
    }
}
