package org.fleetgrad.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.process.Malloc;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code fleetgrad evaluate}: passes its arguments to the evaluator, a separate program. It computes with libtorch, whose
 * jars are ten times as large as the whole command line, and every other command would open them too. The inference API has
 * libtorch, but its jar includes Spring, which an evaluation of files does not need, and cannot read checkpoints. The
 * evaluator defines the options and the help.
 */
@Command(
        name = EvaluateLauncher.NAME,
        description =
                "Measures accuracy and loss of checkpoints, or of a running server's versions, on held-out samples.")
public final class EvaluateLauncher implements Callable<Integer> {

    /** The word after {@code fleetgrad}. */
    public static final String NAME = "evaluate";

    private static final OtherProgram EVALUATOR =
            new OtherProgram("evaluator", List.of("-XX:+UseSerialGC"), Malloc.SETTINGS);

    @Parameters(hidden = true)
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws RunFailedException, IOException, InterruptedException {
        return EVALUATOR.run(words);
    }
}
