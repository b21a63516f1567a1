package org.fleetgrad.cli.runs;

import java.util.List;
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
        KeptRuns runs = place.runs();
        return find(place, runs, runs.all(), wanted);
    }

    /**
     * Finds a run; of BEST it tells what was compared.
     *
     * @param all of {@code runs}, read once for all that a command names
     */
    static KeptRun find(RunsPlace place, KeptRuns runs, List<KeptRun> all, String wanted) throws RunFailedException {
        if (wanted.equalsIgnoreCase(BEST)) {
            BestRun best = BestRun.of(all);
            place.tell(best.compared());
            return best.run();
        }
        return runs.find(all, wanted);
    }
}
