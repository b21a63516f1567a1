package org.fleetgrad.benchmarks.page;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.fleetgrad.benchmarks.process.Programs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that measures, and can write what it measured into a page of the documentation. */
public abstract class PageCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    private CommandLine commandLine() {
        return Objects.requireNonNull(command).commandLine();
    }

    protected final PrintWriter out() {
        return commandLine().getOut();
    }

    /** Refuses a wrong command line. */
    protected final void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(commandLine(), message);
        }
    }

    /** Describes the machine, the code and the command line, in some lines of Markdown. */
    protected final String head() throws InterruptedException {
        return String.format(
                Locale.ROOT,
                "- %s, %d processors, %.0f GiB; Java %s on %s%n- %s, commit %s%n- `./fleetgrad bench %s`%n",
                first("/proc/cpuinfo", "model name", System.getProperty("os.arch")),
                Runtime.getRuntime().availableProcessors(),
                Double.parseDouble(first("/proc/meminfo", "MemTotal", "0").replaceAll("\\D", "")) / (1 << 20),
                System.getProperty("java.version"),
                System.getProperty("os.name"),
                LocalDate.now(ZoneOffset.UTC),
                commit(),
                String.join(" ", commandLine().getParseResult().originalArgs()));
    }

    private static String first(String file, String key, String otherwise) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(key))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse(otherwise);
        } catch (IOException noSuchFile) {
            return otherwise;
        }
    }

    private static String commit() throws InterruptedException {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
                    .directory(Programs.HOME.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? answer : "unknown";
        } catch (IOException noGit) {
            return "unknown";
        }
    }
}
