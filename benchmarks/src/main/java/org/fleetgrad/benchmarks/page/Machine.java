package org.fleetgrad.benchmarks.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.stream.Stream;

/** Describes the machine and the code of a measurement. */
public final class Machine {

    private Machine() {}

    /** Returns some lines of Markdown. */
    public static String describe(Path home, String command) throws InterruptedException {
        return String.format(
                Locale.ROOT,
                "- %s, %d processors, %.0f GiB; Java %s on %s%n- %s, commit %s%n- `%s`%n",
                first("/proc/cpuinfo", "model name", System.getProperty("os.arch")),
                Runtime.getRuntime().availableProcessors(),
                Double.parseDouble(first("/proc/meminfo", "MemTotal", "0").replaceAll("\\D", "")) / (1 << 20),
                System.getProperty("java.version"),
                System.getProperty("os.name"),
                LocalDate.now(ZoneOffset.UTC),
                commit(home),
                command);
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

    private static String commit(Path home) throws InterruptedException {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
                    .directory(home.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? answer : "unknown";
        } catch (IOException noGit) {
            return "unknown";
        }
    }
}
