package org.fleetgrad.pipeline.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class TimelinePicturesTest {

    private static final Timeline TIMELINE = new Timeline(
            2,
            List.of(
                    new Span(1, Activity.FORWARD, 7, 12, 0, 0, 120, 140),
                    new Span(0, Activity.FORWARD, 7, 11, 2, 0, 100, 120),
                    new Span(0, Activity.BACKWARD, 7, 13, 0, 2, 160, 190),
                    new Span(1, Activity.BACKWARD, 7, 12, 0, 0, 140, 160),
                    new Span(0, Activity.STEP, 7, 14, 0, 0, 190, 200)));

    @Test
    void shouldMeasureBubbleOfEachStageAndOfAll() {
        assertThat(TIMELINE.makespan()).isEqualTo(100);
        assertThat(TIMELINE.bubble(0)).isEqualTo(0.4);
        assertThat(TIMELINE.bubble(1)).isEqualTo(0.6);
        assertThat(TIMELINE.bubble()).isEqualTo(0.5);
        assertThat(meanStaleness(TIMELINE, 0)).isEqualTo(2);
    }

    @Test
    void shouldDrawActivityAboveVersionAsText() {
        assertThat(TimelineText.draw(TIMELINE, 10)).isEqualTo("""
                stage 0  FF....BBBS  bubble 40.0%
                         11....3334
                stage 1  ..FFBB....  bubble 60.0%
                         ..2222....
                """);
    }

    @Test
    void shouldDrawEmptyTimeline() {
        assertThat(TimelineText.draw(new Timeline(1, List.of()), 3)).isEqualTo("""
                stage 0  ...  bubble 0.0%
                         ...
                """);
        assertThat(TimelineSvg.draw(new Timeline(1, List.of()), 100)).contains("<svg", "</svg>");
    }

    @Test
    void shouldDrawBoxForEachSpanAsSvg() throws Exception {
        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(TimelineSvg.draw(TIMELINE, 500))));

        var boxes = svg.getElementsByTagName("title");
        assertThat(boxes.getLength()).isEqualTo(5);
        Element forward = (Element) boxes.item(0).getParentNode();
        assertThat(boxes.item(0).getTextContent())
                .isEqualTo("forward of micro-batch 7 with v11+2, staleness 0, 0.000 ms");
        assertThat(forward.getAttribute("class")).isEqualTo("forward");
        assertThat(forward.getAttribute("x")).isEqualTo("90.00");
        assertThat(forward.getAttribute("width")).isEqualTo("100.00");
        Element backward = (Element) boxes.item(1).getParentNode();
        assertThat(backward.getAttribute("x")).isEqualTo("390.00");
        assertThat(svg.getDocumentElement().getTextContent()).contains("bubble 40.0%", "bubble 60.0%", "v11+2");
    }

    @Test
    void shouldRefuseSpansOutsideThePipeline() {
        Span span = TIMELINE.spans().get(0);

        assertThatIllegalArgumentException().isThrownBy(() -> new Timeline(0, List.of(span)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Span(0, Activity.STEP, 3, 0, 0, 0, 5, 4))
                .withMessageContaining("ends at 4, before it starts at 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimelineText.draw(TIMELINE, 0))
                .withMessageContaining("not 0");
    }

    private static double meanStaleness(Timeline timeline, int stage) {
        return timeline.of(stage).stream()
                .filter(span -> span.activity() == Activity.BACKWARD)
                .mapToInt(Span::staleness)
                .average()
                .orElse(0);
    }
}
