package org.fleetgrad.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.fleetgrad.cli.failure.CommandFailedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code fleetgrad bench}: passes its arguments to the benchmarks, a program of its own, so that only that program carries
 * the libraries that Fleetgrad is compared with. The benchmarks define the options and the help.
 */
@Command(
        name = BenchCommand.NAME,
        description = "Measures Fleetgrad on this machine, beside other systems and the limits of the machine.")
final class BenchCommand implements Callable<Integer> {

    static final String NAME = "bench";

    private static final Path JAR = Path.of("benchmarks", "target", "benchmarks.jar");

    @Parameters(hidden = true)
    private List<String> words = new ArrayList<>();

    /** Makes every option of {@code bench} a plain argument: it knows none of them itself. */
    static CommandLine takesEveryWord(CommandLine fleetgrad) {
        CommandLine bench = fleetgrad.getSubcommands().get(NAME);
        if (bench != null) {
            bench.setUnmatchedOptionsArePositionalParams(true);
        }
        return fleetgrad;
    }

    @Override
    public Integer call() throws CommandFailedException, IOException, InterruptedException {
        String home = System.getProperty("fleetgrad.home", ".");
        Path jar = Path.of(home).resolve(JAR);
        if (!Files.exists(jar)) {
            throw CommandFailedException.remote(
                    "%s is not built: start with the script ./fleetgrad, which builds it".formatted(jar));
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfleetgrad.home=" + home,
                "-jar",
                jar.toString()));
        command.addAll(words);
        Process benchmarks = new ProcessBuilder(command).inheritIO().start();
        // SIGTERM reaches this process only; without the hook the benchmarks would run on.
        Runtime.getRuntime().addShutdownHook(new Thread(benchmarks::destroy, "end-benchmarks"));
        return benchmarks.waitFor();
    }
}
