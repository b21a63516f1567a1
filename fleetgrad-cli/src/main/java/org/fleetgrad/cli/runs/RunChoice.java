package org.fleetgrad.cli.runs;

import org.fleetgrad.runs.kept.BestRun;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The parameter that names one run. */
final class RunChoice {

    private static final String BEST = "BEST";

    @Mixin
    private final RunsPlace place = new RunsPlace();

    @Parameters(index = "0", paramLabel = "RUN", description = "Name of a run, its folder, LAST or BEST")
    private String wanted = "";

    RunsPlace place() {
        return place;
    }

    KeptRun run() throws RunFailedException {
        return find(place, place.runs(), wanted);
    }

    /** Finds a run; of BEST it tells what was compared. */
    static KeptRun find(RunsPlace place, KeptRuns runs, String wanted) throws RunFailedException {
        if (wanted.equalsIgnoreCase(BEST)) {
            place.tell(BestRun.of(runs.all()).compared());
        }
        return runs.find(wanted);
    }
}
