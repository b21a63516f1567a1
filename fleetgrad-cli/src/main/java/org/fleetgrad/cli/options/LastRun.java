package org.fleetgrad.cli.options;

import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The word LAST in place of a run's folder: the newest of the folder of runs, as {@code fleetgrad runs} finds it. */
public final class LastRun {

    /** The word. */
    public static final String WORD = "LAST";

    private LastRun() {}

    /**
     * Returns the folder of the newest run for the word, in upper case as in listings, and any other text as it is.
     *
     * @throws RunFailedException if there is no run
     */
    public static String folder(String text, Map<String, String> environment) throws RunFailedException {
        return text.equals(WORD)
                ? KeptRuns.in(KeptRuns.place(environment))
                        .find(WORD)
                        .folder()
                        .toAbsolutePath()
                        .normalize()
                        .toString()
                : text;
    }

    private static String parsed(String text) {
        try {
            return folder(text, System.getenv());
        } catch (RunFailedException none) {
            throw new TypeConversionException(none.getMessage());
        }
    }

    /** Reads the argument of a command line. */
    static final class OfText implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            return parsed(text);
        }
    }

    /** Reads the argument of a command line. */
    static final class OfPath implements ITypeConverter<Path> {
        @Override
        public Path convert(String text) {
            return Path.of(parsed(text));
        }
    }
}
