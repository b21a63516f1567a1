package org.fleetgrad.cli.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.runs.device.CudaLibrary;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.process.Malloc;
import org.fleetgrad.runs.process.ProgramFolder;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/**
 * A program of another module that is also a command of {@code fleetgrad}: it gets the arguments after the command, and its
 * options, help and exit code are the command's.
 *
 * <p>The evaluator is one, because it computes with libtorch, whose jars are ten times as large as the whole command line, and
 * every other command would open them, too. The benchmarks are one, so that only they contain the libraries that Fleetgrad is
 * compared with.
 */
public final class OtherProgram implements Callable<Integer> {

    /** A program that gets SIGTERM may have results to print. */
    private static final int PATIENCE_SECONDS = 10;

    private final String module;
    private final List<String> flags;
    private final Map<String, String> environment;

    @Parameters(hidden = true)
    private List<String> words = new ArrayList<>();

    /**
     * @param module      the module, which is also the name of the jar
     * @param flags       of its JVM
     * @param environment variables to set unless they are already set
     */
    public OtherProgram(String module, List<String> flags, Map<String, String> environment) {
        this.module = module;
        this.flags = flags;
        this.environment = environment;
    }

    /** Returns the program that computes with libtorch. */
    public static OtherProgram evaluator() {
        return new OtherProgram("evaluator", List.of("-XX:+UseSerialGC"), Malloc.settings(0));
    }

    /** Returns the command, of which every option is a plain argument: {@code fleetgrad} itself defines none of them. */
    public CommandLine command(String description) {
        CommandLine command = new CommandLine(this).setUnmatchedOptionsArePositionalParams(true);
        command.getCommandSpec().usageMessage().description(description);
        return command;
    }

    /** Runs the program on this terminal, and returns its exit code. */
    @Override
    public Integer call() throws RunFailedException, IOException, InterruptedException {
        return run(words);
    }

    /** Runs the program with other words than those of a command line, as {@link #call} does. */
    public int run(List<String> arguments) throws RunFailedException, IOException, InterruptedException {
        String home = System.getProperty("fleetgrad.home", ".");
        Path jar = ProgramFolder.jar(Path.of(home), module);
        if (!Files.exists(jar)) {
            throw RunFailedException.remote(
                    "%s is not built: start with the script ./fleetgrad, which builds it".formatted(jar));
        }
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(flags);
        command.addAll(List.of("-Dfleetgrad.home=" + home, ProgramFolder.flag(Path.of(home)), "-jar", jar.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        environment.forEach(builder.environment()::putIfAbsent);
        if (isOnGpu(arguments)) {
            builder.environment()
                    .putAll(CudaLibrary.environment(System.getenv(), Path.of(home), jar.resolveSibling("lib")));
        }
        Process program = builder.start();
        // SIGTERM reaches this process only; without the hook the program would run on.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(program), "end-" + module));
        return program.waitFor();
    }

    /** Returns whether the option {@code --device} of these words names a GPU, for which the jars have no libtorch. */
    static boolean isOnGpu(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String device = word.startsWith("--device=")
                    ? word.substring("--device=".length())
                    : word.equals("--device") && i + 1 < words.size() ? words.get(i + 1) : "cpu";
            if (device.startsWith("cuda") || device.startsWith("gpu")) {
                return true;
            }
        }
        return false;
    }

    private static void end(Process program) {
        program.destroy();
        try {
            boolean unused = program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
