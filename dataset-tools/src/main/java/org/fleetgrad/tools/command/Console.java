package org.fleetgrad.tools.command;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.LinkedHashMap;
import java.util.Map;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.fleetgrad.tools.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/**
 * The common part of every command: help, the table of exit codes, and its output. Data goes to stdout, all other output to
 * stderr.
 */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = Console.Version.class,
        exitCodeListHeading = Console.EXIT_CODES_HEADING,
        exitCodeList = {Console.EXIT_0, Console.EXIT_1, Console.EXIT_2, Console.EXIT_3, Console.EXIT_4, Console.EXIT_130
        })
public final class Console {

    /** Heading of the table. */
    public static final String EXIT_CODES_HEADING = "%nExit codes:%n";

    public static final String EXIT_0 = "0:done";
    public static final String EXIT_1 = "1:an error inside the program";
    public static final String EXIT_2 = "2:the command line is wrong";
    public static final String EXIT_3 = "3:an input file is missing or invalid, or an output file exists";
    public static final String EXIT_4 = "4:a server or the network failed";
    public static final String EXIT_130 = "130:interrupted";

    private static final JsonMapper MAPPER = new JsonMapper();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--json", description = "Print the result as JSON: one object, in place of text.")
    private boolean isJson;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print no progress.")
    private boolean isQuiet;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print stack traces of errors.")
    private boolean isVerbose;

    /** Reads the version from the jar's manifest. */
    public static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Console.class.getPackage().getImplementationVersion();
            return new String[] {"dataset-tools " + (version == null ? "(unpackaged)" : version)};
        }
    }

    /** Returns whether stack traces are wanted. */
    public boolean isVerbose() {
        return isVerbose;
    }

    boolean isJson() {
        return isJson;
    }

    /** Makes the exception that ends a command as a wrong command line. */
    ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    void print(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }

    void printJson(Map<String, ?> object) {
        print(toJson(object));
    }

    void printError(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }

    static String toJson(Map<String, ?> object) {
        return MAPPER.writeValueAsString(object);
    }

    Progress progress() {
        boolean isSilent = isQuiet || System.getenv("CI") != null || !Terminal.isStderr();
        return isSilent ? Progress.SILENT : new ProgressBarDisplay();
    }

    /** Returns whether the output is a terminal. */
    static final class Terminal {

        private Terminal() {}

        /** Runs POSIX's {@code test}: Java knows about stdin and stdout only, and only about both together. */
        static boolean isStderr() {
            try {
                return new ProcessBuilder("test", "-t", "2")
                                .redirectError(Redirect.INHERIT)
                                .start()
                                .waitFor()
                        == 0;
            } catch (IOException noSuchProgram) {
                return false;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    /** Shows progress as a bar on stderr. */
    static final class ProgressBarDisplay implements Progress {

        private @Nullable ProgressBar bar;

        @Override
        public void begin(String task, long total, String unit) {
            bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(total)
                    .setUnit(" " + unit, 1)
                    .showSpeed()
                    .setConsumer(new ConsoleProgressBarConsumer(System.err))
                    .build();
        }

        @Override
        public void reach(long done) {
            if (bar != null) {
                bar.stepTo(done);
            }
        }

        @Override
        public void end() {
            if (bar != null) {
                bar.close();
            }
        }
    }

    /** The fields of a JSON object in the order in which they are printed. */
    static final class PrintedFields {

        private PrintedFields() {}

        /** Takes names and values in turn. */
        static Map<String, Object> of(Object... namesAndValues) {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (int i = 0; i < namesAndValues.length; i += 2) {
                fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
            }
            return fields;
        }
    }
}
