package org.fleetgrad.runs.search;

import java.util.Optional;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.kept.RunEnd;
import org.fleetgrad.runs.kept.RunState;
import org.fleetgrad.runs.settings.Until;

/**
 * What a trial's folder says.
 *
 * @param run absent before the trial began
 */
record TrialState(Trial trial, Optional<KeptRun> run) {

    /** The setting of a run that says where it pauses. */
    private static final String UNTIL = "until";

    static TrialState of(Trial trial, KeptRuns runs) {
        return new TrialState(trial, runs.look(trial.folder()));
    }

    /** Returns whether the trial trained to this place, or came to its end before: the run says both in one file. */
    boolean isDone(Until until) {
        return is(RunState.ENDED)
                && until.toString().equals(run.orElseThrow().facts().settings().get(UNTIL));
    }

    boolean is(RunState state) {
        return run.map(KeptRun::state).filter(state::equals).isPresent();
    }

    Optional<Measure> best() {
        return run.flatMap(kept -> kept.facts().best());
    }

    /** Returns how long the run trained since it was last begun; 0 if it has no result. */
    double seconds() {
        return run.map(kept -> kept.facts().figures().get("seconds"))
                .filter(Number.class::isInstance)
                .map(seconds -> ((Number) seconds).doubleValue())
                .orElse(0.0);
    }

    /** Returns the version that its result has; -1 if it has none. */
    long version() {
        return run.map(kept -> kept.facts().figures().get("version"))
                .filter(Number.class::isInstance)
                .map(version -> ((Number) version).longValue())
                .orElse(-1L);
    }

    /** Returns why the run failed, in a line; empty if it did not say so. */
    String failure() {
        return run.flatMap(kept -> kept.facts().end())
                .map(RunEnd::reason)
                .flatMap(reason -> reason.lines().findFirst())
                .orElse("");
    }
}
