package org.fleetgrad.pipelineruns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.networks.Task;
import org.fleetgrad.pipeline.timeline.Timeline;
import org.fleetgrad.pipelineruns.flush.FlushFolder.FlushRecord;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.reports.BestResult;
import org.fleetgrad.runs.ChosenModel;
import org.fleetgrad.runs.output.HeldOutFigures;
import org.fleetgrad.runs.output.RunOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A pipeline that is stopped after its flush 3, of 75 steps. */
class StoppedPipelineTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", 2)));
    private static final FlushRecord FLUSH =
            new FlushRecord(3, 75, 75, 1_500, 6.5, "tiny", "fc1", List.of(2_000), Map.of(), List.of());
    private static final Trained TRAINED = new Trained(
            FLUSH,
            new ParameterVersion("g", 75),
            5,
            1_500,
            new RunFigures.Totals(
                    0.5, 0.75, 0.1, List.of(1.0, 0.0), List.of(2, 1), List.of(90.0, 80.0), new Timeline(2, List.of())),
            Optional.empty());

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();
    private final List<String> order = new ArrayList<>();
    private Optional<ChosenModel> best = Optional.empty();
    private boolean isBroken;

    @Test
    void shouldLeaveTheLastFlushAsModelIfNoVersionWasEvaluated() throws Exception {
        stopped(Optional.of(TRAINED)).leave();

        assertThat(order).as("nothing is read before all programs have ended").containsExactly("programs", "training");
        assertThat(model()).containsExactly(75, 75);
        JsonNode result = JsonMapper.shared().readTree(folder.resolve("pipeline.json"));
        assertThat(result.path("ended").asString()).isEqualTo("stopped");
        assertThat(result.path("flushes").asLong()).isEqualTo(3);
        assertThat(result.path("version").asLong()).isEqualTo(75);
        assertThat(result.path("samplesPerSecond").asDouble()).isEqualTo(300);
        assertThat(result.has("accuracy")).isFalse();
        assertThat(told)
                .containsExactly(
                        "stopped: flush 3, after 75 steps, which was not evaluated; the model is %s, the result %s"
                                .formatted(folder.resolve("model.safetensors"), folder.resolve("pipeline.json")),
                        goOn());
    }

    /** As a run of workers does. */
    @Test
    void shouldLeaveTheBestEvaluatedVersion() throws Exception {
        best = Optional.of(new ChosenModel(
                new Pulled(new ParameterVersion("g", 50), parameters(50)),
                new HeldOutFigures(0.9, null, 0.25, null, null, null, null),
                new BestResult(50, "g", 0.9, 0.25, true)));

        stopped(Optional.of(TRAINED)).leave();

        assertThat(model()).containsExactly(50, 50);
        JsonNode result = JsonMapper.shared().readTree(folder.resolve("pipeline.json"));
        assertThat(result.path("version").asLong()).isEqualTo(50);
        assertThat(result.path("best").path("written").asBoolean()).isTrue();
        assertThat(told).hasSize(2);
        assertThat(told.get(0)).startsWith("stopped: accuracy 90").contains(" of version 50, the best evaluated one;");
        assertThat(told.get(1)).isEqualTo(goOn());
    }

    @Test
    void shouldSayThatThereIsNothingBeforeTheFirstFlush() {
        stopped(Optional.empty()).leave();

        assertThat(told).containsExactly("stopped before the first flush: there is nothing to go on from");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldSayHowToGoOnAlthoughTheModelCannotBeWritten() {
        isBroken = true;

        stopped(Optional.of(TRAINED)).leave();

        assertThat(told).containsExactly("stopped; the model could not be written: the disk is full", goOn());
    }

    @Test
    void shouldLeaveAResultThatIsWrittenAsItIs() {
        StoppedPipeline stopped = stopped(Optional.of(TRAINED));
        stopped.written();

        stopped.leave();

        assertThat(order).containsExactly("programs");
        assertThat(folder).isEmptyDirectory();
        assertThat(told).isEmpty();
    }

    private String goOn() {
        return "go on: fleetgrad pipeline --resume %s, with the options of this run".formatted(folder);
    }

    private float[] model() throws Exception {
        return Safetensors.map(folder.resolve("model.safetensors")).toFloats(LAYOUT);
    }

    private static TensorSet parameters(float value) {
        return TensorSet.ofFloats(LAYOUT, new float[] {value, value}, Map.of());
    }

    private StoppedPipeline stopped(Optional<Trained> trained) {
        PipelineReport report = new PipelineReport(
                new PipelineReport.Pipeline(
                        "tiny",
                        new Task.ImageClassification(List.of(1, 28, 28), 10),
                        2,
                        "processes",
                        "1f1b",
                        "1f1b, stash",
                        "fc1"),
                Optional.empty(),
                folder);
        StoppedPipeline.Disk disk = new StoppedPipeline.Disk() {
            @Override
            public Optional<ChosenModel> best(Optional<StatusReply> seen) throws IOException {
                if (isBroken) {
                    throw new IOException("the disk is full");
                }
                return best;
            }

            @Override
            public TensorSet at(FlushRecord flush) {
                return parameters((float) flush.steps());
            }
        };
        StoppedPipeline stopped = StoppedPipeline.expect(
                () -> order.add("programs"),
                () -> {
                    order.add("training");
                    return trained;
                },
                disk,
                report,
                new Told());
        // The process of the tests does not end as a run's does.
        stopped.close();
        return stopped;
    }

    private final class Told implements RunOutput {

        @Override
        public void tell(String line) {
            told.add(line);
        }

        @Override
        public void live(String line) {}

        @Override
        public Duration pace() {
            return Duration.ofDays(1);
        }
    }
}
