package org.fleetgrad.cli.options;

import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import picocli.CommandLine.Option;

/** The option that says how progress is printed. */
@HelpGroup(Topic.OUTPUT)
public final class PlainOption {

    @Option(
            names = "--plain",
            description =
                    "Print progress as lines, for a log, and not as one line that is written over (default in a pipe"
                            + " and with CI set)")
    private boolean isPlain;

    /** Returns whether progress is printed as lines. */
    public boolean isPlain() {
        return isPlain;
    }
}
