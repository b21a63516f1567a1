package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Whole runs of a GPT-2 with tied weights in stages: the first one and the last share a tensor, and are no neighbours. */
@Tag("whole")
class TiedPipelineIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final String TIED = "transformer.wte.weight";

    @TempDir
    private Path folder;

    private Path text;

    /** 56 samples of 16 characters to train on. */
    @BeforeEach
    void writeText() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder letters = new StringBuilder();
        while (letters.length() < 2000) {
            letters.append(
                    List.of("to be ", "or not ", "that is ", "the question ").get(random.nextInt(4)));
        }
        text = Files.writeString(folder.resolve("hamlet.txt"), letters.substring(0, 2000));
    }

    private FleetgradProcess start(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "pipeline",
                "--json",
                "--data",
                text.toString(),
                "--tokenizer",
                "characters",
                "--network",
                "gpt2?context=16&dropout=0.1&heads=2&layers=2&tied=yes&width=16",
                "--micro-batch",
                "4",
                "--learning-rate",
                "0.02",
                "--seed",
                "4"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    private JsonNode run(String... more) throws Exception {
        try (FleetgradProcess pipeline = start(more)) {
            int code = pipeline.await(TIMEOUT);
            assertThat(code).as(pipeline.stderr()).isZero();
            assertThat(pipeline.programs()).isEmpty();
            return pipeline.lastLineAsJson();
        }
    }

    private static TensorSet model(JsonNode result) throws Exception {
        return Safetensors.decode(ByteBuffer.wrap(
                Files.readAllBytes(Path.of(result.path("modelPath").asString()))));
    }

    @Test
    void shouldEndWithTheBitsOfOneStageInThreeProcesses() throws Exception {
        JsonNode one = run("--out", "one", "--stages", "1", "--pipeline-schedule", "sequential");
        JsonNode three = run("--out", "three", "--stages", "3", "--pipeline-schedule", "sequential", "--cut", "bytes");

        assertThat(model(three).data()).isEqualTo(model(one).data());
        assertThat(model(three).layout().specs())
                .filteredOn(tensor -> tensor.name().equals(TIED))
                .hasSize(1);
        assertThat(three.path("staleness").valueStream()).allMatch(stale -> stale.asDouble() == 0);
    }

    /** With every cure, in processes of which one is killed: the bits of threads that nothing disturbed. */
    @Test
    void shouldGoOnAfterAKilledStageWithTheBitsOfARunInThreads() throws Exception {
        String[] cures = {
            "--stages",
            "3",
            "--cut",
            "transformer.h.0.ln_2,lm_head",
            "--pipeline-schedule",
            "1f1b",
            "--stash",
            "--predict",
            "aggmsnag",
            "--gap-aware",
            "--weight-decay",
            "0.0005",
            "--flush",
            "5",
            "--epochs",
            "30"
        };
        JsonNode threads = run(with(cures, "--out", "threads", "--places", "threads"));
        try (FleetgradProcess pipeline = start(with(cures, "--out", "killed"))) {
            await().atMost(TIMEOUT).until(() -> pipeline.stderr().contains("flush 3:"));
            pipeline.programs().stream()
                    .filter(program -> program.info().commandLine().orElse("").contains("--stages 2"))
                    .forEach(ProcessHandle::destroyForcibly);
            assertThat(pipeline.await(TIMEOUT)).as(pipeline.stderr()).isEqualTo(4);
            assertThat(pipeline.stderr()).contains("stage 2 died").contains("go on with --resume ");
        }

        JsonNode resumed = run(with(cures, "--resume", "killed"));

        assertThat(model(resumed).data()).isEqualTo(model(threads).data());
        // With the logits alone the last stage has no weights; its copy is as old as the weights of the first one.
        double first = threads.path("staleness").path(0).asDouble();
        assertThat(first).isBetween(1.0, 2.0);
        assertThat(threads.path("staleness").path(2).asDouble()).isEqualTo(first);
        assertThat(threads.path("staleness").path(1).asDouble()).isLessThan(first);
        assertThat(resumed.path("heldOutLoss").asDouble())
                .as("guessing costs ln 16")
                .isLessThan(2);
    }

    private static String[] with(String[] options, String... more) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
