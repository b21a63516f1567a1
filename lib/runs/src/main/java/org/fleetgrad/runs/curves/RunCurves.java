package org.fleetgrad.runs.curves;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.fleetgrad.mlflow.TrackedRun;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.kept.RecordedRun;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the curves of a run in progress, each row immediately: {@code curves.csv} in the run's folder, and an event file
 * and MLflow if the user asked for them. A file that can no longer be written is abandoned; the run continues. Confined to one thread.
 */
public final class RunCurves implements AutoCloseable {

    /** Name of the table in a run's folder. */
    public static final String TABLE = "curves.csv";

    private final List<CurveFile> files;
    private final OptionalInt tokensPerSample;
    private final Clock clock;
    private final Consumer<String> teller;
    private final RowPace pace = new RowPace();
    private @Nullable String generation;
    private long version;
    private long evaluated = -1;

    RunCurves(List<CurveFile> files, OptionalInt tokensPerSample, Clock clock, Consumer<String> teller) {
        this.files = new ArrayList<>(files);
        this.tokensPerSample = tokensPerSample;
        this.clock = clock;
        this.teller = teller;
    }

    /**
     * Opens the files of a run.
     *
     * @param folder          the run's
     * @param tensorboard     folder of TensorBoard; the run gets a folder of its own name in it
     * @param mlflow          the run in MLflow; the caller closes it
     * @param facts           takes the held-out results
     * @param target          of the run
     * @param isContinuing    whether the run continues an earlier one, whose rows are retained
     * @param task            tells how many tokens are predicted of each sample of a text
     * @param teller          receives a line about an abandoned file
     * @throws RunFailedException if a file cannot be made
     */
    public static RunCurves open(
            Path folder,
            Optional<Path> tensorboard,
            Optional<TrackedRun> mlflow,
            RecordedRun facts,
            RunTarget target,
            boolean isContinuing,
            Task task,
            Clock clock,
            Consumer<String> teller)
            throws RunFailedException {
        List<CurveFile> files = new ArrayList<>();
        Path table = folder.resolve(TABLE);
        try {
            files.add(CurveTable.open(table, isContinuing));
        } catch (IOException unwritable) {
            throw RunFailedException.input("%s cannot be written: %s".formatted(table, unwritable));
        }
        if (tensorboard.isPresent()) {
            Path run = tensorboard.get().resolve(String.valueOf(folder.getFileName()));
            try {
                files.add(EventFile.create(run, clock.instant()));
            } catch (IOException unwritable) {
                throw RunFailedException.input("--tensorboard %s: no event file can be made in %s: %s"
                        .formatted(tensorboard.get(), run, unwritable));
            }
        }
        files.add(new FactsCurve(facts, target));
        mlflow.ifPresent(run -> files.add(new MlflowCurves(run)));
        OptionalInt tokens = task instanceof LanguageModel ? OptionalInt.of(task.predictions()) : OptionalInt.empty();
        return new RunCurves(files, tokens, clock, teller);
    }

    /**
     * Takes the run's status, and writes a row if it has changed and a row is due.
     *
     * @param seconds          of training so far
     * @param samplesPerSecond over the last seconds
     */
    public void look(StatusReply status, double seconds, double samplesPerSecond) {
        if (isNews(status) && pace.isDue(seconds)) {
            write(status, seconds, samplesPerSecond);
        }
    }

    /** Writes the row at the end of training, which is never skipped. */
    public void end(StatusReply status, double seconds, double samplesPerSecond) {
        if (isNews(status)) {
            write(status, seconds, samplesPerSecond);
        }
    }

    private boolean isNews(StatusReply status) {
        return status.initialized()
                && (!status.generation().equals(generation) || status.version() != version || isNewlyEvaluated(status));
    }

    private boolean isNewlyEvaluated(StatusReply status) {
        return status.accuracyVersion() != null && status.accuracyVersion() != evaluated;
    }

    private void write(StatusReply status, double seconds, double samplesPerSecond) {
        OptionalDouble tokensPerSecond = tokensPerSample.isPresent()
                ? OptionalDouble.of(samplesPerSecond * tokensPerSample.getAsInt())
                : OptionalDouble.empty();
        CurveRow whole = CurveRow.of(status, clock.instant(), seconds, samplesPerSecond, tokensPerSecond);
        // A server restarted without a journal may be at an earlier version, or in another history.
        boolean isBegin = !status.generation().equals(generation) || status.version() < version;
        CurveRow row = isBegin || isNewlyEvaluated(status) ? whole : whole.withoutHeldOut();
        generation = status.generation();
        version = status.version();
        evaluated = whole.heldOut().map(CurveRow.HeldOut::version).orElse(-1L);
        for (Iterator<CurveFile> each = files.iterator(); each.hasNext(); ) {
            CurveFile file = each.next();
            try {
                if (isBegin) {
                    file.begin(row);
                }
                file.add(row);
            } catch (IOException failed) {
                teller.accept("the curves continue without %s: %s".formatted(file, failed));
                each.remove();
                close(file);
            }
        }
    }

    @Override
    public void close() {
        files.forEach(RunCurves::close);
        files.clear();
    }

    private static void close(CurveFile file) {
        try {
            file.close();
        } catch (IOException failed) {
            // Every row was flushed immediately: nothing remains to be written.
        }
    }
}
