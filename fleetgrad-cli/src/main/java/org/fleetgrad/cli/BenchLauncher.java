package org.fleetgrad.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code fleetgrad bench}: passes its arguments to the benchmarks, a separate program, so that only it contains the
 * libraries that Fleetgrad is compared with. The benchmarks define the options and the help.
 */
@Command(
        name = BenchLauncher.NAME,
        description =
                "Measures Fleetgrad on this machine, and compares it with other systems and the machine's limits.")
final class BenchLauncher implements Callable<Integer> {

    static final String NAME = "bench";

    private static final OtherProgram BENCHMARKS = new OtherProgram("benchmarks", List.of(), Map.of());

    @Parameters(hidden = true)
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws RunFailedException, IOException, InterruptedException {
        return BENCHMARKS.run(words);
    }
}
