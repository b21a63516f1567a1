package org.fleetgrad.benchmarks.pictures;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.benchmarks.pipeline.SleepingPipeline;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.fleetgrad.pipeline.timeline.Timeline;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PictureTest {

    private static final Path DOCS = Path.of("..", "docs");

    /** Real stages train in threads: what they record must be what the picture shows. */
    @ParameterizedTest
    @EnumSource(Picture.class)
    void shouldShowWeightsThatStagesUse(Picture picture) throws Exception {
        Timeline trained = SleepingPipeline.run(Picture.STAGES, picture.combination(), Picture.MICRO_BATCHES, 0, 0)
                .timeline();

        assertThat(weights(picture.timeline())).isEqualTo(weights(trained));
    }

    private static List<String> weights(Timeline timeline) {
        return timeline.spans().stream()
                .filter(span -> span.activity() != Activity.STEP)
                .map(PictureTest::text)
                .toList();
    }

    private static String text(Span span) {
        return "stage %d %s %d: v%d+%d, stale %d"
                .formatted(
                        span.stage(),
                        span.activity(),
                        span.microBatch(),
                        span.weights(),
                        span.predicted(),
                        span.staleness());
    }

    @ParameterizedTest
    @EnumSource(Picture.class)
    void shouldBeTheCommittedFileOnThePage(Picture picture) throws Exception {
        assertThat(DOCS.resolve("pipeline").resolve(picture.fileName())).hasContent(PicturesCommand.draw(picture));
        assertThat(Files.readString(DOCS.resolve("pipeline-cures.md")))
                .contains("](pipeline/" + picture.fileName() + ")");
    }
}
