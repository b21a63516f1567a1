package org.fleetgrad.runs.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import org.fleetgrad.files.DiskSpace;
import org.fleetgrad.files.FolderTree;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.RunState;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.resume.ResumeParts;
import org.fleetgrad.runs.resume.ResumePath;
import org.fleetgrad.runs.settings.Until;

/** Trains one trial to a place, from wherever its folder says that it is. Thread-safe. */
final class TrialRunner {

    private static final Duration LOOK = Duration.ofMillis(200);

    /** A driver whose search was killed takes a last checkpoint before it ends. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** In bytes: the log of a run that cannot even begin is smaller. */
    private static final long LITTLE = 1 << 20;

    private final SearchPlan plan;
    private final KeptRuns runs;
    private final TrialTraining training;
    private final RunOutput output;

    TrialRunner(SearchPlan plan, KeptRuns runs, TrialTraining training, RunOutput output) {
        this.plan = plan;
        this.runs = runs;
        this.training = training;
        this.output = output;
    }

    /**
     * Trains, unless the trial was there before.
     *
     * @return why it did not come there; empty if it did, or if somebody stopped it
     */
    String train(Trial trial, Until until) throws RunFailedException, InterruptedException {
        TrialState before = awaitEnd(trial);
        if (before.isDone(until)) {
            return "";
        }
        if (before.is(RunState.ELSEWHERE)) {
            return "it began on %s, whose processes are not seen from here: go on there"
                    .formatted(before.run().orElseThrow().facts().process().host());
        }
        String said;
        try {
            said = training.train(trial, TrialWords.of(plan, trial, until, isResumable(trial)));
        } catch (IOException notStarted) {
            return "its process cannot be started: " + notStarted.getMessage();
        }
        TrialState after = TrialState.of(trial, runs);
        if (after.isDone(until) || after.is(RunState.STOPPED)) {
            return "";
        }
        if (after.is(RunState.FAILED) && !after.failure().isEmpty()) {
            return after.failure();
        }
        return said.isEmpty() ? "its process ended without a word" + full(trial) : Printable.text(said);
    }

    /** Where a disk is full there is no log, either. */
    private static String full(Trial trial) {
        OptionalLong free = DiskSpace.free(trial.folder());
        return free.isPresent() && free.getAsLong() < LITTLE ? DiskSpace.note(trial.folder()) : "";
    }

    /** The process of a search that was killed may still be ending. */
    private TrialState awaitEnd(Trial trial) throws RunFailedException, InterruptedException {
        long begin = System.nanoTime();
        TrialState state = TrialState.of(trial, runs);
        while (state.is(RunState.RUNNING)) {
            long pid = state.run().orElseThrow().facts().process().pid();
            output.live("waiting for process %d, which still runs %s".formatted(pid, trial.name()));
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw RunFailedException.input("%s is running: process %d; fleetgrad runs stop %s ends it"
                        .formatted(trial.name(), pid, trial.name()));
            }
            Thread.sleep(LOOK.toMillis());
            state = TrialState.of(trial, runs);
        }
        return state;
    }

    /** A run that ended before its first checkpoint begins again. With several servers, some may have had theirs. */
    private boolean isResumable(Trial trial) throws RunFailedException {
        Path checkpoints = trial.folder().resolve(ResumePath.CHECKPOINTS);
        int parts = ResumeParts.count(checkpoints);
        if (ResumePath.hasCheckpoints(checkpoints) || parts > 0) {
            return true;
        }
        try {
            if (Files.exists(checkpoints)) {
                FolderTree.delete(checkpoints);
            }
            return false;
        } catch (IOException failed) {
            throw RunFailedException.input("the folder %s cannot be removed: %s".formatted(checkpoints, failed));
        }
    }
}
