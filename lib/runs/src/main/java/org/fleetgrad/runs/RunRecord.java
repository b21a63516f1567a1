package org.fleetgrad.runs;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.RecordedRun;
import org.fleetgrad.runs.kept.RunLabel;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.settings.RunSettings;

/** Begins the record of a run in its folder, so that {@code fleetgrad runs} knows it. */
public final class RunRecord {

    private RunRecord() {}

    /**
     * Begins the record; a run that is a part of another one has none.
     *
     * @param folder  the run's, which exists
     * @param command that runs it, such as {@code train}
     * @throws RunFailedException as {@link RecordedRun#begin} does
     */
    public static RecordedRun begin(RunSettings settings, Path folder, String command, RunOutput output)
            throws RunFailedException {
        Optional<RunLabel> label = settings.tracking().label();
        return label.isEmpty()
                ? RecordedRun.unrecorded(folder)
                : RecordedRun.begin(
                        KeptRuns.in(KeptRuns.place(System.getenv())),
                        folder,
                        command,
                        label.get(),
                        ReportedSettings.of(settings),
                        Clock.systemUTC(),
                        output::tell);
    }
}
