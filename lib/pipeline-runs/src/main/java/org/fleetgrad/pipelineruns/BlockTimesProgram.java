package org.fleetgrad.pipelineruns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.pipeline.cut.BlockTimes;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.process.Malloc;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.process.ProgramFolder;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Measures the blocks of a network in a program that has libtorch. */
final class BlockTimesProgram {

    private static final int MEBIBYTES_OF_HEAP = 6;

    private BlockTimesProgram() {}

    /** Measures for a pipeline of these settings. */
    static BlockTimes measure(NetworkSpec network, PipelineSettings settings)
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
        builder.environment().putAll(Malloc.SETTINGS);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int code = process.waitFor();
            String last = output.substring(output.lastIndexOf('\n') + 1);
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
            process.destroyForcibly();
        }
    }
}
