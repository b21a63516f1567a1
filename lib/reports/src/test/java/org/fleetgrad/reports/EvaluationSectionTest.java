package org.fleetgrad.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.EvaluationDetails;
import org.fleetgrad.protocol.messages.LabelDetails;
import org.fleetgrad.protocol.messages.LabelDetails.OneLabel;
import org.fleetgrad.protocol.messages.NumberPairs;
import org.fleetgrad.protocol.messages.RocCurve;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** The section of a report that shows what the model gets right and wrong. */
class EvaluationSectionTest {

    private static final BinaryFigures FIGURES = new BinaryFigures(0.9312, 0.8, 0.75, 0.875);

    /** Writes the page, which must be well-formed. */
    private static String page(@Nullable BinaryFigures binary, EvaluationDetails details) throws Exception {
        String page = ReportPage.write(ExampleReport.with(binary, details));
        String body = page.substring(page.indexOf("<body>"), page.indexOf("</html>"));
        Document parsed = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(body)));
        assertThat(parsed.getElementsByTagName("script").getLength()).isZero();
        return page;
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "class-" + i).toList();
    }

    @Test
    void shouldColourTheMatrixOfFewClasses() throws Exception {
        String page = page(null, new EvaluationDetails(ExampleReport.classes(names(10)), null, null, null));

        assertThat(page)
                .contains("Version 1,180 on 2,500 held-out samples; the model is version 1,200.")
                .contains("mean F1 of the classes: 0.8765")
                .contains(
                        "<tr><th scope=\"row\">class-0</th><td>90.00%</td><td class=\"right\" style=\"--share:57%\">90</td>"
                                + "<td class=\"wrong\" style=\"--share:19%\">10</td><td class=\"none\">0</td>")
                .contains("<td>100</td><td>0.8750</td><td>0.8850</td></tr>")
                .doesNotContain("ROC curve of", "most frequent confusions");
    }

    /** A matrix of 30 columns is not readable. Class 29 is the worst, and most of it is taken for class 0. */
    @Test
    void shouldListTheWorstOfManyClasses() throws Exception {
        String page = page(null, new EvaluationDetails(ExampleReport.classes(names(30)), null, null, null));

        assertThat(page)
                .contains(
                        "The 20 worst of 30 classes",
                        "<tr><th scope=\"row\">class-29</th><td>100</td><td>61.00%</td>",
                        "The 20 most frequent confusions",
                        "<tr><th scope=\"row\">class-29</th><th>class-0</th><td>39</td><td>39.00%</td></tr>",
                        "<tr><th scope=\"row\">class-10</th><th>class-11</th>")
                .doesNotContain("<th scope=\"row\">class-9</th>", "class=\"confusion\"");
    }

    @Test
    void shouldDrawTheCurveOfTwoClassesAndSayWhatItShows() throws Exception {
        RocCurve curve = new RocCurve(List.of(0.0, 0.0, 0.1, 0.5, 1.0), List.of(0.0, 0.5, 0.75, 1.0, 1.0));
        String page =
                page(FIGURES, new EvaluationDetails(ExampleReport.classes(List.of("no", "yes")), curve, null, null));

        assertThat(page)
                .contains("<h3>ROC curve of yes</h3>", "Area under the curve: 0.9312.")
                .contains(
                        "role=\"img\" aria-label=\"ROC curve of yes with an area of 0.9312: while at most 10% of the other class"
                                + " are taken for it, 75% of it are found\"")
                .contains(">false positive rate</text>", ">true positive rate</text>", "class=\"diagonal\"");
        // Both ends of the curve are those of the diagonal.
        assertThat(page).containsPattern("class=\"diagonal\" x1=\"40.0\" y1=\"254.0\" x2=\"286.0\" y2=\"8.0\"");
        assertThat(page).containsPattern("points=\"40.0,254.0 40.0,131.0 [0-9., ]* 286.0,8.0\"");
    }

    @Test
    void shouldListEachLabelAndDrawItsCurve() throws Exception {
        RocCurve curve = new RocCurve(List.of(0.0, 0.1, 1.0), List.of(0.0, 0.75, 1.0));
        String hostile = "<script>alert('1')</script>";
        LabelDetails labels = new LabelDetails(
                List.of(
                        new OneLabel("toxic", 40, new BinaryFigures(0.9312, 0.84, 0.875, 0.8077), curve),
                        new OneLabel(hostile, 0, new BinaryFigures(null, 0, 0, 0), null)),
                2);
        String page = page(null, new EvaluationDetails(null, null, null, labels));

        assertThat(page)
                .contains(
                        "The 2 labels",
                        "<th scope=\"row\">toxic</th><td>40</td><td>0.8750</td><td>0.8077</td><td>0.8400</td><td>0.9312</td>",
                        "<td>0</td><td>0.0000</td><td>0.0000</td><td>0.0000</td><td>–</td>",
                        "has no area, and does not count in the mean",
                        "<h3>ROC curve of toxic</h3>",
                        "75% of it are found",
                        "&lt;script&gt;")
                .doesNotContain("<script", "ROC curve of &lt;");
    }

    @Test
    void shouldDrawPredictionsAgainstTargets() throws Exception {
        NumberPairs pairs =
                new NumberPairs("price in USD", List.of(0.0, 5000.0, 10000.0), List.of(10000.0, 5000.0, 0.0));
        String page = page(null, new EvaluationDetails(null, null, pairs, null));

        assertThat(page)
                .contains("aria-label=\"predicted price in USD against true price in USD of 3 samples\"")
                .contains(">true price in USD</text>", ">predicted price in USD</text>", ">10,000</text>");
        assertThat(page).containsPattern("class=\"dots\" d=\"M([0-9.]+) 8.0h0M[0-9. ]+h0M286.0 [0-9.]+h0\"");
    }

    @Test
    void shouldDrawNumbersOfAnySize() throws Exception {
        for (List<Double> values : List.of(
                List.of(3.0, 3.0),
                List.of(0.0, 0.0),
                List.of(-1e300, 1e300),
                List.of(1e9, 1e9 + 1e-6),
                List.of(1e-300, 2e-300),
                List.of(-5e15, 3.0))) {
            assertThat(page(null, new EvaluationDetails(null, null, new NumberPairs("x", values, values), null)))
                    .contains("class=\"dots\"")
                    .doesNotContain("NaN", "Infinity");
        }
        List<Double> enormous = List.of(-Double.MAX_VALUE, Double.MAX_VALUE);
        assertThat(page(null, new EvaluationDetails(null, null, new NumberPairs("x", enormous, enormous), null)))
                .doesNotContain("class=\"dots\"");
    }

    @Test
    void shouldShowNamesFromElsewhereAsText() throws Exception {
        String hostile = "</td><script>alert('1')</script>&\"";
        EvaluationDetails few = new EvaluationDetails(
                ExampleReport.classes(List.of("a", hostile)),
                new RocCurve(List.of(0.0, 1.0), List.of(0.0, 1.0)),
                new NumberPairs(hostile, List.of(1.0), List.of(2.0)),
                null);
        List<String> many = IntStream.range(0, 25).mapToObj(i -> hostile + i).toList();

        assertThat(page(FIGURES, few)).contains("&lt;script&gt;").doesNotContain("<script");
        assertThat(page(null, new EvaluationDetails(ExampleReport.classes(many), null, null, null)))
                .contains("&lt;script&gt;")
                .doesNotContain("<script");
    }

    @Test
    void shouldLeaveTheSectionOutWithoutDetails() throws Exception {
        assertThat(page(null, EvaluationDetails.NONE)).doesNotContain("Right and wrong");
        assertThat(ReportPage.write(ExampleReport.of(null, null, List.of()))).doesNotContain("Right and wrong");
    }
}
