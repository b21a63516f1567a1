package org.fleetgrad.runs.process;

import java.nio.file.Path;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.start.StartWatch;

/** Makes groups of programs whose starts print nothing. */
public final class SilentPrograms {

    private SilentPrograms() {}

    /**
     * Makes an empty group.
     *
     * @param home the checkout
     * @param logs folder for their output
     */
    public static ProcessGroup of(Path home, Path logs) {
        return new ProcessGroup(home, logs, new StartWatch(StartWatch.USUAL_TIMEOUT, RunOutput.SILENT));
    }
}
