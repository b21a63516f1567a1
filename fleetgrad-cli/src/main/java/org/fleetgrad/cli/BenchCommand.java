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
 * {@code fleetgrad bench}: hands its words over to the benchmarks, which are a program of their own, so that nobody else
 * carries the libraries that it is compared with. They know its options, and its help.
 */
@Command(name = BenchCommand.NAME, description = "Measures Fleetgrad on this machine beside rivals and limits.")
final class BenchCommand implements Callable<Integer> {

    static final String NAME = "bench";

    private static final Path JAR = Path.of("benchmarks", "target", "benchmarks.jar");

    @Parameters(hidden = true)
    private List<String> words = new ArrayList<>();

    /** Lets options that it does not know, and that is all of them, be words. */
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
        // SIGTERM is for this process alone; without it the other would go on measuring.
        Runtime.getRuntime().addShutdownHook(new Thread(benchmarks::destroy, "end-benchmarks"));
        return benchmarks.waitFor();
    }
}
