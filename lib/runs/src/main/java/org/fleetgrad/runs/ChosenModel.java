package org.fleetgrad.runs;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.BestResult;
import org.fleetgrad.runs.output.HeldOutFigures;
import org.fleetgrad.runs.resume.BestFile;
import org.fleetgrad.runs.watch.FinalEvaluation;
import org.jspecify.annotations.Nullable;

/**
 * The model that a run leaves: its last version, or the best one if the patience has ended the run, or if the best
 * alone has reached the target.
 *
 * @param model   the parameters
 * @param figures what the evaluation says of them
 * @param best    the best version of the run, which may be another one; null if none was kept
 */
public record ChosenModel(
        Pulled model, HeldOutFigures figures, @Nullable BestResult best) {

    /** The evaluator sends the parameters of the last version right after its figures, which the run has seen. */
    private static final Duration LONGEST_UPLOAD = Duration.ofSeconds(5);

    private static final Duration LOOK = Duration.ofMillis(50);

    /**
     * Compares the last version with the best one that the server has kept.
     *
     * @param run          folder of the run
     * @param seen         the server's figures when it reported the best evaluation
     * @param isBestWanted whether the better of the two is the model
     * @param tell         receives why the best version cannot be read
     */
    public static ChosenModel of(
            Path run,
            FinalEvaluation.Outcome last,
            Optional<StatusReply> seen,
            boolean isBestWanted,
            Consumer<String> tell)
            throws InterruptedException {
        HeldOutFigures ofLast = HeldOutFigures.of(last.status());
        try (BestVersion kept = BestFile.open(run)) {
            Optional<ScoredVersion> best = await(kept, last);
            if (best.isEmpty()) {
                return new ChosenModel(last.model(), ofLast, null);
            }
            if (!isBetter(best.get(), last)) {
                ScoredVersion itself = new ScoredVersion(
                        last.model().version(), score(last.status()).orElseThrow());
                return new ChosenModel(last.model(), ofLast, result(itself, true));
            }
            if (!isBestWanted) {
                return new ChosenModel(last.model(), ofLast, result(best.get(), false));
            }
            return of(best.get(), kept, seen);
        } catch (IOException unreadable) {
            tell.accept("the best version of the run cannot be read: " + unreadable.getMessage());
            return new ChosenModel(last.model(), ofLast, null);
        }
    }

    /**
     * Takes the best version that the server has kept, of a run that has ended before its last version was evaluated.
     *
     * @param seen the server's figures when it reported the best evaluation
     */
    public static Optional<ChosenModel> kept(Path run, Optional<StatusReply> seen) throws IOException {
        try (BestVersion kept = BestFile.open(run)) {
            Optional<ScoredVersion> best = kept.newest().flatMap(BestVersion.Best::scored);
            return best.isEmpty() ? Optional.empty() : Optional.of(of(best.get(), kept, seen));
        }
    }

    private static ChosenModel of(ScoredVersion best, BestVersion kept, Optional<StatusReply> seen) throws IOException {
        HeldOutFigures figures = seen.filter(then -> isOf(best, then))
                .map(HeldOutFigures::of)
                .orElseGet(() -> HeldOutFigures.of(best.score()));
        return new ChosenModel(new Pulled(best.version(), kept.read().parameters()), figures, result(best, true));
    }

    /** Tells whether a run has kept a version as its best, at once or a little later. */
    public static boolean isKept(Path run, ParameterVersion version) throws IOException, InterruptedException {
        try (BestVersion kept = BestFile.open(run)) {
            return await(kept, best -> best.version().equals(version)).isPresent();
        }
    }

    /** Returns the kept version once it is no worse than the last one, which is the best then. */
    private static Optional<ScoredVersion> await(BestVersion kept, FinalEvaluation.Outcome last)
            throws IOException, InterruptedException {
        Optional<ScoredVersion> newest = kept.newest().flatMap(BestVersion.Best::scored);
        if (newest.isEmpty()) {
            return newest;
        }
        return await(
                        kept,
                        best -> isBetter(best, last)
                                || best.version().equals(last.model().version()))
                .or(() -> newest);
    }

    /** Returns the kept version once it is as wanted; empty if that takes too long. */
    private static Optional<ScoredVersion> await(BestVersion kept, Predicate<ScoredVersion> isWanted)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            Optional<ScoredVersion> best =
                    kept.newest().flatMap(BestVersion.Best::scored).filter(isWanted);
            if (best.isPresent() || System.nanoTime() - begin > LONGEST_UPLOAD.toNanos()) {
                return best;
            }
            Thread.sleep(LOOK.toMillis());
        }
    }

    private static boolean isBetter(ScoredVersion best, FinalEvaluation.Outcome last) {
        return score(last.status())
                .filter(score -> !best.score().isBetterThan(score))
                .isEmpty();
    }

    private static Optional<HeldOutScore> score(StatusReply status) {
        return HeldOutFigures.of(status).score();
    }

    private static boolean isOf(ScoredVersion best, StatusReply then) {
        return best.version().generation().equals(then.generation())
                && Objects.equals(then.accuracyVersion(), best.version().version());
    }

    private static BestResult result(ScoredVersion best, boolean isWritten) {
        return new BestResult(
                best.version().version(),
                best.version().generation(),
                best.score().accuracy().orElse(null),
                best.score().loss().orElse(null),
                isWritten);
    }
}
