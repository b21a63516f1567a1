package org.fleetgrad.runs.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.runs.output.HeldOutFigures;
import org.fleetgrad.runs.settings.PatienceSettings;
import org.jspecify.annotations.Nullable;

/**
 * Ends a run whose held-out score no longer gets better. It counts the samples between the evaluated versions, not the evaluations,
 * of which there are several a second or one in an hour, and not the time in which a slow evaluation is under way. Confined to the
 * thread that watches the run.
 */
public final class Patience {

    /** Hours of looks during one evaluation. */
    private static final int MOST_POSITIONS = 100_000;

    private final Optional<PatienceSettings> settings;
    /** Where the run was when it was looked at, from the last evaluated version on. */
    private final Deque<Position> positions = new ArrayDeque<>();

    private @Nullable HeldOutScore best;
    private @Nullable ParameterVersion bestVersion;
    private @Nullable ParameterVersion evaluated;
    private long bestAt;
    private double epochs;

    private record Position(long version, long samples) {}

    /** @param settings empty for a run that does not end for this reason */
    public Patience(Optional<PatienceSettings> settings) {
        this.settings = settings;
    }

    /** Looks at the newest evaluation; returns whether the patience is at its end. */
    public boolean look(StatusReply status) {
        if (settings.isEmpty()) {
            return false;
        }
        note(status);
        Long version = status.accuracyVersion();
        Optional<HeldOutScore> score = HeldOutFigures.of(status).score();
        if (version == null || score.isEmpty() || status.work() == null) {
            return false;
        }
        ParameterVersion now = new ParameterVersion(status.generation(), version);
        if (!now.equals(evaluated)) {
            evaluated = now;
            add(now, score.get(), status);
        }
        return epochs >= settings.get().epochs();
    }

    private void add(ParameterVersion version, HeldOutScore score, StatusReply status) {
        while (!positions.isEmpty() && positions.getFirst().version() < version.version()) {
            positions.removeFirst();
        }
        long samples =
                positions.isEmpty() ? status.samples() : positions.getFirst().samples();
        HeldOutScore before = best;
        if (before == null || before.distanceTo(score) > settings.orElseThrow().minDelta()) {
            best = score;
            bestVersion = version;
            bestAt = samples;
        }
        long epoch = status.work() == null ? 1 : Math.max(1, status.work().epochSamples());
        // After a rollback the run may be before its best version.
        epochs = Math.max(0, (double) (samples - bestAt) / epoch);
    }

    private void note(StatusReply status) {
        Position last = positions.peekLast();
        if (last != null && status.version() < last.version()) {
            // A rollback, or a restart that lost steps: the numbers begin anew.
            positions.clear();
            last = null;
        }
        if (last == null || status.version() > last.version()) {
            positions.addLast(new Position(status.version(), status.samples()));
        }
        if (positions.size() > MOST_POSITIONS) {
            positions.removeFirst();
        }
    }

    /** Says for how long nothing got better. */
    public String text() {
        PatienceSettings asked = settings.orElseThrow();
        return String.format(
                Locale.ROOT,
                "no evaluation in %.2f epochs was %s than that of version %,d",
                epochs,
                asked.minDelta() == 0 ? "better" : "better by more than " + asked.minDelta(),
                bestVersion == null ? 0 : bestVersion.version());
    }
}
