package org.fleetgrad.pipelineruns;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.pipeline.cut.BlockTimes;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.process.Malloc;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.process.ProgramFolder;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Measures the blocks of a network in a program that has libtorch. */
final class BlockTimesProgram {

    private static final int MEBIBYTES_OF_HEAP = 6;

    /** Each block takes a warm-up and one pass at least, however slow it is. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static final String PROGRESS = "measured ";

    private BlockTimesProgram() {}

    /**
     * Measures for a pipeline of these settings.
     *
     * @throws RunFailedException if the program fails, or takes longer than 5 minutes
     */
    static BlockTimes measure(NetworkSpec network, PipelineSettings settings, RunOutput output)
            throws IOException, RunFailedException, InterruptedException {
        int samples = settings.microBatch();
        JsonMapper json = JsonMapper.builder().build();
        long bytes = network.layout().byteLength() + ((long) MEBIBYTES_OF_HEAP << 20) * samples;
        List<String> command = new ArrayList<>(Program.WORKER_ACTION.command(ProgramFolder.home(), bytes));
        command.addAll(List.of(
                "blocks",
                network.name(),
                Integer.toString(samples),
                Integer.toString(settings.stages()),
                settings.optimizer().toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(Malloc.settings(network.layout().byteLength()));
        Process process = builder.start();
        CompletableFuture<Void> limit = CompletableFuture.runAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(LONGEST.toSeconds(), TimeUnit.SECONDS));
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            process.getOutputStream().close();
            String last = "";
            String progress = "no block was measured";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(PROGRESS)) {
                    progress = line;
                    output.live("measuring the blocks of %s: %s".formatted(network.name(), line));
                } else {
                    last = line;
                }
            }
            int code = process.waitFor();
            if (limit.isDone()) {
                throw RunFailedException.remote(
                        "measuring the blocks took more than %d s: %s; write --cut bytes, or name the first block of each stage after the first"
                                .formatted(LONGEST.toSeconds(), progress));
            }
            if (code != 0) {
                throw RunFailedException.remote(
                        "the blocks could not be measured: the program ended with code %d: %s".formatted(code, last));
            }
            return json.readValue(last, BlockTimes.class)
                    .withStepEvery(settings.cures().stepEvery());
        } catch (JacksonException other) {
            throw RunFailedException.remote(
                    "the blocks could not be measured: %s".formatted(other.getOriginalMessage()));
        } finally {
            limit.cancel(false);
            process.destroyForcibly();
        }
    }
}
