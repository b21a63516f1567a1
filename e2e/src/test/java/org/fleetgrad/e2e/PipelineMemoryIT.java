package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The memory that a plan promises, against what the processes of the stages then take. */
@Order(15)
@Tag("whole")
class PipelineMemoryIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(6);

    /** Stage, blocks, milliseconds, parameters, and then the peak. */
    private static final Pattern ROW =
            Pattern.compile("(?m)^ +\\d+  \\S+(?: to \\S+ \\(\\d+\\))? +[-\\d.]+ +[\\d,]+ +([\\d.]+) ");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vgg16_bn --stages 4 --micro-batch 16 --stash --predict aggmsnag --weight-decay 0.0005 --gap-aware",
                "vgg16_bn --stages 4 --micro-batch 8 --recompute"
            })
    void shouldStayBelowThePlanAndCloseToIt(String options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("pipeline", "--json", "--network"));
        arguments.addAll(List.of(options.split(" ")));
        // Memory does not depend on what the images show, and few test images keep the evaluation short.
        Path data = TinyColours.write(folder.resolve("data"), 1_000, 20);
        arguments.addAll(List.of("--data", data.toString(), "--cut", "bytes", "--max-steps", "8", "--out", "run"));
        try (FleetgradProcess pipeline = FleetgradProcess.start(folder, arguments.toArray(String[]::new))) {
            assertThat(pipeline.await(TIMEOUT)).as(pipeline.stderr()).isZero();
            JsonNode measured = pipeline.lastLineAsJson().path("peakMiB");
            Matcher planned = ROW.matcher(pipeline.stderr());
            for (int stage = 0; stage < measured.size(); stage++) {
                assertThat(planned.find()).as(pipeline.stderr()).isTrue();
                assertThat(Double.parseDouble(planned.group(1)))
                        .as("stage %d of %s", stage, options)
                        .isBetween(
                                measured.get(stage).asDouble(),
                                1.2 * measured.get(stage).asDouble());
            }
        }
    }
}
