package org.fleetgrad.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fleetgrad.reports.Report.CurvePoint;
import org.fleetgrad.reports.Report.FleetChange;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportPageTest {

    private static final Baseline ONE_MACHINE =
            new Baseline(0.98, 0.07, 40, 30.0, 76800, 1920, null, 1, 0.05, "runs/one/report.json");

    private static String page(Report report) {
        return ReportPage.write(report);
    }

    @Test
    void shouldShowTheTotalsBesideThoseOfOneMachine() {
        String page = page(ExampleReport.of(ONE_MACHINE, null, List.of()));

        assertThat(page)
                .contains("<th>time</th><td>20.0 s</td><td>40.0 s</td><td>0.50</td>")
                .contains("<th>time to the target</th><td>15.0 s</td><td>30.0 s</td><td>0.50</td>")
                .contains("<th>cost</th><td>0.012500 USD</td><td>0.050000 USD</td><td>0.25</td>")
                .contains("runs/one/report.json")
                .doesNotContain("No baseline");
    }

    @Test
    void shouldSayHowToGetABaselineWhereThereIsNone() {
        assertThat(page(ExampleReport.of(null, null, List.of())))
                .contains("<th>time</th><td>20.0 s</td></tr>")
                .contains("<th>area under the ROC curve</th><td>0.9688</td></tr>", "<th>F1</th><td>0.9000</td></tr>")
                .contains("<th>precision</th><td>0.8750</td></tr>", "<th>recall</th><td>0.9250</td></tr>")
                .contains("<th>top-5 accuracy</th><td>99.91%</td></tr>")
                .contains("<th>held-out loss</th><td>0.0625</td></tr>")
                .contains("No baseline: <code>--baseline</code>");
    }

    /** The chart is 900 by 260: its top, at 10, is the largest loss, 4, and a loss of 0 is at 234. */
    @Test
    void shouldSpeakOfTheLossOfAText() {
        String page = page(ExampleReport.ofText());

        assertThat(page)
                .contains(
                        "gpt2 on letters: loss 1.8750 after 20 s",
                        "Did not reach the target of a held-out loss of 1.5000")
                .contains("<th>held-out loss</th><td>1.8750</td>", "<th>perplexity</th><td>6.52</td>")
                .contains("<th>bits a character</th><td>2.705</td>", "<th>tokens per second</th><td>122,880</td>")
                .contains("<b class=\"held-out\">held-out loss</b>", ">4.00</text>", ">0.80</text>")
                .doesNotContain("accuracy");
        assertThat(page).containsPattern("class=\"held-out\" points=\"900(\\.0+)?,66(\\.0+)?");
    }

    @Test
    void shouldShowEachActivation() {
        String page = page(ExampleReport.of(
                null,
                null,
                List.of(
                        ExampleReport.row("worker-1", ActivationRow.ANSWERED, null),
                        ExampleReport.row("worker-2", ActivationRow.KILLED, "its time of 60 s was over"))));

        assertThat(page)
                .contains("<td>1.0</td><td>4.0</td><td>cold</td><td>1.00</td><td>0.001000</td><td>320</td><td>5.0</td>")
                .contains("<rect class=\"killed\"")
                .contains("its time of 60 s was over");
    }

    @Test
    void shouldNameTheBestVersionAndWhyTheRunEnded() {
        assertThat(page(ExampleReport.of(null, null, List.of())))
                .contains("<th>best evaluated version</th><td>1,180: 98.25%</td>")
                .contains("Version 1,180 was better, and is kept: fleetgrad model export --best --checkpoints runs/x")
                .doesNotContain("no longer got better");
        assertThat(page(ExampleReport.ofText()))
                .contains("<th>best evaluated version</th><td>1,200: held-out loss 1.8750, the model</td>")
                .contains("The run ended because its held-out score no longer got better.")
                .doesNotContain("was better, and is kept");
    }

    @Test
    void shouldLeaveOutWhatARunWithoutPricesAndLimitsDoesNotHave() {
        ActivationRow plain = new ActivationRow(
                "w", null, "r", 0, 1, null, false, ActivationRow.ANSWERED, null, null, null, 1L, 0L, 0, Map.of());
        Report report = ExampleReport.of(null, null, List.of(plain));
        Report free = new Report(
                ExampleReport.result(null),
                report.settings(),
                0,
                report.prices(),
                null,
                null,
                null,
                report.curve(),
                report.activations());

        assertThat(page(report)).contains("<th>cost</th><td>0.012500 USD</td>").doesNotContain("<th>GB-s</th>");
        assertThat(page(free)).doesNotContain("cost</th>", "<th>GB-s</th>");
    }

    @Test
    void shouldBeginTheAxisOfAGoodModelWhereItsResultsLie() {
        Report report = ExampleReport.of(null, null, List.of());
        List<CurvePoint> curve = IntStream.range(0, 40)
                .mapToObj(i -> new CurvePoint(i, i, i * 10L, 1.0, i < 2 ? 0.1 : 0.96 + i / 2000.0, null))
                .toList();
        Report good = new Report(
                report.result(), report.settings(), 0, report.prices(), null, null, null, curve, report.activations());

        assertThat(page(good))
                .contains(">95%</text>", ">96%</text>", ">100%</text>")
                .contains("the axis begins at 95%, and lower values lie on it");
        assertThat(page(report)).contains(">0%</text>").doesNotContain("the axis begins");
    }

    /** The largest training loss is 2.3: its axis is at the right, in fifths. */
    @Test
    void shouldHaveAnAxisForTheLoss() {
        assertThat(page(ExampleReport.of(null, null, List.of())))
                .contains(
                        "x=\"866.0\" y=\"14.0\">2.30</text>",
                        ">0.46</text>",
                        ">0.00</text>",
                        "training loss</b> (right)")
                .contains(">100%</text>");
    }

    @Test
    void shouldShowNothingForWhatAnAnswerDoesNotSayOrSaysWrongly() {
        ActivationRow odd = new ActivationRow(
                "w",
                null,
                "r",
                0,
                1,
                null,
                false,
                ActivationRow.ANSWERED,
                null,
                null,
                null,
                null,
                null,
                0,
                Map.of("counted", "many", "bytes", List.of()));

        assertThat(page(ExampleReport.of(null, null, List.of(odd)))).contains("<td>–</td><td>–</td><td>–</td>");
    }

    @Test
    void shouldShowHowManyWorkersThereWereAndWhy() {
        assertThat(page(ExampleReport.of(
                        null,
                        List.of(new FleetChange(0, 1, "the first"), new FleetChange(5, 2, "it pays")),
                        List.of())))
                .contains("<h2>Workers</h2>", "it pays", "class=\"workers\"");
    }

    @Test
    void shouldBeWellFormedAndShowTextFromElsewhereAsText() throws Exception {
        String hostile = "</td><script>alert(\"1\")</script>&";
        String page = page(ExampleReport.of(
                ONE_MACHINE,
                List.of(new FleetChange(0, 1, hostile)),
                List.of(ExampleReport.row(hostile, ActivationRow.FAILED, hostile))));

        assertThat(page).doesNotContain("<script>").contains("&lt;script&gt;").contains("&lt;async&gt;");
        String body = page.substring(page.indexOf("<body>"), page.indexOf("</html>"));
        Document parsed = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(body)));
        assertThat(parsed.getElementsByTagName("svg").getLength()).isEqualTo(2);
    }

    @Test
    void shouldStayReadableWhereThereAreThousands() {
        List<ActivationRow> many =
                Collections.nCopies(5000, ExampleReport.row("worker-1", ActivationRow.ANSWERED, null));

        assertThat(page(ExampleReport.of(null, null, many))).contains("The first 2,000 of 5,000.");
    }
}
